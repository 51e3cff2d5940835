#pragma once

#include "tepui/terrain/paint.h"

namespace tepui::reference {

/// Stroke after stroke over the whole land, every step of a stroke at every sample, means summed sample by sample.
Terrain paint(const Terrain& in, const Lines& strokes, const PaintParams& params);

}  // namespace tepui::reference

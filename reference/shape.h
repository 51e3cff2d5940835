#pragma once

#include "tepui/generate/shape.h"

namespace tepui::reference {

/// The table of tepui/generate/shape.h, sample by sample; walls without slack.
Terrain shape(const Frame& world, const ShapeParams& params);

}  // namespace tepui::reference

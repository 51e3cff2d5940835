#pragma once

#include "tepui/terrain/terrain.h"

namespace tepui::reference {

/// A continuous layer at the samples of another frame, each as one sum over all samples it covers (coarser: weighted by
/// the area of overlap) or over its 4 x 4 neighbours (finer: Keys 1981, Eq. 4 with a = -1/2, in the kernel's own form).
Grid<float> resample(const Grid<float>& in, const Frame& from, const Frame& to);

}  // namespace tepui::reference

#pragma once

#include <functional>
#include <span>

#include "tepui/terrain/terrain.h"

namespace tepui::reference {

/// A continuous layer at the samples of a frame in another reference system, each from its own position: `way_back`
/// turns coordinates of the new system into the old one's, in place. Over 4 x 4 neighbours (Keys 1981, Eq. 4 with a =
/// -1/2, in the kernel's own form), with the land continued in a straight line at its border and repeated beyond it.
/// NaN for samples more than half an old cell outside.
Grid<float> reproject(const Grid<float>& in, const Frame& from, const Frame& to,
                      const std::function<void(std::span<double>, std::span<double>)>& way_back);

}  // namespace tepui::reference

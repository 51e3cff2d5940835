#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct ThermalParams {
  int64_t steps = 200;
  double from = 0;
  Angle talus{33};
};
void describe(Fields<ThermalParams>& f);

/// Slopes steeper than the talus angle crumble and slide: all of the land is loose. After Musgrave, Kolb and Mace 1989.
/// In a step each cell hands to each lower one of its eight neighbours f (m - m_i) / 8, all at once, where f = max(0, 1
/// - tan(talus) / slope) (debris.h). No height leaves the range there was, and the volume stays the same exactly.
///
/// Layers: `height`; `deposits`, what came less what went since the start; `talus`, the depth of what came to lie where
/// more came than went, in metres, in the place of a layer of that name. A run that ended at the step `from` can
/// be taken up again and ends with the very bits of one that never stopped.
///
/// Where we differ: the paper's share of one half can hand one cell more than there is a difference, several times
/// over.
Terrain thermal(const Terrain& in, const ThermalParams& params, const Context& context);

}  // namespace tepui

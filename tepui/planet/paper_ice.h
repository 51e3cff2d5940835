#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/paper_land.h"

namespace tepui {

/// The finest level on which ice flows: its triangles are as wide as valley glaciers. Finer vertices lie between those
/// of this one.
inline constexpr int finest_ice_level = 12;

/// Eqs. 7-8: P_es of the corners of triangles that have changed.
void gather_stability(PaperLand& land, const std::vector<int32_t>& changed);

/// What T_heat / P_es of Eq. 9 adds to the temperature of a vertex, against ground that is neither hollow nor ridge.
double heat_of_shelter(const PaperLand& land, size_t v);

/// The direction in which a triangle falls, level and of length 1; 0 where it is level.
Vec3 way_down(const PaperLand& land, size_t triangle);

/// The ice of new vertices until it flows again: that of the edges on which they were born.
void inherit_ice(PaperLand& land, const PaperBirths& births);

/// Eqs. 12-13: ice from triangle to triangle, at the height of glaciation and now; and what it makes of vertices.
void flow_ice(PaperLand& land, const GlobalLand& planet, const Context& context);

/// Of all ice at the height of glaciation: what grew, what melted, and what left for the sea or over the border.
struct IceBudget {
  double gained = 0, melted = 0, carried_off = 0;
};
IceBudget ice_budget(const PaperLand& land, const GlobalLand& planet, const Context& context);

}  // namespace tepui

#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/planet/paper_land.h"
#include "tepui/planet/refine_rules.h"

namespace tepui {

/// Adds the vertices of the split edges: first plates and faults move and lift them (Eqs. 1-4), then rivers (Eqs. 5-6)
/// and water on slopes, then glaciers (Eqs. 14-18). Each has a receiver when it is born.
void bear_paper_vertices(PaperLand& land, const PaperBirths& births, const LevelScale& scale, const LocalRules& rules,
                         uint64_t key, const Context& context);

/// Once the mesh has flipped: new vertices drain to their steepest lower neighbour, and old ones share their water with
/// those that reach them, so that discharge at old vertices stays what it was.
void share_water(PaperLand& land, const PaperBirths& births, const std::vector<int32_t>& changed,
                 const Context& context);

}  // namespace tepui

#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct FloatingIslandsParams {
  int islands = 1;
  LengthInterval size{metres(300), metres(600)};
  LengthInterval heights{metres(0), metres(150)};
  Length spacing = metres(60);
  double thickness = 0.5;
  double relief = 0.15;
  double roughness = 0.5;
  double roots = 0.5;
  Angle joints{30};
  Length wear = metres(4);
  Seed seed;
};
void describe(Fields<FloatingIslandsParams>& f);

/// Islands that float in the air (Paris et al. 2019, section 8.1, Figure 21): for each an upright land and one turned
/// upside down, of which the rock that both have in common is kept (`intersection`, 3 m smooth), and then worn by its
/// beds (`strata_erosion`).
///
/// The outline is free: where `mask` is above one half, a closed line or polygon of `outline` for each island, or else
/// a disc of `size` metres that noise has pulled out and bitten. Outside of it the underside rises above the ground.
/// Below, roots hang from a bowl where joints cross, drawn out along one of them. Shores lie within `heights`; the
/// first island is in the middle of the world, the others where they are `spacing` metres from each other: those for
/// which no place is found are left out, with a warning.
///
/// The land of an island has 385 samples on its longer side, whatever the world's resolution: previews show the same
/// islands. The paper placed its islands by hand and prints no numbers but their size.
Volume floating_islands(const Frame& world, const Terrain* mask, const Lines* outline, const Geology* rock,
                        const FloatingIslandsParams& params, const Context& context);

}  // namespace tepui

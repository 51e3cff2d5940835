#pragma once

#include "tepui/core/context.h"
#include "tepui/generate/particle_deposition_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Particle deposition (Shankel 2000): particles are dropped one after another on a lattice of their own, nodes `grain`
/// apart, and pile up. One that lands on a node of which some of the 8 neighbours are lower rolls to one of these,
/// drawn at random, and so on, until no neighbour is lower or it sticks: before each move, by the chance `stickiness`,
/// unless the next node is 4 or more lower. There it lies, and the node is one higher. No particle leaves the lattice,
/// which ends with the world.
///
/// Drops: in the middle of the world; evenly over the disc of radius `spread` around it; evenly along the line through
/// it, `spread` to the west and to the east, and beside it up to 0.4 spread, fewer with the distance; over all the
/// world; or at the point of a random walk which begins in the middle, in steps of a grain, and stays within `spread`
/// of the middle in x and in y. The walk's path does not
/// depend on the number of particles, which share its steps evenly: more of them pile higher on the same path.
///
/// The land is the uniform cubic B-spline over the nodes' counts, brought to [0, height] by its range on the nodes. The
/// lattice does not depend on the samples, so every resolution, crop and tile shows the same land.
///
/// Laws: the counts add up to `particles`; without stickiness no two neighbours differ by more than one; with it, no
/// node is more than 4 above the highest of its neighbours.
///
/// Where we differ: Shankel moves the drop point by hand and searches a radius for a lower node; here it walks, and
/// particles roll step by step. His inversion of the cone's top (a caldera) is left to `adjust`.
Terrain particle_deposition(const Frame& world, const ParticleDepositionParams& params, const Context& context);

}  // namespace tepui

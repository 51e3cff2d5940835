#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct DropletsParams {
  double amount = 0.3;
  double strength = 1;
  int steps = 64;
  double inertia = 0.15;
  double capacity = 4;
  Length scale = percent(0.1);
  std::optional<double> sea_level{};
  Seed seed;
};
void describe(Fields<DropletsParams>& f);

/// Rain that falls drop by drop, runs down, takes loose ground along and lays it down: gullies in steep slopes, aprons
/// below them. A finish for land that has its valleys already. After Beyer 2015.
///
/// Droplets run on a lattice whose cells are about `scale` metres (lattice_ladder.h; the land's own samples if those
/// are coarser), so that lands of other resolutions get the same gullies; what they change is brought back to the
/// samples. With lengths in cells, d the direction of a droplet, g the gradient under it, v its speed, q the water left
/// (from 1 to 0 over its steps), and s what it carries, a step is
///
///   d <- inertia d - (1 - inertia) g, of length 1;  dz = z(p + d) - z(p);  p <- p + d
///   c = capacity max(-dz, 0.01) v q
///   uphill: it lays down min(dz, s);  s > c: it lays down 0.3 (s - c);  else it takes 0.3 (c - s), at most -dz;
///   v <- sqrt(v^2 - 4 dz), at most 4
///
/// and what it takes and lays down is times 0.08 strength, rock and mask. Droplets run in 32 batches; all of a batch
/// see the heights of its start. Their doings are whole quanta (height_quanta.h) at the nearest sample, summed, and
/// spread by the weights 1 2 1 along both axes: no grain is lost, and no bit depends on threads. What crosses the
/// border or reaches the sea has left the land, which is told. In the end pits that droplets have dug are carved.
///
/// Where we differ from Beyer: changes are spread over three by three samples, not over a disc; droplets have all the
/// same life, and lay down in the end what they still carry.
///
/// Rock of resistance rho loses as much less as under stream_power, and rock of resistance 1 nothing. Nothing changes
/// where `mask` is 0. Layers as those of weathering.
Terrain droplets(const Terrain& in, const Geology* rock, const Terrain* mask, const DropletsParams& params,
                 const Context& context);

}  // namespace tepui

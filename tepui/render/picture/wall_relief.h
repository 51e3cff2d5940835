#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/geology/geology.h"
#include "tepui/mesh/mesh.h"
#include "tepui/volume/cut_away.h"

namespace tepui {

/// What the walls of a volume in a picture have between the size of its cells and a few metres, which its field does
/// not tell: thin beds that stand out or are worn back, thinner and deeper in weak rock, blocks between joints in
/// resistant rock, and roughness. A vertex moves along its normal by a function of its place, so neighbouring meshes
/// still meet, and nothing smaller than two and a half cells is added: those are left to the shading. Level ground and
/// faces of a cut stay as they are.
struct WallRelief {
  const Geology* rock = nullptr;  ///< resistances; without one all rock is of the middle kind
  CutAway cut{};
  double tolerance = 0;  ///< metres from the cut's faces up to which the surface is theirs
  double cell = 1;       ///< metres
};
Mesh with_relief(const Mesh& mesh, const WallRelief& relief, const Context& context);

/// What the relief of a place depends on.
struct ReliefPoint {
  Vec3 at;
  float resistance = 0.5f;
  float upright = 1;  ///< 1 on a wall, 0 on a ceiling, which lies along the beds
};

/// How far the surface of rock stands out at a place, in metres; nothing smaller than `smallest` metres. At most 0.6 m
/// either way.
double relief_at(const ReliefPoint& point, double smallest);

}  // namespace tepui

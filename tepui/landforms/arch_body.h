#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/geology/geology.h"
#include "tepui/volume/primitive.h"

namespace tepui {

/// An opening through rock: a vault over a way in the plane, whose floor has the height of the way's points.
struct ArchShape {
  std::vector<Vec3> way;  ///< along the floor, from air to air; two or more
  double width = 10;      ///< metres, at the floor
  double height = 8;      ///< of the crown above the floor
  double noise = 0.22;    ///< share of width and height by which the walls are rough
  double flare = 0.3;     ///< how much wider it is at both ends of the way
  uint64_t key = 0;
};

/// How far the walls may lie outside of the smooth vault, as a factor of its height: what must remain above them.
double highest_vault(const ArchShape& shape);

/// Points that carve the opening: the body (y / half width)^2 + (z / height)^2 < (1 + noise)^2 over the floor, y the
/// distance from the way, wider in weak beds and towards the ends. They lie on a lattice of the world; rock of
/// resistance 1 is left alone.
std::vector<FieldPoint> arch_points(const ArchShape& shape, const Geology& rock, double threshold,
                                    const Context& context);

}  // namespace tepui

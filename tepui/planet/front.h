#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// The lines between parts of the sphere that bear different labels, as points in the middle of the edges that cross
/// them, each linked to those of the same triangle.
struct Front {
  struct Point {
    Vec3 place;
    std::array<int32_t, 2> sides;  ///< the two vertices, that of the smaller label first
  };
  std::vector<Point> points;
  Neighbours links;  ///< of the points, in no order

  bool empty() const { return points.empty(); }
};

Front front_between(const SphereMesh& mesh, std::span<const int32_t> labels);

/// The front's own points with fewer corners: each moved `rounds` times to the mean of itself and its links.
void smooth_places(Front& front, int rounds);

/// The part of a front that `keep` marks.
Front part_of(const Front& front, std::span<const uint8_t> keep);

/// The front's point nearest to every vertex, -1 where there is none at all. Found on coarse levels first and then by
/// walking along the front, so that distances to it are true arcs at any distance.
std::vector<int32_t> nearest_points(const Front& front, const SphereMesh& mesh,
                                    std::span<const std::array<int32_t, 2>> parents, const Context& context);

}  // namespace tepui

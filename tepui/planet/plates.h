#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/front.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// A rigid plate, turning about an axis through the planet's centre.
struct Plate {
  Vec3 turn;        ///< radians a year about its direction; the motion at p is turn x p
  double bias = 0;  ///< how much the plate tends to carry a continent, in [-1, 1]
};

struct PlateSpec {
  int count = 14;
  double fastest = 0.1;  ///< metres a year on the surface, at most
  uint64_t key = 0;
};

/// The plates and which one every vertex belongs to. Where a place lies does not depend on the level of the mesh.
struct Plates {
  std::vector<Plate> plates;
  std::vector<int32_t> of_vertex;
};

/// Plates of uneven sizes with ragged borders: many cells around points, taken up from as many starts as there are
/// plates at different rates. No plates are a single shell that does not move.
Plates drifting_plates(const SphereMesh& mesh, const PlateSpec& spec, const Context& context);

/// How two plates move against each other at a point of their border, in metres a year. The normal points from the
/// plate of the smaller number to the other, and follows the border as it runs over some 200 km.
struct BorderMotion {
  Vec3 normal;
  double opening = 0;  ///< negative where they close
  double shear = 0;
};

/// Motions at every point of the front between plates.
std::vector<BorderMotion> border_motions(const Front& borders, const Plates& plates, const SphereMesh& mesh);

}  // namespace tepui

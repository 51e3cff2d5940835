#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/vec.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// The triangle in which a place lies, and the shares that its corners have in the place, which sum to 1.
struct SpherePlace {
  int32_t triangle = 0;
  std::array<double, 3> shares{};
};

/// Finds places on a mesh of the whole sphere. The mesh must outlive it.
class SphereLocator {
 public:
  explicit SphereLocator(const SphereMesh& mesh);

  /// Walks there from a triangle, such as that of a near place.
  SpherePlace from(int32_t triangle, Vec3 direction) const;
  SpherePlace at(Vec3 direction) const;

 private:
  size_t cell_of(Vec3 direction) const;

  const SphereMesh& mesh_;
  std::vector<std::array<int32_t, 3>> beside_;  ///< the triangle across the edge from each corner to the next
  std::vector<int32_t> start_;                  ///< a triangle near each cell of a cube around the sphere
};

}  // namespace tepui

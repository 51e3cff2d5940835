#pragma once

#include <memory>
#include <optional>
#include <span>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// Where a ray meets a triangle.
struct RayHit {
  double distance = 0;    ///< in lengths of the direction
  uint32_t triangle = 0;  ///< by its place in the list
  double u = 0, v = 0;    ///< shares of the second and the third corner
};

/// Triangles made ready for casting rays, from any thread. Both of their sides count.
class RayScene {
 public:
  /// Positions should be of the order of 1; coordinates are held in single precision.
  RayScene(std::span<const MeshPoint> positions, std::span<const MeshTriangle> triangles, const Context& context);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  /// The first triangle on the way.
  std::optional<RayHit> hit(Vec3 from, Vec3 direction) const;
  /// Whether any triangle is on the way.
  bool blocked(Vec3 from, Vec3 direction) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tepui

#pragma once  // internal

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/light/height_field.h"

namespace tepui {

/// Where a ray meets a shape.
struct RayHit {
  double distance = 0;    ///< in lengths of the direction
  uint32_t shape = 0;     ///< by the order in which they were added
  uint32_t triangle = 0;  ///< of triangles, by its place in the list
  double u = 0, v = 0;    ///< of triangles, shares of the second and the third corner; of a height field, in samples
};

/// Shapes made ready for casting rays, from any thread. Both sides of a surface count.
class RayScene {
 public:
  static constexpr double no_end = std::numeric_limits<double>::infinity();

  RayScene();
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  /// Positions should be of the order of 1; triangles are held in single precision. Returns the shape's number.
  uint32_t add(std::span<const MeshPoint> positions, std::span<const MeshTriangle> triangles);
  /// Must outlive the scene. Rays against it are in double precision.
  uint32_t add(const HeightField& field);
  /// After the last shape and before the first ray.
  void commit(const Context& context);

  /// The first surface on the way, not after `far`.
  std::optional<RayHit> hit(Vec3 from, Vec3 direction, double far = no_end) const;
  /// Whether any surface is on the way.
  bool blocked(Vec3 from, Vec3 direction, double far = no_end) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tepui

#pragma once  // internal

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/light/ray_scene.h"

namespace tepui {

/// One of many copies of a form: where the form's axes and its foot come to lie.
struct Instance {
  std::array<float, 3> x{}, y{}, z{}, foot{};
  uint32_t form = 0;

  Vec3 place(Vec3 p) const { return turn(p) + to_vec(foot); }
  Vec3 turn(Vec3 d) const { return to_vec(x) * d.x + to_vec(y) * d.y + to_vec(z) * d.z; }
};

/// Where a ray meets an instance.
struct InstanceHit {
  double distance = 0;    ///< in lengths of the direction
  uint32_t instance = 0;  ///< by its place in the list
  uint32_t triangle = 0;  ///< of its form
  double u = 0, v = 0;    ///< shares of the second and the third corner
};

/// Forms made of triangles, each standing in many places, made ready for casting rays, from any thread: a wood of a
/// million trees takes the memory of its places. Both sides of a triangle count.
class InstanceScene {
 public:
  InstanceScene();
  ~InstanceScene();
  InstanceScene(const InstanceScene&) = delete;
  InstanceScene& operator=(const InstanceScene&) = delete;

  /// Returns the form's number.
  uint32_t add_form(std::span<const MeshPoint> positions, std::span<const MeshTriangle> triangles);
  /// After the last form and before the first ray.
  void commit(std::vector<Instance> instances, const Context& context);

  const std::vector<Instance>& instances() const;

  /// The first surface on the way, not after `far`.
  std::optional<InstanceHit> hit(Vec3 from, Vec3 direction, double far = RayScene::no_end) const;
  /// Whether any surface is on the way.
  bool blocked(Vec3 from, Vec3 direction, double far = RayScene::no_end) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tepui

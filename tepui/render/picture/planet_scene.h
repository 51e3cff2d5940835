#pragma once  // internal

#include <vector>

#include "tepui/planet/place_values.h"
#include "tepui/planet/planet_value.h"
#include "tepui/planet/sphere_locator.h"
#include "tepui/render/ground/planet_ground.h"
#include "tepui/render/light/ray_scene.h"

namespace tepui {

/// A point of a planet as light meets it. Lengths are in radii of the planet, from its centre.
struct PlanetPoint {
  Vec3 at, up;
  Vec3 normal;  ///< of the ground with its relief; of water that of the level
  Vec3 start;   ///< where rays from it start, clear of the triangles around
  PlanetSpot spot;
};

/// A whole planet as triangles for rays: the land, and the surface of its seas, lakes and ice. Between the vertices,
/// which are tens of kilometres apart, the borders of all things are frayed and slopes are rough at every size down to
/// a pixel's, so that coasts, snow and woods do not show the triangles.
class PlanetScene {
 public:
  PlanetScene(const Planet& planet, const Context& context);

  void add_to(RayScene& scene) const;
  /// What a ray meets; smaller detail than `footprint` is left out.
  PlanetPoint seen(const RayHit& hit, Vec3 from, Vec3 direction, double footprint) const;
  /// How far the surface stands above the sea in a direction, in radii.
  double surface(Vec3 direction) const;

  const Planet& planet() const { return planet_; }

 private:
  Vec3 frayed(Vec3 direction, double footprint) const;
  Vec3 ground_normal(const SpherePlace& place) const;

  Planet planet_;
  SphereLocator locator_;
  double cell_;  ///< radians between vertices, about
  double rise_;  ///< radii of a metre of height
  std::vector<MeshPoint> positions_;
  std::vector<std::array<float, 3>> normals_;  ///< of the surface at each vertex
};

}  // namespace tepui

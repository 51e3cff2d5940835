#pragma once  // internal

#include <array>
#include <optional>
#include <vector>

#include "tepui/planet/fine_land.h"
#include "tepui/planet/planet_value.h"
#include "tepui/render/ground/planet_ground.h"
#include "tepui/render/ground/solid_grain.h"
#include "tepui/render/light/ray_scene.h"

namespace tepui {

/// A point of a planet as light meets it. Lengths are in radii of the planet, from its centre.
struct PlanetPoint {
  Vec3 at, up;
  Vec3 normal;  ///< of the ground with its relief; of water that of the level
  Vec3 start;   ///< where rays from it start, clear of the triangles around
  PlanetSpot spot;
};

/// Where a planet is drawn from, and how fine.
struct PlanetSight {
  Vec3 below{1, 0, 0};   ///< unit vector towards the place below the eye
  double altitude = 1;   ///< of the eye above that place, in radii
  double detail = 0.01;  ///< the angle that an edge of a triangle fills at most
};

/// A planet as triangles for rays, refined for an eye: the land, and the surface of its seas, lakes and ice. Within the
/// triangles the borders of all things are frayed and slopes are rough at every size down to a pixel's.
class PlanetScene {
 public:
  PlanetScene(const Planet& planet, const PlanetSight& sight, const Context& context);

  /// How far the surface stands above the sea below the eye, in radii.
  double ground() const { return ground_; }
  Vec3 eye() const { return sight_.below * (1 + ground_ + sight_.altitude); }

  /// Places are in radii from the planet's centre.
  std::optional<RayHit> hit(Vec3 from, Vec3 direction) const { return rays_.hit(from - origin_, direction); }
  bool blocked(Vec3 from, Vec3 direction) const { return rays_.blocked(from - origin_, direction); }
  /// What a ray meets; smaller detail than `footprint` is left out.
  PlanetPoint seen(const RayHit& hit, Vec3 from, Vec3 direction, double footprint) const;

  const Planet& planet() const { return planet_; }

 private:
  /// A point of a triangle, with the shares that its corners have in it.
  struct Place {
    std::array<size_t, 3> corners;
    std::array<double, 3> shares;
    template <class Column>
    double mix(const Column& column) const {
      double sum = 0;
      for (size_t k = 0; k < 3; ++k) sum += shares[k] * static_cast<double>(column[corners[k]]);
      return sum;
    }
  };

  void place_vertices(const Context& context);
  void find_ground();
  double trait(const Place& place, Trait which) const;
  double surface_at(size_t v) const;
  void set_ground(PlanetSpot& spot, const Place& place, double fray) const;
  double river_at(const Place& place, Vec3 up, double footprint) const;
  Vec3 rippled(Vec3 up, double footprint) const;
  /// Roughness of the ground inside a triangle, and noise for its borders.
  SolidGrain fine_grain(Vec3 up, double distance, double footprint) const;

  Planet planet_;
  PlanetSight sight_;
  FineLand land_;
  double rise_;  ///< radii of a metre of height
  Vec3 origin_;  ///< of the positions
  double ground_ = 0;
  std::vector<std::array<float, 3>> normals_;  ///< of the surface at each vertex
  RayScene rays_;
};

}  // namespace tepui

#pragma once  // internal

#include <memory>
#include <optional>
#include <vector>

#include "tepui/core/vec.h"
#include "tepui/render/light/colour.h"
#include "tepui/render/light/ray_scene.h"

namespace tepui {

/// A point of a surface as light meets it. Directions have unit length and point to the side that the ray came from.
struct SurfacePoint {
  Vec3 at, start;      ///< where it is, and where rays from it start
  Vec3 facet, normal;  ///< of the shape itself, and with its small relief
  Rgb albedo;
};

/// Where a ray goes into water.
struct WaterEntry {
  double distance = 0;
  bool through_top = true;  ///< rather than through a side that is cut
  double level = 0;         ///< of its surface there
  bool inland = false;      ///< a lake or a river rather than the sea
  double steep = 0;         ///< slope of its surface there, a tangent
};

/// What a picture shows: land or a mesh, in units of the longer side of its plan, around the middle of its plan.
class Subject {
 public:
  virtual ~Subject() = default;

  virtual void add_to(RayScene& scene) = 0;

  /// All that the eye sees of it; smaller detail than `footprint` is left out.
  virtual SurfacePoint seen(const RayHit& hit, Vec3 from, Vec3 direction, double footprint) const = 0;
  /// What bounced light meets: the same without the small relief.
  virtual SurfacePoint met(const RayHit& hit, Vec3 from, Vec3 direction) const = 0;

  /// Where a ray goes into a lake or a river, before `far`. After the rays are ready.
  virtual std::optional<WaterEntry> enter_inland_water(Vec3, Vec3, double) const { return {}; }
  /// The level of the lake or river over a point of the plan; nothing where there is none.
  virtual std::optional<double> inland_water_at(Vec2) const { return {}; }

  /// Whether rock hides the sky straight above a point. After the rays are ready.
  virtual bool roofed(Vec3) const { return false; }

  /// What loose rocks are like that come of it.
  virtual Rgb stone(Vec3) const { return {0.21f, 0.20f, 0.185f}; }

  /// What the level ground beyond is like.
  virtual Rgb plain(Vec2 at, double footprint) const = 0;
  /// Height of the ground as seen from above; nothing where it has none.
  virtual std::optional<double> ground_at(Vec2 at) const = 0;
  /// Whether a point is inside the rock or below the floor, as far as the surface tells. After the rays are ready.
  virtual bool inside(Vec3 at) const = 0;

  Vec3 low, high;             ///< of the box around it
  double metres = 1;          ///< of a unit
  double lift = 1;            ///< factor by which heights are exaggerated
  Vec3 centre;                ///< the middle of its plan at height 0, in the world
  double floor = 0;           ///< where the level ground around it is
  bool bottomless = false;    ///< there is no level ground
  bool bounded = false;       ///< the level ground begins where its plan ends, and rises straight up to it there
  double apron = 0;           ///< how far land of its own goes on around it before the level ground begins
  double room = 0;            ///< the usual distance of walls around an eye inside
  bool wide_samples = false;  ///< on a map its outermost samples are as wide as the others
  std::vector<Vec3> outline;  ///< points that all of it lies between
  std::optional<double> sea;
  double sea_left = 0, sea_right = 0, sea_front = 0, sea_back = 0;  ///< how far the sea reaches in plan

  /// A point of the world in the units of the picture.
  Vec3 placed(Vec3 world) const {
    const Vec3 p = (world - centre) * (1 / metres);
    return {p.x, p.y, p.z * lift};
  }
};

}  // namespace tepui

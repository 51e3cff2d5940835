#pragma once  // internal

#include <optional>

#include "tepui/render/ground/planet_skin.h"
#include "tepui/render/ground/volume_ground.h"
#include "tepui/render/page/legend.h"
#include "tepui/render/picture/mesh_model.h"
#include "tepui/render/picture/picture_params.h"
#include "tepui/render/picture/subject.h"

namespace tepui {

/// What is known of what a mesh is the surface of.
struct MeshRock : VolumeRock {
  std::optional<double> plain{};  ///< metres: the height of the land around it, where that goes on to the horizon
  bool floats = false;            ///< there is no ground below it
  double room = 0;                ///< metres: the usual distance of walls around an eye inside
};

/// A mesh, standing on the floor; a sheet of land with walls down to it.
class MeshSubject : public Subject {
 public:
  /// The sea level is in metres.
  MeshSubject(const Mesh& mesh, const PictureParams& params, Base base, std::optional<double> sea,
              const Context& context, MeshRock rock = {});

  void add_to(RayScene& scene) override;
  SurfacePoint seen(const RayHit& hit, Vec3 from, Vec3 direction, double footprint) const override;
  SurfacePoint met(const RayHit& hit, Vec3 from, Vec3 direction) const override;
  Rgb plain(Vec2 at, double footprint) const override;
  std::optional<double> ground_at(Vec2 at) const override;
  bool inside(Vec3 at) const override;
  bool roofed(Vec3 at) const override;
  std::optional<WaterEntry> enter_inland_water(Vec3 from, Vec3 direction, double far) const override;
  std::optional<double> inland_water_at(Vec2 at) const override;

  bool sheet() const { return model_.sheet; }
  /// What the colours mean; empty where they mean nothing.
  PictureLegend legend() const;

 private:
  SurfacePoint surface(const RayHit& hit, Vec3 direction) const;
  Vec3 corner_normal(uint32_t triangle, uint32_t vertex, Vec3 facet) const;
  /// A normal of the picture, where heights may be exaggerated, in the world, and back.
  Vec3 normal_in_world(Vec3 normal) const;
  Vec3 normal_in_picture(Vec3 normal) const;
  Rgb cut_colour(const SurfacePoint& point, double footprint) const;
  Rgb rock_colour(Vec3 at) const;
  bool is_cut(const SurfacePoint& point) const;
  SurfacePlace place_of(const RayHit* hit, const SurfacePoint& point, double footprint) const;
  Vec3 in_world(Vec3 at) const;
  Rgb vertex_colour(const RayHit& hit) const;
  Rgb wall_colour(const SurfacePoint& point) const;
  bool meets_odd(Vec3 from, Vec3 direction) const;

  PictureColour colour_;
  MeshModel model_;
  VolumeGround ground_;
  RockOfMesh own_rock_;
  PlanetSkin planet_;
  Season season_;
  double lowest_tint_ = 0, highest_tint_ = 1;  ///< heights at the ends of the tints
  bool closed_ = false;                        ///< it has an inside; walls close a sheet
  const RayScene* rays_ = nullptr;
  double lift_off_ = 1e-5;      ///< of rays that start on it
  std::optional<double> pool_;  ///< the level of the water in its caves
  bool within_ = false;         ///< the eye is inside a cave
  MeshRock rock_;
  ColourScale scale_;  ///< of the rock's resistance
};

}  // namespace tepui

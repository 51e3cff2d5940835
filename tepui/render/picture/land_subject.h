#pragma once  // internal

#include <optional>

#include "tepui/render/picture/land_paint.h"
#include "tepui/render/picture/subject.h"

namespace tepui {

/// Land over its frame, drawn from its samples as they are, with what surrounds it: walls down to a floor, or coarser
/// country that mirrors the land and sinks to a plain.
class LandSubject : public Subject {
 public:
  /// `base` is not by_camera. The sea level is in metres.
  LandSubject(const Terrain& land, const LandPaint& paint, Base base, const PictureParams& params,
              std::optional<double> sea, const Context& context);

  void add_to(RayScene& scene) override;
  SurfacePoint seen(const RayHit& hit, Vec3 from, Vec3 direction, double footprint) const override;
  SurfacePoint met(const RayHit& hit, Vec3 from, Vec3 direction) const override;
  Rgb plain(Vec2 at, double footprint) const override;
  Rgb stone(Vec3 at) const override;
  std::optional<double> ground_at(Vec2 at) const override;
  bool inside(Vec3 at) const override { return at.z <= ground_at({at.x, at.y}).value_or(floor); }
  std::optional<WaterEntry> enter_inland_water(Vec3 from, Vec3 direction, double far) const override;
  std::optional<double> inland_water_at(Vec2 at) const override;

 private:
  /// Of a surface with its normal before the small relief.
  SurfacePoint finished(SurfacePoint point, bool own, Vec3 direction, double footprint) const;
  /// Of the land itself or of the country around.
  GroundLook look_at(const SurfacePoint& point, bool own, double footprint) const;
  Vec3 in_metres(Vec3 at) const;
  SurfacePoint wall(const RayHit& hit, Vec3 direction, double footprint) const;
  /// The land's sample at a point of the plan, mirrored at its edges.
  Vec2 sample_at(Vec2 at) const;
  Vec3 true_normal(Vec3 normal) const;
  void measure(Base base, const std::optional<Interval>& frame, std::optional<double> sea);
  void add_country(Vec2 viewer, const Context& context);
  void add_water(const Context& context);
  void add_water_walls();
  const HeightField& field_of(uint32_t shape) const;
  bool is_land(uint32_t shape) const { return shape == field_shape_; }
  void add_walls();

  const LandPaint* paint_ = nullptr;
  Terrain land_;
  Grid<float> own_;  ///< where the land's own heights cannot be used as they are
  const Grid<float>* heights_ = nullptr;
  Vec2 cell_;         ///< in units
  double raise_ = 1;  ///< from metres to units
  std::optional<HeightField> field_;
  std::vector<Grid<float>> country_heights_;
  std::vector<HeightField> country_;  ///< strips to the south, north, west and east
  std::vector<MeshPoint> wall_points_;
  std::vector<MeshTriangle> wall_triangles_;
  uint32_t field_shape_ = 0, country_shape_ = 0, wall_shape_ = 0;

  Grid<float> own_levels_;                   ///< of inland water, where its own grid is too small
  const Grid<float>* levels_ = nullptr;      ///< nothing where there is none
  std::vector<Grid<float>> country_levels_;  ///< strips as those of the country
  std::vector<HeightField> waters_;          ///< the land's, then the country's
  std::vector<MeshPoint> water_wall_points_;
  std::vector<MeshTriangle> water_wall_triangles_;
  std::unique_ptr<RayScene> water_rays_;  ///< only the surface of water, which light bounces through
};

}  // namespace tepui

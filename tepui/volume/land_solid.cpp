#include "tepui/volume/land_solid.h"

#include <algorithm>
#include <cmath>

#include "tepui/volume/land_profile.h"

namespace tepui {

namespace {

/// Where there is no land the sheet lies below the floor.
class RegionSheet : public HeightSheet {
 public:
  RegionSheet(std::shared_ptr<const LandSheet> land, std::shared_ptr<const PlanRegion> region, double nothing)
      : land_(std::move(land)), region_(std::move(region)), nothing_(nothing) {}

  void heights(const double* x, const double* y, int64_t count, double* h) const override {
    land_->heights(x, y, count, h);
    Vec2 foot;
    for (int64_t i = 0; i < count; ++i)
      if (region_->square_distance({x[i], y[i]}, foot) > 0) h[i] = nothing_;
  }
  Range range(Vec2 low, Vec2 high) const override {
    const Range land = land_->range(low, high);
    return {std::min(land.low, nothing_), std::max(land.high, nothing_)};
  }
  bool is_same(const HeightSheet& other) const override {
    const auto* like = dynamic_cast<const RegionSheet*>(&other);
    return like != nullptr && like->land_->is_same(*land_) && hash_of(*like->region_) == hash_of(*region_) &&
           like->nothing_ == nothing_;
  }

 private:
  static Hash hash_of(const PlanRegion& region) {
    Hasher hasher;
    region.hash(hasher);
    return hasher.finish();
  }

  std::shared_ptr<const LandSheet> land_;
  std::shared_ptr<const PlanRegion> region_;
  double nothing_;
};

class LandSolid : public Solid {
 public:
  LandSolid(std::shared_ptr<const LandSheet> land, std::shared_ptr<const PlanRegion> region,
            const LandSolidParams& params)
      : land_(std::move(land)),
        region_(std::move(region)),
        params_(params),
        profile_(params.threshold, params.radius, params.falloff) {
    const Interval heights = land_->all();
    ground_ = {{region_->low().x, region_->low().y, params.floor},
               {region_->high().x, region_->high().y, std::max(heights.high, params.floor) + params.radius}};
  }

  void values(const FieldPoints& at, float* v) const override {
    field(at, v);
    for (int64_t i = 0; i < at.count; ++i)
      if (!is_place(at.x[i], at.y[i], at.z[i])) v[i] = -profile_.t;
  }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override;
  FieldRange range(const Box3& box) const override;

  Box3 support() const override {
    const double f = params_.falloff;
    Box3 box = ground_;
    box.low = box.low - Vec3{f, f, f};
    box.high = box.high + Vec3{f, f, 0};
    return box;
  }
  SurfaceSketch sketch() const override;

  void hash(Hasher& hasher) const override {
    hasher.add("land").add(land_->hash());
    for (const double number : {params_.threshold, params_.radius, params_.floor, params_.falloff}) hasher.add(number);
    region_->hash(hasher);
  }
  size_t bytes() const override { return sizeof *this + land_->bytes() + land_->grid().bytes() + region_->bytes(); }

 private:
  void field(const FieldPoints& at, float* v) const;
  float beside(double z) const {
    const auto below = static_cast<float>(std::max(params_.floor - z, 0.0));
    return below * below;
  }
  float outside(double x, double y) const {
    if (!is_place(x, y, 0)) return 0;
    Vec2 foot;
    return static_cast<float>(region_->square_distance({x, y}, foot));
  }

  std::shared_ptr<const LandSheet> land_;
  std::shared_ptr<const PlanRegion> region_;
  LandSolidParams params_;
  LandProfile profile_;
  Box3 ground_;
};

void LandSolid::field(const FieldPoints& at, float* v) const {
  double h[FieldPoints::most];
  const FieldLattice* brick = at.lattice;
  const int64_t columns = brick == nullptr ? at.count : brick->nx * brick->ny;
  if (brick == nullptr) {
    land_->heights(at.x, at.y, at.count, h);
    land_points(profile_, h, at.z, at.count, v);
  } else {
    land_->lattice(brick->x, brick->nx, brick->y, brick->ny, h);
    for (int64_t k = 0; k < brick->nz; ++k) land_layer(profile_, h, brick->z[k], columns, v + k * columns);
  }
  const bool within = region_->surely_inside({at.box.low.x, at.box.low.y}, {at.box.high.x, at.box.high.y});
  if (within && at.box.low.z >= params_.floor) return;
  // A brick's first layer tells of all its columns.
  float away[FieldPoints::most];
  for (int64_t i = 0; i < columns; ++i) away[i] = within ? 0.0f : outside(at.x[i], at.y[i]);
  for (int64_t i = 0; i < at.count; ++i) {
    const float square = away[i % columns] + beside(at.z[i]);
    if (square > 0) v[i] = std::min(v[i], profile_.walls(square));
  }
}

void LandSolid::gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const {
  for (int64_t i = 0; i < at.count; ++i) {
    const double x = at.x[i], y = at.y[i], z = at.z[i];
    if (!is_place(x, y, z)) {
      v[i] = -profile_.t;
      dx[i] = dy[i] = dz[i] = 0;
      continue;
    }
    double east = 0, north = 0;
    Vec2 foot{x, y};
    const double h = land_->slope(x, y, east, north);
    const auto above = static_cast<float>(h - z);
    const auto away = static_cast<float>(region_->square_distance({x, y}, foot)) + beside(z);
    const float land = profile_(above), walls = profile_.walls(away);
    v[i] = away > 0 ? std::min(land, walls) : land;
    if (away > 0 && walls < land) {
      const float u = std::max(1.0f - away * profile_.inverse_square_fall, 0.0f);
      const double steep = -12.0 * params_.threshold * static_cast<double>(u * u * profile_.inverse_square_fall);
      dx[i] = u > 0 ? static_cast<float>(steep * (x - foot.x)) : 0.0f;
      dy[i] = u > 0 ? static_cast<float>(steep * (y - foot.y)) : 0.0f;
      dz[i] = static_cast<float>(steep * std::min(z - params_.floor, 0.0));
    } else {
      const float steep = profile_.steepness(above);
      dx[i] = steep * static_cast<float>(east);
      dy[i] = steep * static_cast<float>(north);
      dz[i] = -steep;
    }
  }
}

FieldRange LandSolid::range(const Box3& box) const {
  const Vec2 low{box.low.x, box.low.y}, high{box.high.x, box.high.y};
  if (!box.meets(support())) {
    // Above the support is air; below and beside it, too.
    return {-profile_.t, -profile_.t};
  }
  const Interval heights = land_->between(low, high);
  // The heights' bounds are real numbers: a little wider covers their rounding.
  const float slack = 1e-6f + 1e-7f * static_cast<float>(std::max(std::abs(heights.low), std::abs(heights.high)));
  FieldRange range{profile_(static_cast<float>(heights.low - box.high.z) - slack),
                   profile_(static_cast<float>(heights.high - box.low.z) + slack)};
  if (box.low.z < params_.floor || !region_->surely_inside(low, high)) range.low = -profile_.t;
  if (region_->surely_far(low, high) || box.high.z <= params_.floor - params_.falloff) range.high = -profile_.t;
  return range;
}

SurfaceSketch LandSolid::sketch() const {
  SurfaceSketch sketch;
  sketch.ground = ground_;
  if (region_->is_rectangle()) {
    sketch.sheet = land_;
    return sketch;
  }
  sketch.sheet = std::make_shared<RegionSheet>(land_, region_, params_.floor - 1);
  for (const auto& [low, high] : region_->ring())
    sketch.boxes.push_back({{low.x, low.y, params_.floor - params_.falloff}, {high.x, high.y, ground_.high.z}});
  return sketch;
}

}  // namespace

SolidPointer land_solid(std::shared_ptr<const LandSheet> land, std::shared_ptr<const PlanRegion> region,
                        const LandSolidParams& params) {
  return std::make_shared<LandSolid>(std::move(land), std::move(region), params);
}

}  // namespace tepui

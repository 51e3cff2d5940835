#include "tests/volume/any_volume.h"

#include <rapidcheck.h>

#include <cmath>

#include "reference/smooth.h"
#include "tepui/volume/blend.h"
#include "tepui/volume/difference.h"
#include "tepui/volume/intersection.h"
#include "tepui/volume/smooth.h"
#include "tepui/volume/strata_erosion.h"
#include "tepui/volume/transform.h"
#include "tepui/volume/union.h"

namespace tepui::test {

namespace {

const Context quiet;

/// The nodes of these tests are asked one point at a time.
class PointSolid : public Solid {
 public:
  struct Told {
    double v;
    Vec3 slope;
  };
  virtual Told tell(Vec3 p) const = 0;

  void values(const FieldPoints& at, float* v) const override {
    for (int64_t i = 0; i < at.count; ++i) v[i] = static_cast<float>(tell({at.x[i], at.y[i], at.z[i]}).v);
  }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    for (int64_t i = 0; i < at.count; ++i) {
      const Told told = tell({at.x[i], at.y[i], at.z[i]});
      v[i] = static_cast<float>(told.v);
      dx[i] = static_cast<float>(told.slope.x);
      dy[i] = static_cast<float>(told.slope.y);
      dz[i] = static_cast<float>(told.slope.z);
    }
  }
};

class Ball : public PointSolid {
 public:
  Ball(Vec3 centre, double radius, double energy, double threshold)
      : centre_(centre), radius_(radius), energy_(energy), threshold_(threshold) {}
  Told tell(Vec3 p) const override {
    const Vec3 d = p - centre_;
    const double u = dot(d, d) / (radius_ * radius_);
    if (!(u < 1)) return {-threshold_, {}};
    return {energy_ * (1 - u) * (1 - u) * (1 - u) - threshold_,
            d * (-6 * energy_ * (1 - u) * (1 - u) / (radius_ * radius_))};
  }
  FieldRange range(const Box3& box) const override {
    if (!box.meets(support())) return {static_cast<float>(-threshold_), static_cast<float>(-threshold_)};
    return {static_cast<float>(std::min(energy_, 0.0) - threshold_),
            static_cast<float>(std::max(energy_, 0.0) - threshold_)};
  }
  Box3 support() const override { return Box3{centre_, centre_}.grown(radius_); }
  SurfaceSketch sketch() const override { return {nullptr, {}, {support()}, {}}; }
  void hash(Hasher& hasher) const override {
    hasher.add("ball").add(centre_.x).add(centre_.y).add(centre_.z).add(radius_).add(energy_).add(threshold_);
  }
  size_t bytes() const override { return sizeof *this; }

 private:
  Vec3 centre_;
  double radius_, energy_, threshold_;
};

double hill(double x, double y) { return 10 * std::sin(0.05 * x) + 4 * std::cos(0.05 * y); }

class HillSheet : public HeightSheet {
 public:
  void heights(const double* x, const double* y, int64_t count, double* h) const override {
    for (int64_t i = 0; i < count; ++i) h[i] = hill(x[i], y[i]);
  }
};

class Hills : public PointSolid {
 public:
  explicit Hills(double threshold) : threshold_(threshold) {}
  Told tell(Vec3 p) const override {
    const double t = threshold_, x = hill(p.x, p.y) - p.z, far = std::abs(x);
    if (!support().holds(p)) return {-t, {}};
    const double s = far >= 2 * t ? t : far - far * far / (4 * t), slope = far >= 2 * t ? 0 : 1 - far / (2 * t);
    return {std::copysign(s, x), Vec3{0.5 * std::cos(0.05 * p.x), -0.2 * std::sin(0.05 * p.y), -1} * slope};
  }
  FieldRange range(const Box3&) const override {
    return {static_cast<float>(-threshold_), static_cast<float>(threshold_)};
  }
  Box3 support() const override { return {{-100, -100, -80}, {100, 100, 14 + 2 * threshold_}}; }
  SurfaceSketch sketch() const override { return {std::make_shared<HillSheet>(), support(), {}, {}}; }
  void hash(Hasher& hasher) const override { hasher.add("hills").add(threshold_); }
  size_t bytes() const override { return sizeof *this; }

 private:
  double threshold_;
};

class WavyRock : public Rock {
 public:
  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i) rho[i] = static_cast<float>(wavy_resistance({at.x[i], at.y[i], at.z[i]}));
  }
  void hash(Hasher& hasher) const override { hasher.add("wavy"); }
  size_t bytes() const override { return sizeof *this; }
};

Grown leaf(Dice& dice) {
  const double T = dice.threshold;
  const int kind = dice.below(5);
  SolidPointer root;
  if (kind == 0)
    root = empty_solid(T);
  else if (kind == 1)
    root = hills(T);
  else
    root = ball({dice.real(-80, 80), dice.real(-80, 80), dice.real(-40, 40)}, dice.real(5, 60), dice.real(-20, 40), T);
  const Volume volume(root, T, wavy_rock());
  return {volume, [root, T](Vec3 p) {
            const auto* plain = dynamic_cast<const PointSolid*>(root.get());
            return plain != nullptr ? plain->tell(p).v : -T;
          }};
}

RegionParams any_region(Dice& dice, Vec3& centre) {
  RegionParams p;
  p.within = static_cast<RegionShape>(dice.below(3));
  p.positions = Positions::metres;
  p.heights = Heights::sea_level;
  p.at = centre = {dice.real(-60, 60), dice.real(-60, 60), dice.real(-30, 30)};
  p.half = {dice.real(0, 60), dice.real(0, 60), dice.real(0, 60)};
  p.radius = metres(dice.real(0, 60));
  p.falloff = metres(dice.real(10, 40));
  return p;
}

reference::Share share_of(const RegionParams& p, Vec3 centre) {
  return reference::region(p.within, centre, p.half, p.radius.value, p.falloff.value);
}

Grown warped(Dice& dice, const Grown& in) {
  Vec3 centre;
  WarpParams p;
  static_cast<RegionParams&>(p) = any_region(dice, centre);
  p.scale = metres(dice.real(30, 90));
  p.octaves = 1 + dice.below(3);
  p.amplitude = metres(dice.real(0, 0.7));
  p.seed.node = dice.below(99);
  return {warp(make_world({200, 200}, 3), in.volume, p, quiet),
          reference::warp(in.field, share_of(p, centre), p.amplitude.value, p.scale.value, p.octaves, p.seed)};
}

Grown eroded(Dice& dice, const Grown& in) {
  Vec3 centre;
  StrataErosionParams p;
  static_cast<RegionParams&>(p) = any_region(dice, centre);
  p.depth = metres(dice.real(0, 1.98 * dice.threshold));
  p.form = dice.in_metres && dice.coin() ? ErosionForm::metres : ErosionForm::paper;
  return {strata_erosion(make_world({200, 200}, 3), in.volume, nullptr, nullptr, p, quiet),
          reference::field_erosion(in.field, share_of(p, centre), wavy_resistance, p.depth.value, dice.threshold)};
}

/// By strokes of one width, or within a region.
Grown smoothed(Dice& dice, const Grown& in) {
  const Frame world = make_world({200, 200}, 3);
  SmoothParams p;
  if (dice.coin()) {
    Vec3 centre;
    static_cast<RegionParams&>(p) = any_region(dice, centre);
    p.size = metres(dice.real(4, 20));
    p.strength = dice.real(0, 1.2);
    const double cell = std::exp2(std::floor(std::log2(p.size.value)));
    return {smooth(world, in.volume, nullptr, p, quiet),
            in.volume.support().empty()
                ? in.field
                : reference::smooth(in.field, reference::smoothing_within(share_of(p, centre), p.strength), cell,
                                    dice.threshold)};
  }
  std::vector<Polyline> list(static_cast<size_t>(1 + dice.below(3)));
  std::vector<reference::SmoothStroke> strokes;
  const double radius = dice.real(10, 50), strength = dice.real(0, 0.6);
  for (Polyline& line : list) {
    const int count = 1 + dice.below(4);
    for (int i = 0; i < count; ++i) line.points.push_back({dice.real(-80, 80), dice.real(-80, 80), dice.real(-30, 30)});
    strokes.push_back({line.points, radius, strength});
  }
  const Lines lines(list);
  p.radius = metres(radius);
  p.strength = strength;
  return {smooth(world, in.volume, &lines, p, quiet),
          in.volume.support().empty()
              ? in.field
              : reference::smooth(in.field, reference::smoothing_along(strokes),
                                  std::exp2(std::floor(std::log2(radius / 2))), dice.threshold)};
}

Grown transformed(Dice& dice, const Grown& in) {
  TransformParams p;
  if (dice.coin()) p.move = {dice.real(-50, 50), dice.real(-50, 50), dice.real(-20, 20)};
  if (dice.coin()) p.turn = {dice.coin() ? 33.0 : dice.coin() ? 90.0 : -180.0};
  if (dice.below(3) == 0) p.tilt = {dice.real(-40, 40)};
  p.tilt_direction = {dice.real(-180, 180)};
  if (dice.coin()) p.scale = dice.real(0.5, 2);
  p.flip = dice.below(4) == 0;
  p.about = static_cast<Pivot>(dice.below(3));
  const double degree = std::acos(-1.0) / 180;
  const Motion motion{pivot_of(in.volume, p.about),
                      p.move,
                      p.turn.degrees * degree,
                      p.tilt.degrees * degree,
                      p.tilt_direction.degrees * degree,
                      p.scale,
                      p.flip};
  return {transform(make_world({200, 200}, 3), in.volume, p, quiet), reference::transform(in.field, motion)};
}

Grown copied(Dice& dice, const Grown& in) {
  std::vector<Placement> places;
  const int count = dice.below(9);
  for (int i = 0; i < count; ++i)
    places.push_back(
        {{dice.real(-80, 80), dice.real(-80, 80), dice.real(-20, 20)}, dice.real(-4, 4), dice.real(0.3, 1.5)});
  const Vec3 pivot = pivot_of(in.volume, Pivot::middle);
  const CopyJoin join = dice.coin() ? CopyJoin::unite : CopyJoin::blend;
  return {in.volume.with_root(copies_of(in.volume.share(), pivot, places, join, dice.threshold)),
          reference::instances(in.field, pivot, places, join, dice.threshold)};
}

Grown joined(Dice& dice, int levels) {
  const Grown first = any_volume(dice, levels - 1);
  std::vector<Volume> others;
  std::vector<reference::Field> all{first.field};
  const int count = dice.below(4);
  for (int i = 0; i < count; ++i) {
    const Grown other = any_volume(dice, levels - 1);
    others.push_back(other.volume);
    all.push_back(other.field);
  }
  const Frame world = make_world({200, 200}, 3);
  const double T = dice.threshold, smooth = dice.coin() ? 0 : dice.real(0, 2 * T);
  switch (dice.below(4)) {
    case 0:
      return {unite(world, first.volume, others, {metres(smooth)}, quiet), reference::csg(Csg::united, all, smooth, T)};
    case 1:
      return {intersection(world, first.volume, others, {metres(smooth)}, quiet),
              reference::csg(Csg::intersected, all, smooth, T)};
    case 2:
      return {difference(world, first.volume, others, {metres(smooth)}, quiet),
              reference::csg(Csg::subtracted, all, smooth, T)};
    default: {
      const double strength = dice.coin() ? 1.0 : dice.real(-1, 1);
      all.erase(all.begin());
      return {blend(first.volume, others, {strength}, quiet), reference::blend(first.field, all, strength, T)};
    }
  }
}

}  // namespace

Dice::Dice() : stream_(*rc::gen::resize(100, rc::gen::arbitrary<uint64_t>())) {}

void Dice::draw_threshold() {
  if (coin()) threshold = real(2, 12);
}

SolidPointer ball(Vec3 centre, double radius, double energy, double threshold) {
  return std::make_shared<Ball>(centre, radius, energy, threshold);
}

SolidPointer hills(double threshold) { return std::make_shared<Hills>(threshold); }

double wavy_resistance(Vec3 at) { return 0.5 + 0.4 * std::sin(at.z / 5) + 0.1 * std::sin(at.x / 30); }

Geology wavy_rock() { return Geology(std::make_shared<WavyRock>()); }

Grown any_volume(Dice& dice, int levels) {
  if (levels <= 0 || dice.below(8) == 0) return leaf(dice);
  switch (dice.below(8)) {
    case 0:
      return warped(dice, any_volume(dice, levels - 1));
    case 1:
      return eroded(dice, any_volume(dice, levels - 1));
    case 2:
      return transformed(dice, any_volume(dice, levels - 1));
    case 3:
      return copied(dice, any_volume(dice, levels - 1));
    case 4:
      return smoothed(dice, any_volume(dice, levels - 1));
    default:
      return joined(dice, levels);
  }
}

bool is_told(const SurfaceSketch& sketch, Vec3 at, double slope) {
  Box3 ground = sketch.ground;
  ground.high.z = Box3::far;
  if (sketch.sheet != nullptr && !ground.holds(at)) return false;
  for (const Box3& box : sketch.boxes)
    if (box.holds(at)) return false;
  for (const SurfaceSketch::Band& band : sketch.bands) {
    if (!band.where.holds(at)) continue;
    double h = 0;
    sketch.sheet->heights(&at.x, &at.y, 1, &h);
    if (at.z >= h - slope * band.spread - band.below && at.z <= h + slope * band.spread + band.above) return false;
  }
  return true;
}

}  // namespace tepui::test

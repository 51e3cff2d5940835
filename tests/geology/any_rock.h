#pragma once

#include <cmath>
#include <vector>

#include "reference/rock.h"
#include "tests/support/support.h"

namespace tepui::test {

inline const Context quiet;

inline Frame any_world() {
  return make_world({*rc::gen::inRange(100, 9000) * 1.0, *rc::gen::inRange(100, 9000) * 1.0},
                    *rc::gen::inRange<int64_t>(1, 40), {*rc::gen::inRange(-500, 500) * 1.0, 12});
}

/// In and around a world.
inline Vec3 any_point(const Frame& world) {
  const double side = world.shorter_side();
  return {world.origin.x + world.size.x * *rc::gen::inRange(-500, 1500) / 1000.0,
          world.origin.y + world.size.y * *rc::gen::inRange(-500, 1500) / 1000.0,
          side * *rc::gen::inRange(-300, 500) / 1000.0};
}

/// A share of the world's shorter side, or metres.
inline Length any_length(int low, int high) { return {*rc::gen::inRange(low * 8, high * 8) / 8.0, true}; }
inline Angle any_direction() { return {*rc::gen::inRange(-360, 361) * 1.0}; }
inline Seed any_seed() { return {*rc::gen::inRange<int64_t>(0, 1000), 7}; }

/// Resistance that changes evenly in space, by this much a world's side.
class Ramp : public Rock {
 public:
  Ramp(const Frame& world, Vec3 slope) : slope_(slope * (1 / world.shorter_side())) {}
  double at(Vec3 p) const { return 0.5 + dot(slope_, p); }
  void resistance(const RockPoints& points, float* rho) const override {
    for (int64_t i = 0; i < points.count; ++i) rho[i] = static_cast<float>(at({points.x[i], points.y[i], points.z[i]}));
  }
  void hash(Hasher& hasher) const override { hasher.add("ramp").add(slope_.x).add(slope_.y).add(slope_.z); }
  size_t bytes() const override { return sizeof *this; }

 private:
  Vec3 slope_;
};

/// A rock and its twin.
struct Twins {
  Geology rock;
  reference::Resistance plain;
};

inline Twins any_ramp(const Frame& world) {
  const auto part = [] { return *rc::gen::inRange(-100, 101) / 50.0; };
  const auto ramp = std::make_shared<const Ramp>(world, Vec3{part(), part(), part()});
  return {Geology(ramp), [ramp](Vec3 p) { return ramp->at(p); }};
}

inline float raw(const Geology& rock, Vec3 p) {
  float rho = 0;
  rock.root().resistance({&p.x, &p.y, &p.z, 1}, &rho);
  return rho;
}

inline TurbulenceParams any_turbulence() {
  TurbulenceParams p;
  p.along = *rc::gen::element(TurbulenceAlong::height, TurbulenceAlong::space);
  p.wavelength = any_length(1, 50);
  p.octaves = *rc::gen::inRange(1, 7);
  p.contrast = *rc::gen::element(1.0, 2.5, 12.0);
  p.resistance = *rc::gen::element(Interval{0, 1}, Interval{0.25, 0.5}, Interval{-0.5, 1.5}, Interval{0.3, 0.3});
  p.seed = any_seed();
  return p;
}

inline RockPlanesParams any_planes() {
  RockPlanesParams p;
  p.planes.clear();
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i)
    p.planes.push_back({any_length(-20, 40),
                        any_length(1, 20),
                        *rc::gen::inRange(-10, 11) / 10.0,
                        {*rc::gen::inRange(0, 91) * 1.0},
                        any_direction(),
                        any_length(-50, 50),
                        any_length(-50, 50)});
  p.base = *rc::gen::inRange(0, 11) / 10.0;
  p.roughness = *rc::gen::element(0.0, 0.1, 1.0);
  p.wavelength = any_length(1, 50);
  p.octaves = *rc::gen::inRange(1, 5);
  p.seed = any_seed();
  return p;
}

inline RockBodyParams any_body() {
  RockBodyParams p;
  p.shape = *rc::gen::element(BodyShape::spheres, BodyShape::curve);
  p.points.clear();
  const int count = *rc::gen::element(0, 1, 2, 7, 40);
  for (int i = 0; i < count; ++i) p.points.push_back({any_length(-60, 60), any_length(-60, 60), any_length(-20, 40)});
  p.radius = any_length(1, 60);
  p.resistance = *rc::gen::inRange(-10, 11) / 10.0;
  return p;
}

/// As strong as allowed, or weaker.
inline FoldParams any_fold(const Frame& world) {
  FoldParams p;
  p.by = *rc::gen::element(FoldBy::noise, FoldBy::waves);
  p.wavelength = any_length(5, 100);
  p.octaves = *rc::gen::inRange(1, 4);
  p.steps = *rc::gen::inRange(1, 4);
  p.amplitude = metres(*rc::gen::element(0.0, 0.4, 0.9999) * largest_fold(world, p));
  p.direction = any_direction();
  p.x = any_length(-50, 50);
  p.seed = any_seed();
  return p;
}

inline TaperParams any_taper() {
  TaperParams p;
  p.along = *rc::gen::element(TaperAlong::direction, TaperAlong::height, TaperAlong::place);
  p.scale = *rc::gen::element(0.05, 0.4, 1.0, 3.0, 40.0);
  p.length = any_length(1, 150);
  p.direction = any_direction();
  p.x = any_length(-50, 50);
  p.y = any_length(-50, 50);
  p.elevation = any_length(-20, 40);
  return p;
}

inline FaultParams any_fault() {
  FaultParams p;
  p.shape = *rc::gen::element(FaultShape::plane, FaultShape::box);
  p.throw_x = any_length(-20, 20);
  p.throw_y = any_length(-20, 20);
  p.throw_z = any_length(-20, 20);
  p.dip = {*rc::gen::inRange(0, 91) * 1.0};
  p.direction = any_direction();
  p.x = any_length(-50, 50);
  p.y = any_length(-50, 50);
  p.elevation = any_length(-20, 40);
  p.width = any_length(1, 150);
  p.length = any_length(1, 150);
  p.height = any_length(1, 100);
  return p;
}

/// A tree of rock, at most so deep.
inline Geology any_rock(const Frame& world, int depth) {
  switch (*rc::gen::inRange(0, depth > 1 ? 8 : 3)) {
    case 0:
      return turbulence(world, any_turbulence(), quiet);
    case 1:
      return rock_planes(world, any_planes(), quiet);
    case 2:
      return rock_body(world, nullptr, nullptr, any_body(), quiet);
    case 3:
      return fold(world, any_rock(world, depth - 1), any_fold(world), quiet);
    case 4:
      return taper(world, any_rock(world, depth - 1), any_taper(), quiet);
    case 5:
      return fault(world, any_rock(world, depth - 1), nullptr, any_fault(), quiet);
    case 6: {
      const Geology in = any_rock(world, depth - 1);
      return rock_body(world, &in, nullptr, any_body(), quiet);
    }
    default:
      return rock_blend(any_rock(world, depth - 1), {any_rock(world, depth - 1)}, nullptr,
                        {*rc::gen::element(RockBlendMode::sum, RockBlendMode::max, RockBlendMode::mix), 0.3}, quiet);
  }
}

/// Every one of these must change the hash, and none must leave it as another does.
template <class P>
void expect_hashes_differ(const P& params, const std::function<Geology(const P&)>& make,
                          const std::vector<std::function<void(P&)>>& changes) {
  std::vector<Hash> hashes{make(params).hash()};
  EXPECT_EQ(hashes[0], make(params).hash());
  for (const auto& change : changes) {
    P other = params;
    change(other);
    const Hash hash = make(other).hash();
    for (size_t i = 0; i < hashes.size(); ++i) EXPECT_NE(hash, hashes[i]) << hashes.size() << " " << i;
    hashes.push_back(hash);
  }
}

}  // namespace tepui::test

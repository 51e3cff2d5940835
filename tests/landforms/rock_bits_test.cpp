#include "tepui/landforms/rock_bits.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/primitive.h"
#include "tests/support/support.h"

namespace tepui::rock_bits_test {

namespace {

/// Hilly land with hollows and lumps.
Volume rough_land(uint64_t seed) {
  const Volume land =
      implicitize(test::sample_land(33, 33, seed, 4, {0, 40}), nullptr, nullptr, {.floor = metres(20)}, Context());
  const Stream random(seed);
  std::vector<FieldPoint> points;
  for (uint64_t i = 0; i < 60; ++i)
    points.push_back({{random.uniform(i, 0, 10, 118), random.uniform(i, 1, 10, 118), random.uniform(i, 2, 0, 45)},
                      random.uniform(i, 3, 4, 12),
                      random.uniform(i, 4, -20, 12)});
  return land.with_root(with_points(land.share(), points, land.threshold()));
}

/// Cell by cell, each asked for on its own: the first on the ray's way that is rock, or air.
double plain_until(const Volume& volume, double cell, Vec3 from, Vec3 d, double far, bool rock) {
  const auto index = [&](double x) { return std::floor(x / cell); };
  for (double t = 0; t < far; t += cell / 50) {
    const Vec3 p = from + d * t;
    const Vec3 middle{(index(p.x) + 0.5) * cell, (index(p.y) + 0.5) * cell, (index(p.z) + 0.5) * cell};
    if (volume.inside(middle) == rock) return t;
  }
  return far;
}

Vec3 any_direction(const Stream& random, uint64_t i) {
  const double z = random.uniform(i, 10, -1, 1), a = random.uniform(i, 11, 0, 2 * math::pi);
  const double r = std::sqrt(1 - z * z);
  return {r * math::cos(a), r * math::sin(a), z};
}

}  // namespace

RC_GTEST_PROP(RockBits, AreTheRockInTheMiddleOfEveryCell, ()) {
  const uint64_t seed = *rc::gen::inRange<uint64_t>(0, 1000);
  const double cell = *rc::gen::element(0.7, 1.3, 4.0);
  const Volume volume = rough_land(seed);
  const Box3 box{{20, 30, -10}, {90, 80, 50}};
  const RockBits bits(volume, box, cell, Context());
  const Stream random(seed);
  for (uint64_t i = 0; i < 300; ++i) {
    const Vec3 at{random.uniform(i, 0, 20, 90), random.uniform(i, 1, 30, 80), random.uniform(i, 2, -10, 50)};
    const auto middle = [&](double x) { return (std::floor(x / cell) + 0.5) * cell; };
    RC_ASSERT(bits.rock(at) == volume.inside({middle(at.x), middle(at.y), middle(at.z)}));
  }
}

RC_GTEST_PROP(RockBits, LetRaysPassAsThePlainTwinDoes, ()) {
  const uint64_t seed = *rc::gen::inRange<uint64_t>(0, 1000);
  const double cell = *rc::gen::element(0.7, 1.3), far = 15;
  const Volume volume = rough_land(seed);
  const RockBits bits(volume, volume.support(), cell, Context());
  const Stream random(seed + 100);
  int differ = 0;
  for (uint64_t i = 0; i < 12; ++i) {
    const Vec3 from{random.uniform(i, 0, 5, 120), random.uniform(i, 1, 5, 120), random.uniform(i, 2, -10, 50)};
    const Vec3 d = i < 6 ? Vec3{i == 0   ? 1.0
                                : i == 1 ? -1.0
                                         : 0,
                                i == 2   ? 1.0
                                : i == 3 ? -1.0
                                         : 0,
                                i == 4   ? 1.0
                                : i == 5 ? -1.0
                                         : 0}
                         : any_direction(random, i);
    const double rock = bits.to_rock(from, d, far), air = bits.to_air(from, d, far);
    RC_ASSERT(rock == 0 || air == 0);
    // A ray may cut a corner that is shorter than the twin's step.
    differ += std::abs(rock - plain_until(volume, cell, from, d, far, true)) > cell / 25;
    differ += std::abs(air - plain_until(volume, cell, from, d, far, false)) > cell / 25;
  }
  RC_ASSERT(differ <= 2);
}

RC_GTEST_PROP(RockBits, SeeTheSameOpenSpaceAsThePlainTwin, ()) {
  const uint64_t seed = *rc::gen::inRange<uint64_t>(0, 1000);
  const double cell = *rc::gen::element(0.8, 1.3), far = 25;
  const Volume volume = rough_land(seed);
  const RockBits bits(volume, {{30, 30, -20}, {90, 90, 60}}, cell, Context());
  const RayFan fan(*rc::gen::element(1, 7, 16));
  const Stream random(seed + 100);
  for (uint64_t i = 0; i < 15; ++i) {
    const Vec3 at{random.uniform(i, 0, 20, 100), random.uniform(i, 1, 20, 100), random.uniform(i, 2, -10, 50)};
    const Vec3 normal = any_direction(random, i);
    const auto whole = [&](double x) { return static_cast<uint64_t>(static_cast<int64_t>(std::floor(x / cell))); };
    const std::array<Vec3, 3> around =
        fan.around(normal, mix_bits(whole(at.x) + mix_bits(whole(at.y) + mix_bits(whole(at.z)))));
    int open = 0, near = 0;
    for (size_t ray = 0; ray < fan.rays(); ++ray) {
      bool met = false;
      for (int step = 0; step < std::ceil(far / cell); ++step) {
        const Vec3 p = at + normal * (1.25 * cell) + fan.direction(ray, around) * (step * cell);
        // Numbers are rounded to a thousandth of a cell: a place on a border may count for the cell beside it.
        const double little = 0.01 * cell;
        for (const double x : {-little, little})
          for (const double y : {-little, little})
            for (const double z : {-little, little}) near += bits.rock(p) != bits.rock(p + Vec3{x, y, z}) ? 1 : 0;
        met = met || bits.rock(p);
      }
      open += met ? 0 : 1;
    }
    const double share = bits.open_share(at, normal, fan, far) * static_cast<double>(fan.rays());
    RC_ASSERT(std::abs(share - open) <= 1e-9 + (near > 0 ? 1 : 0));
  }
}

TEST(RockBits, SeeAsMuchOpenSpaceAsCastsDo) {
  const Volume volume = rough_land(3);
  const RockBits bits(volume, volume.support(), 0.7, Context());
  const RayFan fan(48);
  const Stream random(4);
  double difference = 0;
  int count = 0;
  for (uint64_t i = 0; i < 60; ++i) {
    const Vec3 above{random.uniform(i, 0, 15, 110), random.uniform(i, 1, 15, 110), 80};
    const auto hit = volume.cast(above, {0, 0, -1}, 100, 0.5);
    if (!hit) continue;
    const Vec3 at = above - Vec3{0, 0, *hit}, g = volume.gradient(at), normal = g * (-1 / length(g));
    const std::array<Vec3, 3> around = fan.around(normal, 0);
    int open = 0;
    for (size_t k = 0; k < fan.rays(); ++k)
      open += volume.cast(at + normal * 0.875, fan.direction(k, around), 40, 0.35) ? 0 : 1;
    difference += std::abs(bits.open_share(at, normal, fan, 40) - open / 48.0);
    ++count;
  }
  ASSERT_GT(count, 40);
  EXPECT_LT(difference / count, 0.04);
}

TEST(RockBits, OfAPlainSeeHalfOfNothingAndOfACaveNone) {
  const Volume plain = implicitize(Terrain(make_world({200, 200}, 5), {0, 1}, Grid<float>(5, 5, 0)), nullptr, nullptr,
                                   {.floor = metres(60)}, Context());
  const RockBits bits(plain, plain.support(), 0.5, Context());
  const RayFan fan(64);
  EXPECT_EQ(bits.open_share({100, 100, 0}, {0, 0, 1}, fan, 40), 1);
  EXPECT_NEAR(bits.open_share({100, 100, 0.3}, {1, 0, 0}, fan, 40), 0.5, 0.04);
  EXPECT_EQ(bits.open_share({100, 100, -30}, {0, 0, 1}, fan, 40), 0);
  EXPECT_EQ(bits.free_air({100, 100, 0}, {0, 0, 1}, 30), 30);
  EXPECT_EQ(bits.thickness({100, 100, 0}, {0, 0, -1}, 30), 30);
  EXPECT_EQ(bits.thickness({100, 100, 10}, {0, 0, -1}, 30), 0);
}

TEST(RockBits, MeasureAWallAndTheGapBesideIt) {
  Primitive wall, other;
  wall.shape = other.shape = PrimitiveShape::box;
  wall.half = other.half = {2, 20, 20};
  wall.energy = other.energy = 20;
  wall.falloff = other.falloff = 0.5;
  wall.skeleton = {{0, 0, 0}};
  other.skeleton = {{17, 0, 0}};
  const Volume both(blended({}, {wall, other}, 7.5), 7.5);
  const RockBits bits(both, both.support(), 0.25, Context());
  const double face = 2 + *both.cast({2, 0.1, 0.1}, {1, 0, 0}, 1, 0.01);
  EXPECT_NEAR(bits.thickness({face, 0.1, 0.1}, {-1, 0, 0}, 20), 2 * face, 0.51);
  EXPECT_NEAR(bits.free_air({face, 0.1, 0.1}, {1, 0, 0}, 40), 17 - 2 * face, 0.51);
  EXPECT_EQ(bits.thickness({face, 0.1, 0.1}, {-1, 0, 0}, 2), 2);
}

TEST(RockBits, NearPlacesAreThoseOfTheWholeBox) {
  const Volume volume = rough_land(5);
  const std::vector<Vec3> places{{30, 40, 20}, {100, 90, 10}};
  const RockBits all(volume, volume.support(), 0.9, Context()), near(volume, places, 25, 0.9, Context());
  EXPECT_LE(near.bytes(), all.bytes());
  const Stream random(6);
  for (uint64_t i = 0; i < 200; ++i)
    for (const Vec3 at : places) {
      const Vec3 d = any_direction(random, i);
      EXPECT_EQ(all.to_rock(at, d, 25), near.to_rock(at, d, 25));
    }
}

TEST(RockBits, OfNothingAndOfNowhereAreAir) {
  const RockBits none(Volume(), {{0, 0, 0}, {10, 10, 10}}, 1, Context());
  EXPECT_FALSE(none.rock({5, 5, 5}));
  EXPECT_EQ(none.to_rock({5, 5, 5}, {0, 0, 1}, 10), 10);
  const Volume volume = rough_land(5);
  const RockBits bits(volume, std::span<const Vec3>(), 25, 0.9, Context());
  EXPECT_FALSE(bits.rock({60, 60, 0}));
  EXPECT_NE(test::error_of([&] { RockBits(volume, volume.support(), 0, Context()); }).find("cell"), std::string::npos);
  EXPECT_NE(test::error_of([&] { RockBits(volume, volume.support(), 1e-3, Context()); }).find("fine"),
            std::string::npos);
}

TEST(RockBits, AreTheSameForAnyNumberOfThreads) {
  const Volume volume = rough_land(2);
  test::expect_same_bits([&] {
    const RockBits bits(volume, volume.support(), 1.1, Context());
    Hasher hasher;
    const RayFan fan(32);
    std::vector<Vec3> at, normal;
    for (int i = 0; i < 500; ++i)
      at.push_back({10 + i * 0.2, 100 - i * 0.15, 10 + 0.05 * i}), normal.push_back({0, 0, 1});
    for (const float share : bits.open_shares(at, normal, fan, 30, Context())) hasher.add(static_cast<double>(share));
    return hasher.finish();
  });
}

}  // namespace tepui::rock_bits_test

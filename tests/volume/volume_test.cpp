#include "tepui/volume/volume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/space_order.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::volume_test {
namespace {

TEST(Volume, WithoutATreeIsEmptySpace) {
  const Volume nothing;
  EXPECT_FALSE(nothing.inside({1, 2, 3}));
  EXPECT_EQ(nothing.value({1, 2, 3}), -7.5f);
  EXPECT_TRUE(nothing.support().empty());
  EXPECT_FALSE(nothing.cast({0, 0, 0}, {0, 0, 1}, 100, 1));
}

constexpr double T = Volume::usual_threshold;

Primitive point(Vec3 at, double falloff, double energy) {
  Primitive p;
  p.skeleton = {at};
  p.falloff = falloff;
  p.energy = energy;
  return p;
}

struct Places {
  std::vector<double> x, y, z;

  void push(Vec3 p) { x.push_back(p.x), y.push_back(p.y), z.push_back(p.z); }
  Vec3 at(size_t i) const { return {x[i], y[i], z[i]}; }
};

TEST(Volume, HasNoRockWhereCoordinatesAreNotFinite) {
  const double inf = INFINITY;
  const Terrain land = test::sample_land(40, 30, 3);
  const Volume ground = implicitize(land, nullptr, nullptr, {}, Context());
  const Volume rock = ground.with_root(blended({ground.share()}, {point({20, 20, 10}, 30, 20)}, T));
  const Volume heap(blended({}, {point({20, 20, 10}, 30, 20)}, T), T);
  Places places;
  for (int i = 0; i < 200; ++i) {
    places.push({1.7 * (i % 20), 2.3 * (i % 17), 0.7 * (i % 23)});
    const double odd[] = {NAN, inf, -inf, -NAN, 1e300, -1e300};
    if (i % 3 == 0) (i / 18 % 3 == 0 ? places.x : i / 18 % 3 == 1 ? places.y : places.z).back() = odd[i / 3 % 6];
  }
  for (const Volume& volume : {ground, rock, heap}) {
    const size_t count = places.x.size();
    std::vector<float> v(count), dx(count), dy(count), dz(count);
    volume.values(places.x, places.y, places.z, v, Context());
    volume.gradients(places.x, places.y, places.z, dx, dy, dz, Context());
    for (size_t i = 0; i < count; ++i) {
      const Vec3 at = places.at(i);
      EXPECT_EQ(v[i], volume.value(at)) << i;
      EXPECT_EQ((Vec3{dx[i], dy[i], dz[i]}), volume.gradient(at)) << i;
      float own = 0, slope[3] = {};
      ground.root().values({&at.x, &at.y, &at.z, 1, {at, at}}, &own);
      if (std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z)) continue;
      EXPECT_EQ(v[i], -7.5f) << i;
      EXPECT_EQ(own, -7.5f) << i;
      ground.root().gradients({&at.x, &at.y, &at.z, 1, {at, at}}, &own, slope, slope + 1, slope + 2);
      EXPECT_EQ(own, -7.5f) << i;
    }
  }
  // Those that are finite keep their order in space.
  std::vector<uint32_t> order = order_in_space(places.x.data(), places.y.data(), places.z.data(), 200);
  std::ranges::sort(order);
  for (uint32_t i = 0; i < 200; ++i) EXPECT_EQ(order[i], i);
}

TEST(Volume, SupportHoldsPlacesThatAreRoundedIntoIt) {
  // Half a quantum of place is much beside so small a radius.
  const Volume dot(blended({}, {point({0, 0, 0}, 16.4 * 0x1p-13, 100)}, T), T);
  int felt = 0;
  for (int i = 0; i < 64; ++i) {
    const Vec3 at{0x1p-9 - 0x1p-14 + i * 0x1p-18, 0, 0};
    const double x[] = {at.x, 0}, y[] = {0, 0}, z[] = {0, 0};
    float both[2];
    dot.values(x, y, z, both, Context());
    EXPECT_EQ(both[0], dot.value(at)) << i;
    if (both[0] != -7.5f) {
      ++felt;
      EXPECT_TRUE(dot.support().holds(at)) << i;
    }
  }
  EXPECT_GT(felt, 0);
  const double centre = 0x1p-14;  // rounded to the even place beside it
  const Volume moved(blended({}, {point({centre, 0, 0}, 16.4 * 0x1p-13, 100)}, T), T);
  for (int i = -2048; i <= 2048; ++i) {
    const Vec3 at{i * 0x1p-19, 0, 0};
    EXPECT_TRUE(moved.value(at) == -7.5f || moved.support().holds(at)) << i;
  }
}

TEST(Volume, BlendsOfTooManyPrimitivesAreRefusedBeforeTheyAreMade) {
  std::vector<Primitive> list;
  for (int i = 0; i < 1 << 15; ++i) list.push_back(point({i % 181 * 1.0, i / 181 * 1.0, 0}, 2, 1));
  const SolidPointer heap = blended({}, list, T);
  EXPECT_NE(test::error_of([&] { blended(std::vector<SolidPointer>(1600, heap), {}, T); }).find("primitives"),
            std::string::npos);
}

RC_GTEST_PROP(Volume, BatchesHaveTheBitsOfSinglePoints, ()) {
  test::Dice dice;
  dice.draw_threshold();
  const Volume volume = test::any_volume(dice, 3).volume;
  Places places;
  std::vector<Vec3> from, direction;
  const int count = dice.below(1500);
  for (int i = 0; i < count; ++i) {
    places.push(dice.place());
    if (i >= 20) continue;
    const Vec3 way = dice.place();
    from.push_back(dice.place());
    direction.push_back(way * (1 / length(way)));
  }
  const size_t n = places.x.size();
  std::vector<float> v(n), dx(n), dy(n), dz(n), rho(n);
  std::vector<uint8_t> rock(n);
  std::vector<std::optional<double>> hits(from.size());
  volume.values(places.x, places.y, places.z, v, Context());
  volume.gradients(places.x, places.y, places.z, dx, dy, dz, Context());
  volume.inside(places.x, places.y, places.z, rock, Context());
  volume.resistances(places.x, places.y, places.z, rho, Context());
  volume.casts(from, direction, 200, 2, hits, Context());
  for (size_t i = 0; i < n; ++i) {
    const Vec3 at = places.at(i);
    RC_ASSERT(v[i] == volume.value(at));
    RC_ASSERT((Vec3{dx[i], dy[i], dz[i]}) == volume.gradient(at));
    RC_ASSERT((rock[i] == 1) == volume.inside(at));
    RC_ASSERT(rho[i] == volume.resistance(at));
  }
  for (size_t i = 0; i < from.size(); ++i) RC_ASSERT(hits[i] == volume.cast(from[i], direction[i], 200, 2));
  if (n > 0) RC_ASSERT_THROWS_AS(volume.values(places.x, places.y, places.z, {v.data(), n - 1}, Context()), Error);
}

TEST(Box3, HoldsAndMeetsWithItsFaces) {
  const Box3 box{{0, 0, 0}, {1, 2, 3}};
  EXPECT_TRUE(box.holds({1, 2, 3}));
  EXPECT_TRUE(box.meets({{1, 2, 3}, {4, 4, 4}}));
  EXPECT_FALSE(box.meets({{1.1, 0, 0}, {4, 4, 4}}));
  EXPECT_TRUE(Box3{}.empty());
  EXPECT_EQ(Box3{}.with(box), box);
  EXPECT_TRUE(Box3{}.grown(5).empty());
}

TEST(Volume, TellsItsFloor) {
  EXPECT_FALSE(Volume().floor());
  const Terrain land = test::sample_land(40, 30, 3);
  ImplicitizeParams params;
  params.floor = metres(25);
  const Volume ground = implicitize(land, nullptr, nullptr, params, Context());
  float low = INFINITY;
  for (int64_t y = 0; y < 30; ++y)
    for (int64_t x = 0; x < 40; ++x) low = std::min(low, land.height()(x, y));
  ASSERT_TRUE(ground.floor());
  EXPECT_NEAR(*ground.floor(), static_cast<double>(low) - 25, 1e-4);
  // Strokes, even deep ones, leave the land's floor where it is; what is no land ends where its field does.
  const Volume deep = ground.with_root(blended({ground.share()}, {point({20, 20, -500}, 30, 20)}, T));
  EXPECT_EQ(deep.floor(), ground.floor());
  const Volume heap(blended({}, {point({20, 20, 10}, 30, 20)}, T), T);
  EXPECT_NEAR(*heap.floor(), -20, 1e-3);
}

TEST(Volume, TellsWhatWasMadeOnIt) {
  const Volume heap(blended({}, {point({20, 20, 10}, 30, 20)}, T), T);
  const Made sea{"sea_erosion", {{"points", 12}}}, karst{"karst", {{"points", 3}, {"mouths", 2}}};
  const Volume one = heap.with_made(sea), other = heap.with_made(karst);
  EXPECT_TRUE(heap.made().empty());
  EXPECT_EQ(one.with_root(heap.share()).made(), std::vector<Made>{sea});
  EXPECT_EQ(one.with_part(other).made(), (std::vector<Made>{sea, karst}));
  EXPECT_NE(one.hash(), heap.hash());
  EXPECT_NE(one.hash(), other.hash());
}

}  // namespace
}  // namespace tepui::volume_test

#include "tepui/volume/volume.h"

#include <gtest/gtest.h>

#include "tepui/volume/primitive.h"
#include "tests/support/support.h"

namespace tepui {
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

TEST(Box3, HoldsAndMeetsWithItsFaces) {
  const Box3 box{{0, 0, 0}, {1, 2, 3}};
  EXPECT_TRUE(box.holds({1, 2, 3}));
  EXPECT_TRUE(box.meets({{1, 2, 3}, {4, 4, 4}}));
  EXPECT_FALSE(box.meets({{1.1, 0, 0}, {4, 4, 4}}));
  EXPECT_TRUE(Box3{}.empty());
  EXPECT_EQ(Box3{}.with(box), box);
  EXPECT_TRUE(Box3{}.grown(5).empty());
}

}  // namespace
}  // namespace tepui

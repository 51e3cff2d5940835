#include "tepui/volume/volume.h"

#include <gtest/gtest.h>

namespace tepui {
namespace {

TEST(Volume, WithoutATreeIsEmptySpace) {
  const Volume nothing;
  EXPECT_FALSE(nothing.inside({1, 2, 3}));
  EXPECT_EQ(nothing.value({1, 2, 3}), -7.5f);
  EXPECT_TRUE(nothing.support().empty());
  EXPECT_FALSE(nothing.cast({0, 0, 0}, {0, 0, 1}, 100, 1));
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

#include "tepui/render/ground/covers.h"

#include <cmath>

#include "tests/support/support.h"

namespace tepui::covers_test {
namespace {

constexpr Vec3 up{0, 0, 1}, sheer{-1, 0, 0.01};

/// Columns of rock with sediment on them, in rows of one kind.
Terrain columns(const std::vector<std::pair<float, float>>& rock_and_debris, int64_t rows = 3) {
  const auto w = static_cast<int64_t>(rock_and_debris.size());
  Grid<float> height(w, rows), sediment(w, rows);
  for (int64_t y = 0; y < rows; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const auto [rock, debris] = rock_and_debris[static_cast<size_t>(x)];
      height(x, y) = rock + debris;
      sediment(x, y) = debris;
    }
  return test::sample_land(w, rows, 1)
      .with_height(std::move(height))
      .with(make_layer("sediment", "m", LayerKind::continuous, std::move(sediment)));
}

TEST(Covers, AreLayersOfThicknessFromBelow) {
  Terrain land = test::sample_land(3, 3, 1);
  EXPECT_TRUE(Covers(land).list().empty());
  land = land.with(make_layer("snow", "m", LayerKind::continuous, Grid<float>(3, 3, 1.0f)))
             .with(make_layer("soil", "m", LayerKind::continuous, Grid<float>(3, 3, -2.0f)))
             .with(make_layer("sand", "", LayerKind::mask, Grid<float>(3, 3, 1.0f)))
             .with(make_layer("moss", "m", LayerKind::continuous, Grid<float>(3, 3, 1.0f)))
             .with(make_layer("sediment", "m", LayerKind::continuous, Grid<float>(3, 3, 4.0f)));
  const Covers covers(land);
  ASSERT_EQ(covers.list().size(), 3u);
  EXPECT_STREQ(covers.list()[0].row->layer, "sediment");
  EXPECT_EQ(covers.index_of("soil"), 1u);
  EXPECT_EQ(covers.index_of("snow"), 2u);
  EXPECT_EQ(covers.index_of("sand"), 3u);
  const Covers::Depths depths = covers.lying(1.5, 0.5);
  EXPECT_EQ(depths[0], 4);
  EXPECT_EQ(depths[1], 0);
  EXPECT_EQ(depths[2], 1);
}

RC_GTEST_PROP(Covers, LieBetweenTheSamples, ()) {
  const auto w = *rc::gen::inRange<size_t>(1, 6);
  const auto rows = *rc::gen::inRange<int64_t>(1, 4);
  std::vector<std::pair<float, float>> list;
  for (size_t i = 0; i < w; ++i)
    list.emplace_back(static_cast<float>(*rc::gen::inRange(0, 100)), static_cast<float>(*rc::gen::inRange(0, 50)));
  const Covers covers(columns(list, rows));
  for (size_t i = 0; i < w; ++i) {
    const auto x = static_cast<double>(i);
    RC_ASSERT(covers.lying(x, 0)[0] == list[i].second);
    if (i + 1 < w)
      RC_ASSERT(std::abs(covers.lying(x + 0.25, 0.5)[0] - 0.75f * list[i].second - 0.25f * list[i + 1].second) < 1e-4f);
    // Whatever the slope, no more is seen than some sample has.
    float most = 0;
    for (const auto& column : list) most = std::max(most, column.second);
    for (const Vec3 normal : {up, sheer, Vec3{-0.7, 0, 0.7}}) {
      const float seen = covers.seen(x + 0.4, 0, normal)[0];
      RC_ASSERT(seen >= 0 && seen <= most + 1e-4f);
    }
  }
  RC_ASSERT(covers.lying(-5, -5)[0] == list.front().second);
  RC_ASSERT(covers.lying(1e9, 1e9)[0] == list.back().second);
}

TEST(Covers, AWallOfRockIsBareDownToTheDebrisAtItsFoot) {
  const Covers covers(columns({{5, 20}, {5, 20}, {200, 0}, {200, 0}}));
  for (double u = 1.02; u < 2; u += 0.1) EXPECT_EQ(covers.seen(u, 1, sheer)[0], 0) << u;
  EXPECT_EQ(covers.seen(1, 1, up)[0], 20);
  EXPECT_EQ(covers.seen(0.5, 1, sheer)[0], 20);
  EXPECT_EQ(covers.seen(2.5, 1, up)[0], 0);
}

TEST(Covers, AWallOfDebrisIsDebrisAsFarDownAsItReaches) {
  // 40 m of it on 60 m of rock, beside level rock at 0.
  const Covers covers(columns({{0, 0}, {60, 40}}));
  for (const double z : {99.0, 80.0, 61.0}) EXPECT_NEAR(covers.seen(z / 100, 1, sheer)[0], z - 60, 1e-3);
  for (const double z : {59.0, 30.0, 1.0}) EXPECT_EQ(covers.seen(z / 100, 1, sheer)[0], 0);
}

RC_GTEST_PROP(Covers, SnowIsRoundedAndNeverMoreThanAnySampleHas, ()) {
  const auto w = *rc::gen::inRange<int64_t>(1, 9), h = *rc::gen::inRange<int64_t>(1, 9);
  const Stream draws(*rc::gen::inRange<uint64_t>(0, 1000));
  Grid<float> depth(w, h);
  float most = 0;
  for (int64_t i = 0; i < w * h; ++i)
    most = std::max(most, depth.data()[i] = draws.uniform(static_cast<uint64_t>(i)) < 0.5 ? 0.0f : 3.0f);
  const Covers covers(
      test::sample_land(w, h, 1).with(make_layer("snow", "m", LayerKind::continuous, std::move(depth))));
  RC_ASSERT(covers.has_snow());
  for (uint64_t i = 0; i < 40; ++i) {
    const double u = draws.uniform(i, 1, -2, static_cast<double>(w) + 1);
    const double v = draws.uniform(i, 2, -2, static_cast<double>(h) + 1), step = 1e-3;
    const auto at = [&](double du) { return static_cast<double>(covers.rounded_snow(u + du, v)); };
    RC_ASSERT(at(0) >= 0 && at(0) <= static_cast<double>(most) + 1e-5);
    // Its slope has no jumps: no corners at the samples.
    if (u > step && u < static_cast<double>(w - 1) - step)
      RC_ASSERT(std::abs(at(step) - 2 * at(0) + at(-step)) < 8 * step * step * static_cast<double>(most) + 2e-6);
  }
}

}  // namespace
}  // namespace tepui::covers_test

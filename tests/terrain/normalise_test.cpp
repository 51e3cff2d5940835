#include "tepui/terrain/normalise.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/support/support.h"

namespace tepui::normalise_test {

namespace {

Frame frame_of(const Grid<float>& grid) {
  Frame frame = make_world({1000, 1000}, 2);
  frame.width = grid.width();
  frame.height = grid.height();
  return frame;
}

}  // namespace

RC_GTEST_PROP(Normalise, FindsTheExtremes, ()) {
  const auto width = *rc::gen::inRange<int64_t>(1, 90), height = *rc::gen::inRange<int64_t>(1, 30);
  const Terrain land = test::sample_land(width, height, *rc::gen::arbitrary<uint64_t>(), 10, {-300, 200});
  const auto [low, high] = std::ranges::minmax(land.height().cells());
  const MinMax range = min_max(land.height(), {});
  RC_ASSERT(range.low == low);
  RC_ASSERT(range.high == high);
}

TEST(Normalise, FindsExtremesInEveryPlace) {
  for (const int64_t at : {0, 1, 17, 262143, 262144, 300000, 399999}) {
    Grid<float> grid(400000, 1, 1.0f);
    grid(at, 0) = -5;
    EXPECT_EQ(min_max(grid, {}).low, -5);
    grid(at, 0) = 7;
    EXPECT_EQ(min_max(grid, {}).high, 7);
  }
}

TEST(Normalise, ExtremesHaveTheSameBitsAlsoForZeros) {
  Grid<float> grid(1000, 401, 0.0f);
  for (int64_t i = 0; i < grid.size(); i += 3) grid.data()[i] = -0.0f;
  test::expect_same_bits([&] {
    const MinMax range = min_max(grid, {});
    return Hasher()
        .add(uint64_t{std::bit_cast<uint32_t>(range.low)})
        .add(uint64_t{std::bit_cast<uint32_t>(range.high)})
        .finish();
  });
  EXPECT_FALSE(std::signbit(min_max(grid, {}).low));
}

TEST(Normalise, OfNothingIsZero) {
  EXPECT_EQ(min_max(Grid<float>(), {}).low, 0);
  EXPECT_EQ(min_max(Grid<float>(), {}).high, 0);
}

RC_GTEST_PROP(Normalise, PutsTheRangeAtZeroAndHeightExactly, ()) {
  const auto width = *rc::gen::inRange<int64_t>(2, 90), height = *rc::gen::inRange<int64_t>(1, 30);
  const Terrain raw = test::sample_land(width, height, *rc::gen::arbitrary<uint64_t>());
  const MinMax range = min_max(raw.height(), {});
  const double metres = *rc::gen::inRange(1, 100'000) * 0.13;
  const Terrain land = normalised_land(raw.frame(), raw.height().clone(), range, metres, {});
  RC_ASSERT(land.relief() == (Relief{0, metres}));
  const MinMax got = min_max(land.height(), {});
  RC_ASSERT(got.low == 0);
  RC_ASSERT(got.high == static_cast<float>(metres));
  for (int64_t i = 0; i < raw.height().size(); ++i) {
    const double unit =
        (static_cast<double>(raw.height().data()[i]) - range.low) / (static_cast<double>(range.high) - range.low);
    RC_ASSERT(std::abs(static_cast<double>(land.height().data()[i]) - unit * metres) <= 4e-7 * metres);
  }
}

TEST(Normalise, FlatLandLiesAtZero) {
  for (const float level : {-3.0f, 0.0f, 1e30f}) {
    Grid<float> grid(5, 3, level);
    const Frame frame = frame_of(grid);
    const Terrain land = normalised_land(frame, std::move(grid), {level, level}, 200, {});
    EXPECT_EQ(min_max(land.height(), {}).low, 0);
    EXPECT_EQ(min_max(land.height(), {}).high, 0);
    EXPECT_EQ(land.relief().top, 200);
  }
}

TEST(Normalise, StaysFiniteBeyondATinyRangeAndUnderAnyHeight) {
  for (const double height : {0.0, 800.0, 1e39})
    for (const int64_t width : {1, 3, 37}) {
      Grid<float> raw(width, 1, 1e7f);
      raw(width - 1, 0) = -1e7f;
      const Terrain land =
          normalised_land(test::sample_land(width, 1, 1).frame(), std::move(raw), {0, 1e-38f}, height, {});
      for (const float z : land.height().cells()) EXPECT_TRUE(std::isfinite(z)) << height;
    }
}

TEST(Normalise, SamplesOutsideTheRangeLieOutsideTheRelief) {
  Grid<float> grid(3, 1);
  grid(0, 0) = -1;
  grid(1, 0) = 1;
  grid(2, 0) = 3;
  const Frame frame = frame_of(grid);
  const Terrain land = normalised_land(frame, std::move(grid), {0, 2}, 100, {});
  EXPECT_EQ(land.height()(0, 0), -50);
  EXPECT_EQ(land.height()(1, 0), 50);
  EXPECT_EQ(land.height()(2, 0), 150);
}

}  // namespace tepui::normalise_test

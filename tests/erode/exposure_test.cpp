#include "tepui/erode/exposure.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "tepui/core/simd.h"
#include "tepui/erode/weathering_rule.h"
#include "tests/erode/any_land.h"
#include "tests/support/support.h"

namespace tepui::exposure_test {

namespace {

/// What may be read beyond the ends of a row.
constexpr size_t margin = 16;

/// Five rows of ground and one of rock, somewhere above or below it, between high walls.
struct Wall {
  std::vector<float> rock, ground, south, south_next, south_far, north, north_next, north_far;
  std::vector<uint32_t> keys;
  size_t walls = 0;  ///< before and after `rock` and `ground`

  void build_walls(size_t before) {
    walls = before;
    for (auto* row : {&rock, &ground}) row->insert(row->begin(), walls, 0x1p100f);
    for (auto* row : {&rock, &ground}) row->insert(row->end(), walls + margin, 0x1p100f);
    for (auto* row : {&south, &south_next, &south_far, &north, &north_next, &north_far})
      row->insert(row->end(), margin, 0x1p100f);
  }

  WallRow row(FootReach reach, int64_t begin, int64_t end, bool has_south = true, bool has_north = true) const {
    WallRow r;
    r.rock = rock.data() + walls;
    r.ground = ground.data() + walls;
    r.walls = static_cast<int64_t>(walls);
    if (has_south) r.south = {south.data(), south_next.data(), south_far.data()};
    if (has_north) r.north = {north.data(), north_next.data(), north_far.data()};
    r.width = keys.empty() ? static_cast<int64_t>(rock.size()) : static_cast<int64_t>(keys.size());
    r.along = r.across = reach;
    r.begin = begin;
    r.end = end;
    return r;
  }
};

Wall any_wall() {
  const auto width = *rc::gen::inRange<uint64_t>(1, 70);
  const Stream stream(*rc::gen::inRange<uint64_t>(0, 1000));
  const auto height = [&](uint64_t x, uint64_t channel) {
    return static_cast<float>(std::floor(1000 * stream.uniform(x, channel)));
  };
  Wall w;
  for (uint64_t x = 0; x < width; ++x) {
    w.ground.push_back(height(x, 1));
    w.rock.push_back(std::max(0.0f, w.ground.back() - (stream.uniform(x, 2) < 0.4 ? 0.0f : height(x, 3))));
    w.south.push_back(height(x, 4));
    w.south_next.push_back(height(x, 7));
    w.south_far.push_back(height(x, 9));
    w.north.push_back(height(x, 5));
    w.north_next.push_back(height(x, 8));
    w.north_far.push_back(height(x, 10));
    w.keys.push_back(static_cast<uint32_t>(stream.bits(x, 6)));
  }
  w.build_walls(*rc::gen::element<size_t>(0, 0, 4, 16));
  return w;
}

struct AnyRow {
  Wall wall = any_wall();
  WallRow row;

  AnyRow() {
    const auto width = static_cast<int64_t>(wall.keys.size());
    const int64_t begin = *rc::gen::inRange<int64_t>(0, width);
    FootReach reach{*rc::gen::element<int64_t>(0, 1, 2, 3, 4, 9, 15, 16, 100), *rc::gen::element(0.0f, 0.25f, 0.9f)};
    if (reach.far() == 0) reach.share = 0.5f;
    if (reach.cells == 0 && *rc::gen::arbitrary<bool>()) reach.edge = std::sqrt(reach.share) - reach.share;
    row = wall.row(reach, begin, *rc::gen::inRange<int64_t>(begin, width + 1), *rc::gen::arbitrary<bool>(),
                   *rc::gen::arbitrary<bool>());
    if (*rc::gen::arbitrary<bool>()) row.south.far = nullptr;
    if (*rc::gen::arbitrary<bool>()) row.north.far = nullptr;
  }
};

/// Runs it at every SIMD level.
void at_every_level(const std::function<void()>& act) {
  for (const std::string& level : simd_levels()) {
    force_simd_level(level);
    act();
  }
  force_simd_level("best");
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
  const auto count = static_cast<double>(a.size());
  for (size_t i = 0; i < a.size(); ++i) mean_a += a[i] / count, mean_b += b[i] / count;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

}  // namespace

TEST(Exposure, IsWhatStandsFreeOnTheFourSides) {
  Wall w;
  w.rock = {0, 0, 100, 0, 0};
  w.ground = {70, 0, 100, 0, 90};
  w.south = w.south_next = w.south_far = {0, 0, 40, 0, 0};
  w.north = w.north_next = w.north_far = {0, 0, 200, 0, 0};
  const Exposure e = exposure(w.row({2}, 0, 5), 2);
  EXPECT_EQ(e.sum, 30 + 10 + 60 + 0);
  EXPECT_EQ(e.largest, 60);
  EXPECT_EQ(e.low, 40);
  EXPECT_EQ(e.high, 40);
  const Exposure without = exposure(w.row({2}, 0, 5, false, true), 2);
  EXPECT_EQ(without.largest, 30);
  EXPECT_EQ(without.low, 70);
  EXPECT_EQ(exposure(w.row({3}, 0, 5, false, false), 2).sum, 0);
}

TEST(Exposure, ReadsTheFootBetweenTwoCells) {
  Wall w;
  w.rock = w.ground = {0, 40, 100, 60, 20};
  w.south = {0, 0, 50, 0, 0}, w.south_next = w.south_far = {0, 0, 10, 0, 0};
  w.north = w.north_next = w.north_far = {0, 0, 100, 0, 0};
  const Exposure e = exposure(w.row({1, 0.25f}, 0, 5), 2);
  EXPECT_EQ(e.sum, (50 + 70) + (60 + 0));
  // Beyond the cells to the west the land ends: they are taken for a slope.
  EXPECT_EQ(e.low, 30);
  // Beyond the land nothing stands free.
  EXPECT_EQ(exposure(w.row({2, 0.25f}, 0, 5, false, false), 2).sum, 0);
}

TEST(Exposure, PartOfACellSeesBeyondALedge) {
  Wall w;
  w.rock = w.ground = {100, 100, 60, 0, 0};
  const Exposure e = exposure(w.row({1, 0.25f}, 0, 5, false, false), 1);
  EXPECT_EQ(e.largest, 55);
  EXPECT_EQ(e.low, 0);
  EXPECT_EQ(e.high, 60);
  EXPECT_EQ(e.share, 0.25f);
}

TEST(Exposure, WhatGoesOnOutsideTheLandIsTakenForASlope) {
  Wall w;
  w.rock = w.ground = {50, 60, 0};
  const Exposure e = exposure(w.row({1, 0.5f}, 0, 3, false, false), 0);
  EXPECT_EQ(e.largest, 20);
  EXPECT_EQ(e.low, 30);
  EXPECT_EQ(e.high, 30);
}

TEST(Exposure, OfEqualWallsTheDeeperOneIsReadFromEitherSide) {
  // In the middle, both stand free by 55: above a ledge, and above a slope.
  for (const std::vector<float>& ground :
       {std::vector<float>{0, 0, 60, 100, 60, 0, -60}, {-60, 0, 60, 100, 60, 0, 0}}) {
    Wall w;
    w.rock = w.ground = ground;
    const Exposure e = exposure(w.row({1, 0.25f}, 0, 7, false, false), 3);
    EXPECT_EQ(e.largest, 55);
    EXPECT_EQ(e.low, 0);
  }
}

TEST(Exposure, AStepStandsFreeOverAShareOfTheCell) {
  Wall w;
  w.rock = w.ground = {20, 60, 100, 0, 0};
  const WallRow row = w.row({0, 0.25f, 0.25f}, 0, 5, false, false);
  // To the east there is a step, of which the root of a quarter is exposed; to the west a slope.
  EXPECT_EQ(exposure(row, 2).largest, 50);
  EXPECT_EQ(exposure(row, 2).sum, 50 + 10);
  // Too near the border to see whether it is a step.
  EXPECT_EQ(exposure(row, 1).sum, 10);
}

RC_GTEST_PROP(Exposure, FallsAreWhereTheDrawIsNotAboveTheChance, ()) {
  const AnyRow any;
  const float scale = *rc::gen::element(1e-6f, 1e-8f, 1e-13f, 1e-5f);
  const auto step_key = *rc::gen::arbitrary<uint32_t>();
  const int64_t tile = *rc::gen::element<int64_t>(1, 5, 16, 64), first = any.row.begin / tile, y = 7;
  std::vector<int64_t> expected;
  std::vector<TileCells> can(static_cast<size_t>(any.row.end / tile - first + 1));
  const auto box = [&](auto& boxes, int64_t x) -> TileCells& { return boxes[static_cast<size_t>(x / tile - first)]; };
  for (int64_t x = any.row.begin; x < any.row.end; ++x) {
    const float e = exposure(any.row, x).largest;
    if (e * e * scale >= 0x1p-24f) box(can, x).add({x, x + 1, y, y + 1});
    if (draw(any.wall.keys[static_cast<size_t>(x)] + step_key) <= e * e * scale) expected.push_back(x);
  }
  at_every_level([&] {
    std::vector<int64_t> found;
    std::vector<TileCells> boxes(can.size());
    find_falls(any.row, y, {scale, any.wall.keys.data(), step_key}, {boxes.data(), (first + 1) * tile, tile}, found);
    std::ranges::sort(found);
    RC_ASSERT(found == expected);
    for (size_t i = 0; i < can.size(); ++i) {
      // Around all that can fall, with less than a vector more, in the part of the row; empty where nothing can.
      TileCells both = can[i];
      both.add(boxes[i]);
      RC_ASSERT(both == boxes[i]);
      RC_ASSERT(can[i].empty() == boxes[i].empty());
      if (can[i].empty()) continue;
      const int64_t column = (first + static_cast<int64_t>(i)) * tile;
      RC_ASSERT(boxes[i].x0 >= std::max(any.row.begin, column) && boxes[i].x1 <= std::min(any.row.end, column + tile));
      RC_ASSERT(boxes[i].x0 > can[i].x0 - 16 && boxes[i].x1 < can[i].x1 + 16);
    }
  });
}

RC_GTEST_PROP(Exposure, ExposedCellsAreFoundAll, ()) {
  const AnyRow any;
  const float least = *rc::gen::element(1.0f, 500.0f, 1999.0f);
  std::vector<int64_t> expected;
  for (int64_t x = any.row.begin; x < any.row.end; ++x)
    if (exposure(any.row, x).sum >= least) expected.push_back(x);
  at_every_level([&] {
    std::vector<int64_t> found;
    find_exposed(any.row, least, found);
    std::ranges::sort(found);
    RC_ASSERT(found == expected);
  });
}

TEST(Draw, IsUniform) {
  constexpr uint32_t count = 200000;
  double sum = 0, squares = 0;
  int64_t small = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const auto u = static_cast<double>(draw(i));
    ASSERT_GT(u, 0);
    ASSERT_LE(u, 1);
    sum += u;
    squares += u * u;
    small += u <= 0.001;
  }
  EXPECT_NEAR(sum / count, 0.5, 0.003);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.003);
  EXPECT_NEAR(static_cast<double>(small) / count, 0.001, 0.0003);
}

TEST(Draw, BlocksAndStepsDrawOnTheirOwn) {
  const Frame frame = test::small_frame(401, 3);
  WeatheringParams p;
  p.reach = metres(0);
  const WeatheringRule rule(p, frame, 1000);
  const Grid<uint32_t> keys = rule.cell_keys({});
  const auto row_of = [&](int64_t step, int64_t y) {
    std::vector<double> draws;
    for (int64_t x = 0; x < 400; ++x)
      draws.push_back(static_cast<double>(draw(keys(x, y) + static_cast<uint32_t>(rule.step_key(step)))));
    return draws;
  };
  std::vector<double> here, east, north, later;
  for (int64_t step = 0; step < 100; ++step) {
    const std::vector<double> row = row_of(step, 0), above = row_of(step, 1), next = row_of(step + 1, 0);
    here.insert(here.end(), row.begin(), row.end() - 1);
    east.insert(east.end(), row.begin() + 1, row.end());
    north.insert(north.end(), above.begin(), above.end() - 1);
    later.insert(later.end(), next.begin(), next.end() - 1);
  }
  EXPECT_LT(std::abs(correlation(here, east)), 0.02);
  EXPECT_LT(std::abs(correlation(here, north)), 0.02);
  EXPECT_LT(std::abs(correlation(here, later)), 0.02);
  const double mean = std::accumulate(here.begin(), here.end(), 0.0) / static_cast<double>(here.size());
  EXPECT_NEAR(mean, 0.5, 0.01);
}

TEST(Draw, CellsOfABlockDrawTheSame) {
  WeatheringParams p;
  p.reach = metres(8);
  const auto keys_at = [&](int64_t resolution) {
    return WeatheringRule(p, make_world({128, 128}, resolution), 1000).cell_keys({});
  };
  const Grid<uint32_t> coarse = keys_at(65), fine = keys_at(129);
  for (int64_t y = 0; y < coarse.height(); ++y)
    for (int64_t x = 0; x < coarse.width(); ++x) EXPECT_EQ(coarse(x, y), fine(2 * x, 2 * y));
  const std::set<uint32_t> blocks(fine.cells().begin(), fine.cells().end());
  EXPECT_GE(blocks.size(), 16U * 16U);
  EXPECT_LE(blocks.size(), 18U * 18U);
}

TEST(Draw, BlocksAreAsThickAsTheyShouldBeInTheMean) {
  constexpr int64_t count = 100000;
  for (const double spread : {0.0, 0.3}) {
    WeatheringParams p;
    p.spread = spread;
    p.pace = 0.25;
    const WeatheringRule rule(p, test::small_frame(1, 1), 1000);
    double sum = 0, squares = 0;
    for (int64_t step = 0; step < count; ++step) {
      const double t = rule.block_thickness(1000, 1, rule.step_key(step)) / 250;
      ASSERT_GE(t, 0);
      sum += t;
      squares += t * t;
    }
    const double mean = sum / count;
    EXPECT_NEAR(mean, 1, 0.005);
    EXPECT_NEAR(std::sqrt(std::max(0.0, squares / count - mean * mean)), spread, 0.005);
  }
  WeatheringParams p;
  const WeatheringRule rule(p, test::small_frame(1, 1), 1000);
  // With the square of the height.
  EXPECT_NEAR(rule.block_thickness(500, 5, 0), 0.25 * rule.block_thickness(1000, 5, 0), 1e-9);
}

}  // namespace tepui::exposure_test

#include "tepui/generate/skyline.h"

#include <algorithm>
#include <cmath>

#include "reference/profiles.h"
#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::skyline_test {

namespace {

const Context quiet;

Frame any_world() {
  const Vec2 size{*rc::gen::element(1.0, 1000.0, 4321.5), *rc::gen::element(1.0, 700.0, 9000.0)};
  return make_world(size, *rc::gen::element<int64_t>(1, 2, 33), {*rc::gen::element(0.0, -250.0), 12.5});
}

SkylineParams any_params() {
  SkylineParams params;
  params.kind = *rc::gen::element(SkylineKind::uplift, SkylineKind::brownian);
  params.points = *rc::gen::element<int64_t>(1, 2, 3, 64, 257);
  params.ranges = *rc::gen::element<int64_t>(1, 2, 5);
  params.foothills = *rc::gen::element(0.0, 0.3, 1.0);
  params.peaks = *rc::gen::element<int64_t>(0, 1, 2, 30);
  params.peak_height = {percent(*rc::gen::element(0.0, 10.0)), percent(*rc::gen::element(10.0, 150.0))};
  params.ruggedness = *rc::gen::element(0.0, 0.5, 1.0, 20.0);
  params.hurst = *rc::gen::element(0.2, 0.5, 0.9);
  params.detail = percent(1);
  params.tents = params.kind == SkylineKind::uplift && *rc::gen::arbitrary<bool>();
  params.seed.node = *rc::gen::inRange(0, 1000);
  return params;
}

std::vector<Polyline> ranges_of(const Lines& lines) {
  std::vector<Polyline> list;
  for (const Polyline& line : lines.polylines())
    if (!is_tent(line.name)) list.push_back(line);
  return list;
}

}  // namespace

RC_GTEST_PROP(Skyline, ALoneTentHasItsHeightAndItsBase, ()) {
  const Frame world = any_world();
  SkylineParams params;
  params.points = 513;
  params.ranges = 1;
  params.peaks = 1;
  params.tents = true;
  params.ruggedness = *rc::gen::element(0.7, 1.0, 8.0, 20.0);
  params.seed.node = *rc::gen::inRange(0, 1000);
  const Lines lines = skyline(world, params, quiet);
  RC_ASSERT(lines.features() == 2u);
  const std::vector<Polyline> both = lines.polylines();
  const Polyline &range = both[0], &tent = both[1];
  RC_ASSERT(is_tent(tent.name) && tent.points.size() == 3u);
  const double top = tent.points[1].z, middle = tent.points[1].x, foot = top / params.ruggedness;
  const double side = world.shorter_side(), slack = 1e-9 * side * (1 + params.ruggedness);
  RC_ASSERT(top >= 0.1 * side && top <= 1.5 * side);
  for (const Vec3& p : range.points) {
    RC_ASSERT(std::abs(p.z - std::max(0.0, top - params.ruggedness * std::abs(p.x - middle))) <= slack);
    RC_ASSERT(p.z == 0 || std::abs(p.x - middle) <= foot + slack);
  }
  // Where the world does not cut it, the tent ends on the ground, as far away as its slope says.
  const double west = world.origin.x, east = world.origin.x + world.size.x;
  if (middle - foot > west) RC_ASSERT(tent.points[0].z == 0 && std::abs(middle - foot - tent.points[0].x) <= slack);
  if (middle + foot < east) RC_ASSERT(tent.points[2].z == 0 && std::abs(middle + foot - tent.points[2].x) <= slack);
  RC_ASSERT(tent.points[0].x >= west && tent.points[2].x <= east);
}

RC_GTEST_PROP(Skyline, RangesAreTheMeansOfTheirTents, ()) {
  const Frame world = any_world();
  SkylineParams params = any_params();
  params.kind = SkylineKind::uplift;
  params.tents = true;
  params.peaks = *rc::gen::element<int64_t>(1, 3, 20);
  const std::vector<Polyline> list = skyline(world, params, quiet).polylines();
  const auto each = static_cast<size_t>(params.peaks + 1);
  RC_ASSERT(list.size() == each * static_cast<size_t>(params.ranges));
  for (size_t r = 0; r < list.size(); r += each)
    for (const Vec3& p : list[r].points) {
      double sum = 0;
      for (size_t t = r + 1; t < r + each; ++t) {
        const std::vector<Vec3>& tent = list[t].points;
        RC_ASSERT(tent[1].y == p.y);
        for (size_t i = 0; i + 1 < tent.size(); ++i) {
          // Left of the top, and from there on.
          const Vec3 a = tent[i], b = tent[i + 1];
          if (i == 0 ? p.x < a.x || p.x >= b.x : p.x < a.x || p.x > b.x) continue;
          sum += b.x > a.x ? a.z + (b.z - a.z) * (p.x - a.x) / (b.x - a.x) : std::max(a.z, b.z);
        }
      }
      const double scale = world.shorter_side() * (1 + params.ruggedness);
      RC_ASSERT(std::abs(p.z - sum / static_cast<double>(params.peaks)) <= 1e-7 * scale);
    }
}

RC_GTEST_PROP(Skyline, IsNeverBelowTheGroundAndSpansTheWorld, ()) {
  const Frame world = any_world();
  const SkylineParams params = any_params();
  const Lines lines = skyline(world, params, quiet);
  const std::vector<Polyline> ranges = ranges_of(lines);
  RC_ASSERT(ranges.size() == static_cast<size_t>(params.ranges));
  for (const Polyline& line : lines.polylines())
    for (const Vec3& p : line.points) RC_ASSERT(p.z >= 0 && std::isfinite(p.z));
  for (size_t i = 0; i < ranges.size(); ++i) {
    RC_ASSERT(ranges[i].points.size() == static_cast<size_t>(params.points));
    RC_ASSERT(ranges[i].points.front().x == world.origin.x);
    if (params.points > 1)
      RC_ASSERT(std::abs(ranges[i].points.back().x - world.origin.x - world.size.x) <= 1e-9 * world.size.x);
    if (i > 0) RC_ASSERT(ranges[i].points.front().y < ranges[i - 1].points.front().y);
  }
}

RC_GTEST_PROP(Skyline, TwiceTheStepsGoThroughTheSamePoints, ()) {
  const Frame world = any_world();
  SkylineParams params = any_params();
  params.tents = false;
  SkylineParams finer = params;
  finer.points = 2 * params.points - 1;
  const auto a = skyline(world, params, quiet).polylines(), b = skyline(world, finer, quiet).polylines();
  for (size_t r = 0; r < a.size() && params.points > 1; ++r)
    for (size_t i = 0; i < a[r].points.size(); ++i) RC_ASSERT(a[r].points[i] == b[r].points[2 * i]);
}

RC_GTEST_PROP(Skyline, TheFarthestRangeIsThePlainTwinsWhateverStandsBeforeIt, ()) {
  const Frame world = any_world();
  SkylineParams params = any_params();
  params.kind = SkylineKind::uplift;
  const ProfileLine line{params.points, world.size.x};
  const UpliftProfile model{params.peaks, params.peak_height.low.in(world), params.peak_height.high.in(world),
                            params.ruggedness};
  const std::vector<double> twin = reference::uplift_profile(line, model, skyline_stream(params.seed, 1));
  const Polyline first = skyline(world, params, quiet).polylines().front();
  for (size_t i = 0; i < twin.size(); ++i) RC_ASSERT(first.points[i].z == twin[i]);
}

TEST(Skyline, BrownianCurvesRiseToTheirHeight) {
  const Frame world = make_world({4000, 2000}, 33);
  SkylineParams params;
  params.kind = SkylineKind::brownian;
  params.ranges = 1;
  params.points = 4097;
  params.height = metres(300);
  const LinesExtent extent = extent_of(skyline(world, params, quiet));
  EXPECT_EQ(extent.low.z, 0);
  EXPECT_DOUBLE_EQ(extent.high.z, 300);
  EXPECT_EQ(extent.low.y, 2000);
}

TEST(Skyline, FoothillsAreLower) {
  const Frame world = make_world({2000, 2000}, 33);
  SkylineParams params;
  params.kind = SkylineKind::brownian;
  params.points = 4097;
  params.ranges = 3;
  params.foothills = 0.2;
  params.height = metres(100);
  std::vector<double> tops;
  const Lines lines = skyline(world, params, quiet);
  for (const Polyline& line : lines.polylines()) tops.push_back(std::ranges::max(line.points, {}, &Vec3::z).z);
  EXPECT_DOUBLE_EQ(tops[0], 100);
  EXPECT_DOUBLE_EQ(tops[1], 60);
  EXPECT_DOUBLE_EQ(tops[2], 20);
}

TEST(Skyline, IsTheSameForAnyThreadCountAndLevel) {
  const Frame world = make_world({3000, 1000}, 33);
  for (const SkylineKind kind : {SkylineKind::uplift, SkylineKind::brownian}) {
    SkylineParams params;
    params.kind = kind;
    params.points = 3001;
    params.peaks = 500;
    test::expect_same_bits([&] { return skyline(world, params, quiet).hash(); });
    SkylineParams other = params;
    other.seed.node = 1;
    EXPECT_NE(skyline(world, params, quiet).hash(), skyline(world, other, quiet).hash());
  }
}

TEST(Skyline, WhatCannotBeDrawnIsRefused) {
  const Frame world = make_world({1000, 1000}, 5);
  const auto message = [&](const std::function<void(SkylineParams&)>& change) {
    SkylineParams params;
    change(params);
    return test::error_of([&] { skyline(world, params, quiet); });
  };
  const auto says = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(says(message([](auto& p) { p.kind = SkylineKind::brownian, p.tents = true; }), "tents"));
  EXPECT_TRUE(says(message([](auto& p) { p.kind = SkylineKind::brownian, p.hurst = 0; }), "Hurst"));
  EXPECT_TRUE(says(message([](auto& p) { p.kind = SkylineKind::brownian, p.hurst = 1; }), "Hurst"));
  EXPECT_TRUE(says(message([](auto& p) { p.peak_height = {metres(3), metres(1)}; }), "smaller one first"));
  EXPECT_TRUE(says(message([](auto& p) { p.tents = true, p.peaks = 1000000; }), "10000"));
  EXPECT_TRUE(says(message([](auto& p) { p.points = 10000000, p.ranges = 64; }), "points"));
}

}  // namespace tepui::skyline_test

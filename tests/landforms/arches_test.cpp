#include "tepui/landforms/arches.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tepui/core/random.h"
#include "tepui/landforms/arch_places.h"
#include "tepui/terrain/lines_builder.h"
#include "tepui/volume/implicitize.h"
#include "tests/support/beds.h"
#include "tests/support/support.h"

namespace tepui::arches_test {

namespace {

const Frame world = make_world({160, 80}, 161);

/// Ground at 0 and a wall along x at y = 40, 30 m high and as thick as said.
Volume wall(double thickness, float rho = 0.3f, double height = 30) {
  Grid<float> cells(world.width, world.height);
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) {
      const double from = std::abs(world.y(y) - 40) - 0.5 * thickness;
      cells(x, y) = static_cast<float>(height * std::clamp(0.5 - from, 0.0, 1.0));
    }
  const Geology rock(std::make_shared<const test::Beds>(std::vector<NamedRock>{{"even", rho}}, 10));
  return implicitize(Terrain(world, {0, 40}, std::move(cells)), nullptr, &rock, {}, Context());
}

struct Sink : ProgressSink {
  std::vector<std::string> warnings;
  void progress(int, std::string_view, double) override {}
  void warn(std::string_view message) override { warnings.emplace_back(message); }
};

Volume opened(const Volume& in, const ArchesParams& params = {}, const Lines* places = nullptr, Sink* sink = nullptr) {
  return arches(world, in, nullptr, places, nullptr, nullptr, params, Context(sink, nullptr));
}

double told(const Volume& volume, std::string_view name) {
  for (const Made::Number& number : volume.made().back().numbers)
    if (number.name == name) return number.value;
  return -1;
}

/// Places along the wall where one can see through it at that height.
std::vector<double> open_at(const Volume& volume, double z) {
  std::vector<double> open;
  for (double x = 4; x < 157; x += 1)
    if (!volume.cast({x, 20, z}, {0, 1, 0}, 40, 0.3)) open.push_back(x);
  return open;
}

Lines along(std::vector<Vec3> points) { return Lines({{"", std::move(points), false, {}}}); }

Lines points_at(const std::vector<Vec3>& places) {
  LinesColumns columns;
  for (const Vec3& place : places) {
    columns.vertices.push_back(place);
    columns.part_starts.push_back(columns.vertices.size());
    columns.part_closed.push_back(0);
    columns.feature_starts.push_back(columns.part_closed.size());
    columns.shapes.push_back(FeatureShape::point);
    columns.names.add("");
  }
  return Lines(std::move(columns));
}

}  // namespace

TEST(Arches, OpenThinFinsAndLeaveARoofThatHolds) {
  const Volume in = wall(8), out = opened(in);
  EXPECT_TRUE(open_at(in, 3).empty());
  const std::vector<double> open = open_at(out, 3);
  ASSERT_FALSE(open.empty());
  EXPECT_GE(told(out, "arches"), 2);
  EXPECT_LE(told(out, "arches"), 4);  // 45 m apart on 160 m
  for (const double x : open) {
    // Downwards from the top of the wall: at least the roof's metres of rock, whatever the rough sides below do.
    ASSERT_TRUE(out.inside({x, 40, 29}));
    const auto roof = out.cast({x, 40, 29}, {0, 0, -1}, 40, 0.2);
    ASSERT_TRUE(roof);
    EXPECT_GT(*roof + 1, 3.5);
  }
  // Nothing is added, and nothing taken far from the openings.
  for (uint64_t i = 0; i < 500; ++i) {
    const Stream random(3);
    const Vec3 at{random.uniform(i, 0, 0, 160), random.uniform(i, 1, 0, 80), random.uniform(i, 2, -5, 40)};
    ASSERT_LE(out.value(at), in.value(at));
    if (std::abs(at.y - 40) > 25) {
      ASSERT_EQ(out.value(at), in.value(at));
    }
  }
}

TEST(Arches, AreNotWhereTheRockIsThickLowOrFlat) {
  for (const Volume& in : {wall(30), wall(8, 0.3f, 4), wall(8, 0.3f, 0)}) {
    Sink sink;
    const Volume out = opened(in, {}, nullptr, &sink);
    EXPECT_EQ(told(out, "arches"), 0);
    EXPECT_EQ(sink.warnings.size(), 1u);
    EXPECT_EQ(out.value({80, 40, 2}), in.value({80, 40, 2}));
  }
  EXPECT_EQ(told(opened(Volume()), "arches"), 0);
}

TEST(Arches, RockOfResistanceOneIsNeverCarved) {
  const Volume in = wall(8, 1), out = opened(in);
  EXPECT_EQ(told(out, "points"), 0);
  for (double x = 1; x < 160; x += 7) EXPECT_EQ(out.value({x, 40, 3}), in.value({x, 40, 3}));
}

TEST(Arches, KeepTheirDistanceTheWeakestFirst) {
  const Volume in = wall(8);
  const Geology rock = in.rock();
  std::vector<SurfaceSample> walls;
  for (double x = 2; x < 158; x += 2) walls.push_back({{x, 36, 10}, {0, -1, 0}, 0.3f});
  const RockBits bits(in, Box3{{0, 0, -10}, {160, 80, 60}}, 0.7, Context());
  for (const double spacing : {10.0, 25.0, 60.0}) {
    const std::vector<ArchChoice> found = find_arches(bits, rock, walls, {}, spacing, Context());
    ASSERT_GE(found.size(), 2u);
    for (size_t i = 0; i < found.size(); ++i) {
      if (i > 0) {
        EXPECT_LE(found[i - 1].score, found[i].score);
      }
      EXPECT_NEAR(found[i].at.z, 0, 1.5);
      for (size_t k = 0; k < i; ++k) EXPECT_GE(length(found[i].at - found[k].at), spacing);
    }
  }
}

TEST(Arches, StandWhereAUserWantsThem) {
  const Volume in = wall(8);
  const Lines places = points_at({{60, 40, 5}});
  const Volume out = opened(in, {}, &places);
  EXPECT_EQ(told(out, "arches"), 1);
  const std::vector<double> open = open_at(out, 3);
  ASSERT_FALSE(open.empty());
  EXPECT_NEAR(0.5 * (open.front() + open.back()), 60, 4);
  Sink sink;
  const Lines nowhere = points_at({{60, 5, 50}});
  EXPECT_EQ(told(opened(in, {}, &nowhere, &sink), "arches"), 0);
  EXPECT_EQ(sink.warnings.size(), 1u);
}

TEST(Arches, AStreamThroughRockHasABridge) {
  const Volume in = wall(20);
  const Lines stream = along({{70, 10, 0.5}, {72, 40, 0.2}, {70, 70, 0}});
  const Volume out = opened(in, {}, &stream);
  EXPECT_EQ(told(out, "arches"), 1);
  const auto way = out.cast({71, 12, 3}, Vec3{0, 1, 0}, 56, 0.3);
  EXPECT_FALSE(way) << *way;
  EXPECT_TRUE(out.inside({71, 40, 25}));
  // One that ends in the rock leads nowhere.
  Sink sink;
  const Lines blind = along({{70, 10, 0.5}, {70, 40, 0.2}});
  EXPECT_EQ(told(opened(in, {}, &blind, &sink), "arches"), 0);
  EXPECT_EQ(sink.warnings.size(), 1u);
}

TEST(Arches, RefuseMasksOfAnotherFrame) {
  const Frame other = make_world({160, 80}, 81);
  const Terrain mask(other, {0, 1}, Grid<float>(other.width, other.height, 1));
  const std::string error =
      test::error_of([&] { arches(world, wall(8), nullptr, nullptr, &mask, nullptr, {}, Context()); });
  EXPECT_NE(error.find("mask"), std::string::npos) << error;
  ArchesParams params;
  params.width = {metres(20), metres(8)};
  EXPECT_NE(test::error_of([&] { opened(wall(8), params); }).find("width"), std::string::npos);
}

TEST(Arches, GoThroughFinsOfAnySize) {
  // Four times as large in every way.
  const Frame large = make_world({640, 320}, 321);
  Grid<float> cells(large.width, large.height);
  for (int64_t y = 0; y < large.height; ++y)
    for (int64_t x = 0; x < large.width; ++x) cells(x, y) = std::abs(large.y(y) - 160) < 16 ? 120.0f : 0.0f;
  const Geology rock(std::make_shared<const test::Beds>(std::vector<NamedRock>{{"even", 0.3f}}, 10));
  const Volume in = implicitize(Terrain(large, {0, 160}, std::move(cells)), nullptr, &rock, {}, Context());
  ArchesParams params;
  params.spacing = metres(180);
  params.width = {metres(32), metres(96)};
  params.thickness = metres(60);
  params.air = metres(48);
  params.roof = metres(16);
  const Volume out = arches(large, in, nullptr, nullptr, nullptr, nullptr, params, Context());
  EXPECT_GE(told(out, "arches"), 2);
}

TEST(Arches, HaveTheSameBitsOnAnyThreads) {
  const Volume in = wall(8);
  test::expect_same_bits([&] { return opened(in).hash(); });
}

}  // namespace tepui::arches_test

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reference/hydrology.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/flow.h"
#include "tepui/hydrology/rivers.h"
#include "tepui/hydrology/strahler.h"
#include "tepui/hydrology/watersheds.h"
#include "tests/hydrology/water_lands.h"
#include "tests/support/support.h"

namespace tepui::streams_test {
namespace {

using test::any_land;

RC_GTEST_PROP(Strahler, IsThePlainOne, ()) {
  const Terrain land = flow(any_land(), nullptr, nullptr, {}, Context());
  StrahlerParams params;
  params.source = 100 * *rc::gen::inRange(1, 40);
  const Terrain out = strahler(land, params, Context());
  Grid<uint8_t> codes(land.frame().width, land.frame().height);
  std::vector<uint8_t> channel;
  for (int64_t i = 0; i < codes.size(); ++i) {
    codes.data()[i] = static_cast<uint8_t>(land.layer("flow_direction").grid().data()[i]);
    channel.push_back(land.layer("drainage").grid().data()[i] >= *params.source * 0.9999);
  }
  const Grid<int32_t> plain = reference::strahler(codes, channel);
  for (int64_t i = 0; i < codes.size(); ++i)
    RC_ASSERT(static_cast<int32_t>(out.layer("strahler").grid().data()[i]) ==
              (channel[static_cast<size_t>(i)] != 0 ? plain.data()[i] : 0));
}

RC_GTEST_PROP(Watersheds, DivideTheLandAndFollowTheFlow, ()) {
  const Terrain land = watersheds(flow(any_land(), nullptr, nullptr, {}, Context()), nullptr, {}, Context());
  const Grid<float>&of = land.layer("watershed").grid(), &codes = land.layer("flow_direction").grid();
  std::set<float> outlets;
  for (int64_t i = 0; i < of.size(); ++i) {
    RC_ASSERT(of.data()[i] >= 1);
    const auto code = static_cast<size_t>(codes.data()[i]);
    if (code == 8)
      RC_ASSERT(outlets.insert(of.data()[i]).second);
    else
      RC_ASSERT(of.data()[i] == of.data()[i + d8_y[code] * of.width() + d8_x[code]]);
  }
}

RC_GTEST_PROP(Watersheds, OfTurnedLandWithoutTiesAreTurned, ()) {
  const Terrain land = test::land_without_ties();
  const Grid<float> a = test::turned(watersheds(land, nullptr, {}, Context()).layer("watershed").grid());
  const Grid<float> b = watersheds(test::turned(land), nullptr, {}, Context()).layer("watershed").grid().clone();
  // Those of one size may have other numbers.
  std::map<float, float> there, back;
  for (int64_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(there.emplace(a.data()[i], b.data()[i]).first->second == b.data()[i]);
    RC_ASSERT(back.emplace(b.data()[i], a.data()[i]).first->second == a.data()[i]);
  }
}

TEST(Watersheds, AndRiversHaveNoPlaceUnderASeaAboveTheTop) {
  const Terrain land = test::rough_land(30, 30, 2);
  WatershedsParams all;
  all.sea_level = 1e5;
  const Terrain out = watersheds(land, nullptr, all, Context());
  for (float n : out.layer("watershed").grid().cells()) EXPECT_EQ(n, 0);
  RiversParams params;
  params.sea_level = 1e5;
  EXPECT_EQ(rivers(land, params, Context()).features(), 0u);
  StrahlerParams order;
  order.sea_level = 1e5;
  const Terrain ordered = strahler(land, order, Context());
  for (float n : ordered.layer("strahler").grid().cells()) EXPECT_EQ(n, 0);
}

TEST(Watersheds, OfPointsAreWhatDrainsToThem) {
  const Terrain land = flow(test::rough_land(80, 60, 12), nullptr, nullptr, {}, Context());
  const Grid<float>& drainage = land.layer("drainage").grid();
  const auto most = std::max_element(drainage.cells().begin(), drainage.cells().end()) - drainage.cells().begin();
  Polyline point;
  point.points = {{land.frame().x(most % 80), land.frame().y(most / 80), 0}};
  const Lines points({point});
  const Terrain out = watersheds(land, &points, {}, Context());
  double area = 0;
  for (float n : out.layer("watershed").grid().cells()) area += n == 1 ? 100 : 0;
  EXPECT_EQ(area, drainage.data()[most]);
}

TEST(Watersheds, SmallOnesAreLeftOut) {
  WatershedsParams params;
  params.area = 1e9;
  const Terrain out = watersheds(test::rough_land(40, 40, 12), nullptr, params, Context());
  for (float n : out.layer("watershed").grid().cells()) EXPECT_EQ(n, 0);
}

/// The parts of lines by their first points.
struct Ends {
  Vec3 first, last;
  double order, first_discharge, last_discharge;
};
std::vector<Ends> ends_of(const Lines& lines) {
  std::vector<Ends> ends;
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    const std::vector<double>& q = lines.vertex_number("discharge")->values;
    ends.push_back({lines.vertices()[feature.first_vertex], lines.vertices()[feature.end_vertex - 1],
                    lines.number("order")->values[f], q[feature.first_vertex], q[feature.end_vertex - 1]});
  }
  return ends;
}

RC_GTEST_PROP(Rivers, NeverRiseAndNeverLoseWater, ()) {
  RiversParams params;
  params.source = 100 * *rc::gen::inRange(2, 60);
  const Lines lines = rivers(any_land(), params, Context());
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    for (size_t v = feature.first_vertex + 1; v < feature.end_vertex; ++v) {
      RC_ASSERT(lines.vertices()[v].z <= lines.vertices()[v - 1].z + 1e-9);
      RC_ASSERT(lines.vertex_number("discharge")->values[v] >= lines.vertex_number("discharge")->values[v - 1]);
    }
  }
  // At every meeting the river below has the order that Strahler's rule gives, and at least the water of both.
  const std::vector<Ends> ends = ends_of(lines);
  for (const Ends& below : ends) {
    double highest = 0, water = 0;
    int of_highest = 0;
    for (const Ends& above : ends) {
      if (above.last.x != below.first.x || above.last.y != below.first.y) continue;
      water += above.last_discharge;
      of_highest = above.order > highest ? 1 : of_highest + (above.order == highest);
      highest = std::max(highest, above.order);
    }
    if (highest == 0) continue;
    RC_ASSERT(below.order == highest + (of_highest > 1));
    RC_ASSERT(below.first_discharge >= water * (1 - 1e-6));
  }
}

RC_GTEST_PROP(Rivers, StayNearTheSamplesTheyLeadOver, ()) {
  const Terrain land = any_land();
  RiversParams params;
  params.source = 500;
  const Lines smooth = rivers(land, params, Context());
  params.smoothing = 0;
  const Lines steps = rivers(land, params, Context());
  RC_ASSERT(smooth.vertices().size() == steps.vertices().size());
  for (size_t v = 0; v < steps.vertices().size(); ++v) {
    RC_ASSERT(std::abs(smooth.vertices()[v].x - steps.vertices()[v].x) <= 0.75 * land.frame().cell.x + 1e-6);
    RC_ASSERT(std::abs(smooth.vertices()[v].y - steps.vertices()[v].y) <= 0.75 * land.frame().cell.y + 1e-6);
  }
}

TEST(Rivers, AreTheSameForAnyThreadCountAndLevel) {
  const Terrain land = test::rough_land(600, 700, 3);
  test::expect_same_bits([&] { return rivers(land, {}, Context()).hash(); });
  test::expect_same_bits([&] { return watersheds(land, nullptr, {}, Context()).hash(); });
}

TEST(Rivers, TheNameGoesWithTheWater) {
  const Lines lines = rivers(test::rough_land(200, 200, 6), {}, Context());
  ASSERT_GT(lines.features(), 4u);
  double most = 0;
  std::string_view name;
  for (size_t f = 0; f < lines.features(); ++f)
    if (lines.number("drainage")->values[f] > most)
      most = lines.number("drainage")->values[f], name = lines.feature(f).name;
  EXPECT_EQ(name, "River 1");
}

}  // namespace
}  // namespace tepui::streams_test

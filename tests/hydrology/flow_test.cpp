#include "tepui/hydrology/flow.h"

#include <cmath>

#include "reference/hydrology.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/fill.h"
#include "tests/hydrology/water_lands.h"
#include "tests/support/support.h"

namespace tepui::flow_test {
namespace {

using test::any_land;

Grid<uint8_t> codes_of(const Terrain& land) {
  const Grid<float>& layer = land.layer("flow_direction").grid();
  Grid<uint8_t> codes(layer.width(), layer.height());
  for (int64_t i = 0; i < codes.size(); ++i) codes.data()[i] = static_cast<uint8_t>(layer.data()[i]);
  return codes;
}

/// The sum of drainage at cells where water leaves, in cells.
double leaving(const Terrain& land) {
  double sum = 0;
  for (int64_t i = 0; i < land.height().size(); ++i)
    if (land.layer("flow_direction").grid().data()[i] == 8) sum += land.layer("drainage").grid().data()[i];
  return sum / (land.frame().cell.x * land.frame().cell.y);
}

Terrain flow_by(const Terrain& land, FlowMethod method) {
  FlowParams params;
  params.method = method;
  return flow(land, nullptr, nullptr, params, Context());
}

RC_GTEST_PROP(Flow, EveryCellReachesTheBorderWithoutACircle, ()) {
  const Terrain land = flow_by(any_land(), FlowMethod::d8);
  const Grid<uint8_t> codes = codes_of(land);
  const int64_t w = codes.width();
  for (int64_t i = 0; i < codes.size(); ++i) {
    int64_t cell = i, steps = 0;
    for (; codes.data()[cell] != 8; ++steps) {
      const int64_t x = cell % w + d8_x[codes.data()[cell]], y = cell / w + d8_y[codes.data()[cell]];
      RC_ASSERT(x >= 0 && y >= 0 && x < w && y < codes.height());
      cell = y * w + x;
      RC_ASSERT(steps <= codes.size());
    }
    const int64_t x = cell % w, y = cell / w;
    RC_ASSERT(x == 0 || y == 0 || x == w - 1 || y == codes.height() - 1);
  }
}

RC_GTEST_PROP(Flow, DrainageIsThatOfThePlainQueue, ()) {
  const Terrain land = flow_by(any_land(), FlowMethod::d8);
  const Grid<double> plain = reference::drainage(codes_of(land), land.frame().cell);
  for (int64_t i = 0; i < plain.size(); ++i)
    RC_ASSERT(land.layer("drainage").grid().data()[i] == static_cast<float>(plain.data()[i]));
}

RC_GTEST_PROP(Flow, DirectionsAreThePlainSteepestWhereTheLandDrains, ()) {
  FillParams slope;
  slope.slope = 0.1;
  const Terrain land = fill(any_land(), slope, Context());
  const Grid<uint8_t> codes = codes_of(flow_by(land, FlowMethod::d8));
  const Grid<uint8_t> plain = reference::steepest(land.height(), land.frame().cell);
  int64_t differ = 0;
  for (int64_t i = 0; i < codes.size(); ++i) differ += codes.data()[i] != plain.data()[i];
  // Multiplying by 1 / distance instead of dividing may decide a tie another way.
  RC_ASSERT(differ <= codes.size() / 100 + 1);
}

RC_GTEST_PROP(Flow, AllThatFallsOnTheLandLeavesIt, ()) {
  const Terrain in = any_land();
  const double cells = static_cast<double>(in.height().size());
  RC_ASSERT(std::abs(leaving(flow_by(in, FlowMethod::d8)) - cells) < 1e-6 * cells);
}

RC_GTEST_PROP(Flow, FreemanIsThePlainOne, ()) {
  const Terrain land = any_land();
  FlowParams params;
  params.method = FlowMethod::freeman;
  params.exponent = *rc::gen::element(1.0, 1.1, 2.5);
  const Terrain fast = flow(land, nullptr, nullptr, params, Context());
  const Grid<float> filled = fill(land, {}, Context()).height().clone();
  const Grid<double> plain =
      reference::freeman(filled, land.height(), codes_of(fast), land.frame().cell, params.exponent);
  for (int64_t i = 0; i < plain.size(); ++i) {
    const double a = fast.layer("drainage").grid().data()[i], b = plain.data()[i];
    RC_ASSERT(std::abs(a - b) <= 5e-4 * b);
  }
}

RC_GTEST_PROP(Flow, MirroredLandWithoutTiesHasMirroredFreemanDrainage, ()) {
  const Terrain land = test::rough_land(*rc::gen::inRange<int64_t>(1, 60), *rc::gen::inRange<int64_t>(1, 60),
                                        *rc::gen::arbitrary<uint64_t>());
  const Terrain a = flow_by(land, FlowMethod::freeman);
  const Terrain b = flow_by(land.with_height(test::mirrored(land.height())), FlowMethod::freeman);
  RC_ASSERT(test::same_cells(test::mirrored(a.layer("drainage").grid()), b.layer("drainage").grid()));
}

RC_GTEST_PROP(Flow, TurnedLandWithoutTiesHasTurnedFreemanDrainage, ()) {
  const Terrain land = test::land_without_ties();
  const Terrain a = flow_by(land, FlowMethod::freeman), b = flow_by(test::turned(land), FlowMethod::freeman);
  RC_ASSERT(test::same_cells(test::turned(a.layer("drainage").grid()), b.layer("drainage").grid()));
}

RC_GTEST_PROP(Flow, DInfinityIsThePlainOne, ()) {
  const Terrain land = any_land();
  const Terrain fast = flow_by(land, FlowMethod::d_infinity);
  const Grid<float> filled = fill(land, {}, Context()).height().clone();
  const Grid<double> plain = reference::d_infinity(filled, land.height(), codes_of(fast), land.frame().cell);
  for (int64_t i = 0; i < plain.size(); ++i) {
    const double a = fast.layer("drainage").grid().data()[i], b = plain.data()[i];
    RC_ASSERT(std::abs(a - b) <= 5e-4 * b);
  }
}

RC_GTEST_PROP(Flow, DInfinityKeepsEveryCell, ()) {
  const Terrain land = flow_by(any_land(), FlowMethod::d_infinity);
  const double own = land.frame().cell.x * land.frame().cell.y;
  for (float area : land.layer("drainage").grid().cells()) RC_ASSERT(area >= static_cast<float>(own * 0.9999));
}

TEST(Flow, OnAPlaneDInfinityRunsStraightDown) {
  // Facing 30 degrees north of east: two neighbours share 2/3 to 1/3 of the way between them.
  Grid<float> z(101, 101);
  for (int64_t y = 0; y < 101; ++y)
    for (int64_t x = 0; x < 101; ++x)
      z(x, y) = static_cast<float>(1000 - x * std::cos(M_PI / 6) - y * std::sin(M_PI / 6));
  const Terrain land(make_world({100, 100}, 101), {0, 1000}, std::move(z));
  const Grid<float> area = flow_by(land, FlowMethod::d_infinity).layer("drainage").grid().clone();
  // A cell in row y gathers from the cells of a line; in the middle there are some 50 steps of it.
  EXPECT_GT(area(60, 60), 50);
  EXPECT_LT(area(60, 60), 90);
}

TEST(Flow, SameBitsForAnyThreadCountAndLevel) {
  const Terrain land = test::rough_land(700, 900, 3);
  for (FlowMethod method : {FlowMethod::d8, FlowMethod::d_infinity, FlowMethod::freeman})
    test::expect_same_bits([&] { return flow_by(land, method).hash(); });
}

TEST(Flow, RainAndInflowsBecomeDischarge) {
  Terrain land = test::rough_land(30, 20, 4);
  Grid<float> rain(30, 20, 1000);
  land = land.with(make_layer("rain", "mm", LayerKind::continuous, std::move(rain)));
  const Lines inflow = [] {
    Polyline point;
    point.points = {{150, 100, 0}};
    point.attributes = {{"discharge", "m3/s", {5}}};
    return Lines({point});
  }();
  const Terrain out = flow(land, nullptr, &inflow, {}, Context());
  double sum = 0;
  for (int64_t i = 0; i < 600; ++i)
    if (out.layer("flow_direction").grid().data()[i] == 8) sum += out.layer("discharge").grid().data()[i];
  EXPECT_NEAR(sum, 5 + 600 * 100.0 / 31557600, 1e-5);
}

TEST(Flow, RefusesWhatIsNoRainAndNoPlace) {
  Terrain land = test::rough_land(30, 20, 4);
  Polyline far;
  far.points = {{1e6, 0, 0}};
  far.attributes = {{"discharge", "m3/s", {5}}};
  const Lines outside({far});
  EXPECT_NE(test::error_of([&] { flow(land, nullptr, &outside, {}, Context()); }).find("lies outside the land"),
            std::string::npos);
  land = land.with(make_layer("rain", "mm", LayerKind::continuous, Grid<float>(30, 20, -1)));
  EXPECT_NE(test::error_of([&] { flow(land, nullptr, nullptr, {}, Context()); }).find("mm a year"), std::string::npos);
}

TEST(Flow, WithoutRainThereIsNoDischarge) {
  const Terrain land =
      test::rough_land(30, 20, 4).with(make_layer("rain", "mm", LayerKind::continuous, Grid<float>(30, 20, 0.0f)));
  for (FlowMethod method : {FlowMethod::d8, FlowMethod::d_infinity, FlowMethod::freeman})
    for (float q : flow_by(land, method).layer("discharge").grid().cells()) EXPECT_EQ(q, 0);
}

/// A point with a discharge of 5 m3/s.
Lines inflow_at(double x, double y) {
  Polyline point;
  point.points = {{x, y, 0}};
  point.attributes = {{"discharge", "m3/s", {5}}};
  return Lines({point});
}

TEST(Flow, AnInflowInALakeLeavesItOverTheOutlet) {
  // A bowl whose rim is lowest at (0, 10).
  Grid<float> z(21, 21);
  for (int64_t y = 0; y < 21; ++y)
    for (int64_t x = 0; x < 21; ++x) z(x, y) = static_cast<float>(std::hypot(x - 10, y - 10) + 0.01 * std::abs(y - 10));
  z(0, 10) = 9.5f;
  const Terrain land(make_world({200, 200}, 21), {0, 20}, std::move(z));
  const Lines inflow = inflow_at(120, 80);
  for (FlowMethod method : {FlowMethod::d8, FlowMethod::d_infinity, FlowMethod::freeman}) {
    FlowParams params;
    params.method = method;
    const Terrain out = flow(land, nullptr, &inflow, params, Context());
    EXPECT_NEAR(out.layer("discharge").grid()(0, 10), 5, 1e-6);
    EXPECT_EQ(out.layer("flow_direction").grid()(0, 10), 8);
  }
}

/// An island of land, 10 samples wide, in voids that reach the border; one void lies within it.
Terrain island_in_voids() {
  Grid<float> voids(30, 30, 1);
  for (int64_t y = 10; y < 20; ++y)
    for (int64_t x = 10; x < 20; ++x) voids(x, y) = 0;
  voids(14, 15) = 1;
  return test::rough_land(30, 30, 9).with(make_layer("void", "", LayerKind::mask, std::move(voids)));
}

TEST(Flow, OnAnIslandInVoidsAllWaterLeavesOverItsShores) {
  const Terrain land = island_in_voids();
  for (FlowMethod method : {FlowMethod::d8, FlowMethod::d_infinity, FlowMethod::freeman}) {
    const Terrain out = flow_by(land, method);
    EXPECT_NEAR(leaving(out), 100, 1e-4);
    EXPECT_EQ(out.layer("drainage").grid()(5, 5), 0);
    for (int64_t y = 11; y < 19; ++y)
      for (int64_t x = 11; x < 19; ++x) EXPECT_NE(out.layer("flow_direction").grid()(x, y), 8);
  }
}

TEST(Flow, RefusesAnInflowInAVoidOutsideTheLand) {
  const Terrain land = island_in_voids();
  const Lines outside = inflow_at(50, 50), within = inflow_at(140, 150);
  EXPECT_NE(test::error_of([&] { flow(land, nullptr, &outside, {}, Context()); }).find("in a void outside the land"),
            std::string::npos);
  EXPECT_NO_THROW(flow(land, nullptr, &within, {}, Context()));
}

TEST(Flow, AnyLayerIsGathered) {
  Terrain land = test::rough_land(40, 30, 8);
  Grid<float> both(40, 30);
  for (int64_t i = 0; i < both.size(); ++i) both.data()[i] = i % 2 == 0 ? 2.0f : -1.0f;
  land = land.with(make_layer("ore", "t", LayerKind::continuous, std::move(both)));
  FlowParams params;
  params.gather = "ore";
  const Terrain out = flow(land, nullptr, nullptr, params, Context());
  double sum = 0;
  for (int64_t i = 0; i < 1200; ++i)
    if (out.layer("flow_direction").grid().data()[i] == 8) sum += out.layer("gathered").grid().data()[i];
  EXPECT_NEAR(sum, 600, 1e-2);
}

TEST(Flow, ASeaAboveTheTopTakesAll) {
  const Terrain land = test::rough_land(30, 30, 2);
  FlowParams params;
  params.sea_level = 1e5;
  const Terrain out = flow(land, nullptr, nullptr, params, Context());
  for (float code : out.layer("flow_direction").grid().cells()) EXPECT_EQ(code, 8);
}

}  // namespace
}  // namespace tepui::flow_test

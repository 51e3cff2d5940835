#include "tepui/erode/table_mountain.h"

#include <cmath>

#include "reference/circular_faults.h"
#include "reference/erode.h"
#include "reference/geology.h"
#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::table_mountain_test {

namespace {

const Context quiet;

Frame any_world() {
  const auto side = rc::gen::inRange(1, 4000);
  return make_world({static_cast<double>(*side), static_cast<double>(*side)}, *rc::gen::inRange<int64_t>(1, 50));
}

TableMountainParams any_params() {
  TableMountainParams p;
  p.faults = *rc::gen::element<int64_t>(0, 1, 7, 40);
  p.radius = *rc::gen::element(LengthInterval{percent(5), percent(40)}, LengthInterval{percent(0), percent(0)});
  p.height = *rc::gen::element(percent(15), metres(0), metres(400));
  p.limit = *rc::gen::element(FaultLimit::none, FaultLimit::along_x, FaultLimit::around_centre);
  p.count = *rc::gen::element<int64_t>(1, 3, 9);
  if (*rc::gen::arbitrary<bool>()) {
    p.hardness.emplace();
    for (int64_t m = 0; m < p.count; ++m) p.hardness->push_back(*rc::gen::inRange(0, 101) / 100.0);
  }
  p.combine_top = *rc::gen::inRange<int64_t>(1, p.count + 1);
  p.erosion = *rc::gen::element(0.0, 0.35, 1.0);
  p.caprock = *rc::gen::arbitrary<bool>();
  p.levelling = *rc::gen::element(percent(0), percent(4));
  p.seed = {*rc::gen::inRange<int64_t>(0, 100), 3};
  return p;
}

CircularFaultsParams faults_of(const TableMountainParams& p) {
  return {.faults = p.faults,
          .radius = p.radius,
          .height = p.height,
          .limit = p.limit,
          .distance = p.distance,
          .seed = p.seed};
}
HardnessParams hardness_of(const TableMountainParams& p) {
  return {.values = p.hardness, .combine_top = p.combine_top};
}

}  // namespace

RC_GTEST_PROP(TableMountain, IsTheFiveOperatorsInARow, ()) {
  const Frame world = any_world();
  const TableMountainParams p = any_params();
  const Terrain massif = circular_faults(world, faults_of(p), quiet);
  const Terrain rock = hardness(materials(massif, nullptr, {p.count}, quiet), hardness_of(p), quiet);
  const Terrain expected = levelling(gradation(rock, nullptr, {p.erosion, p.caprock}, quiet), {p.levelling}, quiet);
  RC_ASSERT(table_mountain(world, p, quiet).hash() == expected.hash());
}

TEST(TableMountain, IsNearThePlainTwins) {
  const Frame world = make_world({1000, 700}, 60);
  TableMountainParams p;
  p.faults = 40;
  // Without caprock no rounding can lift a sample to the top.
  p.caprock = false;
  p.count = 1;
  const Terrain massif = reference::circular_faults(world, faults_of(p));
  const Terrain rock = reference::hardness(reference::materials(massif, {p.count}), hardness_of(p));
  const Terrain plain = reference::levelling(reference::gradation(rock, {p.erosion, p.caprock}), {p.levelling});
  EXPECT_LE(test::max_difference(table_mountain(world, p, quiet).height(), plain.height()), 1e-3);
}

TEST(TableMountain, HasALevelTopOfItsHardestRock) {
  const Frame world = make_world({2048, 2048}, 129);
  TableMountainParams p;
  p.levelling = metres(0);
  const Terrain land = table_mountain(world, p, quiet);
  const Grid<float>& m = land.layer("material").grid();
  int64_t level = 0;
  for (int64_t i = 0; i < m.size(); ++i) {
    if (m.data()[i] != 2) continue;
    ++level;
    ASSERT_EQ(land.height().data()[i], static_cast<float>(land.relief().top));
  }
  EXPECT_GT(level, 100);
}

// Warszawski et al. 2019, Fig. 18d: with the hardest rock half-way up.
TEST(TableMountain, HarderRockBelowTheTopLeavesACaldera) {
  TableMountainParams p;
  p.faults = 60;
  p.radius = {percent(8), percent(30)};
  p.limit = FaultLimit::around_centre;
  p.distance = percent(20);
  p.count = 9;
  p.hardness = std::vector{0.2, 0.35, 0.5, 0.65, 0.8, 1.0, 0.4, 0.2, 0.25};
  p.levelling = metres(0);
  const Terrain land = table_mountain(make_world({2000, 2000}, 201), p, quiet);
  const Grid<float>& z = land.height();
  const auto top = static_cast<float>(land.relief().top);
  EXPECT_LT(z(100, 100), 0.8f * top);
  // Whichever way one leaves the middle, one crosses the rim, and the land outside is lower again.
  for (int turn = 0; turn < 64; ++turn) {
    const double angle = turn * 0.0982, dx = std::cos(angle), dy = std::sin(angle);
    float rim = 0;
    for (int step = 0; step < 100; ++step)
      rim = std::max(rim, z(100 + static_cast<int64_t>(step * dx), 100 + static_cast<int64_t>(step * dy)));
    EXPECT_EQ(rim, top) << angle;
    EXPECT_LT(z(100 + static_cast<int64_t>(99 * dx), 100 + static_cast<int64_t>(99 * dy)), 0.5f * top) << angle;
  }
}

TEST(TableMountain, RefusesHardnessThatDoesNotFit) {
  const Frame world = make_world({100, 100}, 9);
  TableMountainParams p;
  p.hardness = std::vector{0.0, 1.0};
  EXPECT_NE(test::error_of([&] { table_mountain(world, p, quiet); }).find("3 materials"), std::string::npos);
  p.hardness.reset();
  p.combine_top = 6;
  EXPECT_NE(test::error_of([&] { table_mountain(world, p, quiet); }).find("combine_top"), std::string::npos);
}

TEST(TableMountain, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(table_mountain(make_world({100, 100}, 9), {}, Context(nullptr, &cancel)), Error);
}

TEST(TableMountain, SameBitsOnAnyMachine) {
  const Frame world = make_world({2000, 1500}, 200);
  test::expect_same_bits([&] { return table_mountain(world, {}, quiet).hash(); });
}

}  // namespace tepui::table_mountain_test

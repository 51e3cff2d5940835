#include "tepui/erode/thermal.h"

#include <algorithm>
#include <cmath>

#include "reference/weathering.h"
#include "tepui/core/error.h"
#include "tepui/erode/height_quanta.h"
#include "tests/erode/any_land.h"
#include "tests/support/support.h"

namespace tepui::thermal_test {

namespace {

const Context quiet;

ThermalParams any_thermal() {
  return {*rc::gen::element<int64_t>(0, 1, 5, 60), 0, {*rc::gen::element(0.0, 33.0, 75.0, 89.9)}};
}

}  // namespace

RC_GTEST_PROP(Thermal, EqualsTheReference, ()) {
  const Terrain land = test::any_worn_land(test::any_frame());
  const ThermalParams p = any_thermal();
  RC_ASSERT(thermal(land, p, quiet).hash() == reference::thermal(land, p).hash());
}

RC_GTEST_PROP(Thermal, KeepsTheVolumeAndTheRange, ()) {
  const Terrain land = test::any_worn_land(test::any_frame());
  const ThermalParams p = any_thermal();
  const Terrain first = thermal(land, {0, 0, p.talus}, quiet), last = thermal(land, p, quiet);
  const auto [low, high] = std::ranges::minmax(first.height().cells());
  const double quantum = HeightQuanta::of({static_cast<double>(low), static_cast<double>(high)}).quantum;
  int64_t gained = 0, deposited = 0;
  for (int64_t i = 0; i < last.height().size(); ++i) {
    const double now = last.height().data()[i], then = first.height().data()[i];
    RC_ASSERT(now >= static_cast<double>(low) && now <= static_cast<double>(high));
    const double deposits = last.layer("deposits").grid().data()[i];
    RC_ASSERT(now - then == deposits);
    RC_ASSERT(static_cast<double>(last.layer("talus").grid().data()[i]) == std::max(deposits, 0.0));
    gained += static_cast<int64_t>(now / quantum) - static_cast<int64_t>(then / quantum);
    deposited += static_cast<int64_t>(deposits / quantum);
  }
  RC_ASSERT(gained == 0);
  RC_ASSERT(deposited == 0);
}

RC_GTEST_PROP(Thermal, NoSlopeGetsSteeperThanTheSteepestWas, ()) {
  const Frame frame = test::any_frame();
  const Terrain land(frame, {0, 1}, test::any_heights(frame));
  const ThermalParams p = any_thermal();
  const auto steepest = [&](const Terrain& t, int64_t dx, int64_t dy) {
    double most = 0;
    for (int64_t y = 0; y + dy < frame.height; ++y)
      for (int64_t x = 0; x + dx < frame.width; ++x)
        most = std::max(
            most, std::abs(static_cast<double>(t.height()(x, y)) - static_cast<double>(t.height()(x + dx, y + dy))));
    return most;
  };
  const Terrain first = thermal(land, {0, 0, p.talus}, quiet), last = thermal(land, p, quiet);
  const double before = std::max({steepest(first, 1, 0), steepest(first, 0, 1), steepest(first, 1, 1)});
  RC_ASSERT(steepest(last, 1, 0) <= before);
  RC_ASSERT(steepest(last, 0, 1) <= before);
}

RC_GTEST_PROP(Thermal, ARunThatIsTakenUpAgainEndsWithTheSameBits, ()) {
  const Terrain land = test::any_worn_land(test::any_frame());
  ThermalParams p = any_thermal();
  p.steps = 30;
  const Terrain whole = thermal(land, p, quiet);
  p.steps = *rc::gen::inRange<int64_t>(1, 31);
  const Terrain half = thermal(land, p, quiet);
  p.from = static_cast<double>(p.steps);
  p.steps = 30;
  RC_ASSERT(thermal(half, p, quiet).hash() == whole.hash());
}

TEST(Thermal, ComesToRestAtTheTalus) {
  Grid<float> z(41, 41, 0.0f);
  z(20, 20) = 200;
  const Terrain land(test::small_frame(41, 41), {0, 200}, std::move(z));
  const Terrain rest = thermal(land, {5000, 0, {33}}, quiet);
  EXPECT_EQ(thermal(land, {6000, 0, {33}}, quiet).hash(), rest.hash());
  const double slope = std::tan(33 * 3.14159265358979 / 180);
  for (int64_t y = 0; y < 41; ++y)
    for (int64_t x = 0; x + 1 < 41; ++x)
      EXPECT_LE(std::abs(rest.height()(x, y) - rest.height()(x + 1, y)), slope + 0.001) << x << " " << y;
  EXPECT_GT(rest.height()(20, 20), 2);
}

TEST(Thermal, GentleLandStaysAsItIs) {
  const Terrain land = test::sample_land(30, 20, 1, 100, {0, 20});
  EXPECT_TRUE(
      test::same_cells(thermal(land, {50, 0, {33}}, quiet).height(), thermal(land, {0, 0, {33}}, quiet).height()));
}

TEST(Thermal, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(517, 130, 4);
  test::expect_same_bits([&] { return thermal(land, {5, 0, {30}}, quiet).hash(); });
}

TEST(Thermal, BadRequestsAreRefused) {
  const Terrain land = test::sample_land(9, 9, 1);
  const auto error = [&](const ThermalParams& p) { return test::error_of([&] { thermal(land, p, quiet); }); };
  EXPECT_NE(error({5, 6, {30}}).find("'from' step 6"), std::string::npos);
  EXPECT_NE(error({5, 2, {30}}).find("no layer 'deposits'"), std::string::npos);
  Fields<ThermalParams> fields;
  describe(fields);
  const auto check = [&](const char* name, const ParamValue& value) {
    return test::error_of(
        [&] { check_range(fields.table().fields[static_cast<size_t>(fields.table().find(name))], value); });
  };
  EXPECT_FALSE(check("talus", Angle{90}).empty());
  EXPECT_FALSE(check("talus", Angle{-1}).empty());
  EXPECT_FALSE(check("steps", int64_t{-1}).empty());
  EXPECT_FALSE(check("from", -0.5).empty());
}

TEST(Thermal, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(thermal(test::sample_land(9, 9, 5), {}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::thermal_test

#include "tepui/planet/global_stage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/hash.h"
#include "tepui/core/math.h"
#include "tepui/planet/drainage.h"
#include "tepui/planet/ice_sheets.h"
#include "tests/support/support.h"

namespace tepui::global_stage_test {

namespace {

const Context quiet;

GlobalSpec seeded(uint64_t seed, int level = 6) {
  GlobalSpec spec;
  spec.level = level;
  spec.key = seed;
  return spec;
}

bool is_land(const GlobalLand& land, size_t v) { return land.receiver[v] >= 0; }

}  // namespace

RC_GTEST_PROP(GlobalStage, WaterRunsDownToTheSeaAndIsAllThere, ()) {
  GlobalSpec spec = seeded(*rc::gen::arbitrary<uint64_t>(), 4);
  spec.tectonics.plates = *rc::gen::inRange(0, 40);
  spec.tectonics.sea = *rc::gen::element(0.0, 0.3, 0.7, 0.95);
  spec.rivers = *rc::gen::arbitrary<bool>();
  const GlobalLand land = global_land(spec, quiet);
  int64_t arrived = 0, fallen = 0;
  for (size_t v = 0; v < land.height.size(); ++v) {
    fallen += land.supply[v];
    RC_ASSERT(std::isfinite(land.height[v]));
    if (!is_land(land, v)) {
      RC_ASSERT(land.supply[v] == 0);
      arrived += land.discharge[v];
      continue;
    }
    const auto down = static_cast<size_t>(land.receiver[v]);
    RC_ASSERT(land.discharge[v] <= land.discharge[down]);
    RC_ASSERT(land.discharge[v] >= land.supply[v]);
    if (is_land(land, down)) RC_ASSERT(land.height[down] < land.height[v]);
  }
  RC_ASSERT(arrived == fallen);
  RC_ASSERT(static_cast<double>(fallen) < 0x1.001p60);
}

TEST(GlobalStage, HasTheSameBitsOnAnyThreadsAndLevel) {
  test::expect_same_bits([] {
    const GlobalLand land = global_land(seeded(5, 5), quiet);
    const auto of = [](const auto& list) { return hash_bytes(list.data(), list.size() * sizeof(list[0])); };
    return Hasher().add(of(land.height)).add(of(land.discharge)).add(of(land.ice)).add(of(land.rain)).finish();
  });
}

TEST(GlobalStage, NothingIsStressedInsidePlatesAndNowhereOnOnePlate) {
  GlobalSpec spec = seeded(3, 5);
  spec.tectonics.plates = 1;
  for (const float stress : global_land(spec, quiet).stress) EXPECT_EQ(stress, 0);
  const GlobalLand land = global_land(seeded(3, 5), quiet);
  const Neighbours around = neighbours(land.mesh);
  for (size_t v = 0; v < land.height.size(); ++v) {
    if (land.stress[v] == 0) continue;
    // Within 150 km of a border, about an edge of this level, a neighbour or its neighbour is of another plate.
    bool near = false;
    for (const int32_t a : around.of(static_cast<int32_t>(v)))
      for (const int32_t b : around.of(a)) near = near || land.plate[static_cast<size_t>(b)] != land.plate[v];
    EXPECT_TRUE(near);
  }
}

TEST(GlobalStage, ColderPlanetsHaveMoreIceAndNoneBeforeTheIce) {
  double before = -1;
  for (const double warmer : {12.0, 4.0, 0.0, -6.0, -40.0}) {
    GlobalSpec spec = seeded(4, 5);
    spec.climate.warmer = warmer;
    const GlobalLand land = global_land(spec, quiet);
    double covered = 0;
    for (const float ice : land.ice) covered += ice > 0 ? 1 : 0;
    EXPECT_GE(covered, before);
    before = covered;
  }
  EXPECT_GT(before, 0);
  GlobalSpec spec = seeded(4, 5);
  spec.glaciation = Glaciation::before;
  const GlobalLand land = global_land(spec, quiet);
  EXPECT_TRUE(std::all_of(land.ice.begin(), land.ice.end(), [](float ice) { return ice == 0; }));
  EXPECT_TRUE(std::all_of(land.ice_flow.begin(), land.ice_flow.end(), [](float flow) { return flow == 0; }));
}

TEST(GlobalStage, SeaFloorSinksAsItAges) {
  double before = 0;
  for (double age = 0; age <= 180; age += 0.5) {
    EXPECT_GT(sea_floor_depth(age), before);
    before = sea_floor_depth(age);
  }
  EXPECT_NEAR(sea_floor_depth(19.999), sea_floor_depth(20), 20);  // Stein and Stein's two branches meet almost
}

TEST(PlanetClimate, RunoffIsWhatRainLeaves) {
  for (double rain = 0; rain < 6; rain += 0.25)
    for (double temperature = -40; temperature <= 40; temperature += 5) {
      const double runoff = runoff_of(rain, temperature);
      EXPECT_GE(runoff, 0);
      EXPECT_LE(runoff, rain);
      EXPECT_GE(runoff_of(rain + 0.1, temperature), runoff - 0.01);
      EXPECT_LE(runoff_of(rain, temperature + 1), runoff + 1e-12);
    }
}

TEST(PlanetClimate, ClassesOfKnownPlaces) {
  // Means of stations: temperature, half the range of its months, metres of rain, share of the warm half.
  const auto named = [](double t, double season, double rain, double summer) {
    return koppen_names[koppen_class(t, season, rain, summer)];
  };
  EXPECT_EQ(named(26.5, 0.8, 2.40, 0.52), "Af");    // Singapore
  EXPECT_EQ(named(22.0, 7.5, 0.025, 0.5), "BWh");   // Cairo
  EXPECT_EQ(named(15.5, 8.5, 0.80, 0.25), "Csa");   // Rome
  EXPECT_EQ(named(11.0, 6.5, 0.62, 0.50), "Cfb");   // London
  EXPECT_EQ(named(5.5, 14.0, 0.70, 0.60), "Dfb");   // Moscow
  EXPECT_EQ(named(-9.0, 29.5, 0.24, 0.75), "Dfd");  // Yakutsk
  EXPECT_EQ(named(-11.0, 16.0, 0.14, 0.6), "ET");   // Utqiagvik
  EXPECT_EQ(named(-50.0, 16.0, 0.03, 0.5), "EF");   // the South Pole
}

TEST(IceSheets, BalanceRisesWithHeightUpToWhatSnowGives) {
  const IceSpec spec;
  for (double height = 0; height < 6000; height += 100) {
    EXPECT_GE(ice_balance(height + 100, 2500, 1, spec), ice_balance(height, 2500, 1, spec));
    EXPECT_LE(ice_balance(height, 2500, 1, spec), spec.most_snow);
  }
  EXPECT_EQ(ice_balance(2500, 2500, 1, spec), 0);
  EXPECT_LT(snow_line(-5, 10, 1, spec), snow_line(5, 10, 1, spec));
}

}  // namespace tepui::global_stage_test

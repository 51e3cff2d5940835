#include "tepui/planet/global_stage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/hash.h"
#include "tepui/planet/drainage.h"
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
  const std::vector<int64_t> supply = supplies(land);
  int64_t arrived = 0, fallen = 0;
  for (size_t v = 0; v < land.height.size(); ++v) {
    fallen += supply[v];
    RC_ASSERT(std::isfinite(land.height[v]));
    if (!is_land(land, v)) {
      RC_ASSERT(supply[v] == 0);
      arrived += land.discharge[v];
      continue;
    }
    const auto down = static_cast<size_t>(land.receiver[v]);
    RC_ASSERT(land.discharge[v] <= land.discharge[down]);
    RC_ASSERT(land.discharge[v] >= supply[v]);
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

}  // namespace tepui::global_stage_test

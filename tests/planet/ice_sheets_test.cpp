#include "tepui/planet/ice_sheets.h"

#include "reference/planet_ice.h"
#include "tepui/planet/sphere_noise.h"
#include "tests/support/support.h"

namespace tepui::ice_sheets_test {

namespace {

const Context quiet;

}  // namespace

// Eq. 13: what falls as snow melts or reaches the sea, and every vertex passes on what its plain twin does.
TEST(IceSheets, AccumulationIsAblationAndCalving) {
  const SphereMesh mesh = icosphere(5, 0.3, 7, quiet);
  const Neighbours around = neighbours(mesh);
  const auto parents = icosphere_parents(5);
  const std::vector<double> areas = cell_areas(mesh);
  for (uint64_t key = 0; key < 4; ++key) {
    std::vector<float> ground = noise_at(mesh.directions, {.scale = 0.8, .key = key}, quiet);
    for (float& height : ground) height *= 2500;
    const std::vector<double> height(ground.begin(), ground.end());
    const std::vector<uint8_t> sea = find_seas(height, around);
    const Drainage water = drain(mesh, around, height, sea, quiet);
    const PlanetClimate climate = make_climate(mesh, parents, ground, {.key = key}, quiet);
    IceSpec spec;
    spec.colder = 6;
    const Ice ice = make_ice(mesh, around, parents, water, sea, areas, climate, spec, quiet);
    const reference::IceBudget plain = reference::ice_flow(water, sea, areas, climate, spec);
    double calved = 0;
    for (size_t v = 0; v < sea.size(); ++v) {
      ASSERT_NEAR(static_cast<double>(ice.flow[v]), plain.flow[v], 1e-5 * plain.flow[v] + 1e5) << v;
      if (sea[v] == 0 && sea[static_cast<size_t>(water.receiver[v])] != 0) calved += static_cast<double>(ice.flow[v]);
    }
    EXPECT_GT(plain.grown, 0);
    EXPECT_GT(plain.melted, 0);
    EXPECT_NEAR(plain.grown, plain.melted + calved, 1e-5 * plain.grown);
    EXPECT_NEAR(plain.calved, calved, 1e-5 * plain.grown);
  }
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

}  // namespace tepui::ice_sheets_test

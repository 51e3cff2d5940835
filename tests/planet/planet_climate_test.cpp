#include "tepui/planet/planet_climate.h"

#include <cmath>

#include "reference/planet_air.h"
#include "tepui/planet/sphere_noise.h"
#include "tests/support/support.h"

namespace tepui::planet_climate_test {

namespace {

const Context quiet;

}  // namespace

TEST(PlanetClimate, AirCarriesMoistureAsItsPlainTwin) {
  const SphereMesh mesh = icosphere(4, 0.3, 5, quiet);
  const Neighbours around = neighbours(mesh);
  for (uint64_t key = 0; key < 3; ++key) {
    std::vector<float> height = noise_at(mesh.directions, {.scale = 0.8, .key = key}, quiet), warmth;
    for (size_t v = 0; v < height.size(); ++v) {
      height[v] *= 3000;
      warmth.push_back(28 - 45 * mesh.directions[v].z * mesh.directions[v].z);
    }
    const double shift = 9.0 * (static_cast<double>(key) - 1), wind = 0.5 + static_cast<double>(key);
    const std::vector<float> fast = fallen_moisture(mesh, around, height, warmth, shift, wind, quiet);
    const std::vector<double> plain = reference::fallen_moisture(mesh, height, warmth, shift, wind);
    double all = 0;
    for (size_t v = 0; v < plain.size(); ++v) {
      ASSERT_NEAR(static_cast<double>(fast[v]), plain[v], 1e-5 * plain[v] + 1e-9) << v;
      all += plain[v];
    }
    EXPECT_GT(all, 0.001 * static_cast<double>(plain.size()));
  }
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

}  // namespace tepui::planet_climate_test

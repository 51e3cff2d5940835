#include "tepui/cover/plants.h"

#include <cmath>

#include "reference/plants.h"
#include "tepui/core/error.h"
#include "tests/cover/any_plant_land.h"
#include "tests/support/contains.h"

namespace tepui::plants_test {

namespace {

const Context quiet;
constexpr std::array kinds = {"grass", "shrub", "conifer", "broadleaf"};

/// Known places, in round numbers.
constexpr test::PlantClimate alps{3, 12, -6, 225, 340, 1300}, high_alps{-4, 4.5, -12, 225, 340, 1500},
    boreal{-1, 15, -17, 160, 330, 550}, tundra{-9, 7.5, -26, 140, 320, 350}, temperate{10, 18.5, 1, 205, 340, 800},
    steppe{6, 21, -12, 215, 345, 330}, chaparral{16, 24, 8.5, 250, 350, 480}, savanna{24, 27, 20, 290, 320, 850},
    rainforest{26, 27, 25, 300, 310, 2500}, desert{25, 34, 13, 290, 350, 70}, ice{-30, -4, -50, 100, 350, 80};

Terrain any_grown_land() {
  const auto seed = *rc::gen::inRange<uint64_t>(0, 1000);
  Terrain land = test::any_hills();
  land = test::with_any(test::with_any(land, "soil", 0, 1.5, seed + 1), "temperature", -30, 30, seed + 2);
  land = test::with_any(test::with_any(land, "temperature_summer", -10, 35, seed + 3), "rain", 0, 3000, seed + 4);
  land = test::with_any(test::with_any(land, "temperature_winter", -50, 28, seed + 5), "sun", 0, 300, seed + 6);
  land = test::with_any(land, "sun_summer", 0, 400, seed + 7);
  for (const char* layer : {"water", "avalanches", "talus", "sand"})
    if (*rc::gen::element(false, false, true)) land = test::with_any(land, layer, 0, 2, seed + 8);
  if (*rc::gen::arbitrary<bool>()) land = test::with_any(land, "drainage", 25, 1e6, seed + 9);
  return land;
}

PlantsParams any_plants() {
  PlantsParams p;
  p.tree_line = *rc::gen::element(8.3, 5.0, 11.0);
  p.conifer = *rc::gen::element(0.0, -2.0, 3.0);
  p.variety = *rc::gen::element(0.0, 1.0, 3.0);
  p.stands = metres(*rc::gen::element(420.0, 60.0));
  p.seed = {*rc::gen::inRange<int64_t>(0, 100), 1};
  return p;
}

struct Shares {
  double grass, shrub, conifer, broadleaf, bare;
};
/// Of gentle ground under the climate.
Shares grown(const test::PlantClimate& climate, double soil = 0.8, const char* layer = nullptr, double value = 0) {
  Terrain land(make_world({4000, 4000}, 81), {0, 1}, Grid<float>(81, 81));
  Grid<float> z(81, 81);
  for (int64_t y = 0; y < 81; ++y)
    for (int64_t x = 0; x < 81; ++x) z(x, y) = 7 * static_cast<float>(x);
  land = test::with_even(test::with_climate(land.with_height(std::move(z)), climate), "soil", soil);
  if (layer != nullptr) land = test::with_even(land, layer, value);
  const Terrain made = plants(land, nullptr, {}, quiet);
  double mean[4] = {}, all = 0;
  for (size_t k = 0; k < 4; ++k) {
    for (const float s : made.layer(kinds[k]).grid().cells()) mean[k] += static_cast<double>(s) / (81 * 81);
    all += mean[k];
  }
  return {mean[0], mean[1], mean[2], mean[3], 1 - all};
}

}  // namespace

RC_GTEST_PROP(Plants, AgreeWithTheReference, ()) {
  const Terrain land = any_grown_land();
  const PlantsParams p = any_plants();
  const Terrain made = plants(land, nullptr, p, quiet), plain = reference::plants(land, p);
  for (const char* kind : kinds)
    RC_ASSERT(test::max_difference(made.layer(kind).grid(), plain.layer(kind).grid()) < 1e-3);
}

RC_GTEST_PROP(Plants, SharesLieBetweenNothingAndAll, ()) {
  Terrain land = any_grown_land();
  if (*rc::gen::arbitrary<bool>())
    land =
        test::with_any(land, *rc::gen::element("height", "soil", "rain", "sun", "temperature_summer"), -3e38, 3e38, 5);
  const Terrain made = plants(land, nullptr, any_plants(), quiet);
  for (int64_t i = 0; i < land.height().size(); ++i) {
    float sum = 0;
    for (const char* kind : kinds) {
      const float share = made.layer(kind).grid().data()[i];
      RC_ASSERT(share >= 0 && share <= 1);
      sum += share;
    }
    RC_ASSERT(sum <= 1);
    if (const Layer* water = land.find("water"); water != nullptr && water->grid().data()[i] > 0.05f)
      RC_ASSERT(sum == 0);
  }
}

/// In cracks a few stand; the deeper the soil, the more may.
RC_GTEST_PROP(Plants, TreesNeedSoil, ()) {
  const Terrain land = any_grown_land();
  PlantsParams p = any_plants();
  p.conifer = *rc::gen::element(0.0, 3.0, 100.0);
  const auto trees = [&](const Terrain& on) {
    const Terrain made = plants(on, nullptr, p, quiet);
    std::vector<float> sums;
    for (const float share : made.layer("conifer").grid().cells()) sums.push_back(share);
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += made.layer("broadleaf").grid().data()[i];
    return sums;
  };
  const std::vector<float> cracks = trees(test::with_even(land, "soil", 0));
  const std::vector<float> thin = trees(test::with_even(land, "soil", 0.06));
  for (size_t i = 0; i < cracks.size(); ++i) {
    RC_ASSERT(cracks[i] <= 0.0301f);
    RC_ASSERT(thin[i] <= 0.25f);
    if (p.conifer == 100 && land.find("water") == nullptr) RC_ASSERT(cracks[i] > 0.0299f);
  }
}

TEST(Plants, GrowAsInTheWorld) {
  const Shares mountain = grown(alps), meadow = grown(high_alps), taiga = grown(boreal), cold = grown(tundra);
  EXPECT_GT(mountain.conifer, 0.6);
  EXPECT_LT(mountain.broadleaf, 0.15);
  EXPECT_LT(meadow.conifer + meadow.broadleaf, 0.01);
  EXPECT_GT(meadow.grass, 0.5);
  EXPECT_GT(taiga.conifer, 0.6);
  EXPECT_LT(cold.conifer + cold.broadleaf, 0.3);
  EXPECT_GT(cold.grass + cold.shrub, 0.5);
  const Shares wood = grown(temperate), plain = grown(steppe), scrub = grown(chaparral), park = grown(savanna);
  EXPECT_GT(wood.broadleaf, 0.5);
  EXPECT_GT(wood.broadleaf, 2 * wood.conifer);
  EXPECT_GT(plain.grass, 0.5);
  EXPECT_LT(plain.conifer + plain.broadleaf, 0.15);
  EXPECT_GT(scrub.shrub, 0.4);
  EXPECT_GT(park.grass, 0.5);
  EXPECT_GT(park.broadleaf, 0.03);
  EXPECT_LT(park.broadleaf, 0.35);
  EXPECT_GT(grown(rainforest).broadleaf, 0.8);
  EXPECT_GT(grown(desert).bare, 0.85);
  EXPECT_GT(grown(ice).bare, 0.97);
}

TEST(Plants, LiveOnSoilAndOffTheTracksOfAvalanches) {
  EXPECT_GT(grown(alps, 0).bare, 0.85);
  EXPECT_GT(grown(alps, 0.12).grass, 2 * grown(alps, 0.8).grass);
  EXPECT_LT(grown(alps, 0.8, "avalanches", 3).conifer, 0.15);
  EXPECT_LT(grown(alps, 0.8, "avalanches", 3).bare, 0.2);
  EXPECT_GT(grown(alps, 0.02, "talus", 2).bare, 0.9);
  EXPECT_EQ(grown(alps, 0.8, "water", 1).bare, 1);
}

TEST(Plants, DesertsHaveShrubsWhereWaterGathers) {
  const Shares slope = grown(desert, 0.8, "drainage", 5e3), channel = grown(desert, 0.8, "drainage", 5e7);
  EXPECT_GT(channel.shrub, 4 * slope.shrub);
}

TEST(Plants, TreesAreDenserOnTheShadySideOfADryLand) {
  test::PlantClimate north = chaparral, south = chaparral;
  north.sun = 170, south.sun = 310;
  EXPECT_GT(grown(north).broadleaf, 2 * grown(south).broadleaf);
  north = south = alps;
  north.rain = south.rain = 600, north.sun = 150, south.sun = 290;
  EXPECT_GT(grown(north).conifer, grown(south).conifer + 0.15);
}

TEST(Plants, TheTreeLineIsRaggedAndFollowsItsTemperature) {
  Terrain land(make_world({4000, 4000}, 161), {0, 1}, Grid<float>(161, 161, 0.0f));
  land = test::with_even(test::with_climate(land, alps), "soil", 0.8);
  Grid<float> summer(161, 161);
  for (int64_t y = 0; y < 161; ++y)
    for (int64_t x = 0; x < 161; ++x) summer(x, y) = 14 - static_cast<float>(y) / 16;
  land = land.with(make_layer("temperature_summer", "", LayerKind::continuous, std::move(summer)));
  const Terrain made = plants(land, nullptr, {}, quiet);
  int64_t lowest = 161, highest = 0;
  for (int64_t x = 0; x < 161; ++x) {
    int64_t y = 0;
    while (y < 161 && made.layer("conifer").grid()(x, y) > 0.3f) ++y;
    lowest = std::min(lowest, y), highest = std::max(highest, y);
  }
  EXPECT_GT(highest - lowest, 8);  // half a kelvin
  EXPECT_EQ(made.layer("conifer").grid()(80, 160) > 0.05f, false);
}

/// Steep land above all, of which slope decides what stays bare.
TEST(Plants, CoverTheSameSharesAtAnyResolution) {
  const auto shares = [](int64_t side, double steep, bool drained) {
    const Frame frame = make_world({2048, 2048}, side);
    const auto map = [&](const auto& f) {
      Grid<float> cells(side, side);
      for (int64_t y = 0; y < side; ++y)
        for (int64_t x = 0; x < side; ++x) cells(x, y) = static_cast<float>(f(frame.x(x), frame.y(y)));
      return cells;
    };
    const auto height = [&](double x, double y) {
      return steep * (70 * std::sin(x / 90) * std::cos(y / 110) + 25 * std::sin((x + y) / 41));
    };
    const auto layer = [](const char* name, Grid<float> cells) {
      return make_layer(name, "", LayerKind::continuous, std::move(cells));
    };
    Terrain land = test::with_climate(Terrain(frame, {-100, 100}, map(height)), alps);
    land = land.with(layer("soil", map([](double x, double y) { return 0.5 + 0.5 * std::sin(x / 60 + y / 80); })));
    if (drained) {
      // A stream of one sample's width, as flow tells of it.
      land = land.with(layer("drainage", map([&](double x, double y) {
                               const double off = std::fmod(x + 40 * std::sin(y / 100), 400) - 200;
                               return std::abs(off) < frame.cell.x / 2 ? 1e6 : 3000 * frame.cell.x;
                             })));
      land = land.with(
          layer("water", map([](double x, double y) { return std::hypot(x - 1000, y - 1200) < 300 ? 2 : 0; })));
    }
    const Terrain made = plants(land, nullptr, {}, quiet);
    std::array<double, 5> mean{};
    for (size_t k = 0; k < 4; ++k)
      for (const float s : made.layer(kinds[k]).grid().cells())
        mean[k] += static_cast<double>(s) / static_cast<double>(side * side);
    mean[4] = 1 - mean[0] - mean[1] - mean[2] - mean[3];
    return mean;
  };
  for (const double steep : {0.3, 1.0, 2.0})
    for (const bool drained : {false, true}) {
      const auto fine = shares(513, steep, drained);
      for (const int64_t side : {129, 200, 257, 300}) {
        const auto coarse = shares(side, steep, drained);
        for (size_t k = 0; k < 5; ++k) EXPECT_NEAR(coarse[k], fine[k], 0.01) << side << " " << steep << " kind " << k;
      }
    }
}

TEST(Plants, AMaskScalesThemAndFavourMovesThem) {
  Terrain land = test::with_even(test::with_climate(test::sample_land(30, 20, 3), alps), "soil", 0.5);
  const Terrain made = plants(land, nullptr, {}, quiet);
  const Terrain half = test::with_even(land, "mask", 0.5).only("mask");
  const Terrain scaled = plants(land, &half, {}, quiet);
  for (int64_t i = 0; i < 600; ++i)
    EXPECT_EQ(scaled.layer("grass").grid().data()[i], 0.5f * made.layer("grass").grid().data()[i]);
  PlantsParams p;
  p.conifer = -100;
  for (const float share : plants(land, nullptr, p, quiet).layer("conifer").grid().cells()) EXPECT_LT(share, 1e-20f);
}

TEST(Plants, SameBitsOnAnyMachine) {
  Terrain land = test::with_climate(test::sample_land(217, 60, 4), temperate);
  land = test::with_any(test::with_any(land, "soil", 0, 1, 2), "drainage", 100, 1e6, 3);
  test::expect_same_bits([&] { return plants(land, nullptr, {}, quiet).hash(); });
}

TEST(Plants, MissingLayersAreNamedWithWhatMakesThem) {
  const Terrain land = test::sample_land(9, 9, 1);
  const auto error = [&](const Terrain& of) { return test::error_of([&] { plants(of, nullptr, {}, quiet); }); };
  EXPECT_CONTAINS(error(land), "no layer 'soil'");
  EXPECT_CONTAINS(error(test::with_even(land, "soil", 1)), "put 'climate' between them");
  const Terrain all = test::with_climate(test::with_even(land, "soil", 1), alps);
  EXPECT_CONTAINS(error(all.without("rain")), "no layer 'rain'");
  const CancelFlag cancel = true;
  EXPECT_THROW(plants(all, nullptr, {}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::plants_test

#include "tepui/render/ground/inland_water.h"

#include <cmath>

#include "tepui/render/ground/bake.h"
#include "tepui/render/ground/covers.h"
#include "tepui/render/picture/picture.h"
#include "tests/render/scenes.h"

namespace tepui::inland_water_test {

namespace {

using test::land_of;
using test::small_picture;

/// The layers as the contract has them: wet samples and their neighbours know the level.
Terrain with_lake(const Terrain& land, double level) {
  const Grid<float>& z = land.height();
  const auto l = static_cast<float>(level);
  Grid<float> depth(z.width(), z.height()), levels(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      bool near = false;
      for (int64_t j = std::max<int64_t>(y - 1, 0); j <= std::min(y + 1, z.height() - 1); ++j)
        for (int64_t i = std::max<int64_t>(x - 1, 0); i <= std::min(x + 1, z.width() - 1); ++i) near |= z(i, j) < l;
      levels(x, y) = near ? l : z(x, y);
      depth(x, y) = std::max(0.0f, levels(x, y) - z(x, y));
    }
  return land.with(make_layer("water", "m", LayerKind::continuous, std::move(depth)))
      .with(make_layer("water_level", "m", LayerKind::continuous, std::move(levels)));
}

/// A bowl whose ground rises with the square of the distance from its middle.
Terrain bowl(int64_t side, double cell = 10) {
  const double middle = static_cast<double>(side - 1) / 2;
  return land_of(side, side,
                 [&](int64_t x, int64_t y) {
                   const double dx = (static_cast<double>(x) - middle) / middle,
                                dy = (static_cast<double>(y) - middle) / middle;
                   return 100 + 200 * (dx * dx + dy * dy);
                 },
                 {cell, cell});
}

Hash hash_of(const Image& image) { return hash_bytes(image.pixels.data(), image.pixels.size()); }

}  // namespace

TEST(InlandWater, ThereIsNoneWithoutLayersOrWhereAllIsDry) {
  const Terrain land = bowl(17);
  EXPECT_TRUE(InlandWater(land, Context()).empty());
  EXPECT_TRUE(InlandWater(with_lake(land, 50), Context()).empty());
  EXPECT_FALSE(InlandWater(with_lake(land, 150), Context()).empty());
  EXPECT_TRUE(InlandWater(land.only("height"), Context()).empty());
}

RC_GTEST_PROP(InlandWater, IsAboveTheGroundWhereWetAndBelowItElsewhere, (uint64_t seed)) {
  const int64_t w = *rc::gen::inRange(1, 24), h = *rc::gen::inRange(1, 24);
  const Terrain land = with_lake(test::sample_land(w, h, seed), *rc::gen::inRange(100, 500));
  const InlandWater water(land, Context());
  const Grid<float>& depth = land.layer("water").grid();
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      if (water.empty()) RC_ASSERT(!(depth(x, y) > 0));
      if (water.empty()) continue;
      const double over = water.over_ground(static_cast<double>(x), static_cast<double>(y));
      if (depth(x, y) > 0)
        RC_ASSERT(std::abs(over - static_cast<double>(depth(x, y))) < 1e-4);
      else
        RC_ASSERT(over <= 0);
    }
}

TEST(InlandWater, ShoresAreSmoothNotStairs) {
  // The shore of a round lake is a circle, to a small part of a cell, from levels as from depths alone.
  const Terrain lake = with_lake(bowl(41), 160);
  const double radius = 20 * std::sqrt(0.3);
  const InlandWater by_level(lake, Context()), by_depth(lake.without("water_level"), Context());
  for (const InlandWater* water : {&by_level, &by_depth})
    for (int k = 0; k < 360; ++k) {
      const double angle = k * 3.14159265 / 180;
      const auto over = [&](double r) {
        return water->over_ground(20 + r * std::cos(angle), 20 + r * std::sin(angle));
      };
      EXPECT_GT(over(radius - 0.15), 0) << k;
      EXPECT_LT(over(radius + 0.15), 0) << k;
    }
}

TEST(InlandWater, BanksKnowHowHighTheyAre) {
  const Terrain lake = with_lake(bowl(81), 160);
  const InlandWater water(lake, Context());
  const double radius = 40 * std::sqrt(0.3);
  // Two samples up the bank about its own height above the water, far away certainly dry.
  const double u = 40 + radius + 2, high = 200 * (std::pow((radius + 2) / 40, 2) - 0.3);
  EXPECT_NEAR(-water.over_ground(u, 40), high, 0.5 * high);
  EXPECT_GT(-water.over_ground(80, 40), 0.05 * 400);
}

TEST(InlandWater, DryLayersLeaveThePictureAsItIs) {
  const Terrain land = test::sample_land(40, 31, 5);
  for (const Camera camera : {Camera::top, Camera::three_quarter, Camera::ground}) {
    const PictureParams params = small_picture(camera, PictureColour::natural, {32, 20}, 2);
    EXPECT_EQ(hash_of(draw_picture(land, params, 220.0, Context()).image),
              hash_of(draw_picture(with_lake(land, -1), params, 220.0, Context()).image));
  }
}

TEST(InlandWater, ALakeAtTheLevelOfTheSeaLooksLikeTheSea) {
  const Terrain land = bowl(65, 20);
  for (const Camera camera : {Camera::top, Camera::three_quarter}) {
    const PictureParams params = small_picture(camera, PictureColour::natural, {64, 48}, 8);
    const Image sea = draw_picture(land, params, 200.0, Context()).image,
                lake = draw_picture(with_lake(land, 200), params, {}, Context()).image,
                dry = draw_picture(land, params, {}, Context()).image;
    const int x = 32, y = 24;
    EXPECT_NEAR(test::brightness(sea, x, y), test::brightness(lake, x, y), 0.03);
    EXPECT_GT(std::abs(test::brightness(dry, x, y) - test::brightness(lake, x, y)), 0.1);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(sea.at(x, y)[c], lake.at(x, y)[c], 10);
  }
}

TEST(InlandWater, EveryPictureIsFiniteAndTheSameForAnyThreads) {
  for (const auto& [w, h] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 9}, {13, 1}, {2, 2}, {30, 21}})
    for (const PictureColour colour : {PictureColour::natural, PictureColour::height, PictureColour::cover})
      for (const Camera camera : {Camera::top, Camera::three_quarter, Camera::ground}) {
        const Terrain land = with_lake(test::sample_land(w, h, 3), 320);
        const Film film = draw_picture(land, small_picture(camera, colour, {16, 12}, 2), {}, Context()).film;
        for (int y = 0; y < film.height; ++y)
          for (int x = 0; x < film.width; ++x) {
            const Rgb c = film.radiance(x, y);
            ASSERT_TRUE(std::isfinite(c.r + c.g + c.b) && std::min({c.r, c.g, c.b}) >= 0) << w << ' ' << h;
          }
      }
  const Terrain land = with_lake(test::sample_land(50, 41, 5), 260);
  test::expect_same_bits([&] {
    return hash_of(
        draw_picture(land, small_picture(Camera::three_quarter, PictureColour::natural, {20, 14}, 3), 150.0, Context())
            .image);
  });
}

TEST(InlandWater, ColoursThatTellOfWaterAreNotHidden) {
  const Terrain land = with_lake(bowl(33), 180);
  PictureParams params = small_picture(Camera::top, PictureColour::layer, {33, 33}, 4);
  params.layer = "water";
  EXPECT_EQ(hash_of(draw_picture(land, params, {}, Context()).image),
            hash_of(draw_picture(land.without("water_level"), params, {}, Context()).image));
}

TEST(InlandWater, AnEyeUnderWaterIsRefused) {
  PictureParams params = small_picture(Camera::free, PictureColour::natural, {16, 12}, 1);
  const Terrain land = with_lake(bowl(33), 180);
  const Frame& frame = land.frame();
  params.eye = {frame.x(16), frame.y(16), 150};
  params.target = {frame.x(0), frame.y(0), 200};
  EXPECT_NE(test::error_of([&] { draw_picture(land, params, {}, Context()); }).find("under water"), std::string::npos);
}

TEST(InlandWater, TheBakedMaskIsTheShareUnderWater) {
  const double radius = 20 * std::sqrt(0.3), area = 3.14159265 * radius * radius;
  for (const int size : {41, 20, 120}) {
    BakeParams params;
    params.size = size;
    for (const bool sea : {false, true}) {
      const Terrain land = sea ? bowl(41) : with_lake(bowl(41), 160);
      const Bake maps = bake(land, params, sea ? std::optional(160.0) : std::nullopt, Context());
      const Image* mask = maps.find("water");
      ASSERT_NE(mask, nullptr);
      double sum = 0;
      int between = 0;
      for (const uint8_t v : mask->pixels) sum += v / 255.0, between += v > 0 && v < 255 ? 1 : 0;
      EXPECT_NEAR(sum * (41.0 / size) * (41.0 / size), area, 0.02 * area) << size << ' ' << sea;
      EXPECT_GT(between, 20);
    }
  }
  EXPECT_EQ(bake(bowl(17), {}, {}, Context()).find("water"), nullptr);
  BakeParams without;
  without.water = false;
  EXPECT_EQ(bake(with_lake(bowl(17), 160), without, {}, Context()).find("water"), nullptr);
}

TEST(InlandWater, StandsOverTheGroundAndNotInIt) {
  const Terrain land = with_lake(bowl(33), 180);
  const Covers covers(land);
  const size_t water = covers.index_of("water");
  ASSERT_LT(water, covers.list().size());
  EXPECT_EQ(covers.lying(16, 16)[water], 0);
  EXPECT_NEAR(covers.seen(16, 16, {0, 0, 1})[water], 80, 0.01);
}

}  // namespace tepui::inland_water_test

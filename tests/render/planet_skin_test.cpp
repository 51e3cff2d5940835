#include "tepui/render/ground/planet_skin.h"

#include <gtest/gtest.h>

#include "tepui/core/error.h"
#include "tepui/render/ground/mesh_paint.h"
#include "tepui/render/picture/picture.h"
#include "tests/support/support.h"

namespace tepui::planet_skin_test {

namespace {

struct Spot {
  float height = 500, water = 0, snow = 0, ice = 0, temperature = 12, slope = 0.1f;
};

/// A triangle of one kind of country, seen from 100 m above its middle.
Mesh country(Spot spot, bool whole = true) {
  MeshData data;
  data.centre = {0, 0, 600};
  data.positions = {{-9000, -9000, -100}, {9000, -9000, -100}, {0, 9000, -100}};
  data.triangles = {{0, 1, 2}};
  const auto add = [&](const char* name, float value) { data.attributes.push_back({name, "", {value, value, value}}); };
  add("height", spot.height);
  add("water", spot.water);
  add("snow", spot.snow);
  add("ice", spot.ice);
  add("temperature", spot.temperature);
  add("season", 8);
  add("rain", 1);
  if (whole) add("slope", spot.slope);
  return Mesh(std::move(data));
}

Rgb look(Spot spot, Season season = Season::summer) {
  return PlanetSkin(country(spot)).albedo({0, 1, 2}, {0.4, 0.3, 0.3}, {300, 300, 0}, 1000, season);
}

float brightness(Rgb colour) { return colour.r + colour.g + colour.b; }

}  // namespace

TEST(PlanetSkin, IsOfMeshesThatTellAllOfIt) {
  EXPECT_TRUE(PlanetSkin(country({})).known());
  EXPECT_FALSE(PlanetSkin(country({}, false)).known());
  EXPECT_FALSE(PlanetSkin(Mesh()).known());
}

TEST(PlanetSkin, SeaIsBlueForestGreenSnowAndIceWhite) {
  const Rgb land = look({}), sea = look({.height = -3000, .water = 3000}), snow = look({.snow = 1}),
            ice = look({.ice = 800, .temperature = -20});
  EXPECT_GT(land.g, land.b);
  EXPECT_GT(sea.b, 2 * sea.r);
  EXPECT_GT(brightness(snow), 2);
  EXPECT_GT(brightness(ice), 1.5f);
  EXPECT_LT(brightness(land), 0.6f);
  // In winter snow lies where it freezes.
  EXPECT_GT(brightness(look({.temperature = 2}, Season::winter)), 2 * brightness(look({.temperature = 2})));
}

TEST(PlanetSkin, WaterIsAsLargeAsATriangle) {
  const auto shore = [](std::vector<float> depths) {
    MeshData data = country({}).data();
    data.attributes[1].values = std::move(depths);
    return PlanetSkin(Mesh(std::move(data))).albedo({0, 1, 2}, {0.6, 0.2, 0.2}, {}, 1000, Season::summer);
  };
  EXPECT_LT(brightness(shore({20, 20, 20})), 0.5f * brightness(shore({0, 0, 0})));
  EXPECT_EQ(brightness(shore({20, 20, 0})), brightness(shore({0, 0, 0})));
}

TEST(PlanetSkin, FilesHaveTheColoursOfPictures) {
  const Mesh sea = painted(country({.height = -3000, .water = 3000}), {}, Context());
  ASSERT_EQ(sea.colours().size(), 3u);
  EXPECT_GT(sea.colours()[0][2], sea.colours()[0][0]);
  EXPECT_EQ(sea.attributes().size(), 8u);
  EXPECT_NE(painted(country({.snow = 1}), {}, Context()).colours()[0], sea.colours()[0]);
}

TEST(PlanetSkin, PicturesAreFromTheViewsOwnCamera) {
  PictureParams params;
  params.size = Vec2{32, 18};
  params.samples = 1;
  params.camera = Camera::free;
  params.pitch = Angle{-90};
  const auto below = [&](Spot spot) {
    const Picture picture = draw_picture(country(spot), params, std::nullopt, Context(), {});
    return picture.film.radiance(16, 9);
  };
  EXPECT_GT(brightness(below({.snow = 1})), 2 * brightness(below({.height = -3000, .water = 3000})));
  // Another mesh has none.
  EXPECT_THROW(draw_picture(country({}, false), params, std::nullopt, Context(), {}), Error);
  params.pitch = std::nullopt;
  EXPECT_THROW(draw_picture(country({}, false), params, std::nullopt, Context(), {}), Error);
}

}  // namespace tepui::planet_skin_test

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/planet/planet.h"
#include "tests/render/scenes.h"

namespace tepui::planet_picture_test {

namespace {

using test::error_of;

PlanetParams planet_params(int64_t seed = 4) {
  PlanetParams params;
  params.level = 4;
  params.seed = Seed{seed};
  return params;
}
const Planet& usual() {
  static const Planet made = planet(nullptr, planet_params(), Context());
  return made;
}

PictureParams small(Vec2 size = {48, 48}, int samples = 4) {
  PictureParams params;
  params.size = size;
  params.samples = samples;
  return params;
}

Picture draw(const Planet& of, const PictureParams& params) { return draw_picture(of, params, Context()); }

float brightest(Rgb c) { return std::max({c.r, c.g, c.b}); }

}  // namespace

TEST(PlanetPicture, IsADiscWithABlueRimInTheDark) {
  PictureParams params = small({65, 65}, 8);
  params.sun_elevation = Angle{90};
  const Film film = draw(usual(), params).film;
  EXPECT_EQ(brightest(film.radiance(0, 0)), 0);
  EXPECT_EQ(brightest(film.radiance(64, 64)), 0);
  EXPECT_EQ(brightest(film.radiance(32, 0)), 0);
  EXPECT_GT(brightest(film.radiance(32, 32)), 0.02f);
  // Inwards from the dark, what comes first is blue.
  int first = 0;
  while (first < 32 && luminance(film.radiance(first, 32)) < 0.02f) ++first;
  EXPECT_GE(first, 1);
  EXPECT_LE(first, 6);
  EXPECT_GT(film.radiance(first, 32).b, 1.3f * film.radiance(first, 32).r);
}

TEST(PlanetPicture, TheNightSideIsDarkAndTheEdgeOfDayIsSoft) {
  PictureParams params = small({96, 96}, 8);
  params.sun_azimuth = Angle{270};
  params.sun_elevation = Angle{10};
  const Film film = draw(usual(), params).film;
  EXPECT_GT(luminance(film.radiance(24, 48)), 20 * luminance(film.radiance(80, 48)));
  int between = 0;
  for (int x = 30; x < 90; ++x) {
    const float light = luminance(film.radiance(x, 48));
    between += light > 0.002f && light < 0.02f ? 1 : 0;
  }
  EXPECT_GE(between, 3);
}

TEST(PlanetPicture, TheSunGlintsOnTheSeaWhereItIsMirrored) {
  PlanetParams all_sea = planet_params();
  all_sea.sea = 100;
  all_sea.warmer = 30;
  PictureParams params = small({80, 80}, 8);
  params.latitude = Angle{0};
  params.sun_azimuth = Angle{90};
  params.sun_elevation = Angle{50};
  const Film film = draw(planet(nullptr, all_sea, Context()), params).film;
  int best = 0;
  for (int x = 8; x < 72; ++x)
    if (luminance(film.radiance(x, 40)) > luminance(film.radiance(best, 40))) best = x;
  // Half way to where the sun is overhead, 40 degrees east: 20 degrees.
  const double degrees = math::degrees(math::asin((best - 39.5) / 36));
  EXPECT_NEAR(degrees, 20, 6);
}

TEST(PlanetPicture, APlanetOfAnotherSizeLooksTheSame) {
  PlanetParams other = planet_params();
  for (const double factor : {0.125, 64.0}) {
    other.radius = factor * earth_radius;
    const Planet large = planet(nullptr, other, Context());
    for (const double altitude : {0.0, 2e3}) {
      PictureParams near = small({24, 16}, 2), far = near;
      if (altitude > 0) near.altitude = altitude, far.altitude = factor * altitude;
      const Film a = draw(usual(), near).film, b = draw(large, far).film;
      for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 24; ++x) {
          const Rgb c = a.radiance(x, y), d = b.radiance(x, y);
          EXPECT_NEAR(c.r, d.r, 1e-3f * (1 + c.r));
          EXPECT_NEAR(c.b, d.b, 1e-3f * (1 + c.b));
        }
    }
  }
}

TEST(PlanetPicture, IsDefinedFromEverywhere) {
  PlanetParams tiny = planet_params(), huge = planet_params();
  tiny.radius = 1;
  huge.radius = 1e9;
  huge.exaggeration = 100;
  for (const Planet& of : {usual(), planet(nullptr, tiny, Context()), planet(nullptr, huge, Context())})
    for (const auto& [latitude, altitude, pitch] : {Vec3{-90, 0.01, 0}, Vec3{0, 1e12, -90}, Vec3{90, 1e3, 90}}) {
      PictureParams params = small({9, 7}, 1);
      params.latitude = Angle{latitude};
      params.longitude = Angle{-540};
      params.altitude = altitude;
      params.pitch = Angle{pitch};
      params.sun_elevation = Angle{1};
      const Film film = draw(of, params).film;
      for (const Film::Pixel& pixel : film.pixels) {
        ASSERT_TRUE(std::isfinite(pixel.direct.r + pixel.direct.g + pixel.direct.b)) << latitude << ' ' << altitude;
        ASSERT_GE(std::min({pixel.direct.r, pixel.direct.g, pixel.direct.b}), 0);
      }
    }
}

TEST(PlanetPicture, TheHorizonIsInTheUpperPartUnlessThePitchIsGiven) {
  PictureParams params = small({16, 60}, 4);
  params.altitude = 1e5;
  const auto horizon = [&] {
    const Film film = draw(usual(), params).film;
    int y = 0;
    while (y < 60 && film.pixels[static_cast<size_t>(y * 16 + 8)].depth == 0) ++y;
    return y;
  };
  const int usual_one = horizon();
  EXPECT_GT(usual_one, 8);
  EXPECT_LT(usual_one, 26);
  params.pitch = Angle{-60};
  EXPECT_EQ(horizon(), 0);
  params.pitch = Angle{45};
  EXPECT_EQ(horizon(), 60);
}

TEST(PlanetPicture, RefusesWhatPlanetsHaveNotAndOthersWhatTheyHave) {
  PictureParams params = small();
  params.camera = Camera::top;
  EXPECT_EQ(error_of([&] { draw(usual(), params); }),
            "'camera' does not apply to a planet; give latitude, longitude and altitude, and heading and pitch");
  params = small();
  params.sea_level = "20";
  EXPECT_EQ(error_of([&] { draw(usual(), params); }),
            "'sea_level' does not apply to a planet; give the node 'planet' another share of 'sea'");
  params = small();
  params.altitude = 1000;
  EXPECT_EQ(error_of([&] { draw_picture(test::flat_land(4, 4), params, {}, Context()); }),
            "'altitude' only applies to a planet, and this is land; leave it out");
  EXPECT_EQ(error_of([&] { draw_picture(Mesh(), params, {}, Context()); }),
            "'altitude' only applies to a planet, and this is a mesh; leave it out");
  params = small();
  params.pitch = Angle{-20};
  EXPECT_EQ(error_of([&] { draw_picture(Volume(), params, {}, Context()); }),
            "'pitch' only applies to a planet, and this is a volume; leave it out");
}

TEST(PlanetPicture, HasTheSameBitsForAnyThreads) {
  for (const double altitude : {0.0, 5e4}) {
    PictureParams params = small({20, 14}, 3);
    if (altitude > 0) params.altitude = altitude;
    test::expect_same_bits([&] {
      const Picture drawn = draw(usual(), params);
      return hash_bytes(drawn.film.pixels.data(), drawn.film.pixels.size() * sizeof(Film::Pixel));
    });
  }
}

}  // namespace tepui::planet_picture_test

#include "tepui/render/picture/picture.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "tepui/core/error.h"
#include "tests/render/scenes.h"

namespace tepui::picture_test {

namespace {

using test::brightness;
using test::error_of;
using test::flat_land;
using test::land_of;
using test::mean_brightness;
using test::small_picture;

constexpr Camera cameras[] = {Camera::top,   Camera::three_quarter, Camera::front,
                              Camera::orbit, Camera::ground,        Camera::free};
constexpr PictureColour colours[] = {PictureColour::natural, PictureColour::height, PictureColour::hillshade,
                                     PictureColour::clay};

Picture picture(const Terrain& land, PictureParams params, std::optional<double> sea = {}) {
  if (params.camera == Camera::free && params.eye == params.target) {
    const Frame& frame = land.frame();
    params.eye = {frame.x(0) - 200, frame.y(0) - 300, 700};
    params.target = {frame.x(frame.width / 2), frame.y(frame.height / 2), 200};
  }
  return draw_picture(land, params, sea, Context());
}

Image draw(const Terrain& land, const PictureParams& params, std::optional<double> sea = {}) {
  return picture(land, params, sea).image;
}

Hash hash_of(const Picture& picture) {
  return hash_bytes(picture.film.pixels.data(), picture.film.pixels.size() * sizeof(Film::Pixel));
}

void expect_finite(const Film& film) {
  for (int y = 0; y < film.height; ++y)
    for (int x = 0; x < film.width; ++x) {
      const Rgb c = film.radiance(x, y);
      ASSERT_TRUE(std::isfinite(c.r + c.g + c.b)) << x << ' ' << y;
      ASSERT_GE(std::min({c.r, c.g, c.b}), 0) << x << ' ' << y;
    }
}

Terrain with_classes(int64_t w, int64_t h, int64_t each) {
  Grid<float> classes(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) classes(x, y) = static_cast<float>(x / each);
  return flat_land(w, h).with(make_layer("material", "", LayerKind::category, std::move(classes)));
}

}  // namespace

TEST(Picture, SameBitsForAnyThreads) {
  const Terrain land = test::sample_land(50, 41, 5);
  size_t turn = 0;
  // Each camera and each colour.
  for (const Camera camera : cameras) {
    const PictureParams params = small_picture(camera, colours[turn++ % 4], {20, 14}, 3);
    test::expect_same_bits([&] {
      const Picture drawn = picture(land, params, 220.0);
      Hasher hasher;
      hasher.add(hash_of(drawn).text());
      hasher.add(hash_bytes(drawn.image.pixels.data(), drawn.image.pixels.size()).text());
      return hasher.finish();
    });
  }
}

TEST(Picture, FlatClayIsOneColour) {
  for (const auto& [w, h] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 17}, {23, 1}, {12, 30}, {31, 20}})
    for (const PictureColour colour : {PictureColour::clay, PictureColour::hillshade}) {
      const Image image = draw(flat_land(w, h), small_picture(Camera::top, colour, {}, 32));
      ASSERT_EQ(image.width, w);
      ASSERT_EQ(image.height, h);
      const double mean = mean_brightness(image);
      for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
          EXPECT_NEAR(brightness(image, x, y), mean, colour == PictureColour::clay ? 0.025 : 0.005) << x << ' ' << y;
    }
}

TEST(Picture, FlatNaturalGroundVariesOnlyFaintly) {
  for (const Biome biome : {Biome::desert, Biome::alpine, Biome::coast, Biome::karst}) {
    PictureParams params = small_picture(Camera::top, PictureColour::natural, {96, 96});
    params.biome = biome;
    const Image image = draw(flat_land(200, 200), params);
    const double mean = mean_brightness(image);
    double square = 0;
    for (int y = 0; y < 96; ++y)
      for (int x = 0; x < 96; ++x) square += std::pow(brightness(image, x, y) - mean, 2);
    EXPECT_LT(std::sqrt(square) / 96, 0.1);
    EXPECT_GT(mean, 0.25);
    EXPECT_LT(mean, 0.85);
  }
}

TEST(Picture, FlatPlateIsNeitherGreyNorBlown) {
  for (const double elevation : {5.0, 15.0, 35.0, 60.0, 90.0})
    for (const PictureColour colour : {PictureColour::clay, PictureColour::hillshade, PictureColour::height}) {
      PictureParams params = small_picture(Camera::top, colour, {}, 8);
      params.sun_elevation = {elevation};
      const double mean = mean_brightness(draw(flat_land(12, 12), params));
      EXPECT_GT(mean, 0.4) << elevation;
      EXPECT_LT(mean, 0.92) << elevation;
    }
}

TEST(Picture, SlopesFacingTheSunAreBrighter) {
  for (const int quarter : {0, 1, 2, 3})
    for (const PictureColour colour : colours) {
      // A roof whose ridge lies across the sun's direction.
      const bool across_x = quarter % 2 == 1;
      const Terrain roof = land_of(31, 31, [&](int64_t x, int64_t y) {
        return 100 - 4.0 * static_cast<double>(std::abs((across_x ? x : y) - 15));
      });
      PictureParams params = small_picture(Camera::top, colour);
      params.sun_azimuth = {90.0 * quarter};
      const Image image = draw(roof, params);
      // Row 0 of a picture is north.
      const double north = mean_brightness(image, 3, 28, 3, 12), south = mean_brightness(image, 3, 28, 18, 28);
      const double west = mean_brightness(image, 3, 12, 3, 28), east = mean_brightness(image, 18, 28, 3, 28);
      const double sunny[] = {north, east, south, west}, shady[] = {south, west, north, east};
      EXPECT_GT(sunny[quarter], shady[quarter] + 0.08) << quarter;
    }
}

TEST(Picture, AFullTurnOfTheSunChangesNothing) {
  const Terrain land = test::sample_land(24, 31, 9);
  for (const double azimuth : {0.0, 0.125, 77.5, 180.0, 300.25})
    for (const double turn : {-360.0, 360.0}) {
      PictureParams params = small_picture(Camera::three_quarter, PictureColour::natural, {16, 12}, 2);
      params.sun_azimuth = {azimuth};
      PictureParams turned = params;
      turned.sun_azimuth = {azimuth + turn};
      EXPECT_EQ(hash_of(picture(land, params)), hash_of(picture(land, turned))) << azimuth << ' ' << turn;
    }
}

TEST(Picture, OnlyAHillshadeHasNoShadows) {
  const Terrain land = land_of(61, 61, [](int64_t x, int64_t) { return x == 30 ? 100.0 : 0.0; });
  PictureParams params = small_picture(Camera::top, PictureColour::hillshade);
  params.sun_azimuth = {270};
  const Image hillshade = draw(land, params);
  EXPECT_NEAR(brightness(hillshade, 36, 30), brightness(hillshade, 5, 30), 0.01);
  params.colour = PictureColour::clay;
  const Image clay = draw(land, params);
  EXPECT_LT(brightness(clay, 36, 30), 0.75 * brightness(clay, 5, 30));
}

TEST(Picture, ExaggerationMakesUpForHalfTheHeight) {
  const Terrain land = test::sample_land(15, 11, 8, 10, {0, 64});
  Grid<float> half = land.height().clone();
  for (float& z : half.cells()) z *= 0.5f;
  for (const Camera camera : {Camera::top, Camera::front})
    for (const PictureColour colour : {PictureColour::height, PictureColour::clay}) {
      const PictureParams params = small_picture(camera, colour, {9, 6}, 2);
      PictureParams twice = params;
      twice.exaggeration = 2;
      EXPECT_EQ(hash_of(picture(land, params, 16.0)), hash_of(picture(land.with_height(half.clone()), twice, 8.0)));
    }
}

TEST(Picture, AnyLandGivesAPicture) {
  for (const auto& [w, h] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 9}, {9, 1}, {2, 2}, {2, 130}, {300, 3}})
    for (const Camera camera : cameras) {
      const PictureColour colour = colours[static_cast<size_t>(w + static_cast<int64_t>(camera)) % 4];
      PictureParams params = small_picture(camera, colour, {}, 2);
      if (camera != Camera::top) params.size = {24, 14};
      const Picture drawn = picture(test::sample_land(w, h, 4), params);
      EXPECT_EQ(drawn.image.width, camera == Camera::top ? w : 24);
      EXPECT_EQ(drawn.image.height, camera == Camera::top ? h : 14);
      EXPECT_EQ(drawn.image.pixels.size(), static_cast<size_t>(drawn.image.width * drawn.image.height * 3));
      expect_finite(drawn.film);
    }
}

TEST(Picture, ExtremeHeightsAreDrawnOrRefused) {
  for (const double height : {1e-30, 1e-6, 1e9})
    for (const Camera camera : {Camera::top, Camera::three_quarter, Camera::ground})
      for (const PictureColour colour : {PictureColour::natural, PictureColour::height}) {
        const Terrain spike = land_of(9, 7, [&](int64_t x, int64_t y) { return x == 4 && y == 3 ? height : -height; });
        const Picture drawn = picture(spike, small_picture(camera, colour, {16, 9}, 2), 0.0);
        EXPECT_EQ(drawn.image.width, 16);
        expect_finite(drawn.film);
      }
  for (const double height : {1e14, 1e20, 3e38}) {
    const Terrain spike = land_of(9, 7, [&](int64_t x, int64_t) { return x == 4 ? height : -height; });
    EXPECT_NE(error_of([&] { draw(spike, {}); }).find("beyond"), std::string::npos);
  }
  const Terrain land = test::sample_land(9, 7, 1);
  for (const char* sea : {"-1e9", "1e6", "1e9"}) {
    PictureParams params = small_picture(Camera::three_quarter, PictureColour::natural, {16, 9}, 2);
    params.sea_level = sea;
    expect_finite(picture(land, params).film);
  }
}

TEST(Picture, OnePixelIsAPicture) {
  for (const Camera camera : cameras)
    EXPECT_EQ(draw(test::sample_land(50, 40, 1), small_picture(camera, PictureColour::natural, {1, 1})).pixels.size(),
              3u);
}

TEST(Picture, TopShowsOnePixelASampleUpTo2048) {
  PictureParams params = small_picture(Camera::top, PictureColour::hillshade, {}, 1);
  const Image image = draw(flat_land(5000, 40), params);
  EXPECT_EQ(image.width, 2048);
  EXPECT_EQ(image.height, 16);
  params.size = {100, 0};
  EXPECT_EQ(draw(flat_land(50, 20), params).height, 40);
  params.size = {0, 100};
  EXPECT_EQ(draw(flat_land(50, 20), params).width, 250);
}

TEST(Picture, OtherCamerasShowNineSixteenthsAndMoreOfMoreSamples) {
  PictureParams params = small_picture(Camera::front, PictureColour::hillshade, {}, 1);
  for (const auto& [side, width] : std::vector<std::pair<int64_t, int>>{{5, 400}, {400, 500}}) {
    const Image image = draw(flat_land(side, 4), params);
    EXPECT_EQ(image.width, width);
    EXPECT_EQ(image.height, std::lround(width * 9 / 16.0));
  }
  params.size = {64, 0};
  EXPECT_EQ(draw(flat_land(5, 4), params).height, 36);
  params.size = {0, 36};
  EXPECT_EQ(draw(flat_land(5, 4), params).width, 64);
}

TEST(Picture, CellsThatAreNotSquareKeepTheirShape) {
  const Terrain land = land_of(20, 20, [](int64_t, int64_t) { return 3.0; }, {10, 20});
  const Image image = draw(land, small_picture(Camera::top, PictureColour::clay));
  EXPECT_EQ(image.width, 20);
  EXPECT_EQ(image.height, 40);
}

TEST(Picture, ADraftIsSmallAndQuick) {
  PictureParams params = small_picture(Camera::front, PictureColour::hillshade, {4000, 1000}, 48);
  params.draft = true;
  const Picture wide = picture(flat_land(5, 5), params);
  EXPECT_LE(wide.image.width * wide.image.height, 640 * 360 * 1.01);
  EXPECT_NEAR(static_cast<double>(wide.image.width) / wide.image.height, 4, 0.03);
  EXPECT_LE(wide.film.samples, 8);
  params.size = {32, 18};
  params.samples = 2;
  const Picture small = picture(flat_land(5, 5), params);
  EXPECT_EQ(small.image.width, 32);
  EXPECT_EQ(small.film.samples, 2);
}

TEST(Picture, WaterLiesOnlyBelowTheSea) {
  const Terrain ramp = land_of(60, 12, [](int64_t x, int64_t) { return 3.0 * static_cast<double>(x); });
  for (const PictureColour colour : {PictureColour::natural, PictureColour::height}) {
    const Image image = draw(ramp, small_picture(Camera::top, colour, {}, 16), 90.0);
    for (int x = 1; x < 59; ++x) {
      const uint8_t* p = image.at(x, 6);
      if (x < 25) {
        EXPECT_GT(p[2], p[0]) << x;
      }
      if (x > 33) {
        EXPECT_GT(p[0], p[2]) << x;
      }
    }
    EXPECT_LT(mean_brightness(image, 1, 4, 2, 10), mean_brightness(image, 28, 30, 2, 10)) << "deep water is darker";
  }
}

TEST(Picture, ASeaBelowAllLandChangesNothing) {
  const Terrain land = test::sample_land(20, 20, 2, 10, {100, 500});
  for (const Camera camera : cameras) {
    const PictureParams params = small_picture(camera, PictureColour::height, {24, 18}, 2);
    EXPECT_EQ(hash_of(picture(land, params)), hash_of(picture(land, params, -100.0))) << static_cast<int>(camera);
  }
}

TEST(Picture, TheSeaMayBeWrittenDown) {
  const Terrain land = test::sample_land(16, 16, 2, 10, {-50, 80});
  PictureParams params = small_picture(Camera::three_quarter, PictureColour::natural, {24, 18}, 2);
  const Hash dry = hash_of(picture(land, params)), wet = hash_of(picture(land, params, 12.0));
  EXPECT_NE(dry, wet);
  for (const char* text : {"12", "12m", "0.012km"}) {
    params.sea_level = text;
    EXPECT_EQ(hash_of(picture(land, params, 40.0)), wet) << text;
  }
  params.sea_level = "none";
  EXPECT_EQ(hash_of(picture(land, params, 40.0)), dry);
  for (const char* text : {"high", "12 parsec", "10%", "nan", "1e999"}) {
    params.sea_level = text;
    EXPECT_FALSE(error_of([&] { draw(land, params); }).empty()) << text;
  }
}

TEST(Picture, NorthIsAtTheTop) {
  const Terrain land = land_of(30, 30, [](int64_t, int64_t y) { return 4 * static_cast<double>(y); });
  const Image image = draw(land, small_picture(Camera::top, PictureColour::natural, {}, 8), 60.0);
  EXPECT_GT(image.at(15, 28)[2], image.at(15, 28)[0]);
  EXPECT_GT(image.at(15, 1)[0], image.at(15, 1)[2]);
}

TEST(Picture, EveryClassOfALayerHasItsOwnColour) {
  const Terrain land = with_classes(60, 12, 5);
  PictureParams params = small_picture(Camera::top, PictureColour::layer, {}, 8);
  params.layer = "material";
  for (const Terrain& shown : {land, land.only("material")}) {
    const Image image = draw(shown, params);
    std::vector<std::array<double, 3>> means(12);
    for (int x = 0; x < 60; ++x)
      for (int y = 2; y < 10; ++y)
        for (size_t k = 0; k < 3; ++k)
          if (x % 5 > 0 && x % 5 < 4) means[static_cast<size_t>(x / 5)][k] += image.at(x, y)[k] / 24.0;
    for (size_t a = 0; a < 12; ++a)
      for (size_t b = 0; b < a; ++b) {
        double apart = 0;
        for (size_t k = 0; k < 3; ++k) apart = std::max(apart, std::abs(means[a][k] - means[b][k]));
        EXPECT_GT(apart, 12) << a << " and " << b;
      }
  }
}

TEST(Picture, CoverShowsRockAndWhatLiesOnIt) {
  Grid<float> thickness(40, 8, 0.0f), soil(40, 8, 0.0f);
  for (int64_t y = 0; y < 8; ++y)
    for (int64_t x = 10; x < 40; ++x) thickness(x, y) = 5, soil(x, y) = x < 30 ? 0.0f : 3.0f;
  const Terrain rock = flat_land(40, 8);
  const Terrain land = rock.with(make_layer("sediment", "m", LayerKind::continuous, std::move(thickness)))
                           .with(make_layer("soil", "m", LayerKind::continuous, std::move(soil)));
  const PictureParams params = small_picture(Camera::three_quarter, PictureColour::cover, {24, 16}, 2);
  const LandPaint paint(land, params, {}, Context()), bare(rock, params, {}, Context());
  const auto colour = [](Rgb c) { return to_hex(c); };
  const auto shown = [&](double u) { return colour(paint.look(u, 4, {0, 0, 1}, 1).albedo); };
  const uint32_t sediment = cover_rows()[1].rgb, earth = row_of(GroundKind::soil).rgb;
  EXPECT_EQ(shown(5), bare_rock_rgb);
  EXPECT_EQ(shown(20), sediment);
  EXPECT_EQ(shown(35), earth);
  const auto cut = [&](const LandPaint& of, double u, double depth) {
    return colour(of.cut(u, 4, {10 * u, 40, 120 - depth}, 0.01));
  };
  EXPECT_EQ(cut(paint, 5, 1), bare_rock_rgb);
  EXPECT_EQ(cut(paint, 20, 4.9), sediment);
  EXPECT_EQ(cut(paint, 20, 5.1), bare_rock_rgb);
  EXPECT_EQ(cut(paint, 35, 2.9), earth);
  EXPECT_EQ(cut(paint, 35, 3.1), sediment);
  EXPECT_EQ(cut(paint, 35, 8.1), bare_rock_rgb);

  std::vector<std::string> labels;
  for (const LegendClass& c : paint.legend().classes) labels.push_back(c.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"soil", "sediment", "rock"}));
  // Land on which nothing lies is all rock.
  EXPECT_EQ(colour(bare.look(20, 4, {0, 0, 1}, 1).albedo), bare_rock_rgb);
  EXPECT_EQ(cut(bare, 20, 1), bare_rock_rgb);
  ASSERT_EQ(bare.legend().classes.size(), 1u);
  EXPECT_EQ(bare.legend().classes[0].label, "rock");
  test::expect_same_bits([&] { return hash_of(picture(land, params)); });
}

TEST(Picture, AMaskGrowsLighterFromNoneToAll) {
  Grid<float> mask(64, 8);
  for (int64_t y = 0; y < 8; ++y)
    for (int64_t x = 0; x < 64; ++x) mask(x, y) = static_cast<float>(x) / 63;
  PictureParams params = small_picture(Camera::top, PictureColour::layer, {}, 16);
  params.layer = "mask";
  const Image image = draw(flat_land(64, 8).with(make_layer("mask", "", LayerKind::mask, std::move(mask))), params);
  double before = 0;
  for (int x = 1; x < 60; x += 6) {
    double sum = 0;
    for (int i = x; i < x + 4; ++i)
      for (int y = 1; y < 7; ++y) sum += 0.21 * image.at(i, y)[0] + 0.72 * image.at(i, y)[1] + 0.07 * image.at(i, y)[2];
    EXPECT_GT(sum, before) << x;
    before = sum;
  }
}

TEST(Picture, UnknownLayersAreRefusedWithThoseThereAre) {
  PictureParams params = small_picture(Camera::top, PictureColour::layer);
  params.layer = "heigth";
  EXPECT_NE(error_of([&] { draw(flat_land(5, 5), params); }).find("height"), std::string::npos);
  params.layer.reset();
  const Terrain two = flat_land(5, 5).with(make_layer("mask", "", LayerKind::mask, Grid<float>(5, 5, 0.5f)));
  EXPECT_NE(error_of([&] { draw(two, params); }).find("which layer"), std::string::npos);
  // Land without heights is coloured by its layer.
  PictureParams natural = params;
  natural.colour = PictureColour::natural;
  const Picture by_itself = picture(two.only("mask"), natural), by_layer = picture(two.only("mask"), params);
  EXPECT_NEAR(mean_brightness(by_itself.image), mean_brightness(by_layer.image), 0.01);
}

TEST(Picture, ExposureBrightensThePictureNotTheLight) {
  const Terrain land = test::sample_land(12, 12, 6);
  PictureParams params = small_picture(Camera::top, PictureColour::clay);
  const Hash light = hash_of(picture(land, params));
  double before = -1;
  for (const double stops : {-10.0, -3.0, -1.0, 0.0, 1.0, 3.0, 10.0}) {
    params.exposure = stops;
    const Picture drawn = picture(land, params);
    EXPECT_EQ(hash_of(drawn), light);
    EXPECT_GT(mean_brightness(drawn.image), before);
    before = mean_brightness(drawn.image);
  }
  EXPECT_GT(before, 0.97);
}

TEST(Picture, HazePalesTheDistance) {
  const Terrain land = test::sample_land(40, 40, 5, 10, {0, 120});
  PictureParams params = small_picture(Camera::three_quarter, PictureColour::natural, {48, 32}, 8);
  const auto spread = [&](double haze) {
    params.haze = haze;
    const Picture drawn = picture(land, params);
    expect_finite(drawn.film);
    double sum = 0, square = 0;
    for (int y = 8; y < 16; ++y)
      for (int x = 16; x < 32; ++x)
        sum += brightness(drawn.image, x, y), square += std::pow(brightness(drawn.image, x, y), 2);
    return std::sqrt(square / 128 - std::pow(sum / 128, 2));
  };
  EXPECT_LT(spread(1), 0.7 * spread(0));
}

TEST(Picture, BasesDifferAndTheCameraHasOne) {
  const Terrain land = test::sample_land(20, 20, 5, 10, {0, 60});
  for (const Camera camera : {Camera::three_quarter, Camera::ground, Camera::free}) {
    PictureParams params = small_picture(camera, PictureColour::clay, {24, 16}, 2);
    std::vector<Hash> pictures;
    for (const Base base : {Base::block, Base::plate, Base::horizon}) {
      params.base = base;
      pictures.push_back(hash_of(picture(land, params)));
    }
    if (camera == Camera::three_quarter) {
      EXPECT_NE(pictures[0], pictures[1]);
    }
    EXPECT_NE(pictures[0], pictures[2]);
    EXPECT_NE(pictures[1], pictures[2]);
    params.base = Base::by_camera;
    EXPECT_EQ(hash_of(picture(land, params)), pictures[camera == Camera::three_quarter ? 0 : 2]);
  }
}

TEST(Picture, SizesBeyondReasonAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vec2 size :
       {Vec2{20000, 10}, Vec2{10, 1e12}, Vec2{16384, 16384}, Vec2{-1, 5}, Vec2{10.5, 10}, Vec2{nan, 10}})
    for (const Camera camera : {Camera::top, Camera::front})
      EXPECT_FALSE(error_of([&] { draw(flat_land(4, 4), small_picture(camera, PictureColour::clay, size)); }).empty());
}

TEST(Picture, ValuesOutsideTheirRangeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
  const auto refused = [](const std::string& name, const std::function<void(PictureParams&)>& change) {
    PictureParams params = small_picture(Camera::free, PictureColour::clay, {4, 4});
    change(params);
    EXPECT_NE(error_of([&] { picture(flat_land(4, 4), params); }).find(name), std::string::npos) << name;
  };
  refused("samples", [](PictureParams& p) { p.samples = 0; });
  refused("samples", [](PictureParams& p) { p.samples = -5; });
  refused("samples", [](PictureParams& p) { p.samples = 1 << 30; });
  refused("sun_elevation", [](PictureParams& p) { p.sun_elevation = {0}; });
  refused("sun_azimuth", [&](PictureParams& p) { p.sun_azimuth = {nan}; });
  refused("haze", [](PictureParams& p) { p.haze = 1.5; });
  refused("exposure", [&](PictureParams& p) { p.exposure = endless; });
  refused("exaggeration", [](PictureParams& p) { p.exaggeration = 0; });
  refused("exaggeration", [](PictureParams& p) { p.exaggeration = -1; });
  refused("field_of_view", [](PictureParams& p) { p.field_of_view = Angle{180}; });
  refused("eye", [&](PictureParams& p) { p.eye = {0, nan, 0}; });
  refused("target", [&](PictureParams& p) { p.target = {0, 0, endless}, p.eye = {1, 2, 3}; });
  // Far beyond what single precision can count.
  refused("eye", [](PictureParams& p) { p.eye = {1e300, 0, 1e4}; });
  refused("target", [](PictureParams& p) { p.target = {0, -1e300, 0}; });
  refused("frame", [](PictureParams& p) { p.frame = {-1e300, 1e300}; });
  refused("sea level", [](PictureParams& p) { p.sea_level = "1e300"; });
}

TEST(Picture, LandOfExtremeShapesIsDrawn) {
  for (const Vec2 cell : {Vec2{1e-6, 1e4}, Vec2{1e7, 1e-3}})
    for (const Camera camera : {Camera::top, Camera::three_quarter, Camera::ground}) {
      const Terrain land = land_of(
          3, 3, [](int64_t x, int64_t y) { return static_cast<double>(x + 2 * y); }, cell);
      const Picture drawn = picture(land, small_picture(camera, PictureColour::natural, {8, 6}, 1));
      EXPECT_EQ(drawn.image.width, 8);
    }
}

TEST(Picture, LandWithoutSamplesIsRefused) {
  EXPECT_NE(error_of([] { draw_picture(Terrain(), {}, {}, Context()); }).find("no samples"), std::string::npos);
}

TEST(Picture, CancelStopsTheWork) {
  const CancelFlag stop = true;
  for (const Camera camera : {Camera::top, Camera::three_quarter, Camera::ground}) try {
      draw_picture(flat_land(64, 64), small_picture(camera, PictureColour::natural), {}, Context(nullptr, &stop));
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
}

TEST(Picture, ProgressGrowsAndCancelIsHeardOnTheWay) {
  class Listener : public ProgressSink {
   public:
    void progress(int, std::string_view, double fraction) override {
      const std::lock_guard lock(mutex);
      EXPECT_GE(fraction, 0);
      EXPECT_LE(fraction, 1);
      last = std::max(last, fraction);
      if (fraction > stop_at) stop = true;
    }
    void warn(std::string_view) override {}
    std::mutex mutex;
    double last = 0, stop_at = 2;
    CancelFlag stop = false;
  };
  const PictureParams params = small_picture(Camera::three_quarter, PictureColour::clay, {32, 24}, 48);
  Listener whole, half;
  draw_picture(flat_land(9, 9), params, {}, Context(&whole, &whole.stop));
  EXPECT_GT(whole.last, 0.95);
  half.stop_at = 0.3;
  EXPECT_THROW(draw_picture(flat_land(9, 9), params, {}, Context(&half, &half.stop)), Error);
  EXPECT_LT(half.last, 0.9);
}

TEST(Picture, EveryParameterIsDescribedWithItsDefault) {
  Fields<PictureParams> fields;
  describe(fields);
  std::vector<ParamValue> values;
  for (const Field& field : fields.table().fields) {
    EXPECT_NO_THROW(check_range(field, field.fallback)) << field.name;
    EXPECT_FALSE(field.doc.empty()) << field.name;
    values.push_back(field.fallback);
  }
  const PictureParams made = fields.make(values), plain;
  EXPECT_EQ(made.camera, plain.camera);
  EXPECT_EQ(made.samples, plain.samples);
  EXPECT_EQ(made.sun_azimuth, plain.sun_azimuth);
  EXPECT_EQ(made.base, plain.base);
}

}  // namespace tepui::picture_test

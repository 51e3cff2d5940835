#include "tepui/render/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tests/support/support.h"

namespace tepui {

namespace {

Terrain land_of(int64_t w, int64_t h, const std::function<double(int64_t, int64_t)>& z, double cell = 10) {
  Frame frame = test::sample_land(w, h, 1, cell).frame();
  Grid<float> heights(w, h);
  double low = 1e30, high = -1e30;
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      heights(x, y) = static_cast<float>(z(x, y));
      low = std::min(low, z(x, y));
      high = std::max(high, z(x, y));
    }
  return Terrain(frame, {low, high}, std::move(heights));
}

Terrain flat_land(int64_t w, int64_t h) {
  return land_of(w, h, [](int64_t, int64_t) { return 120.0; });
}

Image draw(const Terrain& land, const PictureParams& params, std::optional<double> sea = {}) {
  return draw_picture(land, params, sea, Context());
}

double brightness(const Image& image, int x, int y) {
  const uint8_t* p = image.at(x, y);
  return (p[0] + p[1] + p[2]) / (3.0 * 255);
}

double mean_brightness(const Image& image, int x0, int x1, int y0, int y1) {
  double sum = 0;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) sum += brightness(image, x, y);
  return sum / ((x1 - x0) * (y1 - y0));
}

PictureParams with(Camera camera, PictureColour colour) {
  PictureParams params;
  params.camera = camera;
  params.colour = colour;
  return params;
}

constexpr Camera cameras[] = {Camera::top, Camera::three_quarter};
constexpr PictureColour colours[] = {PictureColour::natural, PictureColour::height, PictureColour::hillshade,
                                     PictureColour::clay};

}  // namespace

TEST(Picture, SameBytesForAnyThreads) {
  const Terrain land = test::sample_land(70, 51, 5);
  for (const Camera camera : cameras) {
    PictureParams params = with(camera, PictureColour::natural);
    params.size = {96, 70};
    test::expect_same_bits([&] {
      const Image image = draw(land, params, 220.0);
      return hash_bytes(image.pixels.data(), image.pixels.size());
    });
  }
}

TEST(Picture, TextureHasTheSameBytesForAnyThreads) {
  const Terrain land = test::sample_land(70, 51, 5);
  test::expect_same_bits([&] {
    const Image image = relief_texture(land, 220.0, 64, Context());
    return hash_bytes(image.pixels.data(), image.pixels.size());
  });
}

RC_GTEST_PROP(Picture, FlatClayIsOneColour, ()) {
  const auto w = *rc::gen::inRange<int64_t>(1, 40), h = *rc::gen::inRange<int64_t>(1, 40);
  PictureParams params = with(Camera::top, PictureColour::clay);
  params.sun_azimuth.degrees = *rc::gen::inRange(0, 360);
  const Image image = draw(flat_land(w, h), params);
  RC_ASSERT(image.width == w && image.height == h);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) RC_ASSERT(std::equal(image.at(x, y), image.at(x, y) + 3, image.at(0, 0)));
}

TEST(Picture, FlatNaturalGroundVariesOnlyFaintly) {
  const Image image = draw(flat_land(200, 200), with(Camera::top, PictureColour::natural));
  const double mean = mean_brightness(image, 0, 200, 0, 200);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) EXPECT_NEAR(brightness(image, x, y), mean, 0.13);
}

TEST(Picture, FlatPlateIsNeitherGreyNorBlown) {
  for (const double elevation : {5.0, 15.0, 35.0, 60.0, 90.0})
    for (const PictureColour colour : colours) {
      PictureParams params = with(Camera::top, colour);
      params.sun_elevation = {elevation};
      const double mean = mean_brightness(draw(flat_land(24, 24), params), 0, 24, 0, 24);
      EXPECT_GT(mean, 0.45) << elevation;
      EXPECT_LT(mean, 0.9) << elevation;
    }
}

TEST(Picture, SlopesFacingTheSunAreBrighter) {
  for (const int quarter : {0, 1, 2, 3})
    for (const PictureColour colour : colours) {
      // A roof whose ridge lies across the sun's direction.
      const bool across_x = quarter % 2 == 1;
      const Terrain roof = land_of(61, 61, [&](int64_t x, int64_t y) {
        return 100 - 4.0 * static_cast<double>(std::abs((across_x ? x : y) - 30));
      });
      PictureParams params = with(Camera::top, colour);
      params.sun_azimuth = {90.0 * quarter};
      const Image image = draw(roof, params);
      // Row 0 of a picture is north.
      const double north = mean_brightness(image, 5, 56, 5, 25), south = mean_brightness(image, 5, 56, 36, 56);
      const double west = mean_brightness(image, 5, 25, 5, 56), east = mean_brightness(image, 36, 56, 5, 56);
      const double sunny[] = {north, east, south, west}, shady[] = {south, west, north, east};
      EXPECT_GT(sunny[quarter], shady[quarter] + 0.08) << quarter;
    }
}

RC_GTEST_PROP(Picture, AFullTurnOfTheSunChangesNothing, ()) {
  const Terrain land = test::sample_land(24, 31, *rc::gen::arbitrary<uint64_t>());
  PictureParams params;
  params.sun_azimuth = {*rc::gen::inRange(0, 8 * 360) / 8.0};
  PictureParams turned = params;
  turned.sun_azimuth.degrees += *rc::gen::element(-360.0, 360.0);
  RC_ASSERT(draw(land, params).pixels == draw(land, turned).pixels);
}

TEST(Picture, WallThrowsItsShadowAwayFromTheSun) {
  const double cell = 5, height = 100;
  const Terrain land = land_of(
      121, 121, [&](int64_t x, int64_t) { return x == 60 ? height : 0; }, cell);
  for (const double elevation : {30.0, 45.0})
    for (const bool from_west : {true, false}) {
      PictureParams params = with(Camera::top, PictureColour::clay);
      params.sun_azimuth = {from_west ? 270.0 : 90.0};
      params.sun_elevation = {elevation};
      const Image image = draw(land, params);
      const int away = from_west ? 1 : -1;
      const double open = brightness(image, 60 - away * 55, 60);
      int length = 2;
      while (length < 58 && brightness(image, 60 + away * length, 60) < 0.8 * open) ++length;
      EXPECT_NEAR(length, height / std::tan(elevation * std::acos(-1.0) / 180) / cell, 2.5);
      PictureParams none = params;
      none.shadows = 0;
      EXPECT_GT(brightness(draw(land, none), 60 + away * 10, 60), 0.85 * open);
    }
}

RC_GTEST_PROP(Picture, ExaggerationMakesUpForHalfTheHeight, ()) {
  const Terrain land = test::sample_land(30, 22, *rc::gen::arbitrary<uint64_t>(), 10, {0, 256});
  Grid<float> half = land.height().clone();
  for (float& z : half.cells()) z *= 0.5f;
  for (const Camera camera : cameras) {
    PictureParams params =
        with(camera, *rc::gen::elementOf(std::vector<PictureColour>(std::begin(colours), std::end(colours))));
    params.size = {40, 30};
    PictureParams twice = params;
    twice.exaggeration = 2;
    RC_ASSERT(draw(land, params, 64.0).pixels == draw(land.with_height(half.clone()), twice, 32.0).pixels);
  }
}

TEST(Picture, AnyLandGivesAPicture) {
  for (const auto& [w, h] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 9}, {9, 1}, {2, 2}, {2, 130}, {300, 3}})
    for (const Camera camera : cameras)
      for (const PictureColour colour : colours) {
        PictureParams params = with(camera, colour);
        if (camera == Camera::three_quarter) params.size = {64, 36};
        const Image image = draw(test::sample_land(w, h, 4), params);
        if (camera == Camera::top) {
          EXPECT_EQ(image.width, w);
          EXPECT_EQ(image.height, h);
        } else {
          EXPECT_EQ(image.width, 64);
          EXPECT_EQ(image.height, 36);
        }
        EXPECT_EQ(image.pixels.size(), static_cast<size_t>(image.width * image.height * 3));
      }
}

TEST(Picture, ExtremeHeightsAreDrawnOrRefused) {
  for (const double height : {1e-30, 1e-6, 1e9, 1e14})
    for (const Camera camera : cameras)
      for (const PictureColour colour : colours) {
        const Terrain spike = land_of(9, 7, [&](int64_t x, int64_t y) { return x == 4 && y == 3 ? height : -height; });
        PictureParams params = with(camera, colour);
        params.size = {32, 18};
        EXPECT_EQ(draw(spike, params, 0.0).width, 32);
      }
  for (const double height : {1e20, 3e38}) {
    const Terrain spike = land_of(9, 7, [&](int64_t x, int64_t) { return x == 4 ? height : -height; });
    EXPECT_NE(test::error_of([&] { draw(spike, {}); }).find("beyond"), std::string::npos);
  }
}

TEST(Picture, OnePixelIsAPicture) {
  for (const Camera camera : cameras) {
    PictureParams params = with(camera, PictureColour::natural);
    params.size = {1, 1};
    EXPECT_EQ(draw(test::sample_land(50, 40, 1), params).pixels.size(), 3u);
  }
}

TEST(Picture, TopShowsOnePixelASampleUpTo2048) {
  PictureParams params = with(Camera::top, PictureColour::hillshade);
  const Image image = draw(flat_land(5000, 40), params);
  EXPECT_EQ(image.width, 2048);
  EXPECT_EQ(image.height, 16);
  params.size = {100, 0};
  EXPECT_EQ(draw(flat_land(50, 20), params).height, 40);
  params.size = {0, 100};
  EXPECT_EQ(draw(flat_land(50, 20), params).width, 250);
}

TEST(Picture, CellsThatAreNotSquareKeepTheirShape) {
  Frame frame = flat_land(40, 40).frame();
  frame.cell = {10, 20};
  frame.size = {390, 780};
  const Image image = draw(Terrain(frame, {0, 1}, Grid<float>(40, 40, 3.0f)), with(Camera::top, PictureColour::clay));
  EXPECT_EQ(image.width, 40);
  EXPECT_EQ(image.height, 80);
}

TEST(Picture, WaterLiesOnlyBelowTheSea) {
  const Terrain ramp = land_of(100, 30, [](int64_t x, int64_t) { return 2.0 * static_cast<double>(x); });
  for (const PictureColour colour : {PictureColour::natural, PictureColour::height}) {
    const Image image = draw(ramp, with(Camera::top, colour), 100.0);
    for (int x = 0; x < 100; ++x) {
      const uint8_t* p = image.at(x, 15);
      if (x < 46) {
        EXPECT_GT(p[2], p[0]) << x;
      }
      if (x > 52) {
        EXPECT_GT(p[0], p[2]) << x;
      }
    }
    EXPECT_LT(brightness(image, 2, 15), brightness(image, 40, 15)) << "deep water is darker";
  }
}

TEST(Picture, ASeaBelowAllLandChangesNothing) {
  const Terrain land = test::sample_land(40, 40, 2, 10, {100, 500});
  for (const Camera camera : cameras) {
    PictureParams params = with(camera, PictureColour::natural);
    params.size = {64, 48};
    EXPECT_EQ(draw(land, params).pixels, draw(land, params, 10.0).pixels);
  }
}

TEST(Picture, NorthIsAtTheTop) {
  const Terrain land = land_of(40, 40, [](int64_t, int64_t y) { return static_cast<double>(y); });
  const Image image = draw(land, with(Camera::top, PictureColour::natural), 20.0);
  EXPECT_GT(image.at(20, 38)[2], image.at(20, 38)[0]);
  EXPECT_GT(image.at(20, 2)[0], image.at(20, 2)[2]);
  const Image texture = relief_texture(land, 20.0, 40, Context());
  EXPECT_GT(texture.at(20, 38)[2], texture.at(20, 38)[0]);
  EXPECT_GT(texture.at(20, 2)[0], texture.at(20, 2)[2]);
}

TEST(Picture, EveryClassOfALayerHasItsOwnColour) {
  Grid<float> classes(60, 20);
  for (int64_t y = 0; y < 20; ++y)
    for (int64_t x = 0; x < 60; ++x) classes(x, y) = static_cast<float>(x / 5);
  const Terrain land = flat_land(60, 20).with(make_layer("material", "", LayerKind::category, std::move(classes)));
  PictureParams params = with(Camera::top, PictureColour::layer);
  params.layer = "material";
  for (const Terrain& shown : {land, land.only("material")}) {
    const Image image = draw(shown, params);
    std::set<std::vector<uint8_t>> seen;
    for (int x = 0; x < 60; ++x) seen.insert({image.at(x, 10), image.at(x, 10) + 3});
    EXPECT_EQ(seen.size(), 12u);
  }
}

TEST(Picture, AMaskGrowsLighterFromNoneToAll) {
  Grid<float> mask(64, 8);
  for (int64_t y = 0; y < 8; ++y)
    for (int64_t x = 0; x < 64; ++x) mask(x, y) = static_cast<float>(x) / 63;
  PictureParams params = with(Camera::top, PictureColour::layer);
  params.layer = "mask";
  const Image image = draw(flat_land(64, 8).with(make_layer("mask", "", LayerKind::mask, std::move(mask))), params);
  for (int x = 4; x < 64; x += 4) {
    const uint8_t *a = image.at(x - 4, 4), *b = image.at(x, 4);
    EXPECT_GT(0.21 * b[0] + 0.72 * b[1] + 0.07 * b[2], 0.21 * a[0] + 0.72 * a[1] + 0.07 * a[2]);
  }
}

TEST(Picture, UnknownLayersAreRefusedWithThoseThereAre) {
  PictureParams params = with(Camera::top, PictureColour::layer);
  params.layer = "heigth";
  EXPECT_NE(test::error_of([&] { draw(flat_land(5, 5), params); }).find("height"), std::string::npos);
  params.layer = "";
  const Terrain two = flat_land(5, 5).with(make_layer("mask", "", LayerKind::mask, Grid<float>(5, 5, 0.5f)));
  EXPECT_NE(test::error_of([&] { draw(two, params); }).find("which layer"), std::string::npos);
  // Land without heights is coloured by its layer.
  PictureParams by_layer;
  by_layer.colour = PictureColour::layer;
  EXPECT_EQ(draw(two.only("mask"), PictureParams()).pixels, draw(two.only("mask"), by_layer).pixels);
}

TEST(Picture, SizesBeyondReasonAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vec2 size :
       {Vec2{20000, 10}, Vec2{10, 1e12}, Vec2{16384, 16384}, Vec2{-1, 5}, Vec2{10.5, 10}, Vec2{nan, 10}})
    for (const Camera camera : cameras) {
      PictureParams params = with(camera, PictureColour::clay);
      params.size = size;
      EXPECT_FALSE(test::error_of([&] { draw(flat_land(4, 4), params); }).empty());
    }
  EXPECT_FALSE(test::error_of([] { relief_texture(flat_land(4, 4), {}, 0, Context()); }).empty());
  EXPECT_FALSE(test::error_of([] { relief_texture(flat_land(4, 4), {}, 1 << 20, Context()); }).empty());
}

TEST(Picture, ValuesOutsideTheirRangeAreRefused) {
  PictureParams params;
  params.sun_elevation = {0};
  EXPECT_NE(test::error_of([&] { draw(flat_land(4, 4), params); }).find("sun_elevation"), std::string::npos);
  params = {};
  params.shadows = 1.5;
  EXPECT_NE(test::error_of([&] { draw(flat_land(4, 4), params); }).find("shadows"), std::string::npos);
}

TEST(Picture, CancelStopsTheWork) {
  const CancelFlag stop = true;
  for (const Camera camera : cameras) try {
      draw_picture(flat_land(64, 64), with(camera, PictureColour::natural), {}, Context(nullptr, &stop));
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
}

TEST(Picture, TheBlockIsWhollyInTheFrame) {
  // The picture's rim shows sky and floor alone: it does not change when the land's colour does.
  for (const double azimuth : {0.0, 100.0, 236.0})
    for (const double elevation : {5.0, 24.0, 80.0})
      for (const Vec2 size : {Vec2{90, 60}, Vec2{60, 90}}) {
        PictureParams params = with(Camera::three_quarter, PictureColour::clay);
        params.view_azimuth = {azimuth};
        params.view_elevation = {elevation};
        params.size = size;
        params.shadows = 0;
        const Terrain land = test::sample_land(60, 40, 8, 10, {0, 150});
        const Image image = draw(land, params);
        params.colour = PictureColour::height;
        const Image other = draw(land, params);
        int differing = 0;
        for (int y = 0; y < image.height; ++y)
          for (int x = 0; x < image.width; ++x) {
            const bool same = std::equal(image.at(x, y), image.at(x, y) + 3, other.at(x, y));
            differing += same ? 0 : 1;
            if (x == 0 || y == 0 || x == image.width - 1 || y == image.height - 1) {
              EXPECT_TRUE(same) << x << ' ' << y;
            }
          }
        EXPECT_GT(differing, image.width * image.height / 12) << azimuth << ' ' << elevation;
      }
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
  EXPECT_EQ(made.sun_azimuth, plain.sun_azimuth);
  EXPECT_EQ(made.view_elevation, plain.view_elevation);
}

}  // namespace tepui

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/mesh/source.h"
#include "tepui/render/picture/mesh_subject.h"
#include "tepui/render/picture/picture.h"
#include "tests/mesh/shapes.h"
#include "tests/render/scenes.h"

namespace tepui::mesh_picture_test {
namespace {

using test::brightness;
using test::error_of;
using test::mean_brightness;
using test::small_picture;

Picture picture(MeshData data, const PictureParams& params, std::optional<double> sea = {}) {
  return draw_picture(Mesh(std::move(data)), params, sea, Context());
}

Image draw(MeshData data, const PictureParams& params) { return picture(std::move(data), params).image; }

MeshData sheet_of(const Terrain& land) {
  const Mesh mesh = gather(LandMesh(land));
  return {mesh.centre(),
          {mesh.positions().begin(), mesh.positions().end()},
          {mesh.triangles().begin(), mesh.triangles().end()},
          {mesh.normals().begin(), mesh.normals().end()},
          {},
          {}};
}

MeshData flat_sheet(int64_t side) { return sheet_of(test::flat_land(side, side, 3)); }

Terrain hills() {
  return test::land_of(60, 40, [](int64_t x, int64_t y) {
    return 40 * std::sin(0.13 * static_cast<double>(x)) * std::cos(0.11 * static_cast<double>(y));
  });
}

PictureParams free_picture(Vec3 eye, Vec3 target) {
  PictureParams params = small_picture(Camera::free, PictureColour::clay, {24, 18}, 2);
  params.eye = eye;
  params.target = target;
  return params;
}

double mean_difference(const Image& a, const Image& b) {
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i)
    sum += std::abs(static_cast<double>(a.pixels[i]) - static_cast<double>(b.pixels[i]));
  return sum / static_cast<double>(a.pixels.size());
}

}  // namespace

TEST(MeshPicture, SameBitsForAnyThreads) {
  const auto expect = [](const Mesh& mesh, Camera camera) {
    test::expect_same_bits([&] {
      const Picture drawn =
          draw_picture(mesh, small_picture(camera, PictureColour::natural, {20, 14}, 3), 0.5, Context());
      return hash_bytes(drawn.film.pixels.data(), drawn.film.pixels.size() * sizeof(Film::Pixel));
    });
  };
  expect(Mesh(test::torus(40)), Camera::three_quarter);
  expect(gather(LandMesh(test::sample_land(50, 40, 5))), Camera::ground);
}

TEST(MeshPicture, LevelSheetIsOneColourFromAbove) {
  for (const PictureColour colour : {PictureColour::clay, PictureColour::hillshade, PictureColour::height}) {
    const Image image = draw(flat_sheet(20), small_picture(Camera::top, colour, {24, 24}, 32));
    const double mean = mean_brightness(image, 1, 23, 1, 23);
    for (int y = 1; y < 23; ++y)
      for (int x = 1; x < 23; ++x) EXPECT_NEAR(brightness(image, x, y), mean, 0.025);
    EXPECT_GT(mean, 0.25);
    EXPECT_LT(mean, 0.92);
  }
}

TEST(MeshPicture, WhitePlateUnderTheDefaultSkyIsNeitherGreyNorBlown) {
  MeshData plate = flat_sheet(5);
  plate.colours.assign(plate.positions.size(), {255, 255, 255, 255});
  const Image image = draw(plate, small_picture(Camera::top, PictureColour::natural, {16, 16}, 32));
  EXPECT_GT(mean_brightness(image, 2, 14, 2, 14), 0.8);
  for (int y = 2; y < 14; ++y)
    for (int x = 2; x < 14; ++x) {
      const uint8_t* p = image.at(x, y);
      EXPECT_LT(std::max({p[0], p[1], p[2]}), 252);
      EXPECT_LT(std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]}), 16);
    }
}

TEST(MeshPicture, OneStopShowsAsMuchAsTwiceTheLight) {
  // The second reflects twice as much as the first.
  const auto shown = [](uint8_t byte, double stops) {
    MeshData plate = flat_sheet(5);
    plate.colours.assign(plate.positions.size(), {byte, byte, byte, 255});
    PictureParams params = small_picture(Camera::top, PictureColour::natural, {16, 16}, 64);
    params.exposure = stops;
    return mean_brightness(draw(plate, params), 2, 14, 2, 14);
  };
  EXPECT_NEAR(shown(99, 1), shown(137, 0), 0.004);
  EXPECT_GT(shown(99, 1), shown(99, 0) + 0.1);
}

TEST(MeshPicture, LooksLikeTheLandItWasMadeOf) {
  const Terrain land = hills();
  for (const Camera camera : {Camera::top, Camera::three_quarter, Camera::front, Camera::orbit})
    for (const PictureColour colour : {PictureColour::clay, PictureColour::height}) {
      const PictureParams params = small_picture(camera, colour, {60, 40}, 16);
      const Image a = draw_picture(land, params, -10.0, Context()).image;
      const Image b = draw_picture(gather(LandMesh(land)), params, -10.0, Context()).image;
      // A map of samples is half a cell wider than a sheet between them.
      EXPECT_LT(mean_difference(a, b), camera == Camera::top ? 6 : 3)
          << static_cast<int>(camera) << ' ' << static_cast<int>(colour);
    }
}

TEST(MeshPicture, AMapShowsPaperAroundASolid) {
  const Image image = draw(test::cube(), small_picture(Camera::top, PictureColour::height, {64, 64}));
  for (int i = 0; i < 64; ++i)
    for (const auto& [x, y] : {std::pair{i, 0}, std::pair{i, 63}, std::pair{0, i}, std::pair{63, i}})
      EXPECT_GT(brightness(image, x, y), 0.9) << x << ' ' << y;
}

TEST(MeshPicture, FreeCameraSeesMeshAndLandAlike) {
  const Terrain land = hills();
  PictureParams params = free_picture({-150, -250, 200}, {300, 200, 0});
  params.size = {48, 32};
  params.samples = 16;
  params.base = Base::block;
  const Image a = draw_picture(land, params, {}, Context()).image;
  const Image b = draw_picture(gather(LandMesh(land)), params, {}, Context()).image;
  EXPECT_LT(mean_difference(a, b), 4);
}

TEST(MeshPicture, NorthIsAtTheTopAndSlopesFacingTheSunAreBrighter) {
  // A pyramid: each quarter of the picture is one face.
  MeshData data;
  data.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 0.6f}};
  data.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  const std::pair<double, std::pair<int, int>> faces[] = {
      {0, {16, 6}}, {90, {26, 16}}, {180, {16, 26}}, {270, {6, 16}}};
  for (const auto& sun : faces) {
    PictureParams params = small_picture(Camera::top, PictureColour::clay, {32, 32}, 16);
    params.sun_azimuth = {sun.first};
    const Image image = draw(data, params);
    for (const auto& other : faces)
      if (other.first != sun.first) {
        EXPECT_GT(brightness(image, sun.second.first, sun.second.second),
                  0.05 + brightness(image, other.second.first, other.second.second));
      }
  }
}

TEST(MeshPicture, ThingsCastShadowsOnTheFloor) {
  // Before a cube that is lit from behind the floor is darker than beside it.
  PictureParams params = small_picture(Camera::front, PictureColour::clay, {64, 48}, 16);
  params.sun_azimuth = {0};
  params.tilt = {30};
  MeshData pillar = test::cube();
  for (MeshPoint& p : pillar.positions) p = {p[0], p[1], p[2] * 0.5f};
  const Image dark = draw(pillar, params);
  params.sun_azimuth = {180};
  const Image light = draw(pillar, params);
  EXPECT_LT(mean_brightness(dark, 26, 38, 43, 47), mean_brightness(light, 26, 38, 43, 47) - 0.1);
}

TEST(MeshPicture, ASolidStandsOnTheFloor) {
  // Right under a ball that rests on the floor there is no light between them: its shadow touches it.
  const PictureParams params = small_picture(Camera::front, PictureColour::clay);
  const test::Stage<MeshSubject> stage(Mesh(test::torus(24)), params, Base::block, std::nullopt, Context());
  EXPECT_FALSE(stage.subject.sheet());
  EXPECT_EQ(stage.subject.floor, stage.subject.low.z);
  const test::Stage<MeshSubject> sheet(Mesh(flat_sheet(6)), params, Base::block, std::nullopt, Context());
  EXPECT_TRUE(sheet.subject.sheet());
  EXPECT_LT(sheet.subject.floor, sheet.subject.low.z);
}

TEST(MeshPicture, PresetsFrameTheWholeMesh) {
  // More vertices than are looked at one by one; one of them far up.
  MeshData tall = test::torus(200);
  tall.positions[20'123][2] += 9;
  MeshData wall;
  wall.positions = {{0, 0, 0}, {1, 0, 0}, {1, 0, 50}, {0, 0, 50}};
  wall.triangles = {{0, 1, 2}, {0, 2, 3}};
  for (const MeshData& data : {tall, wall, test::cube(), sheet_of(hills())})
    for (const Camera camera : {Camera::three_quarter, Camera::top, Camera::front, Camera::orbit})
      for (const double aspect : {0.3, 1.0, 3.0}) {
        PictureParams params = small_picture(camera, PictureColour::clay);
        const Mesh mesh(data);
        const MeshSubject subject(mesh, params, Base::block, std::nullopt, Context());
        const Lens lens = make_lens(subject, params, aspect, {});
        for (const MeshPoint& p : mesh.positions()) {
          const auto at = lens.seen(subject.placed(mesh.centre() + to_vec(p)));
          ASSERT_TRUE(at.has_value());
          ASSERT_LE(std::max(std::abs(at->x), std::abs(at->y)), 1.0000001) << static_cast<int>(camera);
        }
      }
}

TEST(MeshPicture, GroundGoesOnRightUpToAMeshOnTheHorizon) {
  // Seen from above, the plain hides the sky on all sides.
  PictureParams params = free_picture({0.5, -0.7, 6}, {0.5, 0.5, 0});
  params.base = Base::horizon;
  const Mesh cube(test::cube());
  const test::Stage<MeshSubject> stage(cube, params, Base::horizon, std::nullopt, Context());
  const Lens lens = make_lens(stage.subject, params, 1.5, {});
  TraceSettings settings = test::around_it(Surroundings::country);
  const Film film = stage.film(lens, Sky::uniform({1, 1, 1}), settings, 24, 16, 2);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 24; ++x) EXPECT_LT(luminance(film.radiance(x, y)), 0.8f) << x << ' ' << y;
}

TEST(MeshPicture, HolesCanBeSeenThrough) {
  // A ring standing upright, seen from the south: the backdrop or the floor shows in its middle.
  MeshData ring = test::torus(60);
  for (MeshPoint& p : ring.positions) p = {p[0], -p[2], p[1]};
  const PictureParams params = small_picture(Camera::front, PictureColour::clay);
  const test::Stage<MeshSubject> stage(Mesh(ring), params, Base::block, std::nullopt, Context());
  const Lens lens = make_lens(stage.subject, params, 1, {});
  const auto meets = [&](Vec3 point) {
    const Vec2 at = *lens.seen(point);
    const Lens::Ray ray = lens.ray(at.x, at.y);
    return stage.rays.hit(ray.from, ray.direction).has_value();
  };
  EXPECT_FALSE(meets({0, 0, 0}));
  EXPECT_TRUE(meets({0.375, 0, 0}));
  EXPECT_TRUE(meets({-0.375, 0, 0}));
}

TEST(MeshPicture, ColoursOfVerticesShow) {
  MeshData data = flat_sheet(8);
  data.colours.assign(data.positions.size(), {20, 60, 220, 255});
  const Image image = draw(data, small_picture(Camera::top, PictureColour::natural, {16, 16}));
  EXPECT_GT(image.at(8, 8)[2], image.at(8, 8)[0] + 60);
  // And only with natural colours.
  const PictureParams clay = small_picture(Camera::top, PictureColour::clay, {16, 16});
  EXPECT_EQ(draw(data, clay).pixels, draw(flat_sheet(8), clay).pixels);
}

TEST(MeshPicture, WindingAndNormalsOfTheOtherSideChangeNothing) {
  const PictureParams params = small_picture(Camera::three_quarter, PictureColour::clay, {48, 32}, 16);
  MeshData data = test::torus(24);
  const Image image = draw(data, params);
  for (MeshTriangle& t : data.triangles) std::swap(t[0], t[1]);
  EXPECT_LT(mean_difference(image, draw(data, params)), 2);
}

TEST(MeshModel, SheetsGetWallsAndOtherThingsDoNot) {
  const MeshModel sheet = make_model(Mesh(flat_sheet(5)), 1, Context());
  EXPECT_TRUE(sheet.sheet);
  EXPECT_EQ(sheet.triangles.size(), sheet.own_triangles + 2 * 16);
  EXPECT_LT(sheet.floor, sheet.low.z);
  const MeshModel cube = make_model(Mesh(test::cube()), 2, Context());
  EXPECT_FALSE(cube.sheet);
  EXPECT_EQ(cube.triangles.size(), 12u);
  EXPECT_EQ(cube.high.z - cube.low.z, 2);
  EXPECT_EQ(cube.floor, cube.low.z);
}

TEST(MeshPicture, SizeDoesNotMatter) {
  const PictureParams params = small_picture(Camera::three_quarter, PictureColour::clay, {48, 32});
  const Image image = draw(test::torus(24), params);
  for (const float scale : {1e-18f, 1e18f}) {
    MeshData data = test::torus(24);
    for (MeshPoint& p : data.positions)
      for (float& v : p) v *= scale;
    EXPECT_LT(mean_difference(image, draw(data, params)), 2);
  }
}

TEST(MeshPicture, AnEyeInsideAClosedMeshIsRefused) {
  // The ring's tube has radius 1 around a circle of radius 3 at height 0.
  MeshData ring = test::torus(40);
  ring.centre = {1000, 2000, 300};
  const auto at = [](double x, double y, double z) { return Vec3{1000 + x, 2000 + y, 300 + z}; };
  const Vec3 target = at(0, 20, 0);
  for (const Vec3 eye : {at(3, 0, 0), at(0, -3, 0.5), at(-2.2, 0, -0.2), at(2.1, 2.1, 0.9)}) {
    const std::string error = error_of([&] { picture(ring, free_picture(eye, target)); });
    EXPECT_NE(error.find("inside the rock"), std::string::npos) << error;
  }
  // In its hole, beside it, above it, and just outside its inner side.
  for (const Vec3 eye : {at(0, 0, 0), at(5, 0, 0), at(3, 0, 1.1), at(1.9, 0, 0)})
    EXPECT_NO_THROW(picture(ring, free_picture(eye, target)));
  // Turned inside out it is as solid.
  for (MeshTriangle& t : ring.triangles) std::swap(t[0], t[1]);
  EXPECT_FALSE(error_of([&] { picture(ring, free_picture(at(3, 0, 0), target)); }).empty());
  // Below the floor is nowhere to be.
  EXPECT_FALSE(error_of([&] { picture(ring, free_picture(at(0, 0, -1.5), target)); }).empty());
}

TEST(MeshPicture, AnEyeUnderASheetIsRefusedAndOneInAnOpenBoxIsNot) {
  const MeshData land = sheet_of(hills());
  EXPECT_NE(error_of([&] {
              picture(land, free_picture({120, 100, -38}, {0, 0, 0}));
            }).find("inside the rock"),
            std::string::npos);
  EXPECT_NO_THROW(picture(land, free_picture({120, 100, 60}, {0, 0, 0})));
  // Without its top.
  MeshData box = test::cube();
  box.triangles.erase(box.triangles.begin() + 2, box.triangles.begin() + 4);
  EXPECT_NO_THROW(picture(box, free_picture({0.5, 0.5, 0.5}, {0.5, 0.9, 0.5})));
}

TEST(MeshPicture, AnEyeUnderWaterIsRefusedWithTheLevelOfTheSea) {
  MeshData land = sheet_of(hills());
  land.centre.z += 500;
  const std::string error = error_of([&] { picture(land, free_picture({-900, -900, 505}, {0, 0, 500}), 512.0); });
  EXPECT_NE(error.find("512 m"), std::string::npos) << error;
}

TEST(MeshPicture, AVisitorStandsOnAMeshAsOnTheLand) {
  const PictureParams params = small_picture(Camera::ground, PictureColour::clay);
  const Terrain land = hills();
  const test::Stage<MeshSubject> stage(gather(LandMesh(land)), params, Base::horizon, std::nullopt, Context());
  const Lens lens = make_lens(stage.subject, params, 1.5, {});
  const auto ground = stage.subject.ground_at({lens.eye.x, lens.eye.y});
  ASSERT_TRUE(ground.has_value());
  EXPECT_GT(lens.eye.z, *ground);
  EXPECT_LT(lens.eye.z, *ground + 0.05);
}

TEST(MeshPicture, WhatCannotBeDrawnIsRefused) {
  const PictureParams params = small_picture(Camera::top, PictureColour::clay, {8, 8});
  EXPECT_NE(error_of([&] { draw({}, params); }).find("no surface"), std::string::npos);
  MeshData point;
  point.positions = {{1, 2, 3}};
  point.triangles = {{0, 0, 0}};
  EXPECT_NE(error_of([&] { draw(point, params); }).find("no surface"), std::string::npos);
  for (const PictureColour colour : {PictureColour::layer, PictureColour::cover})
    EXPECT_NE(error_of([&] { draw(test::cube(), small_picture(Camera::top, colour)); }).find("layers"),
              std::string::npos);
  PictureParams wrong = params;
  wrong.haze = 2;
  EXPECT_NE(error_of([&] { draw(test::cube(), wrong); }).find("haze"), std::string::npos);
}

TEST(MeshPicture, CancelStopsTheWork) {
  const CancelFlag stop = true;
  try {
    draw_picture(Mesh(test::torus(50)), small_picture(Camera::three_quarter, PictureColour::clay), {},
                 Context(nullptr, &stop));
    ADD_FAILURE() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace tepui::mesh_picture_test

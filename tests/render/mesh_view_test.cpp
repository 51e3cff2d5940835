#include "tepui/render/mesh_view.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/mesh/source.h"
#include "tepui/render/mesh_model.h"
#include "tepui/render/ray_scene.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui {
namespace {

using test::error_of;

PictureParams with(Camera camera, PictureColour colour, Vec2 size = {96, 64}) {
  PictureParams params;
  params.camera = camera;
  params.colour = colour;
  params.size = size;
  return params;
}

Image draw(MeshData data, const PictureParams& params) { return draw_mesh(Mesh(std::move(data)), params, Context()); }

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

MeshData flat_sheet(int64_t side) {
  const Terrain land = test::sample_land(side, side, 1).with_height(Grid<float>(side, side, 3.0f));
  const Mesh mesh = gather(LandMesh(land));
  return {{},
          {mesh.positions().begin(), mesh.positions().end()},
          {mesh.triangles().begin(), mesh.triangles().end()},
          {mesh.normals().begin(), mesh.normals().end()},
          {},
          {}};
}

constexpr Camera cameras[] = {Camera::top, Camera::three_quarter};

TEST(MeshView, SameBytesForAnyThreads) {
  const Mesh ring(test::torus(120)), land = gather(LandMesh(test::sample_land(150, 120, 5)));
  for (const Camera camera : cameras)
    for (const Mesh& mesh : {ring, land})
      for (const int threads : {1, 2, 7}) {
        static Image first;
        Image image;
        with_threads(threads, [&] { image = draw_mesh(mesh, with(camera, PictureColour::natural), Context()); });
        if (threads == 1) first = image;
        EXPECT_EQ(image.pixels == first.pixels, true) << threads << " threads";
      }
}

RC_GTEST_PROP(RayScene, FindsTheNearestTriangle, (uint64_t seed)) {
  MeshData data = test::random_mesh(seed, false, false, false);
  for (MeshPoint& p : data.positions)
    for (float& v : p) v /= 100;
  const RayScene scene(data.positions, data.triangles, Context());
  const Stream stream(seed + 1);
  for (uint64_t ray = 0; ray < 20; ++ray) {
    const auto draw = [&](uint64_t k) { return stream.uniform(ray, k, -1, 1); };
    const Vec3 from{3 * draw(0), 3 * draw(1), 3 * draw(2)};
    const Vec3 d = Vec3{draw(3), draw(4), draw(5)} - from;
    double nearest = INFINITY, clearance = 1;
    for (const MeshTriangle& t : data.triangles) {
      const Vec3 a = to_vec(data.positions[t[0]]), e1 = to_vec(data.positions[t[1]]) - a,
                 e2 = to_vec(data.positions[t[2]]) - a, p = cross(d, e2), s = from - a, q = cross(s, e1);
      const double det = dot(e1, p);
      if (std::abs(det) < 1e-9) continue;
      const double u = dot(s, p) / det, v = dot(d, q) / det, at = dot(e2, q) / det;
      const double inside = std::min({u, v, 1 - u - v, at});
      clearance = std::min(clearance, std::abs(inside));
      if (inside > 0) nearest = std::min(nearest, at);
    }
    if (clearance < 1e-4) continue;  // too close to an edge for single precision
    const auto hit = scene.hit(from, d);
    RC_ASSERT(hit.has_value() == std::isfinite(nearest));
    RC_ASSERT(scene.blocked(from, d) == hit.has_value());
    if (hit) RC_ASSERT(std::abs(hit->distance - nearest) < 1e-4 * (1 + nearest));
  }
}

TEST(MeshView, LevelSheetIsOneColourFromAbove) {
  for (const PictureColour colour : {PictureColour::clay, PictureColour::hillshade, PictureColour::height}) {
    const Image image = draw(flat_sheet(20), with(Camera::top, colour, {32, 32}));
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; ++x) EXPECT_NEAR(brightness(image, x, y), brightness(image, 5, 5), 0.02);
    EXPECT_GT(brightness(image, 5, 5), 0.45);
    EXPECT_LT(brightness(image, 5, 5), 0.9);
  }
}

TEST(MeshView, LooksLikeTheLandItWasMadeOf) {
  Grid<float> z(90, 60);
  for (int64_t y = 0; y < 60; ++y)
    for (int64_t x = 0; x < 90; ++x)
      z(x, y) =
          static_cast<float>(60 * std::sin(0.13 * static_cast<double>(x)) * std::cos(0.11 * static_cast<double>(y)));
  const Terrain land = test::sample_land(90, 60, 8).with_height(std::move(z));
  for (const Camera camera : cameras)
    for (const PictureColour colour : {PictureColour::clay, PictureColour::natural}) {
      const PictureParams params = with(camera, colour);
      const Image a = draw_picture(land, params, {}, Context());
      const Image b = draw_mesh(gather(LandMesh(land)), params, Context());
      double difference = 0;
      for (size_t i = 0; i < a.pixels.size(); ++i)
        difference += std::abs(static_cast<double>(a.pixels[i]) - static_cast<double>(b.pixels[i]));
      EXPECT_LT(difference / static_cast<double>(a.pixels.size()), 12) << static_cast<int>(camera);
    }
}

TEST(MeshView, NorthIsAtTheTopAndSlopesFacingTheSunAreBrighter) {
  // A pyramid: each quarter of the picture is one face.
  MeshData data;
  data.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 0.6f}};
  data.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  const std::pair<double, std::pair<int, int>> faces[] = {
      {0, {32, 12}}, {90, {52, 32}}, {180, {32, 52}}, {270, {12, 32}}};
  for (const auto& sun : faces) {
    PictureParams params = with(Camera::top, PictureColour::clay, {64, 64});
    params.sun_azimuth = {sun.first};
    const Image image = draw(data, params);
    for (const auto& other : faces)
      if (other.first != sun.first) {
        EXPECT_GT(brightness(image, sun.second.first, sun.second.second),
                  0.05 + brightness(image, other.second.first, other.second.second));
      }
  }
}

TEST(MeshView, ThingsCastShadowsOnTheFloor) {
  PictureParams params = with(Camera::top, PictureColour::clay, {64, 64});
  params.sun_azimuth = {315};
  MeshData slab = test::cube();
  for (MeshPoint& p : slab.positions) p = {p[0], p[1] * 0.3f, p[2] * 0.3f};
  const Image lit = draw(slab, params);
  params.shadows = 0;
  const Image plain = draw(slab, params);
  // South of the slab lies its shadow, north of it nothing.
  EXPECT_LT(mean_brightness(lit, 24, 40, 43, 46), mean_brightness(plain, 24, 40, 43, 46) - 0.05);
  EXPECT_NEAR(mean_brightness(lit, 24, 40, 10, 16), mean_brightness(plain, 24, 40, 10, 16), 0.02);
}

TEST(MeshView, HolesCanBeSeenThrough) {
  // A ring standing upright, seen from the south: the sky or the floor shows in its middle.
  MeshData ring = test::torus(60);
  for (MeshPoint& p : ring.positions) p = {p[0], -p[2], p[1]};
  PictureParams params = with(Camera::three_quarter, PictureColour::clay, {90, 90});
  params.view_azimuth = {180};
  params.view_elevation = {5};
  const Image image = draw(ring, params);
  params.colour = PictureColour::height;
  const Image other = draw(ring, params);
  const auto differs = [&](int x, int y) { return !std::equal(image.at(x, y), image.at(x, y) + 3, other.at(x, y)); };
  EXPECT_FALSE(differs(45, 40));
  EXPECT_TRUE(differs(16, 45));
  EXPECT_TRUE(differs(74, 45));
}

TEST(MeshView, ColoursOfVerticesShow) {
  MeshData data = flat_sheet(8);
  data.colours.assign(data.positions.size(), {20, 60, 220, 255});
  const Image image = draw(data, with(Camera::top, PictureColour::natural, {16, 16}));
  EXPECT_GT(image.at(8, 8)[2], image.at(8, 8)[0] + 60);
}

TEST(MeshView, WindingAndNormalsOfTheOtherSideChangeNothing) {
  const PictureParams params = with(Camera::three_quarter, PictureColour::clay);
  MeshData data = test::torus(24);
  const Image image = draw(data, params);
  for (MeshTriangle& t : data.triangles) std::swap(t[0], t[1]);
  const Image turned = draw(data, params);
  int differing = 0;
  for (size_t i = 0; i < image.pixels.size(); ++i)
    differing += std::abs(image.pixels[i] - turned.pixels[i]) > 6 ? 1 : 0;
  EXPECT_LT(differing, static_cast<int>(image.pixels.size() / 50));
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

TEST(MeshView, SizeDoesNotMatter) {
  const PictureParams params = with(Camera::three_quarter, PictureColour::clay);
  const Image image = draw(test::torus(24), params);
  for (const float scale : {1e-18f, 1e18f}) {
    MeshData data = test::torus(24);
    for (MeshPoint& p : data.positions)
      for (float& v : p) v *= scale;
    const Image other = draw(data, params);
    EXPECT_NEAR(mean_brightness(image, 20, 76, 16, 56), mean_brightness(other, 20, 76, 16, 56), 0.01);
  }
}

TEST(MeshView, WhatCannotBeDrawnIsRefused) {
  const PictureParams params = with(Camera::top, PictureColour::clay);
  EXPECT_NE(error_of([&] { draw({}, params); }).find("no surface"), std::string::npos);
  MeshData point;
  point.positions = {{1, 2, 3}};
  point.triangles = {{0, 0, 0}};
  EXPECT_NE(error_of([&] { draw(point, params); }).find("no surface"), std::string::npos);
  EXPECT_NE(error_of([&] { draw(test::cube(), with(Camera::top, PictureColour::layer)); }).find("layers"),
            std::string::npos);
  PictureParams wrong = params;
  wrong.shadows = 2;
  EXPECT_NE(error_of([&] { draw(test::cube(), wrong); }).find("shadows"), std::string::npos);
}

TEST(MeshView, CancelStopsTheWork) {
  const CancelFlag stop = true;
  try {
    draw_mesh(Mesh(test::torus(50)), with(Camera::three_quarter, PictureColour::clay), Context(nullptr, &stop));
    ADD_FAILURE() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace tepui

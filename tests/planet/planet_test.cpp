#include "tepui/planet/planet.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/planet_layers.h"
#include "tepui/planet/planet_map.h"
#include "tepui/planet/planet_patch.h"
#include "tepui/planet/planet_rivers.h"
#include "tepui/terrain/fill_voids.h"
#include "tests/support/support.h"

namespace tepui::planet_test {

namespace {

const Context quiet;

PlanetParams coarse(int level = 5) {
  PlanetParams params;
  params.level = level;
  return params;
}

const Planet& usual() {
  static const Planet one = planet(nullptr, coarse(), quiet);
  return one;
}

Vec3 any_direction() {
  const double z = *rc::gen::inRange(-1000, 1001) / 1000.0, turn = *rc::gen::inRange(0, 100000) * 1e-3;
  const double flat = std::sqrt(std::max(0.0, 1 - z * z));
  return normalised({flat * math::cos(turn), flat * math::sin(turn), z});
}

/// An equirectangular map whose heights are a function of degrees.
template <class Height>
Terrain map_of(int64_t width, const Height& height) {
  Frame frame = make_world({360, 180}, width);
  frame.width = width;
  frame.height = width / 2;
  Grid<float> cells(frame.width, frame.height);
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x)
      cells(x, y) = static_cast<float>(height(-180 + (static_cast<double>(x) + 0.5) * 360 / static_cast<double>(width),
                                              -90 + (static_cast<double>(y) + 0.5) * 360 / static_cast<double>(width)));
  return Terrain(frame, {0, 1}, std::move(cells));
}

}  // namespace

RC_GTEST_PROP(SphereLocator, FindsTheTriangleWhereverItStarts, ()) {
  const SphereMesh& mesh = usual().land().mesh;
  static const SphereLocator locator(mesh);
  const Vec3 direction = any_direction();
  const SpherePlace at = locator.at(direction);
  const auto start = static_cast<int32_t>(*rc::gen::inRange<int>(0, static_cast<int>(mesh.triangles.size())));
  for (const SpherePlace& place : {at, locator.from(start, direction)}) {
    Vec3 there{};
    double sum = 0;
    for (size_t k = 0; k < 3; ++k) {
      RC_ASSERT(place.shares[k] >= 0);
      sum += place.shares[k];
      const auto corner = static_cast<size_t>(mesh.triangles[static_cast<size_t>(place.triangle)][k]);
      there = there + mesh.directions[corner] * place.shares[k];
    }
    RC_ASSERT(std::abs(sum - 1) < 1e-12);
    RC_ASSERT(length(normalised(there) - direction) < 1e-9);
  }
}

RC_GTEST_PROP(PatchPlane, GoesThereAndBackAndKeepsAreas, ()) {
  const double radius = *rc::gen::element(1.0, earth_radius, 1e9);
  const PatchPlane plane(radius, any_direction());
  const Vec3 direction = any_direction();
  const Vec2 at = plane.position(direction);
  RC_ASSERT(length(plane.direction(at) - direction) < 1e-6);
  // The corners of a small square: the area that they enclose on the sphere is the square's.
  const double side = 1e-3 * radius;
  const Vec3 a = plane.direction(at), b = plane.direction({at.x + side, at.y}),
             c = plane.direction({at.x, at.y + side});
  if (dot(a, plane.direction({})) > -0.9) {
    const double area = length(cross(b - a, c - a)) * radius * radius;
    RC_ASSERT(std::abs(area / (side * side) - 1) < 0.02);
  }
}

TEST(Planet, OfAnotherSizeIsTheSameOneScaled) {
  PlanetParams small = coarse();
  small.radius = 1000;
  small.exaggeration = 3;
  const Terrain large_map = planet_map(usual(), {.width = 64, .layers = PlanetLayers::all}, quiet);
  const Terrain small_map =
      planet_map(planet(nullptr, small, quiet), {.width = 64, .layers = PlanetLayers::all}, quiet);
  const double scale = 3 * 1000 / earth_radius;
  for (const PlanetLayer& layer : planet_layers()) {
    const auto large_cells = large_map.layer(layer.name).grid().cells();
    const auto small_cells = small_map.layer(layer.name).grid().cells();
    for (size_t i = 0; i < large_cells.size(); ++i) {
      const double expected = static_cast<double>(large_cells[i]) * (layer.height ? scale : 1);
      ASSERT_NEAR(static_cast<double>(small_cells[i]), expected, 1e-6 * std::abs(expected)) << layer.name;
    }
  }
}

TEST(Planet, HashTellsPlanetsApart) {
  PlanetParams other = coarse();
  other.seed.node = 7;
  EXPECT_EQ(usual().hash(), planet(nullptr, coarse(), quiet).hash());
  EXPECT_NE(usual().hash(), planet(nullptr, other, quiet).hash());
  PlanetParams larger = coarse();
  larger.radius *= 2;
  EXPECT_NE(usual().hash(), planet(nullptr, larger, quiet).hash());
}

TEST(Planet, RefusesArraysThatDoNotBelongTogether) {
  PlanetData data = usual().data();
  data.land.receiver.front() = 1 << 30;
  EXPECT_THROW(Planet{data}, Error);
  data = usual().data();
  data.land.rain.pop_back();
  EXPECT_THROW(Planet{data}, Error);
}

TEST(Planet, GrowsOnTheLandOfAMap) {
  // One continent north of the equator, a basin in its middle.
  const Terrain map = map_of(180, [](double east, double north) {
    const double out = std::hypot(east - 20, north - 30);
    return out < 40 ? 800 - 12 * out - 500 * std::exp(-out * out / 50) : -4000.0;
  });
  const Planet made = planet(&map, coarse(6), quiet);
  const Terrain drawn = planet_map(made, {.width = 180}, quiet);
  int64_t other = 0;
  for (size_t i = 0; i < map.height().cells().size(); ++i) {
    const bool was = map.height().cells()[i] > 0, is = drawn.height().cells()[i] > 0;
    other += was != is ? 1 : 0;
  }
  EXPECT_LT(other, 180 * 90 / 100);
  const auto deepest = std::max_element(made.land().lake_depth.begin(), made.land().lake_depth.end());
  EXPECT_GT(*deepest, 30);
}

TEST(Planet, RefusesMapsThatAreNotOfAWholePlanet) {
  Terrain map = map_of(64, [](double, double) { return 100.0; });
  Frame part = map.frame();
  part.geo = std::make_shared<const Georeference>(Georeference{planet_crs(earth_radius), {-10, -10}, {0.1, 0.1}});
  const Terrain of_part(part, {0, 1}, map.height().clone());
  EXPECT_THROW(planet(&of_part, coarse(4), quiet), Error);
  part.geo = std::make_shared<const Georeference>(Georeference{patch_crs(earth_radius, 10, 20), {0, 0}, {1, 1}});
  const Terrain in_metres(part, {0, 1}, map.height().clone());
  EXPECT_THROW(planet(&in_metres, coarse(4), quiet), Error);
  const Terrain too_high = map_of(64, [](double, double) { return 1e7; });
  EXPECT_THROW(planet(&too_high, coarse(4), quiet), Error);
}

TEST(Planet, GrowsOnAMapWithVoidsAsOnWhatFillsThem) {
  Terrain map = map_of(64, [](double east, double north) { return 2000 * std::cos(0.05 * east) - 30 * north; });
  Grid<float> voids(map.height().width(), map.height().height(), 0.0f);
  for (int64_t x = 10; x < 40; ++x) voids(x, 12) = 1;
  Grid<float> filled = map.height().clone();
  fill_voids(filled, voids, quiet);
  map = map.with_height(filled.clone());
  const Terrain holed = map.with(make_layer("void", "", LayerKind::mask, std::move(voids)));
  EXPECT_EQ(planet(&holed, coarse(4), quiet).hash(), planet(&map, coarse(4), quiet).hash());
}

TEST(PlanetMap, WrapsAroundAndReachesThePoles) {
  const Terrain map = planet_map(usual(), {.width = 256, .layers = PlanetLayers::all}, quiet);
  EXPECT_EQ(map.frame().height, 128);
  const Grid<float>& height = map.height();
  double across = 0, inside = 0;
  for (int64_t y = 0; y < 128; ++y) {
    across += std::abs(static_cast<double>(height(255, y) - height(0, y)));
    inside += std::abs(static_cast<double>(height(100, y) - height(101, y)));
  }
  EXPECT_LT(across, 4 * inside + 4000);
  for (const Layer& layer : map.layers())
    for (const float v : layer.grid().cells()) ASSERT_TRUE(std::isfinite(v)) << layer.name;
}

TEST(PlanetMap, SameBitsForAnyThreadCount) {
  test::expect_same_bits([] { return planet_map(usual(), {.width = 200, .layers = PlanetLayers::all}, quiet).hash(); });
}

TEST(Planet, AnyParametersGiveASoundPlanet) {
  const std::function<void(PlanetParams&)> extremes[] = {
      [](PlanetParams& p) { p.radius = 1, p.plates = 0; },
      [](PlanetParams& p) { p.radius = 1e9, p.plates = 1; },
      [](PlanetParams& p) { p.plates = 1000, p.fastest = 1000; },
      [](PlanetParams& p) { p.sea = 0, p.continents = 100; },
      [](PlanetParams& p) { p.sea = 100, p.continents = 0; },
      [](PlanetParams& p) { p.sea = 0, p.continents = 0, p.hot_spots = 0; },
      [](PlanetParams& p) { p.warmer = -150, p.glaciation = Glaciation::height; },
      [](PlanetParams& p) { p.warmer = 150, p.rain = 20; },
      [](PlanetParams& p) { p.rain = 0, p.wind = 0, p.seasons = 10; },
      [](PlanetParams& p) { p.belts = false, p.rivers = false, p.ice = false, p.exaggeration = 100; },
  };
  for (const auto& set : extremes) {
    PlanetParams params = coarse(4);
    set(params);
    const Planet made = planet(nullptr, params, quiet);
    const Frame world = make_world({0.01 * params.radius, 0.01 * params.radius}, 17);
    for (const Terrain& land :
         {planet_map(made, {.width = 32, .layers = PlanetLayers::all}, quiet),
          planet_patch(world, made, {.latitude = -90, .layers = PlanetLayers::all}, quiet),
          planet_patch(world, made, {.latitude = 30, .longitude = 180, .layers = PlanetLayers::all}, quiet)})
      for (const Layer& layer : land.layers())
        for (const float v : layer.grid().cells()) ASSERT_TRUE(std::isfinite(v)) << layer.name;
    for (const bool patch : {false, true}) {
      const Lines rivers = planet_rivers(world, made, {.patch = patch}, quiet);
      for (const Vec3& v : rivers.vertices()) ASSERT_TRUE(std::isfinite(v.x + v.y + v.z));
    }
  }
}

}  // namespace tepui::planet_test

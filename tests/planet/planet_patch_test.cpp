#include "tepui/planet/planet_patch.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/planet/fine_places.h"
#include "tepui/planet/planet.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/refine.h"
#include "tests/support/planets.h"
#include "tests/support/support.h"

namespace tepui::planet_patch_test {

namespace {

const Context quiet;

const Planet& usual() { return test::usual_planet<5>(); }

Terrain patch(double north, double east, double size, int64_t samples, PlanetLayers layers = PlanetLayers::land) {
  return planet_patch(make_world({size, size}, samples), usual(),
                      {.latitude = north, .longitude = east, .layers = layers}, quiet);
}

Vec3 summit() { return test::highest_place(usual().land()); }

}  // namespace

TEST(FinePlaces, AreThoseThatTryingAllFinds) {
  const Vec3 middle = normalised({0.3, -0.5, 0.6});
  const double angle = 0.02;
  const FineLand land = Refiner(usual().share()).refine(PatchRegion(middle, angle, 8), quiet);
  const LocalAxes axes = local_axes(middle);
  const Stream stream(5);
  std::vector<Vec3> places;
  for (uint64_t i = 0; i < 500; ++i)
    places.push_back(normalised(middle + axes.east * stream.uniform(i, 0, -0.7 * angle, 0.7 * angle) +
                                axes.north * stream.uniform(i, 1, -0.7 * angle, 0.7 * angle)));
  const std::vector<FinePlace> found = find_places(land, places, {middle, angle}, quiet);
  for (size_t i = 0; i < places.size(); ++i) {
    ASSERT_GE(found[i].triangle, 0);
    int inside = 0;
    for (const auto& t : land.triangles) {
      const auto corner = [&](size_t k) { return land.vertices.direction[static_cast<size_t>(t[k])]; };
      const bool in = dot(cross(corner(0), corner(1)), places[i]) >= 0 &&
                      dot(cross(corner(1), corner(2)), places[i]) >= 0 &&
                      dot(cross(corner(2), corner(0)), places[i]) >= 0;
      inside += in ? 1 : 0;
      if (in) {
        EXPECT_EQ(&t - land.triangles.data(), found[i].triangle);
      }
    }
    EXPECT_EQ(inside, 1);
    Vec3 there{};
    for (size_t k = 0; k < 3; ++k)
      there = there +
              land.vertices.direction[static_cast<size_t>(land.triangles[static_cast<size_t>(found[i].triangle)][k])] *
                  static_cast<double>(found[i].shares[k]);
    EXPECT_LT(length(normalised(there) - places[i]), 1e-3 * angle);
  }
}

TEST(PlanetPatch, OverlappingPatchesAgree) {
  const double north = math::degrees(latitude(summit())), east = math::degrees(longitude(summit()));
  // The same lattice of the same plane, once as a part.
  const Terrain whole = patch(north, east, 64e3, 65), part = patch(north, east, 32e3, 33);
  for (int64_t y = 0; y < 33; ++y)
    for (int64_t x = 0; x < 33; ++x) EXPECT_EQ(part.height()(x, y), whole.height()(x + 16, y + 16));
  // Another plane: nearly the same places.
  const Terrain beside = patch(north, east + 0.02, 64e3, 65);
  const PatchPlane here(earth_radius, direction_at(math::radians(north), math::radians(east)));
  const PatchPlane there(earth_radius, direction_at(math::radians(north), math::radians(east + 0.02)));
  double apart = 0, relief = 0;
  for (int64_t y = 8; y < 56; ++y)
    for (int64_t x = 8; x < 56; ++x) {
      const Vec2 at =
          there.position(here.direction({1e3 * static_cast<double>(x - 32), 1e3 * static_cast<double>(y - 32)}));
      const double u = at.x / 1e3 + 32, v = at.y / 1e3 + 32;
      const auto i = static_cast<int64_t>(u), j = static_cast<int64_t>(v);
      const double s = u - static_cast<double>(i), t = v - static_cast<double>(j);
      const auto h = [&](int64_t a, int64_t b) { return static_cast<double>(beside.height()(a, b)); };
      const double mixed =
          (1 - t) * ((1 - s) * h(i, j) + s * h(i + 1, j)) + t * ((1 - s) * h(i, j + 1) + s * h(i + 1, j + 1));
      apart += std::abs(mixed - static_cast<double>(whole.height()(x, y)));
      relief += std::abs(static_cast<double>(whole.height()(x, y) - whole.height()(x - 4, y)));
    }
  EXPECT_LT(apart, 0.5 * relief);
}

TEST(PlanetPatch, IsDefinedAcrossThePolesAndTheDateLine) {
  for (const auto& [north, east] : {std::pair{90.0, 0.0}, {-90.0, 12.0}, {10.0, 180.0}, {0.0, -180.0}, {33.0, 360.0}}) {
    const Terrain land = patch(north, east, 2e6, 33, PlanetLayers::all);
    for (const Layer& layer : land.layers())
      for (const float v : layer.grid().cells()) ASSERT_TRUE(std::isfinite(v)) << layer.name;
    EXPECT_NE(land.frame().geo->crs.find("PROJCRS"), std::string::npos);
  }
  EXPECT_GT(patch(0, 0, 8.9e6, 17).height().width(), 0);
}

TEST(PlanetPatch, SizesAndResolutionsAreTheWorldsOrItsOwn) {
  const Frame world = make_world({3000, 2000}, 31);
  const Terrain own = planet_patch(world, usual(), {.size = metres(6e4), .resolution = 13}, quiet);
  EXPECT_EQ(own.frame().width, 13);
  EXPECT_NEAR(own.frame().size.x, 6e4, 1e-6);
  EXPECT_NEAR(own.frame().size.y, 4e4, 6e3);
  EXPECT_EQ(planet_patch(world, usual(), {}, quiet).frame(), world);
  EXPECT_THROW(planet_patch(world, usual(), {.size = metres(2e7)}, quiet), Error);
  EXPECT_EQ(planet_patch(make_world({10, 10}, 1), usual(), {}, quiet).frame().width, 1);
}

TEST(PlanetPatch, SameBitsForAnyThreadCount) {
  const double north = math::degrees(latitude(summit())), east = math::degrees(longitude(summit()));
  test::expect_same_bits([&] { return patch(north, east, 1.2e5, 49, PlanetLayers::all).hash(); });
}

}  // namespace tepui::planet_patch_test

#include "tepui/planet/planet_rock.h"

#include <set>

#include "tepui/core/math.h"
#include "tepui/planet/planet.h"
#include "tepui/planet/planet_crs.h"
#include "tests/support/planets.h"
#include "tests/support/support.h"

namespace tepui::planet_rock_test {

namespace {

const Context quiet;

Planet made(double radius = earth_radius) {
  PlanetParams params;
  params.radius = radius;
  return test::small_planet(5, params);
}

const Planet& usual() { return test::usual_planet<5>(); }

int32_t rock_at(const Geology& rock, Vec3 at) {
  int32_t which = -1;
  rock.root().rocks({&at.x, &at.y, &at.z, 1}, &which);
  return which;
}

}  // namespace

TEST(PlanetRock, PatchesThatOverlapHaveTheSameRock) {
  const Frame world = make_world({40e3, 40e3}, 65);
  const PlanetRockParams here{.latitude = 24, .longitude = 10}, there{.latitude = 24.1, .longitude = 10.15};
  const Geology a = planet_rock(world, usual(), here, quiet), b = planet_rock(world, usual(), there, quiet);
  const PatchPlane on_a(earth_radius, direction_at(math::radians(here.latitude), math::radians(here.longitude)));
  const PatchPlane on_b(earth_radius, direction_at(math::radians(there.latitude), math::radians(there.longitude)));
  int same = 0, all = 0;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      for (const double z : {-300.0, 120.0, 900.0}) {
        const Vec2 place{250.0 * i - 2000, 260.0 * j - 2000};
        const Vec2 other = on_b.position(on_a.direction(place));
        const int32_t rock = rock_at(a, {place.x + 20e3, place.y + 20e3, z});
        same += rock == rock_at(b, {other.x + 20e3, other.y + 20e3, z}) ? 1 : 0;
        ++all;
      }
  EXPECT_GT(same, all * 99 / 100);
}

TEST(PlanetRock, EveryProvinceHasItsRocks) {
  const Frame world = make_world({20e3, 20e3}, 33);
  const GlobalLand& land = usual().land();
  std::set<Province> seen;
  for (size_t v = 0; v < land.province.size() && seen.size() < static_cast<size_t>(provinces); v += 7) {
    if (!seen.insert(land.province[v]).second) continue;
    const Vec3 at = land.mesh.directions[v];
    const Geology rock = planet_rock(
        world, usual(), {.latitude = math::degrees(latitude(at)), .longitude = math::degrees(longitude(at))}, quiet);
    std::set<int32_t> rocks;
    for (double z = -1000; z < 4000; z += 3) rocks.insert(rock_at(rock, {10e3, 10e3, z}));
    EXPECT_GE(rocks.size(), 2u) << static_cast<int>(land.province[v]);
    EXPECT_FALSE(rocks.count(-1));
  }
  EXPECT_GE(seen.size(), 5u);
}

TEST(PlanetRock, OfASmallerPlanetIsSmaller) {
  const PlanetRockParams place{.latitude = 24, .longitude = 10};
  const Geology large = planet_rock(make_world({40e3, 40e3}, 65), usual(), place, quiet);
  const Geology small = planet_rock(make_world({40, 40}, 65), made(earth_radius / 1000), place, quiet);
  for (double z = -1000; z < 4000; z += 13)
    EXPECT_EQ(rock_at(large, {20e3, 20e3, z}), rock_at(small, {20, 20, z / 1000})) << z;
}

TEST(PlanetRock, IsDefinedAtPolesAndAcrossTheDateLine) {
  for (const auto& [north, east] : {std::pair{90.0, 0.0}, {-90.0, 33.0}, {10.0, 180.0}, {0.0, -180.0}}) {
    const Geology rock =
        planet_rock(make_world({3e6, 3e6}, 33), usual(), {.latitude = north, .longitude = east}, quiet);
    for (double x = -1e6; x < 4e6; x += 1.7e5) {
      const float rho = rock.resistance(Vec3{x, 0.7 * x, 100});
      EXPECT_TRUE(rho >= 0 && rho <= 1) << x;
    }
  }
}

}  // namespace tepui::planet_rock_test

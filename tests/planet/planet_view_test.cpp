#include "tepui/planet/planet_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/params.h"
#include "tepui/mesh/checks.h"
#include "tepui/planet/planet.h"
#include "tests/support/planets.h"
#include "tests/support/support.h"

namespace tepui::planet_view_test {

namespace {

const Context quiet;

Planet made(const PlanetParams& params) { return test::small_planet(4, params); }
const Planet& usual() { return test::usual_planet<4>(); }

/// Near the highest place of the land.
PlanetViewParams mountain_view() {
  const Vec3 at = test::highest_place(usual().land());
  PlanetViewParams params;
  params.latitude = math::degrees(latitude(at)) + 0.03;
  params.longitude = math::degrees(longitude(at)) - 0.02;
  params.altitude = 100;
  params.detail = 0.1;
  params.max_level = 16;
  return params;
}

void expect_sound(const Mesh& mesh, bool closed = false) {
  const MeshChecks facts = check_mesh(mesh, quiet);
  EXPECT_EQ(facts.components, 1);
  EXPECT_EQ(facts.nonmanifold_edges, 0);
  EXPECT_EQ(facts.misoriented_edges, 0);
  EXPECT_EQ(facts.degenerate_triangles, 0);
  EXPECT_EQ(facts.boundary_edges == 0, closed);
  // A disc or a sphere.
  const auto triangles = static_cast<int64_t>(mesh.triangles().size());
  const auto edges = (3 * triangles + facts.boundary_edges) / 2;
  EXPECT_EQ(static_cast<int64_t>(mesh.positions().size()) - edges + triangles, closed ? 2 : 1);
  for (const MeshAttribute& attribute : mesh.attributes())
    for (const float value : attribute.values) ASSERT_TRUE(std::isfinite(value)) << attribute.name;
}

float least(const Mesh& mesh, const char* name) { return std::ranges::min(mesh.attribute(name)->values); }
float most(const Mesh& mesh, const char* name) { return std::ranges::max(mesh.attribute(name)->values); }

/// The vertex nearest to the camera.
size_t nearest(const Mesh& mesh) {
  size_t best = 0;
  for (size_t i = 1; i < mesh.positions().size(); ++i)
    if (length(to_vec(mesh.positions()[i])) < length(to_vec(mesh.positions()[best]))) best = i;
  return best;
}

}  // namespace

TEST(PlanetView, IsOneSheetWithoutCracksFromAnyAltitude) {
  PlanetViewParams params = mountain_view();
  for (const double altitude : {0.0, 2.0, 1e3, 1e5, 3e6, 1e9}) {
    params.altitude = altitude;
    SCOPED_TRACE(altitude);
    expect_sound(planet_view(usual(), params, quiet));
  }
}

TEST(PlanetView, IsDefinedAtThePolesAndTheDateLine) {
  for (const auto& [north, east] : {std::pair{90.0, 0.0}, {-90.0, 77.0}, {0.0, 180.0}, {12.0, -180.0}, {50.0, 360.0}}) {
    SCOPED_TRACE(north);
    expect_sound(planet_view(
        usual(), {.latitude = north, .longitude = east, .altitude = 5e4, .detail = 0.2, .max_level = 11}, quiet));
  }
  // The same meridian by two names.
  const auto at = [](double east) {
    return planet_view(usual(), {.latitude = 3, .longitude = east, .altitude = 5e4, .detail = 0.2, .max_level = 10},
                       quiet);
  };
  const auto near = [](const Mesh& a, const Mesh& b) {
    return length(to_vec(a.positions()[nearest(a)]) - to_vec(b.positions()[nearest(b)]));
  };
  EXPECT_LT(near(at(190), at(-170)), 1);
}

TEST(PlanetView, ClosesAroundTheWholePlanet) {
  PlanetViewParams params = mountain_view();
  params.whole = true;
  params.frame = ViewAxes::planet;
  const Mesh mesh = planet_view(usual(), params, quiet);
  expect_sound(mesh, true);
  const auto [low, high] = mesh.world_bounds();
  for (const double extent : {low.x, low.y, low.z}) EXPECT_NEAR(extent / earth_radius, -1, 0.003);
  for (const double extent : {high.x, high.y, high.z}) EXPECT_NEAR(extent / earth_radius, 1, 0.003);
}

TEST(PlanetView, TheCameraIsAboveWhatLiesBelowIt) {
  PlanetViewParams params = mountain_view();
  params.altitude = 500;
  const Mesh mountain = planet_view(usual(), params, quiet);
  // The vertex that lies most nearly below it; others of a steep slope may be nearer.
  size_t below = 0;
  const auto aside = [&](size_t i) {
    const Vec3 at = to_vec(mountain.positions()[i]);
    return at.x * at.x + at.y * at.y;
  };
  for (size_t i = 1; i < mountain.positions().size(); ++i) below = aside(i) < aside(below) ? i : below;
  EXPECT_NEAR(mountain.centre().z - static_cast<double>(mountain.attribute("height")->values[below]), 500, 120);
  // Over the sea, above its surface.
  const GlobalLand& land = usual().land();
  const auto deepest = std::min_element(land.height.begin(), land.height.end()) - land.height.begin();
  const Vec3 at = land.mesh.directions[static_cast<size_t>(deepest)];
  params.latitude = math::degrees(latitude(at));
  params.longitude = math::degrees(longitude(at));
  EXPECT_NEAR(planet_view(usual(), params, quiet).centre().z, 500, 1e-6);
}

TEST(PlanetView, SurfacesLieAboveEachOther) {
  PlanetParams cold;
  cold.warmer = -15;
  const Planet icy = made(cold);
  PlanetViewParams params{.latitude = 60, .longitude = 20, .altitude = 2e6, .detail = 0.1, .max_level = 9};
  params.surface = ViewSurface::ground;
  const Mesh ground = planet_view(icy, params, quiet);
  params.surface = ViewSurface::ice;
  const Mesh ice = planet_view(icy, params, quiet);
  params.surface = ViewSurface::water;
  const Mesh water = planet_view(icy, params, quiet);
  ASSERT_EQ(ground.positions().size(), water.positions().size());
  const auto value = [](const Mesh& mesh, const char* name, size_t i) {
    return static_cast<double>(mesh.attribute(name)->values[i]);
  };
  for (size_t i = 0; i < ground.positions().size(); ++i) {
    const double bare = value(ground, "height", i);
    EXPECT_NEAR(value(ice, "height", i), bare + value(ice, "ice", i), 0.01);
    EXPECT_NEAR(value(water, "height", i), bare + value(ice, "ice", i) + value(ice, "water", i), 0.01);
  }
  EXPECT_GT(most(ice, "ice"), 100);
  EXPECT_GT(most(ice, "water"), 1000);
  EXPECT_GE(least(water, "height"), -0.01f);
}

TEST(PlanetView, AVertexIsTheSameInEveryView) {
  PlanetViewParams params = mountain_view();
  params.frame = ViewAxes::planet;
  const auto vertices = [](const Mesh& mesh) {
    // By what does not depend on the camera; positions are rounded about it.
    std::map<std::array<float, 5>, Vec3> all;
    const auto value = [&](const char* name, size_t i) { return mesh.attribute(name)->values[i]; };
    for (size_t i = 0; i < mesh.positions().size(); ++i)
      all[{value("height", i), value("born_height", i), value("temperature", i), value("discharge", i),
           value("rain", i)}] = mesh.centre() + to_vec(mesh.positions()[i]);
    return all;
  };
  const auto here = vertices(planet_view(usual(), params, quiet));
  params.latitude += 0.01;
  params.altitude = 400;
  params.detail = 0.07;
  const auto there = vertices(planet_view(usual(), params, quiet));
  size_t shared = 0;
  for (const auto& [name, at] : here)
    if (const auto other = there.find(name); other != there.end()) {
      ++shared;
      EXPECT_LT(length(other->second - at), 0.01 + 1e-6 * length(at));
    }
  EXPECT_GT(shared, here.size() / 3);
}

TEST(PlanetView, KeepsWhatIsInThePicture) {
  PlanetViewParams params = mountain_view();
  const Mesh all = planet_view(usual(), params, quiet);
  params.field_of_view = 60;
  params.heading = 90;
  const Mesh east = planet_view(usual(), params, quiet);
  EXPECT_LT(east.triangles().size(), all.triangles().size() / 2);
  EXPECT_GT(east.triangles().size(), all.triangles().size() / 20);
  // All within 30 degrees of the middle of the picture is there.
  const auto ahead = [](const Mesh& mesh) {
    return std::ranges::count_if(mesh.positions(), [](const MeshPoint& p) {
      const Vec3 at = to_vec(p);
      return at.x > math::cos(math::radians(29.6)) * length(at);
    });
  };
  EXPECT_GT(ahead(all), 100);
  EXPECT_EQ(ahead(east), ahead(all));
  // And nothing far behind.
  EXPECT_GT(east.bounds().low[0], -2e4f);
  // The same in both frames.
  params.frame = ViewAxes::planet;
  EXPECT_EQ(planet_view(usual(), params, quiet).triangles().size(), east.triangles().size());
  params.altitude = 1000;
  params.pitch = 80;
  EXPECT_THROW(planet_view(usual(), params, quiet), Error);
}

TEST(PlanetView, PlanetsOfAnySizeAreTheSameLand) {
  PlanetViewParams params = mountain_view();
  const Mesh earth = planet_view(usual(), params, quiet);
  for (const double radius : {1.0, 1e9}) {
    PlanetParams other;
    other.radius = radius;
    const double scale = radius / earth_radius;
    PlanetViewParams scaled = params;
    scaled.altitude = params.altitude * scale;
    const Mesh mesh = planet_view(made(other), scaled, quiet);
    expect_sound(mesh);
    ASSERT_EQ(mesh.positions().size(), earth.positions().size());
    for (size_t i = 0; i < mesh.positions().size(); ++i)
      EXPECT_LT(length(to_vec(mesh.positions()[i]) * (1 / scale) - to_vec(earth.positions()[i])),
                0.01 + 1e-6 * length(to_vec(earth.positions()[i])));
    // As high in metres as a person.
    scaled.altitude = 2;
    expect_sound(planet_view(made(other), scaled, quiet));
  }
}

TEST(PlanetView, AllSeaAndNoIceAreDefined) {
  PlanetParams wet;
  wet.sea = 100;
  PlanetViewParams params{.altitude = 1e4, .detail = 0.2, .max_level = 10};
  const Mesh sea = planet_view(made(wet), params, quiet);
  expect_sound(sea);
  EXPECT_GT(least(sea, "water"), 0);
  EXPECT_LT(most(sea, "height"), 0);
  PlanetParams bare;
  bare.ice = false;
  bare.warmer = 40;
  params.latitude = 89;
  const Mesh warm = planet_view(made(bare), params, quiet);
  expect_sound(warm);
  EXPECT_EQ(most(warm, "ice"), 0);
  EXPECT_EQ(most(warm, "snow"), 0);
}

TEST(PlanetView, RefusesWhatItCannotDo) {
  const auto refuses = [](auto change) {
    PlanetViewParams params;
    change(params);
    EXPECT_THROW(check_params(params), Error);
  };
  refuses([](PlanetViewParams& p) { p.max_level = 30; });
  refuses([](PlanetViewParams& p) { p.altitude = -1; });
  refuses([](PlanetViewParams& p) { p.detail = 0; });
  refuses([](PlanetViewParams& p) { p.latitude = 91; });
  refuses([](PlanetViewParams& p) { p.field_of_view = 0; });
}

TEST(PlanetView, SameBitsForAnyThreadCount) {
  PlanetViewParams params = mountain_view();
  params.field_of_view = 90;
  test::expect_same_bits([&] { return planet_view(usual(), params, quiet).hash(); });
}

}  // namespace tepui::planet_view_test

#include "tepui/planet/planet_places.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/planet/planet.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/planet_patch.h"
#include "tests/support/planets.h"
#include "tests/support/support.h"

namespace tepui::planet_places_test {

namespace {

const Context quiet;

Planet made(const PlanetParams& params) { return test::small_planet(4, params); }
const Planet& usual() { return test::usual_planet<4>(); }

struct Places {
  std::vector<double> latitude, longitude;
};

/// Where the samples of a patch lie.
Places samples_of(const Terrain& land, double radius, double north, double east) {
  const PatchPlane plane(radius, direction_at(math::radians(north), math::radians(east)));
  const Frame& frame = land.frame();
  Places places;
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x) {
      const Vec3 at = plane.direction({frame.x(x) - 0.5 * frame.size.x, frame.y(y) - 0.5 * frame.size.y});
      places.latitude.push_back(math::degrees(latitude(at)));
      places.longitude.push_back(math::degrees(longitude(at)));
    }
  return places;
}

}  // namespace

TEST(PlanetPlaces, AreWhatPatchesHaveThere) {
  for (const double radius : {earth_radius, 1e5}) {
    PlanetParams params;
    params.radius = radius;
    params.exaggeration = 2;
    const Planet small = made(params);
    const double north = 47, east = -12, size = 0.01 * radius;
    const Terrain land =
        planet_patch(make_world({size, size}, 40), small, {.latitude = north, .longitude = east}, quiet);
    const Places at = samples_of(land, radius, north, east);
    const std::vector<double> heights =
        PlanetPlaces(small).heights(at.latitude, at.longitude, land.frame().cell.x, quiet);
    for (size_t i = 0; i < heights.size(); ++i)
      EXPECT_NEAR(heights[i], static_cast<double>(land.height().cells()[i]), 1e-5 * radius / 637.1) << i;
  }
}

TEST(PlanetPlaces, DoNotDependOnWhatElseIsAsked) {
  // Some near each other, some far apart, at the poles and on the date line.
  const Stream stream(11);
  Places at;
  for (uint64_t i = 0; i < 20; ++i) {
    const double near = i < 16 ? 0.005 : 1;
    at.latitude.push_back(std::clamp(31 + near * stream.uniform(i, 0, -58, 58), -90.0, 90.0));
    at.longitude.push_back(179.9 + near * stream.uniform(i, 1, -180, 180));
  }
  at.latitude.front() = 90;
  at.latitude.back() = -90;
  const PlanetPlaces places(usual());
  const std::vector<double> together = places.heights(at.latitude, at.longitude, 3000, quiet);
  for (size_t i = 0; i < together.size(); i += 5) {
    const std::vector<double> alone =
        places.heights(std::span(&at.latitude[i], 1), std::span(&at.longitude[i], 1), 3000, quiet);
    EXPECT_NEAR(alone.front(), together[i], 0.01) << i;
  }
}

TEST(PlanetPlaces, EachIsVisitedOnce) {
  const Stream stream(3);
  std::vector<Vec3> places;
  for (uint64_t i = 0; i < 3000; ++i)
    places.push_back(direction_at(stream.uniform(i, 0, -1.5, 1.5), stream.uniform(i, 1, -3, 3)));
  places.push_back(places.front());
  std::vector<std::atomic<int>> times(places.size());
  PlanetPlaces(usual()).visit(
      places, 6, [&](size_t i, const PlaceValues&) { ++times[i]; }, quiet);
  for (const auto& count : times) EXPECT_EQ(count.load(), 1);
}

TEST(PlanetPlaces, ComeCloserToTheLandWithTheSpacing) {
  const Terrain land = planet_patch(make_world({4e4, 4e4}, 8), usual(), {.latitude = 20, .longitude = 31}, quiet);
  const Places at = samples_of(land, earth_radius, 20, 31);
  const PlanetPlaces places(usual());
  const auto finest = places.heights(at.latitude, at.longitude, 500, quiet);
  double before = 1e9;
  for (const double spacing : {4e5, 4e4, 1e4, 2e3}) {
    const auto heights = places.heights(at.latitude, at.longitude, spacing, quiet);
    double apart = 0;
    for (size_t i = 0; i < heights.size(); ++i) apart += std::abs(heights[i] - finest[i]);
    EXPECT_LT(apart, before);
    before = apart;
  }
}

TEST(PlanetPlaces, RefusePlacesThatAreNone) {
  const PlanetPlaces places(usual());
  const std::vector<double> one{1}, two{1, 2}, pole{91}, none{std::nan("")};
  EXPECT_THROW(places.heights(one, two, 10, quiet), Error);
  EXPECT_THROW(places.heights(pole, one, 10, quiet), Error);
  EXPECT_THROW(places.heights(none, one, 10, quiet), Error);
  EXPECT_THROW(places.heights(one, none, 10, quiet), Error);
  EXPECT_THROW(places.heights(one, one, 0, quiet), Error);
  EXPECT_TRUE(places.heights({}, {}, 10, quiet).empty());
}

TEST(PlanetPlaces, SameBitsForAnyThreadCount) {
  Places at;
  const Stream stream(5);
  for (uint64_t i = 0; i < 5000; ++i) {
    at.latitude.push_back(stream.uniform(i, 0, 10, 10.1));
    at.longitude.push_back(stream.uniform(i, 1, 70, 70.1));
  }
  const PlanetPlaces places(usual());
  test::expect_same_bits([&] {
    const std::vector<double> heights = places.heights(at.latitude, at.longitude, 300, quiet);
    return Hasher().add(hash_large(heights.data(), heights.size() * sizeof(double))).finish();
  });
}

}  // namespace tepui::planet_places_test

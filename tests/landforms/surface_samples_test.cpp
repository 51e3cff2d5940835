#include "tepui/landforms/surface_samples.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/poisson_disk.h"
#include "tepui/landforms/project.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/primitive.h"
#include "tests/support/balls.h"
#include "tests/support/support.h"

namespace tepui::surface_samples_test {

namespace {

Volume carved_land(uint64_t seed) {
  const Volume land =
      implicitize(test::sample_land(33, 33, seed, 3, {0, 30}), nullptr, nullptr, {.floor = metres(20)}, Context());
  const Stream random(seed);
  std::vector<FieldPoint> points;
  for (uint64_t i = 0; i < 40; ++i)
    points.push_back({{random.uniform(i, 0, 10, 86), random.uniform(i, 1, 10, 86), random.uniform(i, 2, 0, 35)},
                      random.uniform(i, 3, 4, 12),
                      random.uniform(i, 4, -20, 12)});
  return land.with_root(with_points(land.share(), points, land.threshold()));
}

const Box3 middle{{15, 15, -30}, {80, 80, 60}};

}  // namespace

const Box3 part{{15, 15, -30}, {55, 50, 60}};

/// Poisson's distances hold on the surface.
void check_samples(const Volume& volume, double spacing) {
  const auto samples = sample_surface(volume, part, spacing, Stream(7), {}, Context());
  RC_ASSERT(samples.size() > 50);
  size_t near = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const SurfaceSample& s = samples[i];
    RC_ASSERT(part.grown(0.6 * spacing).holds(s.at));
    RC_ASSERT(std::abs(length(s.normal) - 1) < 1e-6);
    const Vec3 g = volume.gradient(s.at);
    RC_ASSERT(std::abs(static_cast<double>(volume.value(s.at))) <= 0.0031 * spacing * length(g));
    RC_ASSERT(dot(s.normal, g) <= -0.999 * length(g));
    for (size_t k = 0; k < i; ++k) {
      const double away = length(samples[k].at - s.at);
      RC_ASSERT(away >= 0.9 * spacing);
      near += away < 0.99 * spacing;
    }
  }
  RC_ASSERT(near <= samples.size() / 20 + 3);
}

RC_GTEST_PROP(SurfaceSamples, LieOnTheSurfaceAndKeepTheirDistance, ()) {
  check_samples(carved_land(*rc::gen::inRange<uint64_t>(0, 1000)), 2 + *rc::gen::inRange(0, 30) / 10.0);
}

RC_GTEST_PROP(SurfaceSamples, AreWhatThePlainTwinKeepsOfTheCandidates, ()) {
  const Volume volume = carved_land(*rc::gen::inRange<uint64_t>(0, 1000));
  const double spacing = 3 + *rc::gen::inRange(0, 30) / 10.0;
  const Box3 box{{20, 20, -30}, {50, 60, 60}};
  const SurfaceFilter filter{.accept = [](Vec3 p, Vec3 n) { return n.z > 0 || p.x > 40; }};
  const SurfacePlaces all = surface_candidates(volume, box, spacing, Stream(5), filter, Context());
  const SurfacePlaces fast = surface_places(volume, box, spacing, Stream(5), filter, Context());
  std::vector<std::array<double, 3>> expected, found;
  for (const uint32_t i : reference::poisson_disk(all.at, all.priority, spacing))
    expected.push_back({all.at[i].x, all.at[i].y, all.at[i].z});
  for (const Vec3 p : fast.at) found.push_back({p.x, p.y, p.z});
  std::ranges::sort(expected);
  std::ranges::sort(found);
  RC_ASSERT(found.size() > 20);
  RC_ASSERT(found == expected);
}

TEST(SurfaceSamples, StandOneInAboutOneAndAHalfSquaresOfTheSpacing) {
  const double radius = 40;
  const Volume ball(std::make_shared<test::Ball>(Vec3{10, 20, 30}, radius, 7.5), 7.5);
  for (const double spacing : {2.0, 4.0}) {
    const auto samples = sample_surface(ball, ball.support(), spacing, Stream(3), {}, Context());
    double r = 0;
    for (const SurfaceSample& s : samples) r += length(s.at - Vec3{10, 20, 30}) / static_cast<double>(samples.size());
    const double each = 4 * 3.14159265 * r * r / static_cast<double>(samples.size()) / (spacing * spacing);
    EXPECT_NEAR(each, 1.57, 0.04) << spacing;
  }
}

TEST(SurfaceSamples, OfHalfTheRegionAreTheSameWithinIt) {
  const Volume volume = carved_land(4);
  const double spacing = 1.2;
  Box3 half = middle;
  half.high.x = 50;
  const auto all = sample_surface(volume, middle, spacing, Stream(7), {}, Context());
  const auto some = sample_surface(volume, half, spacing, Stream(7), {}, Context());
  const auto within = [&](const std::vector<SurfaceSample>& list) {
    std::vector<std::array<double, 3>> places;
    for (const SurfaceSample& s : list)
      if (s.at.x < half.high.x - 8 * spacing) places.push_back({s.at.x, s.at.y, s.at.z});
    std::ranges::sort(places);
    return places;
  };
  EXPECT_GT(within(some).size(), 500u);
  EXPECT_EQ(within(all), within(some));
}

TEST(SurfaceSamples, AreOnlyWhereTheyAreWanted) {
  const Volume volume = carved_land(2);
  const SurfaceFilter steep{.accept = [](Vec3, Vec3 n) { return std::abs(n.z) < 0.7; },
                            .may = [](const Box3& box) { return box.high.y > 40; }};
  const auto samples = sample_surface(volume, middle, 2, Stream(7), steep, Context());
  // At a crease the surface and what is interpolated have different normals.
  size_t flat = 0;
  for (const SurfaceSample& s : samples) {
    flat += std::abs(s.normal.z) > 0.75;
    EXPECT_GT(s.at.y, 40 - 20);
  }
  EXPECT_GT(samples.size(), 200u);
  EXPECT_LT(flat, samples.size() / 25);
  const auto others = sample_surface(volume, middle, 2, Stream(8), {}, Context());
  EXPECT_NE(others.front().at, sample_surface(volume, middle, 2, Stream(7), {}, Context()).front().at);
}

TEST(SurfaceSamples, OfNothingAreNone) {
  EXPECT_TRUE(sample_surface(Volume(), middle, 2, Stream(7), {}, Context()).empty());
  const Volume volume = carved_land(2);
  EXPECT_TRUE(sample_surface(volume, {{20, 20, 100}, {60, 60, 200}}, 2, Stream(7), {}, Context()).empty());
  EXPECT_TRUE(sample_surface(volume, {}, 2, Stream(7), {}, Context()).empty());
  EXPECT_NE(test::error_of([&] { sample_surface(volume, middle, 0, Stream(7), {}, Context()); }).find("spacing"),
            std::string::npos);
}

TEST(SurfaceSamples, AreTheSameForAnyNumberOfThreads) {
  const Volume volume = carved_land(1);
  test::expect_same_bits([&] {
    Hasher hasher;
    for (const SurfaceSample& s : sample_surface(volume, middle, 2, Stream(7), {}, Context()))
      hasher.add(s.at.x).add(s.at.y).add(s.at.z).add(s.normal.x).add(s.normal.z);
    return hasher.finish();
  });
}

RC_GTEST_PROP(Project, MovesPlacesOntoTheSurfaceOrSaysThatItCannot, ()) {
  const Volume volume = carved_land(*rc::gen::inRange<uint64_t>(0, 6));
  const Stream random(*rc::gen::arbitrary<uint64_t>());
  std::vector<Vec3> places{{NAN, 0, 0}, {40, 40, 1e9}};
  for (uint64_t i = 0; i < 300; ++i)
    places.push_back({random.uniform(i, 0, 15, 80), random.uniform(i, 1, 15, 80), random.uniform(i, 2, -10, 40)});
  const double reach = 6;
  const ProjectedPlaces on = project(volume, places, reach, Context());
  RC_ASSERT(on.found[0] == 0 && on.found[1] == 0);
  int found = 0;
  for (size_t i = 2; i < places.size(); ++i) {
    if (on.found[i] == 0) {
      RC_ASSERT(on.at[i] == places[i]);
      // Straight up and down there is no surface nearer than a part of the reach.
      RC_ASSERT(!volume.cast(places[i], {0, 0, 1}, 0.1 * reach, 0.05));
      continue;
    }
    ++found;
    RC_ASSERT(length(on.at[i] - places[i]) <= reach * 1.0000001);
    RC_ASSERT(std::abs(static_cast<double>(volume.value(on.at[i]))) <=
              5.001e-3 * reach * length(volume.gradient(on.at[i])));
  }
  RC_ASSERT(found > 60);
}

}  // namespace tepui::surface_samples_test

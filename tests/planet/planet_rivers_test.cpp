#include "tepui/planet/planet_rivers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tepui/core/math.h"
#include "tepui/planet/planet.h"
#include "tepui/planet/river_courses.h"
#include "tests/support/support.h"

namespace tepui::planet_rivers_test {

namespace {

const Context quiet;

const Planet& usual() {
  static const Planet one = [] {
    PlanetParams params;
    params.level = 6;
    return planet(nullptr, params, quiet);
  }();
  return one;
}

/// A random forest: vertex 0 is the sea, every other drains to one of a smaller number.
struct Forest {
  std::vector<int32_t> receiver{-1};
  std::vector<int64_t> discharge;
};

Forest any_forest() {
  Forest forest;
  const int count = *rc::gen::inRange(2, 60);
  std::vector<int64_t> own{0};
  for (int v = 1; v < count; ++v) {
    forest.receiver.push_back(*rc::gen::inRange(std::max(0, v - 6), v));
    own.push_back(*rc::gen::inRange(0, 5));
  }
  forest.discharge = own;
  for (int v = count - 1; v > 0; --v)
    forest.discharge[static_cast<size_t>(forest.receiver[static_cast<size_t>(v)])] +=
        forest.discharge[static_cast<size_t>(v)];
  return forest;
}

}  // namespace

RC_GTEST_PROP(RiverCourses, CoverEveryStepOnceAndObeyStrahler, ()) {
  const Forest forest = any_forest();
  const int64_t least = *rc::gen::inRange(1, 12);
  const std::vector<RiverCourse> courses = river_courses(forest.receiver, forest.discharge, least);
  std::map<int32_t, int> taken, order_at;
  std::map<int32_t, std::vector<int>> arriving;
  for (const RiverCourse& course : courses) {
    RC_ASSERT(course.vertices.size() >= 2u);
    for (size_t i = 0; i + 1 < course.vertices.size(); ++i) {
      RC_ASSERT(forest.receiver[static_cast<size_t>(course.vertices[i])] == course.vertices[i + 1]);
      RC_ASSERT(++taken[course.vertices[i]] == 1);
    }
    order_at[course.vertices.front()] = course.order;
    arriving[course.vertices.back()].push_back(course.order);
  }
  for (size_t v = 1; v < forest.receiver.size(); ++v)
    RC_ASSERT((forest.discharge[v] >= least) == (taken.count(static_cast<int32_t>(v)) == 1));
  for (const auto& [v, order] : order_at) {
    std::vector<int>& above = arriving[v];
    std::ranges::sort(above, std::greater());
    const int expected = above.empty() ? 1 : above.size() > 1 && above[0] == above[1] ? above[0] + 1 : above[0];
    RC_ASSERT(order == expected);
  }
}

RC_GTEST_PROP(RiverCourses, ARiverIsOneWayToItsEnd, ()) {
  const Forest forest = any_forest();
  const std::vector<RiverCourse> courses = river_courses(forest.receiver, forest.discharge, 1);
  std::map<int32_t, int64_t> at_end;  // of each river
  std::map<int32_t, int> ends;
  std::map<int32_t, int32_t> river_of;  // by the vertex at which a course begins
  for (const RiverCourse& course : courses) river_of[course.vertices.front()] = course.river;
  for (const RiverCourse& course : courses) {
    const int32_t last = course.vertices.back(), before = course.vertices[course.vertices.size() - 2];
    const auto next = river_of.find(last);
    const bool goes_on = next != river_of.end() && next->second == course.river;
    if (goes_on) continue;
    RC_ASSERT(++ends[course.river] == 1);
    at_end[course.river] = forest.discharge[static_cast<size_t>(before)];
    if (next == river_of.end()) RC_ASSERT(course.basin == course.river);
  }
  for (auto a = at_end.begin(); a != at_end.end() && std::next(a) != at_end.end(); ++a)
    RC_ASSERT(a->second >= std::next(a)->second);
}

TEST(PlanetRivers, RunDownAndCarryMoreAndMore) {
  const Lines lines = planet_rivers(usual(), {.source = 200}, quiet);
  ASSERT_GT(lines.features(), 100u);
  const LineAttribute& discharge = *lines.vertex_number("discharge");
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    for (size_t v = feature.first_vertex + 1; v < feature.end_vertex; ++v) {
      EXPECT_LE(lines.vertices()[v].z, lines.vertices()[v - 1].z + 1e-9);
      EXPECT_GE(discharge.values[v], discharge.values[v - 1] * (1 - 1e-12));
      // No part crosses the map.
      EXPECT_TRUE(std::abs(lines.vertices()[v].x - lines.vertices()[v - 1].x) < 0.2 * math::pi * earth_radius ||
                  feature.end_part - feature.first_part > 1 ||
                  std::abs(lines.vertices()[v].y / earth_radius - math::pi / 2) > 1.3);
    }
  }
}

TEST(PlanetRivers, MouthsBringWhatTheLandSheds) {
  const Lines lines = planet_rivers(usual(), {.source = 1e-3}, quiet);
  const LineAttribute &discharge = *lines.number("discharge"), &basin = *lines.number("basin");
  std::map<double, double> of_basin;
  for (size_t f = 0; f < lines.features(); ++f)
    of_basin[basin.values[f]] = std::max(of_basin[basin.values[f]], discharge.values[f]);
  double sum = 0;
  for (const auto& [number, flow] : of_basin) sum += flow;
  const double all = 0x1p60 * usual().land().unit / (365.25 * 86400);
  EXPECT_NEAR(sum / all, 1, 0.02);
}

TEST(PlanetRivers, NoneWhereNothingIsWetEnough) { EXPECT_TRUE(planet_rivers(usual(), {.source = 1e9}, quiet).empty()); }

}  // namespace tepui::planet_rivers_test

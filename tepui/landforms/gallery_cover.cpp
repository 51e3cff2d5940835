#include "tepui/landforms/gallery_cover.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace tepui {

namespace {

/// Around an axis, in radii: where the surface is looked for, and how wide a passage may be that is clear so far.
constexpr std::array<double, 4> rings{0.35, 0.75, 1.4, 2.5};
constexpr double clear = 2.5;
/// Of a radius, that a passage keeps.
constexpr double least = 0.35 / clear;
/// Between two mouths, in the sum of their radii: along beds passages are half as wide again.
constexpr double touching = 1.4;
/// Along a passage, in radii, to a mouth.
constexpr double approach = 2.5;

/// To the faces, edges and corners of a cube.
constexpr size_t direction_count = 26;
const std::array<Vec3, direction_count>& directions() {
  static const auto all = [] {
    std::array<Vec3, direction_count> list;
    size_t i = 0;
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          if (x != 0 || y != 0 || z != 0)
            list[i++] = Vec3{1.0 * x, 1.0 * y, 1.0 * z} * (1 / std::sqrt(static_cast<double>(x * x + y * y + z * z)));
    return list;
  }();
  return all;
}

/// A vertex near the surface.
struct NearVertex {
  size_t course = 0, vertex = 0;
};

/// Those of which the field does not say outright that all around is rock.
std::vector<NearVertex> near_surface(const std::vector<GalleryCourse>& courses, const Volume& volume) {
  std::vector<NearVertex> found;
  for (size_t c = 0; c < courses.size(); ++c)
    for (size_t v = 0; v < courses[c].at.size(); ++v) {
      const Vec3 at = courses[c].at[v];
      const Box3 around = Box3{at, at}.grown(rings.back() * courses[c].radius[v]);
      if (!(volume.root().range(around).low > 0)) found.push_back({c, v});
    }
  return found;
}

/// The field in all directions on all rings around a vertex, and at itself.
struct Probes {
  static constexpr size_t count = 1 + rings.size() * direction_count;
  std::vector<float> field;

  Probes(const std::vector<GalleryCourse>& courses, const std::vector<NearVertex>& near, const Volume& volume,
         const Context& context) {
    std::vector<double> x, y, z;
    for (const NearVertex& n : near) {
      const Vec3 at = courses[n.course].at[n.vertex];
      const double radius = courses[n.course].radius[n.vertex];
      const auto add = [&](Vec3 p) {
        x.push_back(p.x);
        y.push_back(p.y);
        z.push_back(p.z);
      };
      add(at);
      for (const double ring : rings)
        for (const Vec3& direction : directions()) add(at + direction * (ring * radius));
    }
    field.resize(x.size());
    volume.values(x, y, z, field, context);
  }
  bool is_air(size_t near, size_t ring) const {
    const auto first = field.begin() + static_cast<ptrdiff_t>(near * count + 1 + ring * direction_count);
    return std::any_of(first, first + direction_count, [](float v) { return !(v > 0); });
  }
  bool stands_in_air(size_t near) const { return !(field[near * count] > 0); }
};

/// Metres along a course to the next place in the open air.
std::vector<double> to_mouth(const GalleryCourse& course) {
  std::vector<double> away(course.at.size(), std::numeric_limits<double>::infinity());
  for (size_t v = 0; v < away.size(); ++v) {
    if (v > 0) away[v] = away[v - 1] + length(course.at[v] - course.at[v - 1]);
    if (course.open[v] != 0) away[v] = 0;
  }
  for (size_t v = away.size(); v-- > 1;)
    away[v - 1] = std::min(away[v - 1], away[v] + length(course.at[v] - course.at[v - 1]));
  return away;
}

size_t root_of(std::vector<size_t>& parent, size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

void keep_cover(std::vector<GalleryCourse>& courses, const Volume& volume, const Context& context) {
  const std::vector<NearVertex> near = near_surface(courses, volume);
  if (near.empty()) return;
  const Probes probes(courses, near, volume, context);
  for (size_t i = 0; i < near.size(); ++i)
    if (probes.stands_in_air(i) || probes.is_air(i, 0)) courses[near[i].course].open[near[i].vertex] = 1;
  std::vector<double> away;
  size_t of = courses.size();
  for (size_t i = 0; i < near.size(); ++i) {
    GalleryCourse& course = courses[near[i].course];
    if (near[i].course != of) away = to_mouth(course);
    of = near[i].course;
    double& radius = course.radius[near[i].vertex];
    if (away[near[i].vertex] <= approach * radius) continue;
    size_t ring = 0;
    while (ring < rings.size() && !probes.is_air(i, ring)) ++ring;
    if (ring < rings.size()) radius *= std::max(least, rings[std::max<size_t>(ring, 1) - 1] / clear);
  }
}

int64_t count_mouths(const std::vector<GalleryCourse>& courses) {
  struct Place {
    Vec3 at;
    double radius = 0;
    bool follows = false;
  };
  std::vector<Place> open;
  for (const GalleryCourse& course : courses)
    for (size_t v = 0; v < course.at.size(); ++v)
      if (course.open[v] != 0) open.push_back({course.at[v], course.radius[v], v > 0 && course.open[v - 1] != 0});
  // Along x, so that each is compared only with those that may touch it.
  std::vector<size_t> order(open.size()), parent(open.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::iota(parent.begin(), parent.end(), size_t{0});
  for (size_t i = 1; i < open.size(); ++i)
    if (open[i].follows) parent[root_of(parent, i)] = root_of(parent, i - 1);
  std::ranges::stable_sort(order, {}, [&](size_t i) { return open[i].at.x; });
  double widest = 0;
  for (const Place& place : open) widest = std::max(widest, place.radius);
  for (size_t a = 0; a < order.size(); ++a)
    for (size_t b = a + 1; b < order.size() && open[order[b]].at.x - open[order[a]].at.x < touching * 2 * widest; ++b) {
      const Place &p = open[order[a]], &q = open[order[b]];
      if (length(p.at - q.at) < touching * (p.radius + q.radius))
        parent[root_of(parent, order[b])] = root_of(parent, order[a]);
    }
  int64_t mouths = 0;
  for (size_t i = 0; i < open.size(); ++i) mouths += root_of(parent, i) == i ? 1 : 0;
  return mouths;
}

}  // namespace tepui

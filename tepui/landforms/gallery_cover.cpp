#include "tepui/landforms/gallery_cover.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tepui {

namespace {

/// Around an axis, in radii: where the surface is looked for, and how wide a passage may be that is clear so far.
constexpr std::array<double, 4> rings{0.35, 0.75, 1.4, 2.5};
constexpr double clear = 2.5;
/// Of a radius, that a passage keeps.
constexpr double least = 0.35 / clear;
/// Along a passage, in radii, to a mouth: where it is wide in any case, and where it is if it goes into the rock, by so
/// many metres a metre at least.
constexpr double threshold = 1.3, approach = 2.5, least_dive = 0.45;

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
    const double to_air = away[near[i].vertex] / radius;
    if (to_air <= threshold) continue;
    size_t ring = 0;
    while (ring < rings.size() && !probes.is_air(i, ring)) ++ring;
    if (ring == rings.size()) continue;
    const double found = rings[std::max<size_t>(ring, 1) - 1];
    // On its way out a passage comes closer to the surface as it comes closer to the mouth.
    if (to_air <= approach && found >= least_dive * to_air) continue;
    radius *= std::max(least, found / clear);
  }
}

}  // namespace tepui

#include "tepui/render/page/cave_course.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <tuple>

namespace tepui {

namespace {

constexpr double far = std::numeric_limits<double>::infinity();

double level_distance(Vec3 a, Vec3 b) { return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }

/// Vertices that lie at one place are one joint.
struct Joints {
  std::vector<size_t> of;  ///< the joint of every vertex
  std::vector<std::vector<std::pair<size_t, double>>> ways;
  std::vector<Vec3> at;

  explicit Joints(const Lines& lines) {
    std::map<std::tuple<double, double, double>, size_t> known;
    for (const Vec3& v : lines.vertices()) {
      const auto [found, fresh] = known.try_emplace({v.x, v.y, v.z}, at.size());
      if (fresh) at.push_back(v);
      of.push_back(found->second);
    }
    ways.resize(at.size());
    const LinesColumns& c = lines.columns();
    for (size_t f = 0; f < lines.features(); ++f) {
      const LineFeature feature = lines.feature(f);
      if (feature.shape == FeatureShape::point) continue;
      for (size_t p = feature.first_part; p < feature.end_part; ++p) {
        for (size_t v = c.part_starts[p] + 1; v < c.part_starts[p + 1]; ++v) join(v - 1, v);
        if (c.part_closed[p] != 0 && c.part_starts[p] < c.part_starts[p + 1])
          join(c.part_starts[p + 1] - 1, c.part_starts[p]);
      }
    }
  }
  void join(size_t a, size_t b) {
    const double metres = level_distance(at[of[a]], at[of[b]]);
    ways[of[a]].emplace_back(of[b], metres);
    ways[of[b]].emplace_back(of[a], metres);
  }
};

/// The shortest way from where one goes in to all that can be reached.
void walk(const Joints& joints, const std::vector<size_t>& from, std::vector<double>& distance) {
  using Turn = std::pair<double, size_t>;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> queue;
  for (const size_t joint : from) {
    distance[joint] = 0;
    queue.emplace(0, joint);
  }
  while (!queue.empty()) {
    const auto [metres, joint] = queue.top();
    queue.pop();
    if (metres > distance[joint]) continue;
    for (const auto& [next, step] : joints.ways[joint])
      if (metres + step < distance[next]) {
        distance[next] = metres + step;
        queue.emplace(distance[next], next);
      }
  }
}

std::vector<size_t> sinks_of(const Lines& lines, const Joints& joints) {
  std::vector<size_t> sinks;
  const LineTextAttribute* kind = lines.text("kind");
  for (size_t f = 0; kind != nullptr && f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    if (feature.shape != FeatureShape::point || kind->values[f] != "sink") continue;
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) sinks.push_back(joints.of[v]);
  }
  return sinks;
}

}  // namespace

CaveCourse cave_course(const Lines& lines) {
  const Joints joints(lines);
  std::vector<double> distance(joints.at.size(), far);
  walk(joints, sinks_of(lines, joints), distance);
  std::vector<size_t> order(joints.at.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return joints.at[i].z; });
  for (const size_t highest : order)
    if (distance[highest] == far) walk(joints, {highest}, distance);
  CaveCourse course;
  for (const size_t joint : joints.of) {
    course.distance.push_back(distance[joint]);
    course.longest = std::max(course.longest, distance[joint]);
  }
  return course;
}

}  // namespace tepui

#include "tepui/landforms/cave_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/terrain/lines_builder.h"

namespace tepui {

namespace {

constexpr double weak_rock = 0.35;
/// Tangent of 20 degrees.
constexpr double level_slope = 0.36397023426620234;

size_t index(int32_t i) { return static_cast<size_t>(i); }

/// The passages of what has grown, one after the other.
class PassageWriter {
 public:
  PassageWriter(const CaveNetwork& caves, std::span<const uint8_t> grown, std::span<const double> ground)
      : caves_(caves), grown_(grown), ground_(ground), degree_(caves.points.size()), child_(caves.points.size(), -1) {
    for (size_t i = 0; i < caves.points.size(); ++i) {
      const int32_t parent = caves.points[i].parent;
      if (grown[i] == 0 || parent < 0) continue;
      ++degree_[index(parent)];
      child_[index(parent)] = static_cast<int32_t>(i);
    }
    for (const auto& [a, b] : caves.joins) {
      // A passage ends where another joins it.
      degree_[index(a)] += 2;
      degree_[index(b)] += 2;
    }
  }

  void write(LinesBuilder& builder) {
    order_ = builder.number("order");
    sink_ = builder.number("sink");
    kind_ = builder.text("kind");
    radius_ = builder.vertex_number("radius", "m");
    depth_ = builder.vertex_number("depth", "m");
    for (size_t i = 0; i < caves_.points.size(); ++i) {
      const CavePoint& p = caves_.points[i];
      if (grown_[i] == 0 || p.parent < 0 || !begins_here(p)) continue;
      std::vector<int32_t> way{p.parent, static_cast<int32_t>(i)};
      while (degree_[index(way.back())] == 1 && caves_.points[index(child_[index(way.back())])].blind == p.blind)
        way.push_back(child_[index(way.back())]);
      add(builder, way, p.order, p.blind ? "blind" : "passage");
    }
    for (const auto& [a, b] : caves_.joins)
      if (grown_[index(a)] != 0 && grown_[index(b)] != 0) add(builder, {a, b}, 1, "join");
  }

 private:
  /// Whether a passage begins at the parent and goes this way.
  bool begins_here(const CavePoint& p) const {
    const CavePoint& up = caves_.points[index(p.parent)];
    return up.parent < 0 || degree_[index(p.parent)] != 1 || up.blind != p.blind;
  }

  void add(LinesBuilder& builder, const std::vector<int32_t>& way, int32_t order, const char* kind) {
    std::vector<Vec3> places;
    std::vector<double> radii, depths;
    for (const int32_t p : way) {
      const CavePoint& point = caves_.points[index(p)];
      places.push_back(point.at);
      radii.push_back(point.radius);
      depths.push_back(std::max(0.0, ground_[index(p)] - point.at.z));
    }
    builder.begin(FeatureShape::line);
    builder.part(places);
    builder.set(radius_, radii);
    builder.set(depth_, depths);
    builder.set(order_, order);
    builder.set(sink_, caves_.points[index(way.back())].start + 1);
    builder.set(kind_, kind);
  }

  const CaveNetwork& caves_;
  std::span<const uint8_t> grown_;
  std::span<const double> ground_;
  std::vector<int32_t> degree_, child_;
  NumberColumn order_{}, sink_{};
  TextColumnId kind_{};
  VertexColumn radius_{}, depth_{};
};

void add_points(const CaveNetwork& caves, std::span<const PercolationStart> starts, std::span<const uint8_t> grown,
                LinesBuilder& builder) {
  const NumberColumn sink = builder.number("sink");
  const TextColumnId kind = builder.text("kind");
  int springs = 0;
  const auto add = [&](int32_t p, bool is_spring) {
    const CavePoint& point = caves.points[index(p)];
    if (grown[index(p)] == 0) return;
    springs += is_spring ? 1 : 0;
    builder.begin(FeatureShape::point,
                  is_spring ? fmt::format("spring {}", springs) : fmt::format("sink {}", point.start + 1));
    builder.part({&point.at, 1});
    builder.set(sink, point.start + 1);
    builder.set(kind, is_spring ? "spring" : "sink");
  };
  for (const int32_t p : caves.starts)
    if (!starts[index(caves.points[index(p)].start)].rising) add(p, false);
  for (const int32_t p : caves.starts)
    if (starts[index(caves.points[index(p)].start)].rising) add(p, true);
  for (const int32_t p : caves.springs) add(p, true);
}

}  // namespace

Lines cave_lines(const CaveNetwork& caves, std::span<const PercolationStart> starts, std::span<const uint8_t> grown,
                 std::span<const double> ground, std::optional<Georeference> geo) {
  LinesBuilder builder;
  PassageWriter(caves, grown, ground).write(builder);
  add_points(caves, starts, grown, builder);
  if (geo) builder.set_geo(*std::move(geo));
  return std::move(builder).build();
}

CaveFacts cave_facts(const CaveNetwork& caves, std::span<const uint8_t> grown) {
  CaveFacts facts;
  const auto count = [&](const CavePoint& a, const CavePoint& b) {
    const Vec3 way = b.at - a.at;
    const double metres = length(way);
    facts.length += metres;
    if (std::abs(way.z) <= level_slope * std::sqrt(way.x * way.x + way.y * way.y)) facts.level += metres;
    for (const CavePoint* end : {&a, &b})
      if (static_cast<double>(end->resistance) < weak_rock) facts.weak += metres / 2;
  };
  for (size_t i = 0; i < caves.points.size(); ++i)
    if (grown[i] != 0 && caves.points[i].parent >= 0)
      count(caves.points[index(caves.points[i].parent)], caves.points[i]);
  for (const auto& [a, b] : caves.joins)
    if (grown[index(a)] != 0 && grown[index(b)] != 0) count(caves.points[index(a)], caves.points[index(b)]);
  if (facts.length > 0) {
    facts.level /= facts.length;
    facts.weak /= facts.length;
  }
  return facts;
}

}  // namespace tepui

#include "tepui/mesh/charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tepui/core/parallel.h"
#include "tepui/mesh/checks.h"
#include "tepui/mesh/sets.h"

namespace tepui {

namespace {

constexpr uint32_t none = std::numeric_limits<uint32_t>::max();
constexpr int64_t grain = 1 << 13;
constexpr double least_facing = 0.2588;  // 75 degrees
constexpr int smoothings = 8, joinings = 8;

const std::array<ChartPlane, 10>& directions() {
  constexpr double r = 0.70710678118654752;
  static const auto list = [] {
    std::array<ChartPlane, 10> planes{};
    planes[0] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    planes[1] = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const Vec2 compass[] = {{1, 0}, {r, r}, {0, 1}, {-r, r}, {-1, 0}, {-r, -r}, {0, -1}, {r, -r}};
    for (size_t i = 0; i < 8; ++i) {
      const auto [x, y] = compass[i];
      planes[2 + i] = {{-y, x, 0}, {0, 0, 1}, {x, y, 0}};
    }
    return planes;
  }();
  return list;
}

using Neighbours = std::vector<std::array<uint32_t, 3>>;

/// Across each edge; none where there is no triangle or more than one.
Neighbours neighbours_of(const Mesh& mesh, const Context& context) {
  const std::vector<uint32_t> welded = weld(mesh, context);
  struct Edge {
    uint64_t ends;
    uint32_t triangle, side;
  };
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles().size());
  for (uint32_t i = 0; i < mesh.triangles().size(); ++i)
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t a = welded[mesh.triangles()[i][k]], b = welded[mesh.triangles()[i][(k + 1) % 3]];
      edges.push_back({(static_cast<uint64_t>(std::min(a, b)) << 32) | std::max(a, b), i, k});
    }
  std::ranges::sort(edges, [](const Edge& a, const Edge& b) {
    return a.ends != b.ends ? a.ends < b.ends : 3 * uint64_t{a.triangle} + a.side < 3 * uint64_t{b.triangle} + b.side;
  });
  context.check();
  Neighbours result(mesh.triangles().size(), {none, none, none});
  for (size_t i = 0; i < edges.size();) {
    size_t end = i;
    while (end < edges.size() && edges[end].ends == edges[i].ends) ++end;
    if (end == i + 2) {
      result[edges[i].triangle][edges[i].side] = edges[i + 1].triangle;
      result[edges[i + 1].triangle][edges[i + 1].side] = edges[i].triangle;
    }
    i = end;
  }
  return result;
}

Vec3 unit(Vec3 v) {
  const double size = length(v);
  return size > 0 ? v * (1 / size) : Vec3{};
}

class Cutter {
 public:
  Cutter(const Mesh& mesh, double per_metre, const Context& context)
      : mesh_(mesh), step_(1 / per_metre), neighbours_(neighbours_of(mesh, context.stage("edges", 0, 0.4))) {
    const auto count = static_cast<int64_t>(mesh.triangles().size());
    facets_.resize(static_cast<size_t>(count));
    for_triangles(context, [&](size_t i) {
      const MeshTriangle& t = mesh_.triangles()[i];
      const Vec3 a = corner(t[0]);
      facets_[i] = cross(corner(t[1]) - a, corner(t[2]) - a);
    });
  }

  Charts cut(const Context& context) {
    label_triangles(context.stage("directions", 0.4, 0.6));
    Charts charts = connected();
    for (int i = 0; i < joinings && join_small(charts); ++i) charts = connected();
    context.stage("folds", 0.6, 1).check();
    return unfolded(charts, context);
  }

 private:
  Vec3 corner(uint32_t vertex) const { return to_vec(mesh_.positions()[vertex]); }

  template <class Each>
  void for_triangles(const Context& context, const Each& each) const {
    parallel_chunks(static_cast<int64_t>(facets_.size()), grain, context, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) each(i);
    });
  }

  /// By where the surface around it looks, as long as that sees the triangle itself.
  void label_triangles(const Context& context) {
    std::vector<Vec3> smooth = facets_, next(facets_.size());
    for (int pass = 0; pass < smoothings; ++pass) {
      for_triangles(context.told_to(nullptr), [&](size_t i) {
        next[i] = smooth[i];
        for (const uint32_t n : neighbours_[i])
          if (n != none) next[i] = next[i] + smooth[n];
        next[i] = next[i] * 0.25;
      });
      smooth.swap(next);
    }
    labels_.resize(facets_.size());
    for_triangles(context, [&](size_t i) {
      const Vec3 own = unit(facets_[i]), around = unit(smooth[i]);
      double best = -2;
      bool seen = false;
      for (uint8_t d = 0; d < directions().size(); ++d) {
        const Vec3 out = directions()[d].out;
        const bool sees = dot(own, out) > least_facing;
        const double value = dot(sees ? around : own, out);
        if (sees < seen || (sees == seen && !(value > best))) continue;
        seen = sees, best = value, labels_[i] = d;
      }
    });
  }

  /// Connected triangles of one label, numbered by their first triangles.
  Charts connected() const {
    Sets sets(facets_.size());
    for (uint32_t i = 0; i < facets_.size(); ++i)
      for (const uint32_t n : neighbours_[i])
        if (n != none && n > i && labels_[n] == labels_[i]) sets.join(i, n);
    Charts charts;
    charts.of.assign(facets_.size(), none);
    std::vector<uint32_t> numbers(facets_.size(), none);
    for (uint32_t i = 0; i < facets_.size(); ++i) {
      uint32_t& number = numbers[sets.find(i)];
      if (number == none) {
        number = static_cast<uint32_t>(charts.planes.size());
        charts.planes.push_back(directions()[labels_[i]]);
      }
      charts.of[i] = number;
    }
    return charts;
  }

  /// Small pieces take the label of the larger one that they share most edges with and that sees all of them. Whether
  /// any did.
  bool join_small(const Charts& charts) {
    const size_t count = charts.planes.size(), small = std::max<size_t>(40, facets_.size() / 4000);
    std::vector<uint32_t> sizes(count, 0);
    std::vector<uint16_t> seen_by(count, 0x3ff);
    std::vector<uint8_t> label(count, 0);
    for (size_t i = 0; i < facets_.size(); ++i) {
      ++sizes[charts.of[i]];
      label[charts.of[i]] = labels_[i];
      const Vec3 own = unit(facets_[i]);
      for (uint8_t d = 0; d < directions().size(); ++d)
        if (!(dot(own, directions()[d].out) > least_facing)) seen_by[charts.of[i]] &= static_cast<uint16_t>(~(1u << d));
    }
    std::vector<std::array<uint32_t, 10>> shared(count, std::array<uint32_t, 10>{});
    for (size_t i = 0; i < facets_.size(); ++i) {
      const uint32_t own = charts.of[i];
      if (sizes[own] >= small) continue;
      for (const uint32_t n : neighbours_[i]) {
        if (n == none || charts.of[n] == own) continue;
        const uint32_t other = charts.of[n];
        if (sizes[other] > sizes[own] || (sizes[other] == sizes[own] && other < own)) ++shared[own][label[other]];
      }
    }
    std::vector<uint8_t> chosen = label;
    for (size_t c = 0; c < count; ++c) {
      uint32_t most = 0;
      for (uint8_t d = 0; d < directions().size(); ++d)
        if (shared[c][d] > most && (seen_by[c] >> d & 1u) != 0) most = shared[c][d], chosen[c] = d;
    }
    if (chosen == label) return false;
    for (size_t i = 0; i < facets_.size(); ++i) labels_[i] = chosen[charts.of[i]];
    return true;
  }

  Charts unfolded(const Charts& charts, const Context& context) const;

  const Mesh& mesh_;
  double step_;
  Neighbours neighbours_;
  std::vector<Vec3> facets_;  ///< twice the area along the normal
  std::vector<uint8_t> labels_;
};

/// What lies on the plane of a chart so far: at each of its points how far out.
class Layer {
 public:
  Layer(const Mesh& mesh, const ChartPlane& plane, double step) : mesh_(mesh), plane_(plane), step_(step) {}

  void grow(const MeshTriangle& t) {
    for (const uint32_t vertex : t) {
      const Vec3 p = flat(vertex);
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
  }
  void make_room() {
    width_ = static_cast<int64_t>((high_.x - low_.x) / step_) + 2;
    height_ = static_cast<int64_t>((high_.y - low_.y) / step_) + 2;
    depths_.assign(static_cast<size_t>(width_ * height_), {});
  }
  /// Lays a triangle down where nothing lies yet; whether it could.
  bool lay(const MeshTriangle& t) {
    Vec3 p[3];
    for (size_t k = 0; k < 3; ++k) {
      p[k] = flat(t[k]);
      p[k] = {(p[k].x - low_.x) / step_, (p[k].y - low_.y) / step_, p[k].z};
    }
    points_.clear();
    cover(p);
    for (const auto& [point, depth] : points_)
      if (depths_[point].laid) return false;
    // One that lies between points may still be over or under what lies around them.
    const Vec3 middle = (p[0] + p[1] + p[2]) * (1.0 / 3);
    const auto beside =
        static_cast<size_t>(static_cast<int64_t>(middle.y + 0.5) * width_ + static_cast<int64_t>(middle.x + 0.5));
    if (depths_[beside].laid && std::abs(static_cast<double>(depths_[beside].out) - middle.z) > 8 * step_) return false;
    for (const auto& [point, depth] : points_) depths_[point] = {static_cast<float>(depth), true};
    return true;
  }

 private:
  struct Depth {
    float out = 0;
    bool laid = false;
  };
  Vec3 flat(uint32_t vertex) const {
    const Vec3 p = to_vec(mesh_.positions()[vertex]);
    return {dot(p, plane_.across), dot(p, plane_.up), dot(p, plane_.out)};
  }
  /// The points of the lattice within a triangle.
  void cover(const Vec3 (&p)[3]) {
    const double doubled = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (!(doubled > 0)) return;
    const auto [x_low, x_high] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [y_low, y_high] = std::minmax({p[0].y, p[1].y, p[2].y});
    for (auto y = static_cast<int64_t>(std::ceil(y_low)); y <= static_cast<int64_t>(y_high); ++y)
      for (auto x = static_cast<int64_t>(std::ceil(x_low)); x <= static_cast<int64_t>(x_high); ++x) {
        double depth = 0;
        bool within = true;
        for (size_t k = 0; k < 3 && within; ++k) {
          const Vec3 &a = p[(k + 1) % 3], &b = p[(k + 2) % 3];
          const double at_x = static_cast<double>(x), at_y = static_cast<double>(y);
          const double share = (a.x - at_x) * (b.y - at_y) - (a.y - at_y) * (b.x - at_x);
          // A point on an edge belongs to neither side, so that neighbours never compete for it.
          within = share > 0;
          depth += share / doubled * p[k].z;
        }
        if (within) points_.push_back({static_cast<size_t>(y * width_ + x), depth});
      }
  }

  const Mesh& mesh_;
  ChartPlane plane_;
  double step_;
  Vec2 low_{1e300, 1e300}, high_{-1e300, -1e300};
  int64_t width_ = 0, height_ = 0;
  std::vector<Depth> depths_;
  std::vector<std::pair<size_t, double>> points_;
};

/// Each chart is laid down from its first triangle on, neighbour by neighbour; what finds its place taken is kept for
/// the next chart.
Charts Cutter::unfolded(const Charts& charts, const Context& context) const {
  std::vector<std::vector<uint32_t>> members(charts.planes.size());
  for (uint32_t i = 0; i < charts.of.size(); ++i) members[charts.of[i]].push_back(i);
  // Each chart's parts, numbered from 0.
  std::vector<uint32_t> part(charts.of.size(), none), parts(charts.planes.size(), 0), stamps(charts.of.size(), 0);
  parallel_chunks(static_cast<int64_t>(members.size()), 1, context, [&](int64_t begin, int64_t end) {
    for (auto c = static_cast<size_t>(begin); c < static_cast<size_t>(end); ++c) {
      std::vector<uint32_t> queue;
      for (size_t left = members[c].size(), first = 0; left > 0; ++parts[c]) {
        while (part[members[c][first]] != none) ++first;
        // Room for all that hangs together with it.
        Layer layer(mesh_, charts.planes[c], step_);
        queue.assign(1, members[c][first]);
        stamps[queue[0]] = parts[c] + 1;
        for (size_t next = 0; next < queue.size(); ++next) {
          layer.grow(mesh_.triangles()[queue[next]]);
          for (const uint32_t n : neighbours_[queue[next]]) {
            if (n == none || charts.of[n] != c || part[n] != none || stamps[n] == parts[c] + 1) continue;
            stamps[n] = parts[c] + 1;
            queue.push_back(n);
          }
        }
        layer.make_room();
        queue.resize(1);
        layer.lay(mesh_.triangles()[queue[0]]);
        part[queue[0]] = parts[c];
        for (size_t next = 0; next < queue.size(); ++next)
          for (const uint32_t n : neighbours_[queue[next]]) {
            if (n == none || charts.of[n] != c || part[n] != none) continue;
            if (!layer.lay(mesh_.triangles()[n])) continue;
            part[n] = parts[c];
            queue.push_back(n);
          }
        left -= queue.size();
      }
    }
  });
  std::vector<uint32_t> firsts(charts.planes.size());
  Charts result;
  for (size_t c = 0; c < charts.planes.size(); ++c) {
    firsts[c] = static_cast<uint32_t>(result.planes.size());
    result.planes.insert(result.planes.end(), parts[c], charts.planes[c]);
  }
  result.of.resize(charts.of.size());
  for (size_t i = 0; i < charts.of.size(); ++i) result.of[i] = firsts[charts.of[i]] + part[i];
  return result;
}

}  // namespace

Charts make_charts(const Mesh& mesh, double per_metre, const Context& context) {
  return Cutter(mesh, per_metre, context).cut(context);
}

}  // namespace tepui

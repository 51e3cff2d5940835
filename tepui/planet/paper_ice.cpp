#include "tepui/planet/paper_ice.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "tepui/planet/ice_sheets.h"
#include "tepui/planet/paper_rules.h"
#include "tepui/planet/refine_rules.h"

namespace tepui {

namespace {

size_t at(int32_t index) { return static_cast<size_t>(index); }

/// Triangles as the vertices of a graph on which ice flows, each to those from which the flood from the sea came
/// before.
class IceGraph {
 public:
  IceGraph(const PaperLand& land, const GlobalLand& planet) : land_(land), v_(land.vertices), planet_(planet) {}

  struct Flow {
    std::vector<double> sum;  ///< Ice_sum of each triangle, m3 a year
    IceBudget budget;
  };

  void flood(const Context& context) {
    const size_t count = land_.net.triangles.size();
    height_.resize(count);
    rank_.assign(count, -1);
    parent_.assign(count, -1);
    order_.reserve(count);
    using Entry = std::pair<double, int32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    std::vector<uint8_t> met(count, 0);
    for (size_t t = 0; t < count; ++t) {
      const auto [a, b, c] = land_.net.triangles[t].corner;
      height_[t] = (v_.height[at(a)] + v_.height[at(b)] + v_.height[at(c)]) / 3;
      if (is_mouth(t)) {
        open.emplace(height_[t], static_cast<int32_t>(t));
        met[t] = 1;
      }
    }
    while (!open.empty()) {
      const auto [level, t] = open.top();
      open.pop();
      rank_[at(t)] = static_cast<int32_t>(order_.size());
      order_.push_back(t);
      for (size_t k = 0; k < 3; ++k) {
        const int32_t next = across(t, k);
        if (next < 0 || met[at(next)] != 0) continue;
        met[at(next)] = 1;
        parent_[at(next)] = t;
        open.emplace(std::max(level, height_[at(next)]), next);
      }
    }
    context.check();
  }

  /// With the snow line `rise` metres above that of the height of glaciation.
  Flow flow(double rise) const {
    Flow flow;
    flow.sum.assign(height_.size(), 0);
    std::vector<double> in(height_.size(), 0);
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const size_t t = at(*it);
      const double rate = is_mouth(t) ? 0 : yearly(t, rise);
      const double balance = rate * (rate < 0 ? std::max(area(t), covered(t, in[t])) : area(t));
      const double sum = std::max(0.0, in[t] + balance);
      flow.budget.gained += std::max(balance, 0.0);
      flow.budget.melted += std::min(in[t], std::max(-balance, 0.0));
      if (!(sum > 0)) continue;
      flow.sum[t] = sum;
      if (is_mouth(t))
        flow.budget.carried_off += sum;
      else
        send(*it, sum, in);
    }
    return flow;
  }

  double area(size_t t) const {
    const auto [a, b, c] = land_.net.triangles[t].corner;
    const Vec3 p = v_.direction[at(a)];
    return 0.5 * length(cross(v_.direction[at(b)] - p, v_.direction[at(c)] - p)) * earth_radius * earth_radius;
  }

  /// What ice covers that passes through a triangle: a glacier is wider than small triangles, and melts over its width.
  double covered(size_t t, double sum) const { return 2 * half_trough(sum) * 1.5 * std::sqrt(area(t)); }

  /// How deep ice stands that passes through a triangle.
  double depth(size_t t, double sum) const {
    constexpr double speed = 100, deepest = 900;  // metres a year; metres
    return std::min(deepest, sum / (1.5 * std::sqrt(area(t)) * speed));
  }

 private:
  int32_t across(int32_t t, size_t k) const {
    const NetEdge& edge = land_.net.edges[at(land_.net.triangles[at(t)].edge[k])];
    return edge.left == t ? edge.right : edge.left;
  }

  /// Where ice ends: in the sea, and where the mesh does.
  bool is_mouth(size_t t) const {
    const auto [a, b, c] = land_.net.triangles[t].corner;
    if (v_.receiver[at(a)] == in_the_sea && v_.receiver[at(b)] == in_the_sea && v_.receiver[at(c)] == in_the_sea)
      return true;
    for (const int32_t e : land_.net.triangles[t].edge)
      if (land_.net.edges[at(e)].left < 0 || land_.net.edges[at(e)].right < 0) return true;
    return false;
  }

  /// Metres of ice that a year leaves or takes (Eqs. 10 and 13).
  double yearly(size_t t, double rise) const {
    constexpr double most_melt = 9;
    double line = rise;
    for (const int32_t c : land_.net.triangles[t].corner)
      line +=
          (static_cast<double>(v_.trait(at(c), Trait::snow_line)) + heat_of_shelter(land_, at(c)) / planet_.lapse) / 3;
    return std::clamp((height_[t] - line) * planet_.ice_gradient, -most_melt, planet_.most_snow);
  }

  /// In the direction of ice (Eq. 12), through the edges that it looks at, where the flood has come from.
  void send(int32_t t, double sum, std::vector<double>& in) const {
    const NetTriangle& triangle = land_.net.triangles[at(t)];
    Vec3 ice{};
    for (const int32_t c : triangle.corner) ice = ice + land_.ice[at(c)].direction * land_.ice[at(c)].sum;
    const Vec3 way = ice_direction(way_down(land_, at(t)), {}, ice);
    std::array<double, 3> share{};
    double all = 0;
    for (size_t k = 0; k < 3; ++k) {
      const int32_t next = across(t, k);
      if (rank_[at(next)] >= rank_[at(t)]) continue;
      const Vec3 p = v_.direction[at(triangle.corner[k])], q = v_.direction[at(triangle.corner[(k + 1) % 3])];
      share[k] = std::max(dot(way, cross(q - p, p)), 0.0);
      all += share[k];
    }
    if (!(all > 0)) {
      in[at(parent_[at(t)])] += sum;
      return;
    }
    for (size_t k = 0; k < 3; ++k)
      if (share[k] > 0) in[at(across(t, k))] += sum * (share[k] / all);
  }

  const PaperLand& land_;
  const FineVertices& v_;
  const GlobalLand& planet_;
  std::vector<double> height_;  ///< of triangles
  std::vector<int32_t> rank_, parent_, order_;
};

/// Far enough below the ground that no ice shows half way to it.
float dry_surface(const PaperLand& land, size_t v) {
  const double spacing = edge_of_level(land.vertices.level[v]) * earth_radius;
  return static_cast<float>(land.vertices.height[v] - std::max(150.0, 0.12 * spacing));
}

/// Where no wall holds it, ice is as thin as its own slope leaves it: a little above the higher end of an edge that
/// leads out of it.
void thin_out(const PaperLand& land, std::vector<float>& level) {
  constexpr double slope = 0.04;
  const FineVertices& v = land.vertices;
  const std::vector<float> before = level;
  const auto dry = [&](int32_t i) { return static_cast<double>(before[at(i)]) <= v.height[at(i)]; };
  for (const NetEdge& edge : land.net.edges)
    for (const auto& [p, q] : {std::pair(edge.first, edge.second), std::pair(edge.second, edge.first)}) {
      if (dry(p) || !dry(q) || v.height[at(q)] > static_cast<double>(before[at(p)])) continue;
      const double far = length(v.direction[at(p)] - v.direction[at(q)]) * earth_radius;
      const double most = std::max(v.height[at(p)], v.height[at(q)]) + slope * far;
      level[at(p)] = std::min(level[at(p)], static_cast<float>(most));
    }
}

/// The level of the ice at each vertex, of all triangles around that have any: it fills them from their lowest corners.
std::vector<float> surfaces(const PaperLand& land, const IceGraph& graph, const std::vector<double>& sum) {
  constexpr double least = 8;
  const FineVertices& v = land.vertices;
  std::vector<float> level(v.size(), 0), number(v.size(), 0);
  for (size_t t = 0; t < sum.size(); ++t) {
    if (!(sum[t] > 0)) continue;
    const double depth = graph.depth(t, sum[t]);
    if (depth < least) continue;
    const auto& corner = land.net.triangles[t].corner;
    const double low = std::min({v.height[at(corner[0])], v.height[at(corner[1])], v.height[at(corner[2])]});
    for (const int32_t c : corner) {
      level[at(c)] += static_cast<float>(low + depth);
      number[at(c)] += 1;
    }
  }
  for (size_t i = 0; i < level.size(); ++i) {
    const bool iced = number[i] > 0 && v.receiver[i] != in_the_sea;
    level[i] = iced ? std::max(level[i] / number[i], dry_surface(land, i)) : dry_surface(land, i);
  }
  thin_out(land, level);
  return level;
}

}  // namespace

Vec3 way_down(const PaperLand& land, size_t triangle) {
  const FineVertices& v = land.vertices;
  const auto [a, b, c] = land.net.triangles[triangle].corner;
  const auto place = [&](int32_t i) { return v.direction[at(i)] * (earth_radius + v.height[at(i)]); };
  const Vec3 p = place(a), up = v.direction[at(a)], normal = cross(place(b) - p, place(c) - p);
  const Vec3 level = normal - up * dot(normal, up);
  const double far = length(level);
  return far > 0 ? level * (1 / far) : Vec3{};
}

void gather_stability(PaperLand& land, const std::vector<int32_t>& changed) {
  const FineVertices& v = land.vertices;
  const auto place = [&](int32_t i) { return v.direction[at(i)] * (earth_radius + std::max(v.height[at(i)], 0.0)); };
  const auto normal = [&](const NetTriangle& t) {
    const Vec3 p = place(t.corner[0]);
    return normalised(cross(place(t.corner[1]) - p, place(t.corner[2]) - p));
  };
  std::vector<uint8_t> seen(land.net.edges.size(), 0);
  for (const int32_t t : changed)
    for (const int32_t e : land.net.triangles[at(t)].edge) {
      const NetEdge& edge = land.net.edges[at(e)];
      if (seen[at(e)] != 0 || edge.left < 0 || edge.right < 0) continue;
      seen[at(e)] = 1;
      const Vec3 left = normal(land.net.triangles[at(edge.left)]), right = normal(land.net.triangles[at(edge.right)]);
      // In a hollow the opposite corner lies above the other triangle's plane.
      const bool hollow = dot(place(land.net.opposite(edge.right, e)) - place(edge.first), left) > 0;
      const auto opening = static_cast<float>(edge_opening(left, right, hollow));
      for (const int32_t end : {edge.first, edge.second}) land.stability[at(end)] += opening;
    }
  for (const int32_t t : changed)
    for (const int32_t c : land.net.triangles[at(t)].corner)
      land.stability[at(c)] =
          std::clamp(land.stability[at(c)], static_cast<float>(least_stability), static_cast<float>(most_stability));
}

double heat_of_shelter(const PaperLand& land, size_t v) {
  const IceSpec usual{};
  const double heat = usual.least_heat + usual.summer_heat * static_cast<double>(land.vertices.trait(v, Trait::season));
  return heat * (1 / static_cast<double>(land.stability[v]) - 1);
}

void inherit_ice(PaperLand& land, const PaperBirths& births) {
  const FineVertices& v = land.vertices;
  for (size_t k = 0; k < births.edges.size(); ++k) {
    const size_t m = at(births.first) + k;
    const auto [a, b] = births.ends[k];
    PaperIce& ice = land.ice[m];
    const PaperIce &first = land.ice[at(a)], &second = land.ice[at(b)];
    ice.surface = 0.5f * (first.surface + second.surface);
    ice.sheet = 0.5f * (first.sheet + second.sheet);
    ice.sum = 0.5 * (first.sum + second.sum);
    ice.depth = v.receiver[m] == in_the_sea ? 0 : std::max(ice.surface - static_cast<float>(v.height[m]), 0.0f);
  }
}

void flow_ice(PaperLand& land, const GlobalLand& planet, const Context& context) {
  FineVertices& v = land.vertices;
  IceGraph graph(land, planet);
  graph.flood(context);
  const IceGraph::Flow then = graph.flow(0);
  const std::vector<float> surface = surfaces(land, graph, then.sum);
  const bool changed = planet.snow_line_rise > 0;
  const std::vector<float> now = changed ? surfaces(land, graph, graph.flow(planet.snow_line_rise).sum) : surface;
  std::vector<double> most(v.size(), 0);
  for (size_t t = 0; t < then.sum.size(); ++t)
    for (const int32_t c : land.net.triangles[t].corner)
      most[at(c)] = std::max(most[at(c)], then.sum[t] / (graph.area(t) * planet.most_snow));
  for (size_t i = 0; i < v.size(); ++i) {
    PaperIce& ice = land.ice[i];
    ice.sum = most[i];
    ice.surface = surface[i];
    ice.depth = std::max(surface[i] - static_cast<float>(v.height[i]), 0.0f);
    v.traits[i][static_cast<size_t>(Trait::ice_surface)] = std::max(ice.sheet, now[i]);
  }
}

IceBudget ice_budget(const PaperLand& land, const GlobalLand& planet, const Context& context) {
  IceGraph graph(land, planet);
  graph.flood(context);
  return graph.flow(0).budget;
}

}  // namespace tepui

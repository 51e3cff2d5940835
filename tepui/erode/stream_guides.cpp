#include "tepui/erode/stream_guides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/erode/talus_limit.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/inflow.h"

namespace tepui {

namespace {

/// A node that a line passes, and the line's height there.
struct Passed {
  int64_t x = 0, y = 0;
  double z = 0;
};

/// The nodes along a line, each next to the one before, without repeats in a row. `corners`: also around corners, so
/// that two that follow share a side.
std::vector<Passed> nodes_along(const std::vector<Vec3>& line, const Lattice& lattice, const NodeWarp* warp,
                                bool corners) {
  std::vector<Passed> passed;
  const auto pass = [&](int64_t x, int64_t y, double z) {
    if (!passed.empty() && passed.back().x == x && passed.back().y == y) return;
    if (corners && !passed.empty() && passed.back().x != x && passed.back().y != y)
      passed.push_back({x, passed.back().y, z});
    passed.push_back({x, y, z});
  };
  const auto node = [&](const Vec3& p) {
    const Vec2 place{(p.x - lattice.origin.x) / lattice.cell.x, (p.y - lattice.origin.y) / lattice.cell.y};
    return warp == nullptr ? place : warp->node_at(place);
  };
  for (size_t i = 0; i < line.size(); ++i) {
    const Vec3& from = line[i == 0 ? 0 : i - 1];
    const Vec3& to = line[i];
    const double cells = std::max(std::abs(to.x - from.x) / lattice.cell.x, std::abs(to.y - from.y) / lattice.cell.y);
    const auto parts = static_cast<int64_t>(std::ceil(4 * cells)) + 1;
    for (int64_t k = 1; k <= parts; ++k) {
      const double t = static_cast<double>(k) / static_cast<double>(parts);
      const Vec3 p = from + (to - from) * t;
      const Vec2 n = node(p);
      pass(std::clamp<int64_t>(std::llround(n.x), 0, lattice.width - 1),
           std::clamp<int64_t>(std::llround(n.y), 0, lattice.height - 1), p.z);
    }
  }
  return passed;
}

bool on_border(const Passed& node, const Lattice& lattice) {
  return node.x == 0 || node.y == 0 || node.x == lattice.width - 1 || node.y == lattice.height - 1;
}

int code_between(const Passed& a, const Passed& b) {
  for (int k = 0; k < 8; ++k)
    if (a.x + d8_x[static_cast<size_t>(k)] == b.x && a.y + d8_y[static_cast<size_t>(k)] == b.y) return k;
  return d8_none;
}

/// Whether a river already leads from here back to `start`: a circle would have no way out.
bool leads_to(const Grid<uint8_t>& forced, int64_t from, int64_t start, const D8& d8) {
  for (int64_t cell = from, n = 0; n < forced.size(); ++n) {
    if (cell == start) return true;
    const uint8_t code = forced.data()[cell];
    if (code == d8_none) return false;
    cell += d8.step[code];
  }
  return true;
}

/// The nearest place on the border of the land, where that is close: what is drawn to the border ends on it at every
/// resolution.
std::optional<Vec3> nearby_border(const Vec3& p, const Frame& land) {
  constexpr double close = 0.01;
  const double west = land.x(0), east = land.x(land.width - 1), south = land.y(0), north = land.y(land.height - 1);
  const double x = std::min(p.x - west, east - p.x), y = std::min(p.y - south, north - p.y);
  if (std::min(x, y) > close * std::max(east - west, north - south)) return std::nullopt;
  if (x <= y) return Vec3{p.x - west <= east - p.x ? west : east, p.y, p.z};
  return Vec3{p.x, p.y - south <= north - p.y ? south : north, p.z};
}

}  // namespace

StreamGuides StreamGuides::from(const Lines& lines, const Frame& land) {
  StreamGuides guides;
  const LineTextAttribute* kinds = lines.text("guide");
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    const std::string kind(kinds != nullptr && kinds->present[f] != 0 ? kinds->values[f] : feature.name);
    std::vector<std::vector<Vec3>>* lists = kind == "river"    ? &guides.rivers
                                            : kind == "ridge"  ? &guides.ridges
                                            : kind == "height" ? &guides.heights
                                                               : nullptr;
    const bool inflow = kind == "inflow";
    if (lists == nullptr && !inflow && kind != "outlet")
      refuse(kind.empty() ? std::string("a guide does not say what it is") : fmt::format("a guide is a '{}'", kind),
             "name it 'river', 'ridge', 'height', 'outlet' or 'inflow', or give it the attribute 'guide'");
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) {
      const Vec3& p = lines.vertices()[v];
      if (inflow) guides.inflows.push_back(point_inflow(lines, f, v, land));
      if (cell_at(land, p.x, p.y) < 0)
        refuse(fmt::format("the guide '{}' has a point at {:g}, {:g}, outside the land", kind, p.x, p.y));
      if (lists == nullptr && !inflow) guides.outlets.push_back(nearby_border(p, land).value_or(p));
    }
    if (lists == nullptr) continue;
    for (size_t p = feature.first_part; p < feature.end_part; ++p) {
      const std::span<const Vec3> points = lines.part(feature, p).points;
      lists->emplace_back(points.begin(), points.end());
      if (lines.part(feature, p).closed && !points.empty()) lists->back().push_back(points.front());
      if (kind != "river" || points.empty()) continue;
      if (const std::optional<Vec3> end = nearby_border(lists->back().back(), land)) lists->back().push_back(*end);
    }
  }
  return guides;
}

void StreamGuides::apply(const Lattice& lattice, const NodeWarp* warp, StreamGround& ground,
                         Grid<float>& height) const {
  const int64_t w = lattice.width, h = lattice.height;
  const D8 d8(w, lattice.cell);
  if (!rivers.empty()) ground.forced = Grid<uint8_t>(w, h, uint8_t{d8_none});
  for (const auto& line : rivers) {
    const std::vector<Passed> nodes = nodes_along(line, lattice, warp, false);
    int64_t reached = -1;
    for (size_t i = 0; i + 1 < nodes.size(); ++i) {
      const int64_t cell = nodes[i].y * w + nodes[i].x, next = nodes[i + 1].y * w + nodes[i + 1].x;
      uint8_t& code = ground.forced.data()[cell];
      if (code == d8_none && !leads_to(ground.forced, next, cell, d8))
        code = static_cast<uint8_t>(code_between(nodes[i], nodes[i + 1]));
      // A river begins anew where the line comes back to itself.
      if (code != d8_none && cell != reached) ground.river_heads.push_back(cell);
      reached = code == d8_none ? -1 : cell + d8.step[code];
    }
    // A river that is drawn to the border leaves the land there.
    if (const Passed& last = nodes.back(); on_border(last, lattice)) ground.kind(last.x, last.y) = WaterCell::edge;
  }
  if (!ridges.empty()) ground.divide = Grid<uint8_t>(w, h, uint8_t{0});
  for (const auto& line : ridges)
    for (const Passed& node : nodes_along(line, lattice, warp, true)) ground.divide(node.x, node.y) = 1;
  if (!heights.empty()) ground.fixed = Grid<uint8_t>(w, h, uint8_t{0});
  for (const auto& line : heights)
    for (const Passed& node : nodes_along(line, lattice, warp, false)) {
      ground.fixed(node.x, node.y) = 1;
      height(node.x, node.y) = static_cast<float>(node.z);
    }
  for (const Vec3& p : outlets) {
    const Passed node = nodes_along({p}, lattice, warp, false).front();
    ground.kind(node.x, node.y) = on_border(node, lattice) ? WaterCell::edge : WaterCell::sea;
  }
}

void support_heights(const Lattice& lattice, double talus, const StreamGround& ground, Grid<float>& height,
                     const Context& context) {
  if (ground.fixed.empty()) return;
  constexpr float nowhere = 1e30f;
  const int64_t w = lattice.width, h = lattice.height;
  Grid<float> below(w, h), rise(w, h, static_cast<float>(0.9 * talus));
  for (int64_t i = 0; i < below.size(); ++i)
    below.data()[i] = ground.fixed.data()[i] != 0 ? -height.data()[i] : nowhere;
  limit_slope(below, rise, lattice.cell, context.told_to(nullptr));
  for (int64_t i = 0; i < below.size(); ++i)
    if (below.data()[i] < nowhere && ground.fixed.data()[i] == 0)
      height.data()[i] = std::max(height.data()[i], -below.data()[i]);
}

void raise_divides(const StreamGround& ground, float least, Grid<float>& height) {
  if (ground.divide.empty()) return;
  const int64_t w = height.width(), h = height.height();
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      if (ground.divide(x, y) == 0 || (!ground.fixed.empty() && ground.fixed(x, y) != 0)) continue;
      for (size_t k = 0; k < 8; ++k) {
        const int64_t nx = x + d8_x[k], ny = y + d8_y[k];
        if (nx < 0 || ny < 0 || nx >= w || ny >= h || ground.divide(nx, ny) != 0) continue;
        height(x, y) = std::max(height(x, y), height(nx, ny) + least);
      }
    }
}

}  // namespace tepui

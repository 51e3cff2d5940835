#include "tepui/erode/stream_guides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tepui/core/error.h"
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
    if (corners && !passed.empty() && passed.back().x != x && passed.back().y != y) passed.push_back({x, passed.back().y, z});
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
      if (lists == nullptr && !inflow) guides.outlets.push_back(p);
    }
    if (lists == nullptr) continue;
    for (size_t p = feature.first_part; p < feature.end_part; ++p) {
      const std::span<const Vec3> points = lines.part(feature, p).points;
      lists->emplace_back(points.begin(), points.end());
      if (lines.part(feature, p).closed && !points.empty()) lists->back().push_back(points.front());
    }
  }
  return guides;
}

void StreamGuides::apply(const Lattice& lattice, const NodeWarp* warp, StreamGround& ground, Grid<float>& height) const {
  const int64_t w = lattice.width, h = lattice.height;
  const D8 d8(w, lattice.cell);
  if (!rivers.empty()) ground.forced = Grid<uint8_t>(w, h, uint8_t{d8_none});
  for (const auto& line : rivers) {
    const std::vector<Passed> nodes = nodes_along(line, lattice, warp, false);
    ground.river_heads.push_back(nodes.front().y * w + nodes.front().x);
    for (size_t i = 0; i + 1 < nodes.size(); ++i) {
      const int64_t cell = nodes[i].y * w + nodes[i].x, next = nodes[i + 1].y * w + nodes[i + 1].x;
      uint8_t& code = ground.forced.data()[cell];
      if (code == d8_none && !leads_to(ground.forced, next, cell, d8))
        code = static_cast<uint8_t>(code_between(nodes[i], nodes[i + 1]));
    }
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
    const bool border = node.x == 0 || node.y == 0 || node.x == w - 1 || node.y == h - 1;
    ground.kind(node.x, node.y) = border ? GroundKind::edge : GroundKind::sea;
  }
}

}  // namespace tepui

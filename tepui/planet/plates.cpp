#include "tepui/planet/plates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/planet/sphere_noise.h"

namespace tepui {

namespace {

constexpr int64_t vertex_grain = 2048;
constexpr int cells_a_plate = 12, fewest_cells = 160;
constexpr double smooth_over = 0.035;  // radians along a border

/// Points as evenly spread as a random draw allows: each the best of several.
std::vector<Vec3> spread_points(int count, const Stream& stream) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    Vec3 best;
    double farthest = -1;
    for (uint64_t tried = 0; tried < 8; ++tried) {
      const Vec3 point = drawn_direction(stream, static_cast<uint64_t>(i), tried);
      double nearest = 4;
      for (const Vec3 other : points) nearest = std::min(nearest, length(point - other));
      if (nearest > farthest) {
        farthest = nearest;
        best = point;
      }
    }
    points.push_back(best);
  }
  return points;
}

/// Which plate takes each cell: plates grow from cell to cell, each at its own rate, over steps of uneven cost.
std::vector<int32_t> taken_cells(const std::vector<Vec3>& cells, int plates, const Stream& stream) {
  const double near = 2.1 * std::sqrt(4 * math::pi / static_cast<double>(cells.size()));
  std::vector<int32_t> plate_of(cells.size(), -1);
  std::vector<double> rate;
  using Step = std::tuple<double, int32_t, int32_t>;  // cost, cell, plate
  std::priority_queue<Step, std::vector<Step>, std::greater<>> front;
  for (int plate = 0; plate < plates; ++plate) {
    rate.push_back(math::exp(stream.uniform(static_cast<uint64_t>(plate), 20, -1.1, 0.9)));
    front.push({0, plate, plate});
  }
  while (!front.empty()) {
    const auto [cost, cell, plate] = front.top();
    front.pop();
    if (plate_of[static_cast<size_t>(cell)] >= 0) continue;
    plate_of[static_cast<size_t>(cell)] = plate;
    for (int32_t next = 0; next < static_cast<int32_t>(cells.size()); ++next) {
      const double far = length(cells[static_cast<size_t>(cell)] - cells[static_cast<size_t>(next)]);
      if (far > near || plate_of[static_cast<size_t>(next)] >= 0) continue;
      const double uneven = stream.uniform(static_cast<uint64_t>(cell), 100 + static_cast<uint64_t>(next), 0.5, 2);
      front.push({cost + far * uneven / rate[static_cast<size_t>(plate)], next, plate});
    }
  }
  return plate_of;
}

Plate drawn_plate(uint64_t index, const PlateSpec& spec, const Stream& stream) {
  // Slow plates are as common as fast ones; the pole may lie anywhere.
  const double speed = spec.fastest * stream.uniform(index, 30, 0.15, 1);
  return {drawn_direction(stream, index, 31) * (speed / earth_radius), stream.uniform(index, 32, -1, 1)};
}

}  // namespace

Plates drifting_plates(const SphereMesh& mesh, const PlateSpec& spec, const Context& context) {
  Plates all;
  const Stream stream(spec.key);
  if (spec.count <= 0) all.plates.push_back({{0, 0, 0}, 0});  // a shell that does not move
  for (int plate = 0; plate < spec.count; ++plate)
    all.plates.push_back(drawn_plate(static_cast<uint64_t>(plate), spec, stream));
  all.of_vertex.assign(mesh.directions.size(), 0);
  if (spec.count <= 1) return all;
  const std::vector<Vec3> cells = spread_points(std::max(fewest_cells, cells_a_plate * spec.count), stream);
  const std::vector<int32_t> plate_of = taken_cells(cells, spec.count, stream);
  const double size = std::sqrt(4 * math::pi / static_cast<double>(cells.size()));
  const std::vector<Direction> places =
      warped(mesh.directions, 1.1 * size, {.scale = 1.6 * size, .octaves = 5, .gain = 0.55, .key = stream.bits(0, 40)},
             context);
  parallel_chunks(static_cast<int64_t>(places.size()), vertex_grain, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      size_t nearest = 0;
      double closest = -2;
      for (size_t cell = 0; cell < cells.size(); ++cell)
        if (const double close = dot(places[v], cells[cell]); close > closest) {
          closest = close;
          nearest = cell;
        }
      all.of_vertex[v] = plate_of[nearest];
    }
  });
  return all;
}

std::vector<BorderMotion> border_motions(const Front& borders, const Plates& plates, const SphereMesh& mesh) {
  const auto plate_at = [&](const Front::Point& point, size_t side) {
    return plates.of_vertex[static_cast<size_t>(point.sides[side])];
  };
  const auto same_pair = [&](const Front::Point& a, const Front::Point& b) {
    return plate_at(a, 0) == plate_at(b, 0) && plate_at(a, 1) == plate_at(b, 1);
  };
  // A border zigzags from edge to edge; its run shows in the mean of the ways from side to side along it.
  std::vector<Vec3> across, next;
  for (const Front::Point& point : borders.points)
    across.push_back(mesh.directions[static_cast<size_t>(point.sides[1])] -
                     mesh.directions[static_cast<size_t>(point.sides[0])]);
  const double edges = smooth_over / edge_of_level(mesh.level);
  for (int round = 0; round < static_cast<int>(edges * edges); ++round) {
    next = across;
    for (size_t i = 0; i < across.size(); ++i)
      for (const int32_t j : borders.links.of(static_cast<int32_t>(i)))
        if (same_pair(borders.points[i], borders.points[static_cast<size_t>(j)]))
          next[i] = next[i] + across[static_cast<size_t>(j)];
    // The sums are of two or three; a common factor does not matter.
    for (Vec3& way : next) way = normalised(way);
    across.swap(next);
  }
  std::vector<BorderMotion> motions;
  for (size_t i = 0; i < across.size(); ++i) {
    const Front::Point& point = borders.points[i];
    const Vec3 up = point.place, flat = normalised(across[i] - up * dot(across[i], up));
    const Vec3 turn = plates.plates[static_cast<size_t>(plate_at(point, 1))].turn -
                      plates.plates[static_cast<size_t>(plate_at(point, 0))].turn;
    const Vec3 apart = cross(turn, up) * earth_radius;
    motions.push_back({flat, dot(apart, flat), dot(apart, cross(up, flat))});
  }
  return motions;
}

}  // namespace tepui

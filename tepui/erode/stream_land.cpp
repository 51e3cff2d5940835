#include "tepui/erode/stream_land.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/creep.h"
#include "tepui/erode/stream_load.h"
#include "tepui/erode/talus_limit.h"
#include "tepui/hydrology/gather.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Metres of what rivers laid down from which on it spreads freely.
constexpr float alluvium_depth = 5;

constexpr double closeness_scale = 65535 / Closeness::most;

uint16_t closeness_of(double unit, double dx, double dy) {
  const double distance = std::sqrt(dx * dx + dy * dy);
  return static_cast<uint16_t>(std::clamp(unit / distance + 0.5, 1.0, 65535.0));
}

/// Newton's method for z - base + strength (z - receiver)^n = 0 above the receiver.
double newton(double base, double receiver, double strength, double n) {
  double rise = base - receiver;
  for (int i = 0; i < 60; ++i) {
    const double power = math::pow(rise, n);
    const double step = (rise - (base - receiver) + strength * power) / (1 + n * strength * power / rise);
    double next = rise - step;
    // Where n < 1 the first steps may pass the receiver.
    if (!(next > 0)) next = rise * 0.125;
    const bool done = std::abs(next - rise) <= 1e-10 * rise;
    rise = next;
    if (done) break;
  }
  return receiver + rise;
}

}  // namespace

Closeness::Closeness(const Lattice& lattice, const NodeWarp* warp, const Context& context)
    : unit(closeness_scale * std::min(lattice.cell.x, lattice.cell.y)) {
  const Vec2 cell = lattice.cell;
  if (warp == nullptr) {
    unit = std::min(cell.x, cell.y);
    for (size_t k = 0; k < 4; ++k) {
      const double x = d8_x[k] * cell.x, y = d8_y[k] * cell.y;
      plain_metres[k] = std::sqrt(x * x + y * y);
      plain[k] = static_cast<float>(unit / plain_metres[k]);
    }
    return;
  }
  const int64_t w = lattice.width, h = lattice.height;
  for (Grid<uint16_t>& grid : stored) grid = Grid<uint16_t>(w, h, uint16_t{1});
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(w);
    std::vector<float> x0(n), y0(n), x1(n), y1(n);
    warp->row(begin, x0.data(), y0.data());
    for (int64_t y = begin; y < end; ++y) {
      const bool above = y + 1 < h;
      if (above) warp->row(y + 1, x1.data(), y1.data());
      for (int64_t x = 0; x < w; ++x)
        for (size_t k = 0; k < 4; ++k) {
          const int64_t nx = x + d8_x[k];
          if (nx < 0 || nx >= w || (d8_y[k] > 0 && !above)) continue;
          const auto i = static_cast<size_t>(x), j = static_cast<size_t>(nx);
          const float dx = (d8_y[k] > 0 ? x1[j] : x0[j]) - x0[i], dy = (d8_y[k] > 0 ? y1[j] : y0[j]) - y0[i];
          stored[k](x, y) = closeness_of(unit, (d8_x[k] + static_cast<double>(dx)) * cell.x,
                                         (d8_y[k] + static_cast<double>(dy)) * cell.y);
        }
      std::swap(x0, x1), std::swap(y0, y1);
    }
  });
}

StreamLand::StreamLand(Lattice lattice, const NodeWarp* warp, StreamLaw law, const Context& context)
    : lattice_(lattice), law_(law), power_(law.m), close_(lattice, warp, context) {}

/// At the border, beside what is outside, and where ridges were drawn.
int StreamLand::direction_with_care(int64_t x, int64_t y) const {
  const int64_t w = lattice_.width, h = lattice_.height, i = y * w + x;
  const GroundKind kind = ground.kind.data()[i];
  if (kind == GroundKind::sea || kind == GroundKind::outside) return d8_none;
  float steepest = 0;
  int code = d8_none;
  for (int k = 0; k < 8; ++k) {
    const int64_t nx = x + d8_x[static_cast<size_t>(k)], ny = y + d8_y[static_cast<size_t>(k)];
    if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
    const int64_t n = ny * w + nx;
    if (ground.kind.data()[n] == GroundKind::outside) continue;
    if (!ground.divide.empty() && ground.divide.data()[n] != 0) continue;
    const float slope = (height.data()[i] - height.data()[n]) * close_.value(i, n, k);
    if (slope > steepest) steepest = slope, code = k;
  }
  return code;
}

Grid<uint8_t> StreamLand::directions(const Context& context) const {
  const int64_t w = lattice_.width, h = lattice_.height;
  Grid<uint8_t> codes(w, h);
  const bool ridges = !ground.divide.empty();
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      uint8_t* row = codes.row(y);
      const bool inner = y > 0 && y + 1 < h && w > 2 && !ridges;
      if (inner) steepest_in_row(node_row(y), 1, w - 1, row);
      const GroundKind* kind = ground.kind.row(y);
      for (int64_t x = 0; x < w; ++x)
        if (!inner || kind[x] != GroundKind::inner) row[x] = static_cast<uint8_t>(direction_with_care(x, y));
      if (ground.forced.empty()) continue;
      const uint8_t* forced = ground.forced.row(y);
      for (int64_t x = 0; x < w; ++x) row[x] = forced[x] == d8_none ? row[x] : forced[x];
    }
  });
  return codes;
}

NodeRow StreamLand::node_row(int64_t y) const {
  NodeRow row;
  row.below = height.row(y - 1), row.own = height.row(y), row.above = height.row(y + 1);
  for (size_t k = 0; k < 4; ++k) {
    row.same[k] = close_.plain[k];
    if (close_.stored[k].empty()) continue;
    row.close[k] = close_.stored[k].row(y), row.close_below[k] = close_.stored[k].row(y - 1);
  }
  return row;
}

double StreamLand::solved_by_newton(double z, double receiver, double distance, double strength) const {
  return newton(z, receiver, strength / math::pow(distance, law_.n), law_.n);
}

std::optional<double> StreamLand::given_height(int64_t cell, int64_t to, double z, double dt) const {
  if (!ground.fixed.empty() && ground.fixed.data()[cell] != 0) return z;
  if (to >= 0) return std::nullopt;
  // Outlets stay or sink, but for those in rock that never wears.
  if (!ground.softness.empty() && !(ground.softness.data()[cell] > 0))
    return ground.uplift.empty() ? z : z + dt * static_cast<double>(ground.uplift.data()[cell]);
  return ground.kind.data()[cell] == GroundKind::edge ? z - fall * dt : z;
}

template <class Area>
void StreamLand::solve(const Watercourses& water, const FlowOrder& order, const Area& area, double dt,
                       const Context& context) {
  float* z = height.data();
  const auto or_one = [](const Grid<float>& grid, int64_t i) {
    return grid.empty() ? 1.0 : static_cast<double>(grid.data()[i]);
  };
  const bool held = !ground.fixed.empty();
  order.upstream(context, [&](int64_t cell, int64_t to) {
    if (to < 0 || held) {
      const auto given = given_height(cell, to, z[cell], dt);
      if (given) z[cell] = static_cast<float>(*given);
      if (given) return;
    }
    const double softness = or_one(ground.softness, cell);
    const double raised =
        ground.uplift.empty() ? z[cell] : z[cell] + dt * static_cast<double>(ground.uplift.data()[cell]);
    const float level = water.ways.level[static_cast<size_t>(water.basins.of.data()[cell])];
    const double receiver = z[to];
    double next = raised;
    if (!(level > z[cell]) && raised > receiver) {
      const double distance = close_.metres(cell, to, water.directions.data()[cell]);
      if (softness > 0)
        next = solved(raised, receiver, distance, dt * law_.k * softness * power_(effective_area(area(cell))));
      if (cap_along_rivers && !ground.steepest.empty())
        next = std::min(next, receiver + static_cast<double>(ground.steepest.data()[cell]) * distance);
    }
    z[cell] = static_cast<float>(next);
  });
}

/// Outlets are the level that all else comes to: soil that reaches them is carried away.
void StreamLand::creep_between_outlets(const Grid<float>& mobility, double amount, const Context& context) {
  std::vector<std::pair<int64_t, float>> edges;
  for (int64_t i = 0; i < height.size(); ++i)
    if (ground.kind.data()[i] == GroundKind::edge) edges.emplace_back(i, height.data()[i]);
  creep(height, mobility, lattice_.cell, amount, context);
  for (const auto& [cell, before] : edges) height.data()[cell] = std::min(height.data()[cell], before);
}

void StreamLand::let_creep(double dt, const Context& context) {
  if (law_.creep > 0) creep_between_outlets(ground.mobility, law_.creep * dt, context);
}

/// Rivers on what they laid down shift from side to side in less time than a step takes.
void StreamLand::spread_alluvium(double dt, const Context& context) {
  if (ground.bed.empty() || !(law_.spreading > 0)) return;
  Grid<float> loose(lattice_.width, lattice_.height);
  for (int64_t i = 0; i < loose.size(); ++i) {
    const bool stays = !ground.mobility.empty() && ground.mobility.data()[i] == 0;
    loose.data()[i] = stays ? 0.0f : std::clamp((height.data()[i] - ground.bed.data()[i]) / alluvium_depth, 0.0f, 1.0f);
  }
  creep_between_outlets(loose, law_.spreading * dt, context);
}

void StreamLand::carry_load(const Watercourses& water, const FlowOrder& order,
                            const std::function<double(int64_t)>& area, double dt, const Context& context) {
  if (!ground.bed.empty())
    for (int64_t i = 0; i < height.size(); ++i) {
      const float z = height.data()[i];
      ground.bed.data()[i] = std::min(ground.bed.data()[i], z);
    }
  carried_out_ = StreamLoad(*this, water, order, area, dt, context).run(context);
  if (ground.bed.empty()) return;
  const bool rises = !ground.uplift.empty();
  for (int64_t i = 0; i < height.size(); ++i) {
    const bool given = given_height(i, order.receiver(i), 0, dt).has_value();
    const double up = rises && !given ? dt * static_cast<double>(ground.uplift.data()[i]) : 0;
    ground.bed.data()[i] = std::min(static_cast<float>(ground.bed.data()[i] + up), height.data()[i]);
  }
  spread_alluvium(dt, context);
}

void StreamLand::carve_drawn_rivers(float least) {
  const D8 d8(lattice_.width, lattice_.cell);
  for (int64_t cell : ground.river_heads)
    for (uint8_t code = ground.forced.data()[cell]; code != d8_none; code = ground.forced.data()[cell]) {
      const int64_t next = cell + d8.step[code];
      height.data()[next] = std::min(height.data()[next], height.data()[cell] - least);
      cell = next;
    }
}

template <class Area>
void StreamLand::shape(const Watercourses& water, const FlowOrder& order, const Area& area, double dt,
                       const Context& context) {
  if (law_.deposition > 0)
    carry_load(
        water, order, [&](int64_t cell) { return static_cast<double>(area(cell)) * ground.quanta_area; }, dt, context);
  else
    solve(water, order, area, dt, context);
}

void StreamLand::step(double dt, const Context& context) {
  const Context quiet = context.told_to(nullptr);
  carve_drawn_rivers(0);
  Grid<uint8_t> codes = directions(quiet);
  WaterGround water_ground{&height, lattice_.cell, std::move(ground.kind)};
  Watercourses water = watercourses_of(std::move(water_ground), std::move(codes), quiet);
  ground.kind = std::move(water.ground.kind);
  const FlowOrder order(water.directions, quiet);
  if (ground.supply.empty()) {
    Grid<int32_t> cells(lattice_.width, lattice_.height, 1);
    int32_t* sums = cells.data();
    order.downstream(quiet, [&](int64_t cell, int64_t to) { sums[to] += sums[cell]; });
    shape(
        water, order, [&](int64_t cell) { return static_cast<int64_t>(sums[cell]); }, dt, quiet);
  } else {
    Grid<int64_t> amounts = ground.supply.clone();
    gather_downstream(order, amounts, quiet);
    shape(
        water, order, [&](int64_t cell) { return amounts.data()[cell]; }, dt, quiet);
  }
  let_creep(dt, quiet);
  if (!ground.bed.empty())
    for (int64_t i = 0; i < height.size(); ++i) ground.bed.data()[i] = std::min(ground.bed.data()[i], height.data()[i]);
}

void StreamLand::let_slopes_fail(const Context& context) {
  if (!ground.steepest.empty()) limit_slope(height, ground.steepest, lattice_.cell, context);
}

}  // namespace tepui

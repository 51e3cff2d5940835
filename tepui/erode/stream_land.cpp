#include "tepui/erode/stream_land.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/creep.h"
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

/// Of its depth, how much of a lake can be filled in one step: what is left keeps the way of the water.
constexpr double lake_share = 0.9;

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
  const WaterCell kind = ground.kind.data()[i];
  if (kind == WaterCell::sea || kind == WaterCell::outside) return d8_none;
  float steepest = 0;
  int code = d8_none;
  for (int k = 0; k < 8; ++k) {
    const int64_t nx = x + d8_x[static_cast<size_t>(k)], ny = y + d8_y[static_cast<size_t>(k)];
    if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
    const int64_t n = ny * w + nx;
    if (ground.kind.data()[n] == WaterCell::outside) continue;
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
      const WaterCell* kind = ground.kind.row(y);
      for (int64_t x = 0; x < w; ++x)
        if (!inner || kind[x] != WaterCell::inner) row[x] = static_cast<uint8_t>(direction_with_care(x, y));
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
  return ground.kind.data()[cell] == WaterCell::edge ? z - fall * dt : z;
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
    if (ground.kind.data()[i] == WaterCell::edge) edges.emplace_back(i, height.data()[i]);
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

/// One step of rivers that carry what they wear and lay a part of it down: the equation of stream_land.h with G > 0.
///
/// Let e be by how much a node is lowered against the raised land (below 0 where more is laid down than taken), and Q
/// the sum of e over all nodes upstream, its own included. The equation of a node links e to Q, and to e_r of its
/// receiver. A node without donors has Q = e, so that Q = alpha + beta e_r; if that holds for its donors, it holds for
/// any node. One sweep down the rivers finds alpha and beta, one sweep up finds the heights: Gauss's elimination along
/// a tree, which needs no relaxation, however large G is.
class StreamLoad {
 public:
  /// `area` is the area that drains through a node, square metres.
  StreamLoad(StreamLand& land, const Watercourses& water, const FlowOrder& order,
             const std::function<double(int64_t node)>& area, double dt, const Context& context);

  /// Changes the land's heights. Returns what was carried out of the land, in metres of a node.
  double run(const Context& context);

 private:
  /// What holds at a node, so far as is known.
  enum class Regime : uint8_t {
    river,    ///< Rock is worn, and load laid down.
    shingle,  ///< The same where only what was laid down before is worn.
    bed,      ///< All of that is worn, and the rock below it is too hard.
    still,    ///< Nothing is worn: rock that never wears, or below the receiver.
    failing,  ///< The slope is the steepest there is.
    lake,     ///< It takes all, or all that it has room for.
    held,     ///< An outlet, or a height that is given.
  };
  /// Q = alpha + beta e_r; of all donors of a node together, alpha + beta e.
  struct Line {
    double alpha = 0, beta = 0;
  };

  double raised(int64_t node) const { return raised_.data()[node]; }
  Line of_donors(int64_t node) const;
  double distance(int64_t node, int64_t to) const;
  double strength(int64_t node, bool shingle) const;
  bool covered(int64_t node) const;
  double bed(int64_t node) const;
  double settled(int64_t node, const Line& donors) const;
  bool drowned(int64_t node) const;

  Line eliminated(int64_t node, int64_t to) const;
  /// Says whether the node's regime is another than before.
  bool solve(int64_t node, int64_t to, bool first);
  double worn_height(int64_t node, int64_t to, double receiver, double share, const Line& donors, bool shingle) const;

  StreamLand& land_;
  const StreamGround& ground_;
  const Watercourses& water_;
  const FlowOrder& order_;
  double dt_;
  Grid<float> before_;
  Grid<double> raised_;   ///< Heights without rivers.
  Grid<double> share_;    ///< G times the share of a node in the area that drains through it.
  Grid<double> cutting_;  ///< K A^m dt, before softness.
  Grid<float> alpha_, beta_;
  Grid<Regime> regime_;
};

StreamLoad::StreamLoad(StreamLand& land, const Watercourses& water, const FlowOrder& order,
                       const std::function<double(int64_t)>& area, double dt, const Context& context)
    : land_(land),
      ground_(land.ground),
      water_(water),
      order_(order),
      dt_(dt),
      before_(land.height.clone()),
      raised_(before_.width(), before_.height()),
      share_(before_.width(), before_.height()),
      cutting_(before_.width(), before_.height()),
      alpha_(before_.width(), before_.height(), 0.0f),
      beta_(before_.width(), before_.height(), 0.0f),
      regime_(before_.width(), before_.height(), Regime::held) {
  const double cell = land.lattice_.cell.x * land.lattice_.cell.y;
  const int64_t w = before_.width();
  parallel_chunks(before_.height(), rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) {
      const double z = before_.data()[i], up = ground_.uplift.empty() ? 0 : ground_.uplift.data()[i];
      raised_.data()[i] = land.given_height(i, order.receiver(i), z, dt).value_or(z + dt * up);
      const double drained = area(i);
      share_.data()[i] = land.law_.deposition * cell / drained;
      cutting_.data()[i] = dt * land.law_.k * land.power_(land.effective_area_of(drained));
    }
  });
}

StreamLoad::Line StreamLoad::of_donors(int64_t node) const {
  const int64_t w = before_.width(), h = before_.height(), x = node % w, y = node / w;
  Line sum;
  for (size_t k = 0; k < 8; ++k) {
    const int64_t nx = x + d8_x[k], ny = y + d8_y[k];
    if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
    const int64_t donor = ny * w + nx;
    if (order_.receiver(donor) != node) continue;
    sum.alpha += static_cast<double>(alpha_.data()[donor]);
    sum.beta += static_cast<double>(beta_.data()[donor]);
  }
  return sum;
}

double StreamLoad::distance(int64_t node, int64_t to) const {
  return land_.close_.metres(node, to, water_.directions.data()[node]);
}

double StreamLoad::strength(int64_t node, bool shingle) const {
  const double rock = ground_.softness.empty() ? 1.0 : static_cast<double>(ground_.softness.data()[node]);
  return (shingle ? ground_.shingle_softness : rock) * cutting_.data()[node];
}

bool StreamLoad::covered(int64_t node) const {
  if (ground_.bed.empty() || !(ground_.shingle_softness > 0)) return false;
  return before_.data()[node] > ground_.bed.data()[node];
}

double StreamLoad::bed(int64_t node) const {
  return static_cast<double>(ground_.bed.data()[node]) + raised(node) - static_cast<double>(before_.data()[node]);
}

bool StreamLoad::drowned(int64_t node) const {
  return water_.ways.level[static_cast<size_t>(water_.basins.of.data()[node])] > before_.data()[node];
}

double StreamLoad::settled(int64_t node, const Line& donors) const {
  const double level = water_.ways.level[static_cast<size_t>(water_.basins.of.data()[node])];
  const double room = lake_share * std::max(0.0, level - raised(node));
  return std::clamp(donors.alpha / (1 + donors.beta), 0.0, room);
}

/// What a node passes on, with its regime of the last round and, if n is not 1, about its last slope.
StreamLoad::Line StreamLoad::eliminated(int64_t node, int64_t to) const {
  const Line in = of_donors(node);
  const double all = 1 + in.beta, up = raised(node), above = up - raised(to);
  const Regime regime = regime_.data()[node];
  double slope = 0, least = 0;  // wear = least + slope (height above the receiver)
  switch (regime) {
    case Regime::held:
      return {in.alpha, 0};
    case Regime::lake:
      return {in.alpha - all * settled(node, in), 0};
    case Regime::bed:
      return {in.alpha + all * (up - bed(node)), 0};
    case Regime::failing: {
      const double steepest = static_cast<double>(ground_.steepest.data()[node]);
      return {in.alpha + all * (above - steepest * distance(node, to)), all};
    }
    case Regime::still:
      break;
    case Regime::river:
    case Regime::shingle: {
      const double n = land_.law_.n, d = distance(node, to), k = strength(node, regime == Regime::shingle);
      slope = k / d;
      if (n == 1) break;
      const double rise = static_cast<double>(land_.height.data()[node]) - static_cast<double>(land_.height.data()[to]);
      const double last = std::max(rise, 1e-9 * d), wear = k * math::pow(last / d, n);
      slope = n * wear / last;
      least = wear - slope * last;
    }
  }
  const double g = share_.data()[node], scale = all / (1 + slope + g * all);
  return {in.alpha + scale * (least + slope * above - g * in.alpha), scale * slope};
}

/// Where water wears the rock, or only what lies on it, and lays its load down.
double StreamLoad::worn_height(int64_t node, int64_t to, double receiver, double share, const Line& donors,
                               bool shingle) const {
  const double all = 1 + share * (1 + donors.beta), laid = share * donors.alpha / all;
  const double filled = raised(node) + laid, k = strength(node, shingle);
  if (!(k > 0)) return std::max(filled, raised(node));
  return filled > receiver ? land_.solved(filled, receiver, distance(node, to), k / all) : filled;
}

bool StreamLoad::solve(int64_t node, int64_t to, bool first) {
  const double up = raised(node);
  Regime& regime = regime_.data()[node];
  const Regime was = regime;
  float& z = land_.height.data()[node];
  if (to < 0 || (!ground_.fixed.empty() && ground_.fixed.data()[node] != 0)) {
    regime = Regime::held, z = static_cast<float>(up);
    return false;
  }
  // Before the load is known, as much is laid down as where all land wears alike.
  const Line donors = first ? Line{} : of_donors(node);
  if (drowned(node)) {
    regime = Regime::lake, z = static_cast<float>(up + settled(node, donors));
    return false;
  }
  const double g = first ? land_.law_.deposition : share_.data()[node], receiver = land_.height.data()[to];
  double next = worn_height(node, to, receiver, g, donors, false);
  regime = next > receiver && strength(node, false) > 0 ? Regime::river : Regime::still;
  if (covered(node)) {
    const double loose = worn_height(node, to, receiver, g, donors, true), rock = bed(node);
    if (loose > std::min(rock, next))
      next = loose, regime = next > receiver ? Regime::shingle : Regime::still;
    else if (rock < next)
      next = rock, regime = Regime::bed;
  }
  if (land_.cap_along_rivers && !ground_.steepest.empty() && next > receiver) {
    const double most = receiver + static_cast<double>(ground_.steepest.data()[node]) * distance(node, to);
    if (next > most) next = most, regime = Regime::failing;
  }
  z = static_cast<float>(next);
  return regime != was;
}

double StreamLoad::run(const Context& context) {
  order_.upstream(context, [&](int64_t node, int64_t to) { solve(node, to, true); });
  for (int round = 0; round < StreamLand::load_rounds; ++round) {
    order_.downstream(context, [&](int64_t node, int64_t to) {
      const Line line = eliminated(node, to);
      alpha_.data()[node] = static_cast<float>(line.alpha), beta_.data()[node] = static_cast<float>(line.beta);
    });
    std::atomic<bool> changed = land_.law_.n != 1;
    order_.upstream(context, [&](int64_t node, int64_t to) {
      if (solve(node, to, false)) changed.store(true, std::memory_order_relaxed);
    });
    // The sweep down knew all that the sweep up met.
    if (!changed.load()) break;
  }
  double out = 0;
  for (int64_t i = 0; i < before_.size(); ++i)
    if (order_.receiver(i) < 0) out += of_donors(i).alpha;
  return out;
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

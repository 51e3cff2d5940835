#include "reference/stream_power.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace tepui::reference {

namespace {

constexpr int step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

struct Flow {
  std::vector<int64_t> receiver;  ///< -1 where the flow ends.
  std::vector<double> level;      ///< Of the lake over each cell.
};

class Land {
 public:
  Land(const Grid<double>& z, Vec2 cell) : z_(z), cell_(cell), w_(z.width()), h_(z.height()) {}

  bool edge(int64_t i) const { return i % w_ == 0 || i / w_ == 0 || i % w_ == w_ - 1 || i / w_ == h_ - 1; }
  int64_t neighbour(int64_t i, int k) const {
    const int64_t x = i % w_ + step_x[k], y = i / w_ + step_y[k];
    return x >= 0 && y >= 0 && x < w_ && y < h_ ? y * w_ + x : -1;
  }
  double distance(int k) const { return std::hypot(step_x[k] * cell_.x, step_y[k] * cell_.y); }
  double distance(int64_t a, int64_t b) const {
    return std::hypot(static_cast<double>(b % w_ - a % w_) * cell_.x, static_cast<double>(b / w_ - a / w_) * cell_.y);
  }
  double z(int64_t i) const { return z_.data()[i]; }
  int64_t size() const { return z_.size(); }

  Flow flow() const {
    Flow flow{std::vector<int64_t>(static_cast<size_t>(size()), -1), {}};
    for (int64_t i = 0; i < size(); ++i) {
      // Slopes are compared as floats, so that two that are nearly equal are no matter of the last bits of a double.
      float steepest = 0;
      for (int k = 0; k < 8; ++k) {
        const int64_t n = neighbour(i, k);
        if (n < 0) continue;
        const auto close = static_cast<float>(std::min(cell_.x, cell_.y) / distance(k));
        const float slope = (static_cast<float>(z(i)) - static_cast<float>(z(n))) * close;
        if (!(slope > steepest)) continue;
        steepest = slope;
        flow.receiver[static_cast<size_t>(i)] = n;
      }
    }
    drain(flow);
    return flow;
  }

 private:
  /// Turns the flow of every basin that ends in a pit towards the lowest saddle on the way to an outlet.
  void drain(Flow& flow) const {
    std::vector<int64_t>& to = flow.receiver;
    std::vector<int64_t> end(to.size());
    for (int64_t i = 0; i < size(); ++i) {
      int64_t at = i;
      while (to[static_cast<size_t>(at)] >= 0) at = to[static_cast<size_t>(at)];
      end[static_cast<size_t>(i)] = edge(at) ? -1 : at;
    }
    std::vector<double> level(to.size(), -std::numeric_limits<double>::infinity());
    using Way = std::tuple<double, double, int64_t, int64_t>;  // level, lower side, from inside, to outside
    std::set<Way> ways;
    const auto reach = [&](int64_t cell) {
      for (int k = 0; k < 8; ++k) {
        const int64_t n = neighbour(cell, k);
        if (n >= 0 && end[static_cast<size_t>(n)] >= 0)
          ways.emplace(std::max(z(cell), z(n)), std::min(z(cell), z(n)), n, cell);
      }
      if (edge(cell) && end[static_cast<size_t>(cell)] >= 0)
        ways.emplace(z(cell), -std::numeric_limits<double>::infinity(), cell, -1);
    };
    for (int64_t i = 0; i < size(); ++i)
      if (end[static_cast<size_t>(i)] < 0 || edge(i)) reach(i);
    while (!ways.empty()) {
      const auto [height, low, from, out] = *ways.begin();
      ways.erase(ways.begin());
      const int64_t pit = end[static_cast<size_t>(from)];
      if (pit < 0) continue;
      const double outside = out < 0 ? height : level[static_cast<size_t>(out)];
      std::vector<int64_t> basin;
      for (int64_t i = 0; i < size(); ++i)
        if (end[static_cast<size_t>(i)] == pit) basin.push_back(i);
      for (int64_t i : basin)
        level[static_cast<size_t>(i)] = std::max(height, outside), end[static_cast<size_t>(i)] = -1;
      for (int64_t at = from, next = out;;) {
        const int64_t before = to[static_cast<size_t>(at)];
        to[static_cast<size_t>(at)] = next;
        if (at == pit) break;
        next = at, at = before;
      }
      for (int64_t i : basin) reach(i);
    }
    flow.level = std::move(level);
  }

  const Grid<double>& z_;
  Vec2 cell_;
  int64_t w_, h_;
};

/// From outlets upstream.
std::vector<int64_t> upstream_order(const Flow& flow) {
  std::vector<std::vector<int64_t>> donors(flow.receiver.size());
  std::vector<int64_t> order;
  for (size_t i = 0; i < flow.receiver.size(); ++i) {
    if (flow.receiver[i] < 0)
      order.push_back(static_cast<int64_t>(i));
    else
      donors[static_cast<size_t>(flow.receiver[i])].push_back(static_cast<int64_t>(i));
  }
  for (size_t next = 0; next < order.size(); ++next)
    for (int64_t donor : donors[static_cast<size_t>(order[next])]) order.push_back(donor);
  return order;
}

/// The height above the receiver at which raising and cutting meet, by bisection.
double met(double rise, double strength, double n) {
  if (n == 1) return rise / (1 + strength);
  double low = 0, high = rise;
  for (int i = 0; i < 64; ++i) {
    const double middle = 0.5 * (low + high);
    (middle + strength * std::pow(middle, n) < rise ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// One row or column of (1 + 2 r) z' - r (z'_before + z'_after) = z, nothing crossing the ends: Gauss's elimination.
void diffuse(std::vector<double>& line, double r) {
  const size_t n = line.size();
  std::vector<double> diagonal(n);
  for (size_t i = 0; i < n; ++i) diagonal[i] = 1 + (i > 0 ? r : 0) + (i + 1 < n ? r : 0);
  for (size_t i = 1; i < n; ++i) {
    const double factor = -r / diagonal[i - 1];
    diagonal[i] += factor * r;
    line[i] -= factor * line[i - 1];
  }
  for (size_t i = n; i-- > 0;) line[i] = (line[i] + (i + 1 < n ? r * line[i + 1] : 0)) / diagonal[i];
}

void let_creep(Grid<double>& z, const StreamPower& law, double dt) {
  const int64_t w = z.width(), h = z.height();
  std::vector<double> line;
  for (int64_t y = 0; y < h; ++y) {
    line.assign(z.row(y), z.row(y) + w);
    diffuse(line, law.creep * dt / (law.cell.x * law.cell.x));
    std::copy(line.begin(), line.end(), z.row(y));
  }
  for (int64_t x = 0; x < w; ++x) {
    line.resize(static_cast<size_t>(h));
    for (int64_t y = 0; y < h; ++y) line[static_cast<size_t>(y)] = z(x, y);
    diffuse(line, law.creep * dt / (law.cell.y * law.cell.y));
    for (int64_t y = 0; y < h; ++y) z(x, y) = line[static_cast<size_t>(y)];
  }
}

/// What becomes of a node while the loads and its receiver are what they are.
double stepped(const Land& land, const Flow& flow, const StreamPower& law, const Grid<double>& before,
               const Grid<double>& z, int64_t i, double area, double load, double dt) {
  const auto at = static_cast<size_t>(i);
  const int64_t to = flow.receiver[at];
  const double raised = before.data()[i] + law.uplift * dt, below = z.data()[to], d = land.distance(i, to);
  if (flow.level[at] > before.data()[i]) {
    if (!(law.deposition > 0)) return raised;
    return raised + std::clamp(load, 0.0, 0.9 * std::max(0.0, flow.level[at] - raised));
  }
  // z' = raised - wear + g (load + raised - z')
  const double g = law.deposition * law.cell.x * law.cell.y / area;
  const double filled = raised + g * load / (1 + g);
  if (!(filled > below)) return filled;
  const double a = area * area / (area + law.head);
  const double strength = law.k * std::pow(a, law.m) * dt / std::pow(d, law.n);
  return below + std::min(met(filled - below, strength / (1 + g), law.n), law.steepest * d);
}

/// Brings the loads a little closer to what the heights say.
void take_loads(const Flow& flow, const std::vector<int64_t>& order, const StreamPower& law, const Grid<double>& before,
                const Grid<double>& z, double dt, std::vector<double>& load) {
  std::vector<double> found(load.size(), 0.0);
  for (size_t k = order.size(); k-- > 0;) {
    const int64_t i = order[k], to = flow.receiver[static_cast<size_t>(i)];
    if (to < 0) continue;
    found[static_cast<size_t>(to)] += found[static_cast<size_t>(i)] + before.data()[i] + law.uplift * dt - z.data()[i];
  }
  for (size_t i = 0; i < load.size(); ++i) load[i] += 0.3 * (found[i] - load[i]);
}

}  // namespace

void stream_power_step(Grid<double>& z, const StreamPower& law, double dt) {
  const Land land(z, law.cell);
  const Flow flow = land.flow();
  const std::vector<int64_t> order = upstream_order(flow);
  std::vector<double> area(order.size(), law.cell.x * law.cell.y);
  for (size_t k = order.size(); k-- > 0;)
    if (const int64_t to = flow.receiver[static_cast<size_t>(order[k])]; to >= 0)
      area[static_cast<size_t>(to)] += area[static_cast<size_t>(order[k])];
  const Grid<double> before = z.clone();
  std::vector<double> load(order.size(), 0.0);  // what was taken above each node, metres of a node
  for (int round = 0; round < (law.deposition > 0 ? 20000 : 1); ++round) {
    double moved = 0;
    for (int64_t i : order) {
      const auto at = static_cast<size_t>(i);
      if (flow.receiver[at] < 0) continue;
      const double next = stepped(land, flow, law, before, z, i, area[at], load[at], dt);
      moved = std::max(moved, std::abs(next - z.data()[i]));
      z.data()[i] = next;
    }
    if (round > 0 && moved < 1e-9 * law.cell.x) break;
    take_loads(flow, order, law, before, z, dt, load);
  }
  if (!(law.creep > 0)) return;
  const Grid<double> cut = z.clone();
  let_creep(z, law, dt);
  for (int64_t i = 0; i < z.size(); ++i)
    if (land.edge(i)) z.data()[i] = std::min(z.data()[i], cut.data()[i]);
}

}  // namespace tepui::reference

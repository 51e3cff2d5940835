#include "reference/hydrology.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

namespace tepui::reference {

namespace {

constexpr int step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

bool inside(int64_t x, int64_t y, int64_t w, int64_t h) { return x >= 0 && y >= 0 && x < w && y < h; }
double distance(int k, Vec2 cell) { return std::hypot(step_x[k] * cell.x, step_y[k] * cell.y); }

/// Calls act(neighbour, code) for each neighbour of a cell.
template <class T, class Act>
void neighbours(const Grid<T>& grid, int64_t i, const Act& act) {
  const int64_t x = i % grid.width(), y = i / grid.width();
  for (int k = 0; k < 8; ++k)
    if (inside(x + step_x[k], y + step_y[k], grid.width(), grid.height()))
      act((y + step_y[k]) * grid.width() + x + step_x[k], k);
}

template <class Rise>
Grid<float> flood(const Grid<float>& z, std::optional<double> sea_level, const Rise& rise) {
  Grid<float> level(z.width(), z.height(), std::numeric_limits<float>::infinity());
  std::vector<bool> done(static_cast<size_t>(z.size()));
  using Entry = std::pair<float, int64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (int64_t i = 0; i < z.size(); ++i) {
    const int64_t x = i % z.width(), y = i / z.width();
    const bool edge = x == 0 || y == 0 || x == z.width() - 1 || y == z.height() - 1;
    if (edge || (sea_level && z.data()[i] <= *sea_level)) open.emplace(level.data()[i] = z.data()[i], i);
  }
  while (!open.empty()) {
    const float height = open.top().first;
    const int64_t i = open.top().second;
    open.pop();
    if (done[static_cast<size_t>(i)]) continue;
    done[static_cast<size_t>(i)] = true;
    neighbours(z, i, [&](int64_t n, int k) {
      const float reached = std::max(z.data()[n], rise(height, k));
      if (reached < level.data()[n]) open.emplace(level.data()[n] = reached, n);
    });
  }
  return level;
}

template <class Visit>
void in_order(const Grid<uint8_t>& directions, const Visit& visit) {
  const int64_t w = directions.width();
  std::vector<int> waiting(static_cast<size_t>(directions.size()));
  const auto receiver = [&](int64_t i) {
    const int code = directions.data()[i];
    return code == 8 ? -1 : i + step_y[code] * w + step_x[code];
  };
  for (int64_t i = 0; i < directions.size(); ++i)
    if (const int64_t to = receiver(i); to >= 0) ++waiting[static_cast<size_t>(to)];
  std::queue<int64_t> ready;
  for (int64_t i = 0; i < directions.size(); ++i)
    if (waiting[static_cast<size_t>(i)] == 0) ready.push(i);
  while (!ready.empty()) {
    const int64_t i = ready.front(), to = receiver(i);
    ready.pop();
    visit(i, to);
    if (to >= 0 && --waiting[static_cast<size_t>(to)] == 0) ready.push(to);
  }
}

/// Sums of areas, each cell of dry land dividing its own by `divide`, which sets what neighbours get; all else, and
/// what has no receiver, follows the directions.
template <class Divide>
Grid<double> spread(const Grid<float>& filled, const Grid<float>& ground, const Grid<uint8_t>& directions, Vec2 cell,
                    const Divide& divide) {
  const int64_t w = filled.width();
  Grid<double> area(w, filled.height(), cell.x * cell.y);
  const auto gives = [&](int64_t i, const auto& give) {
    double sum = 0, shares[8] = {};
    if (filled.data()[i] == ground.data()[i]) divide(i, shares);
    for (double share : shares) sum += share;
    const int code = directions.data()[i];
    if (sum == 0 && code != 8) sum = shares[code] = 1;
    for (int k = 0; k < 8; ++k)
      if (shares[k] > 0) give(i + step_y[k] * w + step_x[k], shares[k] / sum);
  };
  std::vector<int> waiting(static_cast<size_t>(filled.size()));
  for (int64_t i = 0; i < filled.size(); ++i) gives(i, [&](int64_t to, double) { ++waiting[static_cast<size_t>(to)]; });
  std::queue<int64_t> ready;
  for (int64_t i = 0; i < filled.size(); ++i)
    if (waiting[static_cast<size_t>(i)] == 0) ready.push(i);
  while (!ready.empty()) {
    const int64_t i = ready.front();
    ready.pop();
    gives(i, [&](int64_t to, double share) {
      area.data()[to] += share * area.data()[i];
      if (--waiting[static_cast<size_t>(to)] == 0) ready.push(to);
    });
  }
  return area;
}

}  // namespace

Grid<float> fill(const Grid<float>& z, std::optional<double> sea_level) {
  return flood(z, sea_level, [](float level, int) { return level; });
}

Grid<float> fill_with_slope(const Grid<float>& z, Vec2 cell, double slope, std::optional<double> sea_level) {
  return flood(z, sea_level, [&](float level, int k) {
    return std::max(static_cast<float>(level + slope * distance(k, cell)),
                    std::nextafter(level, std::numeric_limits<float>::infinity()));
  });
}

Grid<uint8_t> steepest(const Grid<float>& z, Vec2 cell) {
  Grid<uint8_t> directions(z.width(), z.height(), 8);
  for (int64_t i = 0; i < z.size(); ++i) {
    double best = 0;
    neighbours(z, i, [&](int64_t n, int k) {
      const double slope = (static_cast<double>(z.data()[i]) - z.data()[n]) / distance(k, cell);
      if (slope > best) best = slope, directions.data()[i] = static_cast<uint8_t>(k);
    });
  }
  return directions;
}

Grid<double> drainage(const Grid<uint8_t>& directions, Vec2 cell) {
  Grid<double> area(directions.width(), directions.height(), cell.x * cell.y);
  in_order(directions, [&](int64_t i, int64_t to) {
    if (to >= 0) area.data()[to] += area.data()[i];
  });
  return area;
}

Grid<double> freeman(const Grid<float>& filled, const Grid<float>& ground, const Grid<uint8_t>& directions, Vec2 cell,
                     double exponent) {
  return spread(filled, ground, directions, cell, [&](int64_t i, double(&shares)[8]) {
    neighbours(filled, i, [&](int64_t n, int k) {
      const double drop = static_cast<double>(filled.data()[i]) - filled.data()[n];
      if (drop > 0) shares[k] = std::pow(drop / distance(k, cell), exponent);
    });
  });
}

Grid<double> d_infinity(const Grid<float>& filled, const Grid<float>& ground, const Grid<uint8_t>& directions,
                        Vec2 cell) {
  return spread(filled, ground, directions, cell, [&](int64_t i, double(&shares)[8]) {
    const double e0 = filled.data()[i];
    double e[8] = {}, steepest = 0;
    int count = 0, best = -1;
    neighbours(filled, i, [&](int64_t n, int k) {
      e[k] = filled.data()[n], ++count;
      const double slope = (e0 - e[k]) / distance(k, cell);
      if (slope > steepest) steepest = slope, best = k;
    });
    if (count < 8) {
      if (best >= 0) shares[best] = 1;
      return;
    }
    steepest = 0;
    for (int straight = 0; straight < 8; straight += 2)
      for (int diagonal : {(straight + 1) & 7, (straight + 7) & 7}) {
        const double d1 = distance(straight, cell), d2 = distance((straight + 2) & 7, cell);
        const double s1 = (e0 - e[straight]) / d1, s2 = (e[straight] - e[diagonal]) / d2;
        const double corner = std::atan2(d2, d1);
        double r = std::atan2(s2, s1), s = std::hypot(s1, s2);
        if (r <= 0) r = 0, s = s1;
        if (r >= corner) r = corner, s = (e0 - e[diagonal]) / std::hypot(d1, d2);
        if (s <= steepest) continue;
        steepest = s;
        std::fill(shares, shares + 8, 0.0);
        shares[diagonal] = r / corner, shares[straight] = 1 - shares[diagonal];
      }
  });
}

Grid<int32_t> strahler(const Grid<uint8_t>& directions, const std::vector<uint8_t>& channel) {
  Grid<int32_t> order(directions.width(), directions.height(), 0), at_order(directions.width(), directions.height(), 0);
  in_order(directions, [&](int64_t i, int64_t to) {
    if (channel[static_cast<size_t>(i)] == 0) return;
    // Heads have no inflow; where two of the highest order met, it is one more.
    int32_t& own = order.data()[i];
    own = own == 0 ? 1 : at_order.data()[i] > 1 ? own + 1 : own;
    if (to < 0) return;
    if (own > order.data()[to])
      order.data()[to] = own, at_order.data()[to] = 1;
    else if (own == order.data()[to])
      ++at_order.data()[to];
  });
  return order;
}

}  // namespace tepui::reference

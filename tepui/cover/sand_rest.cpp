#include "tepui/cover/sand_rest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tepui {

namespace {

struct Way {
  int64_t x, y;
  int64_t most;  ///< quanta that a cell with sand may stand above that neighbour
};

std::array<Way, 8> ways_of(Vec2 cell, double tangent) {
  std::array<Way, 8> ways{
      {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}}};
  for (Way& way : ways) {
    const double dx = static_cast<double>(way.x) * cell.x, dy = static_cast<double>(way.y) * cell.y;
    const double most = std::floor(tangent * std::sqrt(dx * dx + dy * dy));
    way.most = std::max<int64_t>(1, static_cast<int64_t>(std::min(most, 1e15)));
  }
  return ways;
}

class Rest {
 public:
  Rest(const Grid<int32_t>& rock, Grid<int32_t>& sand, const Grid<uint8_t>& open, const std::array<Way, 8>& ways)
      : rock_(rock), sand_(sand), open_(open), ways_(ways), waits_(rock.width(), rock.height(), 0) {}

  void run(const Context& context) {
    for (int64_t i = 0; i < sand_.size(); ++i)
      if (worst(i).second > 0) wait(i);
    // First in, first out, in two halves.
    for (std::vector<int64_t> now; !queue_.empty();) {
      context.check();
      now.clear();
      now.swap(queue_);
      for (const int64_t i : now) {
        waits_.data()[i] = 0;
        settle(i);
      }
    }
  }

 private:
  void wait(int64_t i) {
    if (waits_.data()[i] != 0) return;
    waits_.data()[i] = 1;
    queue_.push_back(i);
  }
  int64_t top(int64_t i) const { return int64_t{rock_.data()[i]} + sand_.data()[i]; }

  template <class Visit>
  void around(int64_t i, const Visit& visit) const {
    const int64_t x = i % rock_.width(), y = i / rock_.width();
    for (const Way& way : ways_) {
      const int64_t u = x + way.x, v = y + way.y;
      if (u < 0 || v < 0 || u >= rock_.width() || v >= rock_.height()) continue;
      const int64_t to = v * rock_.width() + u;
      if (open_.empty() || open_.data()[to] != 0) visit(to, way.most);
    }
  }

  /// The neighbour below which the cell lies too high by most, and by how much.
  std::pair<int64_t, int64_t> worst(int64_t i) const {
    std::pair<int64_t, int64_t> found{-1, 0};
    if (sand_.data()[i] <= 0 || (!open_.empty() && open_.data()[i] == 0)) return found;
    around(i, [&](int64_t to, int64_t most) {
      const int64_t over = top(i) - top(to) - most;
      if (over > found.second) found = {to, over};
    });
    return found;
  }

  /// Each move takes sand down, so that there is an end.
  void settle(int64_t i) {
    for (int k = 0; k < 8; ++k) {
      const auto [to, over] = worst(i);
      if (over <= 0) break;
      const auto moved = static_cast<int32_t>(std::min<int64_t>(sand_.data()[i], (over + 1) / 2));
      sand_.data()[i] -= moved;
      sand_.data()[to] += moved;
      if (worst(to).second > 0) wait(to);
      around(i, [&](int64_t near, int64_t) {
        if (near != to && worst(near).second > 0) wait(near);
      });
    }
    if (worst(i).second > 0) wait(i);
  }

  const Grid<int32_t>& rock_;
  Grid<int32_t>& sand_;
  const Grid<uint8_t>& open_;
  const std::array<Way, 8>& ways_;
  Grid<uint8_t> waits_;
  std::vector<int64_t> queue_;
};

}  // namespace

Grid<int32_t> shared_quanta(const Grid<float>& weights, const Grid<uint8_t>& open, int64_t total) {
  Grid<int32_t> parts(weights.width(), weights.height(), 0);
  const auto takes = [&](int64_t i) { return open.empty() || open.data()[i] != 0; };
  double sum = 0;
  int64_t bearing = 0, cells = 0;
  for (int64_t i = 0; i < weights.size(); ++i) {
    if (!takes(i)) continue;
    ++cells;
    sum += static_cast<double>(weights.data()[i]);
    bearing += weights.data()[i] > 0 ? 1 : 0;
  }
  if (cells == 0 || total <= 0) return parts;
  const bool alike = !(sum > 0);
  const double factor = alike ? 0 : static_cast<double>(total) / sum;
  int64_t given = 0;
  for (int64_t i = 0; i < weights.size(); ++i) {
    if (!takes(i)) continue;
    const double part = std::floor(static_cast<double>(weights.data()[i]) * factor);
    given += parts.data()[i] = static_cast<int32_t>(std::min(part, 0x1p30));
  }
  // What is left goes to every so manieth of them.
  const int64_t count = alike ? cells : bearing;
  while (given != total) {
    const int64_t rest = total - given;
    int64_t seen = 0;
    for (int64_t i = 0; i < weights.size() && seen < count; ++i) {
      if (!takes(i) || (!alike && !(weights.data()[i] > 0))) continue;
      const auto until = [&](int64_t k) {
        return static_cast<int64_t>(
            std::floor(static_cast<double>(rest) * (static_cast<double>(k) / static_cast<double>(count))));
      };
      const int64_t more = seen + 1 == count ? rest - until(seen) : until(seen + 1) - until(seen);
      ++seen;
      const auto now = static_cast<int32_t>(std::max<int64_t>(0, parts.data()[i] + more));
      given += now - parts.data()[i];
      parts.data()[i] = now;
    }
  }
  return parts;
}

void rest_sand(const Grid<int32_t>& rock, Grid<int32_t>& sand, const Grid<uint8_t>& open, Vec2 cell_quanta,
               double tangent, const Context& context) {
  const std::array<Way, 8> ways = ways_of(cell_quanta, tangent);
  Rest(rock, sand, open, ways).run(context);
}

}  // namespace tepui

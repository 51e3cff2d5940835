#include "tepui/render/page/class_borders.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace tepui {

namespace {

/// Ways that lead from a corner between samples, and what they are as a bit.
enum Way : uint8_t { east = 1, north = 2, west = 4, south = 8 };
struct Step {
  Way way, back;
  int64_t x, y;
};
constexpr Step steps[] = {{east, west, 1, 0}, {north, south, 0, 1}, {west, east, -1, 0}, {south, north, 0, -1}};

/// The ways along borders that have not been gone; corner (x, y) is south-west of sample (x, y).
class Corners {
 public:
  explicit Corners(const Grid<float>& classes)
      : width_(classes.width() + 1),
        height_(classes.height() + 1),
        ways_(static_cast<size_t>(width_ * height_), uint8_t{0}) {
    for (int64_t y = 0; y < classes.height(); ++y)
      for (int64_t x = 0; x < classes.width(); ++x) {
        if (x > 0 && classes(x, y) != classes(x - 1, y)) {
          at(x, y) |= north;
          at(x, y + 1) |= south;
        }
        if (y > 0 && classes(x, y) != classes(x, y - 1)) {
          at(x, y) |= east;
          at(x + 1, y) |= west;
        }
      }
    for (const uint8_t ways : ways_) meeting_.push_back(count(ways) != 2);
  }

  int64_t width() const { return width_; }
  int64_t height() const { return height_; }
  /// Where lines end.
  bool is_meeting(int64_t x, int64_t y) const { return meeting_[static_cast<size_t>(y * width_ + x)]; }

  /// Goes along borders until lines meet, or to where it began.
  std::vector<Vec2> trace(int64_t x, int64_t y) {
    const auto point = [&] { return Vec2{static_cast<double>(x) - 0.5, static_cast<double>(y) - 0.5}; };
    std::vector<Vec2> points{point()};
    for (const Step* step = open_way(x, y); step != nullptr; step = open_way(x, y)) {
      at(x, y) &= static_cast<uint8_t>(~step->way);
      x += step->x;
      y += step->y;
      at(x, y) &= static_cast<uint8_t>(~step->back);
      points.push_back(point());
      if (is_meeting(x, y)) break;
    }
    return points;
  }
  bool is_open(int64_t x, int64_t y) const { return ways_[static_cast<size_t>(y * width_ + x)] != 0; }

 private:
  static int count(uint8_t ways) {
    int sum = 0;
    for (const Step& step : steps) sum += (ways & step.way) != 0 ? 1 : 0;
    return sum;
  }
  uint8_t& at(int64_t x, int64_t y) { return ways_[static_cast<size_t>(y * width_ + x)]; }
  const Step* open_way(int64_t x, int64_t y) {
    for (const Step& step : steps)
      if ((at(x, y) & step.way) != 0) return &step;
    return nullptr;
  }

  int64_t width_, height_;
  std::vector<uint8_t> ways_;
  std::vector<bool> meeting_;
};

size_t class_at(const Grid<float>& classes, int64_t x, int64_t y) {
  return static_cast<size_t>(std::max<int64_t>(std::lround(classes(x, y)), 0));
}

}  // namespace

std::vector<std::vector<Vec2>> class_borders(const Grid<float>& classes) {
  Corners corners(classes);
  std::vector<std::vector<Vec2>> lines;
  // First all that end somewhere; what is left are rings.
  for (const bool meetings : {true, false})
    for (int64_t y = 0; y < corners.height(); ++y)
      for (int64_t x = 0; x < corners.width(); ++x)
        while (corners.is_open(x, y) && corners.is_meeting(x, y) == meetings) lines.push_back(corners.trace(x, y));
  return lines;
}

Grid<float> numbered_classes(const Grid<float>& classes) {
  std::vector<float> values(classes.cells().begin(), classes.cells().end());
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  Grid<float> out(classes.width(), classes.height());
  for (int64_t i = 0; i < classes.size(); ++i)
    out.data()[i] = static_cast<float>(std::ranges::lower_bound(values, classes.data()[i]) - values.begin());
  return out;
}

std::vector<int> colours_of_neighbours(const Grid<float>& classes, int colours) {
  std::vector<int64_t> sizes;
  std::set<std::pair<size_t, size_t>> beside;
  const auto meet = [&](size_t a, size_t b) {
    if (a != b) beside.insert({a, b}), beside.insert({b, a});
  };
  for (int64_t y = 0; y < classes.height(); ++y)
    for (int64_t x = 0; x < classes.width(); ++x) {
      const size_t own = class_at(classes, x, y);
      if (own >= sizes.size()) sizes.resize(own + 1, 0);
      ++sizes[own];
      if (x > 0) meet(own, class_at(classes, x - 1, y));
      if (y > 0) meet(own, class_at(classes, x, y - 1));
    }
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return sizes[i]; });
  std::vector<int> chosen(sizes.size(), -1);
  std::vector<int64_t> used(static_cast<size_t>(colours), 0);
  for (const size_t own : order) {
    std::vector<int64_t> near(static_cast<size_t>(colours), 0);
    for (auto it = beside.lower_bound({own, 0}); it != beside.end() && it->first == own; ++it)
      if (chosen[it->second] >= 0) ++near[static_cast<size_t>(chosen[it->second])];
    int best = 0;
    for (int c = 1; c < colours; ++c) {
      const auto k = static_cast<size_t>(c), b = static_cast<size_t>(best);
      if (std::pair(near[k], used[k]) < std::pair(near[b], used[b])) best = c;
    }
    chosen[own] = best;
    ++used[static_cast<size_t>(best)];
  }
  return chosen;
}

}  // namespace tepui

#include "tepui/render/page/contours.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tepui {

namespace {

/// A step of a contour through one square, between two of the lattice's edges. Edge 2 (y width + x) leads east from
/// sample (x, y), the next one north.
struct Step {
  int64_t from = 0, to = 0;
};

struct Square {
  int64_t south, east, north, west;
};

void add_steps(std::vector<Step>& steps, const std::array<double, 4>& corner, double level, const Square& edge) {
  int code = 0;
  for (size_t i = 0; i < 4; ++i)
    if (corner[i] >= level) code |= 1 << i;
  // Corners in turn: south-west, south-east, north-east, north-west.
  const int64_t sides[4] = {edge.south, edge.east, edge.north, edge.west};
  const auto cut_corner = [&](int i) { steps.push_back({sides[(i + 3) % 4], sides[i]}); };
  if (code == 0 || code == 15) return;
  if (code == 5 || code == 10) {
    const bool middle_inside = (corner[0] + corner[1] + corner[2] + corner[3]) / 4 >= level;
    const int first = (code == 5) == middle_inside ? 1 : 0;
    cut_corner(first);
    cut_corner(first + 2);
    return;
  }
  // Otherwise exactly two sides lead from inside to outside.
  int64_t ends[2] = {};
  int count = 0;
  for (int i = 0; i < 4; ++i)
    if (((code >> i) & 1) != ((code >> ((i + 1) % 4)) & 1)) ends[count++] = sides[i];
  steps.push_back({ends[0], ends[1]});
}

std::vector<Step> steps_at(const Grid<float>& z, double level) {
  const int64_t w = z.width();
  std::vector<Step> steps;
  for (int64_t y = 0; y + 1 < z.height(); ++y)
    for (int64_t x = 0; x + 1 < w; ++x) {
      const std::array<double, 4> corner{static_cast<double>(z(x, y)), static_cast<double>(z(x + 1, y)),
                                         static_cast<double>(z(x + 1, y + 1)), static_cast<double>(z(x, y + 1))};
      const int64_t at = 2 * (y * w + x);
      add_steps(steps, corner, level, {at, at + 3, at + 2 * w, at + 1});
    }
  return steps;
}

/// Steps that meet on an edge, joined to lines of edges.
class Joiner {
 public:
  explicit Joiner(const std::vector<Step>& steps) : steps_(steps), used_(steps.size(), 0) {
    for (size_t i = 0; i < steps.size(); ++i) {
      ends_.push_back({steps[i].from, i});
      ends_.push_back({steps[i].to, i});
    }
    std::ranges::sort(ends_);
  }

  std::vector<std::vector<int64_t>> lines() {
    std::vector<std::vector<int64_t>> list;
    // First those that begin at the border.
    for (size_t i = 0; i < ends_.size(); ++i) {
      const bool alone = (i == 0 || ends_[i - 1].first != ends_[i].first) &&
                         (i + 1 == ends_.size() || ends_[i + 1].first != ends_[i].first);
      if (alone && used_[ends_[i].second] == 0) list.push_back(follow(ends_[i].first, ends_[i].second));
    }
    for (size_t i = 0; i < steps_.size(); ++i)
      if (used_[i] == 0) list.push_back(follow(steps_[i].from, i));
    return list;
  }

 private:
  std::vector<int64_t> follow(int64_t edge, size_t step) {
    std::vector<int64_t> line{edge};
    for (;;) {
      used_[step] = 1;
      edge = steps_[step].from == edge ? steps_[step].to : steps_[step].from;
      line.push_back(edge);
      bool found = false;
      for (auto it = std::ranges::lower_bound(ends_, std::pair<int64_t, size_t>{edge, 0});
           it != ends_.end() && it->first == edge && !found; ++it)
        if (used_[it->second] == 0) {
          step = it->second;
          found = true;
        }
      if (!found) return line;
    }
  }

  const std::vector<Step>& steps_;
  std::vector<char> used_;
  std::vector<std::pair<int64_t, size_t>> ends_;  ///< edge and step
};

Vec2 crossing(const Grid<float>& z, int64_t edge, double level) {
  const int64_t x = edge / 2 % z.width(), y = edge / 2 / z.width();
  const bool north = edge % 2 == 1;
  const double a = static_cast<double>(z(x, y)), b = static_cast<double>(north ? z(x, y + 1) : z(x + 1, y));
  const double part = (level - a) / (b - a);
  return {static_cast<double>(x) + (north ? 0 : part), static_cast<double>(y) + (north ? part : 0)};
}

}  // namespace

std::vector<ContourLine> contour_lines(const Grid<float>& cells, const std::vector<double>& levels,
                                       const Context& context) {
  std::vector<ContourLine> lines;
  for (size_t i = 0; i < levels.size(); ++i) {
    context.check();
    context.progress(static_cast<double>(i) / static_cast<double>(levels.size()));
    const std::vector<Step> steps = steps_at(cells, levels[i]);
    for (const std::vector<int64_t>& edges : Joiner(steps).lines()) {
      ContourLine line{levels[i], {}};
      for (const int64_t edge : edges) line.points.push_back(crossing(cells, edge, levels[i]));
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

}  // namespace tepui

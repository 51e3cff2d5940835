#include "tepui/render/page/smooth_line.h"

#include <utility>

namespace tepui {

namespace {

constexpr int cuts = 2;

void cut_corners(std::vector<Vec2>& points, std::vector<bool>& fixed) {
  std::vector<Vec2> out;
  std::vector<bool> held;
  const auto add = [&](Vec2 p, bool hold) {
    out.push_back(p);
    held.push_back(hold);
  };
  for (size_t i = 0; i < points.size(); ++i) {
    if (fixed[i]) {
      add(points[i], true);
      continue;
    }
    add(points[i] * 0.75 + points[i - 1] * 0.25, false);
    add(points[i] * 0.75 + points[i + 1] * 0.25, false);
  }
  points = std::move(out);
  fixed = std::move(held);
}

}  // namespace

void smooth_line(std::vector<Vec2>& points, std::vector<bool> fixed, int rounds) {
  if (points.size() < 3) return;
  std::vector<Vec2> before;
  for (int round = 0; round < rounds; ++round) {
    before = points;
    for (size_t i = 1; i + 1 < points.size(); ++i)
      if (!fixed[i]) points[i] = before[i] * 0.5 + (before[i - 1] + before[i + 1]) * 0.25;
  }
  for (int round = 0; round < cuts; ++round) cut_corners(points, fixed);
}

void smooth_line(std::vector<Vec2>& points, int rounds) {
  std::vector<bool> fixed(points.size(), false);
  if (fixed.empty()) return;
  fixed.front() = fixed.back() = true;
  smooth_line(points, std::move(fixed), rounds);
}

}  // namespace tepui

#include "tepui/terrain/sight_lines.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

namespace {

/// East and north of a bearing in degrees, from angles within a quarter turn, so that mirrored lines are mirrored.
Vec2 bearing(double degrees) {
  const auto quarter = static_cast<int>(degrees / 90);
  const double turn = degrees - 90 * quarter;
  const double a = turn <= 45 ? math::sin(math::radians(turn)) : math::cos(math::radians(90 - turn));
  const double b = turn <= 45 ? math::cos(math::radians(turn)) : math::sin(math::radians(90 - turn));
  switch (quarter & 3) {
    case 0:
      return {a, b};
    case 1:
      return {b, -a};
    case 2:
      return {-a, -b};
    default:
      return {-b, a};
  }
}

SightLine sight_line(const Frame& frame, double radius, Vec2 towards) {
  const double sx = towards.x / frame.cell.x, sy = towards.y / frame.cell.y;
  SightLine line;
  line.along_x = std::abs(sx) >= std::abs(sy);
  const double major = line.along_x ? sx : sy, slope = (line.along_x ? sy : sx) / std::abs(major);
  const int64_t forward = major > 0 ? 1 : -1;
  const double spacing = 1 / std::abs(major);
  const int64_t longest = std::max<int64_t>((line.along_x ? frame.width : frame.height) - 1, 1);
  // A radius of whole cells reaches so many, however its quotient is rounded.
  const double steps = std::floor(radius * std::abs(major) + 1e-9);
  const auto count = static_cast<int64_t>(std::clamp(steps, 1.0, static_cast<double>(longest)));
  for (int64_t k = 1; k <= count; ++k) {
    const double along = static_cast<double>(k), at = along * slope;
    // Lines through samples go through them exactly; rounding of the sine must not blur them.
    const bool through = std::abs(at - std::round(at)) < 1e-6;
    const double whole = through ? std::round(at) : std::floor(at);
    const float rest = through ? 0 : static_cast<float>(at - whole);
    const auto side = static_cast<int64_t>(whole);
    // Beside the land, wherever the viewer stands.
    if (std::abs(side) > (line.along_x ? frame.height : frame.width)) break;
    line.steps.push_back({line.along_x ? forward * k : side, line.along_x ? side : forward * k, rest,
                          static_cast<float>(1 / (along * spacing))});
  }
  return line;
}

}  // namespace

std::vector<SightLine> sight_lines(const Frame& frame, double radius, int directions) {
  std::vector<SightLine> lines;
  for (int k = 0; k < directions; ++k) lines.push_back(sight_line(frame, radius, bearing(360.0 * k / directions)));
  return lines;
}

Halo sight_halo(const Frame& frame, double radius) {
  const auto cells = [&](double cell, int64_t count) {
    return static_cast<int64_t>(std::min(std::floor(radius / cell), static_cast<double>(count))) + 1;
  };
  return {cells(frame.cell.x, frame.width), cells(frame.cell.y, frame.height)};
}

}  // namespace tepui

#include "tepui/erode/cirques.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/noise.h"

namespace tepui {

namespace {

constexpr double radius = 290;        // metres
constexpr double length_share = 0.8;  // of the radius, from the back of the floor to the lip
constexpr double most_drop = 0.7;     // of the floor's back below the bed, over the radius
constexpr double lip = 0.08;          // height over the radius
constexpr double depth_share = 0.95;  // of the wall's height over the radius
constexpr double apart = 1.5;         // radii between two that are at one height
constexpr double size_scale = 700, size_share = 0.45;

/// The bowl at the head of a glacier.
Trough bowl_at(const GlacierPath& path, double r) {
  const GlacierPoint& head = path.points.front();
  double left = length_share * r;
  size_t i = 0;
  Vec2 end = head.at;
  double floor = head.floor;
  for (; i + 1 < path.points.size() && left > 0; ++i) {
    const GlacierPoint &a = path.points[i], &b = path.points[i + 1];
    const Vec2 way = b.at - a.at;
    const double length = std::sqrt(way.x * way.x + way.y * way.y);
    const double share = length > left ? left / length : 1;
    end = a.at + way * share;
    floor = a.floor + share * (b.floor - a.floor);
    left -= length;
  }
  floor = std::max(std::min(floor, head.floor), head.floor - most_drop * r) - lip * r;
  Trough bowl;
  bowl.bowl = true;
  bowl.from = {head.at, floor, depth_share * r, r, head.flux};
  bowl.to = {end, floor, depth_share * r, r, head.flux};
  return bowl;
}

}  // namespace

std::vector<Trough> cirques(const std::vector<GlacierPath>& paths, double size, double variety, Stream draws) {
  std::vector<Trough> out;
  if (!(size > 0)) return out;
  NoiseSpec spec;
  spec.scale = size_scale;
  spec.key = draws.bits(0, 3);
  const Noise noise(spec);
  for (const GlacierPath& path : paths) {
    const Vec2 at = path.points.front().at;
    float n = 0;
    if (variety > 0) noise.points({&at.x, 1}, {&at.y, 1}, {&n, 1});
    const double r = size * radius * std::max(0.3, 1 + size_share * variety * static_cast<double>(n));
    const Trough bowl = bowl_at(path, r);
    const auto beside = [&](const Trough& other) {
      const Vec2 way = other.from.at - bowl.from.at;
      const double most = apart * 0.5 * (r + other.from.half);
      return way.x * way.x + way.y * way.y < most * most && std::abs(other.from.floor - bowl.from.floor) < most;
    };
    if (std::ranges::none_of(out, beside)) out.push_back(bowl);
  }
  return out;
}

}  // namespace tepui

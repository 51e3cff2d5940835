#include "tepui/planet/region.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

namespace {

double chord_of(double angle) { return angle >= math::pi ? 2.5 : 2 * math::sin(angle / 2); }

double horizon_of(const ViewSpec& spec, double altitude) {
  const double dip = math::acos(earth_radius / (earth_radius + altitude));
  return std::min(dip + spec.beyond, math::pi);
}

/// The nearest middle of hexagons whose corners are `radius` away from it.
Vec2 middle_of_hexagon(Vec2 at, double radius) {
  const Vec2 step{std::sqrt(3.0) * radius, 3 * radius};
  const auto round = [&](Vec2 p) {
    return Vec2{std::floor(p.x / step.x + 0.5) * step.x, std::floor(p.y / step.y + 0.5) * step.y};
  };
  // Two lattices of rectangles, each in the middles of the other's.
  const Vec2 half = step * 0.5, one = round(at), other = round(at - half) + half;
  const auto away = [&](Vec2 p) { return (p.x - at.x) * (p.x - at.x) + (p.y - at.y) * (p.y - at.y); };
  return away(one) <= away(other) ? one : other;
}

/// A place at most `far` from this one that is the same for most places near it: the middle of a hexagon on the side of
/// a cube around the sphere, measured in angles, which are at most 1.16 times as far on the sphere.
Vec3 settled(Vec3 place, double far) {
  if (!(far > 0) || far > 1) return place;
  double axes[] = {place.x, place.y, place.z};
  size_t up = 0;
  for (size_t k = 1; k < 3; ++k)
    if (std::fabs(axes[k]) > std::fabs(axes[up])) up = k;
  double &u = axes[(up + 1) % 3], &v = axes[(up + 2) % 3], &w = axes[up];
  const Vec2 middle = middle_of_hexagon({math::atan(u / w), math::atan(v / w)}, far / 1.16);
  w = w < 0 ? -1 : 1;
  u = w * math::tan(middle.x);
  v = w * math::tan(middle.y);
  return normalised({axes[0], axes[1], axes[2]});
}

/// The altitude, up to the slack the same for neighbouring ones: no more, or no less.
double settled_altitude(const ViewSpec& spec, bool more) {
  const double least = 1, altitude = std::max(spec.altitude, least);
  if (!(spec.slack > 0)) return std::max(spec.altitude, 0.0);
  const double step = math::log(1 + 2 * spec.slack), k = math::log(altitude / least) / step;
  return least * math::exp(step * (more ? std::ceil(k) : std::floor(k)));
}

}  // namespace

CapsRegion::CapsRegion(std::vector<Reach> reach, Cap bounds) : reach_(std::move(reach)), bounds_(bounds) {
  while (!reach_.empty() && !(reach_.back().chord > 0)) reach_.pop_back();
  for (auto level = reach_.size(); level-- > 1;) {
    const Reach& inner = reach_[level];
    Reach& outer = reach_[level - 1];
    const double between = grading * edge_of_level(static_cast<int>(level) - 1) + length(inner.centre - outer.centre);
    outer.chord = std::max(outer.chord, inner.chord + between);
  }
}

bool CapsRegion::splits(int level, Vec3 middle) const {
  if (level >= deepest()) return false;
  const Reach& reach = reach_[static_cast<size_t>(level)];
  const Vec3 away = middle - reach.centre;
  return dot(away, away) < reach.chord * reach.chord;
}

std::array<double, 4> CapsRegion::numbers(int level) const {
  if (level >= deepest()) return {};
  const Reach& reach = reach_[static_cast<size_t>(level)];
  return {reach.centre.x, reach.centre.y, reach.centre.z, reach.chord};
}

double CapsRegion::share(int level) const {
  if (level >= deepest()) return 0;
  const double chord = reach_[static_cast<size_t>(level)].chord;
  return std::min(chord * chord / 4, 1.0);
}

Cap CapsRegion::bounds(int level) const {
  Cap cap = bounds_;
  if (level < deepest()) {
    const Reach& reach = reach_[static_cast<size_t>(level)];
    const double chord = reach.chord + length(reach.centre - cap.centre);
    cap.angle = std::max(cap.angle, chord >= 2 ? 4 : 2 * math::asin(chord / 2) + 2 * edge_of_level(level));
  }
  return cap;
}

ViewRegion::ViewRegion(const ViewSpec& spec) : CapsRegion(reaches(spec), sight(spec)) {}

std::vector<CapsRegion::Reach> ViewRegion::reaches(const ViewSpec& spec) {
  const double low = settled_altitude(spec, false);
  const double horizon = chord_of(horizon_of(spec, settled_altitude(spec, true)));
  // The distance to a place at a chord c of the sphere: altitude^2 + R (R + altitude) c^2.
  const double above = earth_radius * (earth_radius + low);
  std::vector<Reach> all;
  for (int level = 0; level < spec.deepest; ++level) {
    const double sight = edge_of_level(level) * earth_radius / spec.detail, left = sight * sight - low * low;
    const double chord = left > 0 ? std::min(std::sqrt(left / above), horizon) : 0;
    const Vec3 centre = settled(spec.direction, spec.slack * chord);
    // As wide for all cameras that have this centre.
    all.push_back({centre, chord * (1 + spec.slack)});
  }
  return all;
}

Cap ViewRegion::sight(const ViewSpec& spec) {
  const double horizon = horizon_of(spec, settled_altitude(spec, true)), far = spec.slack * horizon;
  return {settled(spec.direction, far), horizon + far};
}

PatchRegion::PatchRegion(Vec3 centre, double angle, int deepest)
    : CapsRegion(std::vector<Reach>(static_cast<size_t>(std::max(deepest, 0)), Reach{centre, chord_of(angle)}),
                 {centre, angle}) {}

int level_of_spacing(double metres) {
  int level = 0;
  while (level < 30 && edge_of_level(level) * earth_radius > metres) ++level;
  return level;
}

}  // namespace tepui

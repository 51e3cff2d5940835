#include "tepui/planet/region.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

namespace {

double chord_of(double angle) { return angle >= math::pi ? 2.5 : 2 * math::sin(angle / 2); }

std::vector<double> view_chords(const ViewSpec& spec, double horizon) {
  // The distance to a place at a chord c of the sphere: altitude^2 + R (R + altitude) c^2.
  const double above = earth_radius * (earth_radius + spec.altitude);
  std::vector<double> chords;
  for (int level = 0; level < spec.deepest; ++level) {
    const double sight = edge_of_level(level) * earth_radius / spec.detail;
    const double left = sight * sight - spec.altitude * spec.altitude;
    chords.push_back(left > 0 ? std::min(std::sqrt(left / above), chord_of(horizon)) : 0);
  }
  return chords;
}

double horizon_of(const ViewSpec& spec) {
  const double dip = math::acos(earth_radius / (earth_radius + std::max(spec.altitude, 0.0)));
  return std::min(dip + spec.beyond, math::pi);
}

}  // namespace

CapsRegion::CapsRegion(Vec3 centre, std::vector<double> chords, Cap bounds)
    : centre_(centre), chord_(std::move(chords)), bounds_(bounds), deepest_(static_cast<int>(chord_.size())) {
  while (deepest_ > 0 && !(chord_[static_cast<size_t>(deepest_) - 1] > 0)) --deepest_;
  chord_.resize(static_cast<size_t>(deepest_));
  for (auto level = chord_.size(); level-- > 1;)
    chord_[level - 1] =
        std::max(chord_[level - 1], chord_[level] + grading * edge_of_level(static_cast<int>(level) - 1));
  for (double& chord : chord_) chord *= chord;
}

bool CapsRegion::splits(int level, Vec3 middle) const {
  if (level >= deepest_) return false;
  const Vec3 away = middle - centre_;
  return dot(away, away) < chord_[static_cast<size_t>(level)];
}

Cap CapsRegion::bounds(int level) const {
  const double chord = level < deepest_ ? std::sqrt(chord_[static_cast<size_t>(level)]) : 0;
  const double angle = chord >= 2 ? 4 : 2 * math::asin(chord / 2) + 2 * edge_of_level(level);
  return {centre_, std::max(bounds_.angle, angle)};
}

ViewRegion::ViewRegion(const ViewSpec& spec)
    : CapsRegion(spec.direction, view_chords(spec, horizon_of(spec)), {spec.direction, horizon_of(spec)}) {}

PatchRegion::PatchRegion(Vec3 centre, double angle, int deepest)
    : CapsRegion(centre, std::vector<double>(static_cast<size_t>(std::max(deepest, 0)), chord_of(angle)),
                 {centre, angle}) {}

int level_of_spacing(double metres) {
  int level = 0;
  while (level < 30 && edge_of_level(level) * earth_radius > metres) ++level;
  return level;
}

}  // namespace tepui

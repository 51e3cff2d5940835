#include "tepui/geology/rock_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

/// A walk keeps a run of points on the stack at every level.
constexpr int deepest_tree = 100;
constexpr int64_t most_visits = 10000;

}  // namespace

Vec3 place_in(const Frame& world, Length x, Length y, Length elevation) {
  return {world.origin.x + world.size.x / 2 + x.in(world), world.origin.y + world.size.y / 2 + y.in(world),
          elevation.in(world)};
}

Vec3 plane_normal(Angle dip, Angle direction) {
  const double steep = math::sin(math::radians(dip.degrees));
  const Vec2 level = level_direction(direction);
  return {level.x * steep, level.y * steep, math::cos(math::radians(dip.degrees))};
}

Vec2 level_direction(Angle direction) {
  const double azimuth = math::radians(direction.degrees);
  return {math::sin(azimuth), math::cos(azimuth)};
}

Interval usual_levels(const Frame& world) { return {0, 0.15 * world.shorter_side()}; }

RockTreeSize tree_over(const std::vector<RockPointer>& children) {
  RockTreeSize size;
  for (const RockPointer& child : children) {
    const RockTreeSize below = child->tree();
    size.depth = std::max(size.depth, below.depth + 1);
    size.visits += below.visits;
  }
  if (size.depth > deepest_tree)
    refuse(fmt::format("this rock is nested more than {} operators deep", deepest_tree),
           "give one operator several beds, planes or points instead");
  if (size.visits > most_visits)
    refuse(fmt::format("this rock is made of more than {} parts", most_visits),
           "a shared part counts once for each use: use it less often");
  return size;
}

size_t bytes_over(size_t own, const std::vector<RockPointer>& children) {
  for (const RockPointer& child : children) own += child->bytes();
  return own;
}

Interval hull_of(Interval a, Interval b) {
  if (!(a.low < a.high)) return b;
  if (!(b.low < b.high)) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

RockNames::RockNames(const std::vector<RockPointer>& rocks) {
  std::map<std::pair<std::string, float>, int32_t> known;
  for (const RockPointer& rock : rocks) {
    std::vector<int32_t>& place = place_.emplace_back();
    for (const NamedRock& named : rock->names()) {
      const auto [at, added] = known.try_emplace({named.name, named.resistance}, static_cast<int32_t>(all_.size()));
      place.push_back(at->second);
      if (added) all_.push_back(named);
    }
  }
}

void MovedRock::resistance(const RockPoints& at, float* rho) const {
  RockRun from;
  for_runs(at, [&](const RockPoints& run, int64_t first) {
    back(run, from);
    child_->resistance(from.points(run.count), rho + first);
  });
}

void MovedRock::rocks(const RockPoints& at, int32_t* which) const {
  RockRun from;
  for_runs(at, [&](const RockPoints& run, int64_t first) {
    back(run, from);
    child_->rocks(from.points(run.count), which + first);
  });
}

}  // namespace tepui

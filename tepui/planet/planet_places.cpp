#include "tepui/planet/planet_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/planet/fine_places.h"

namespace tepui {

namespace {

/// Triangles that are made on the way to a level within an angle of a place, about: beyond it each level reaches some
/// edges farther than the next.
double work_within(double angle, int first, int level) {
  constexpr double ring = 2 * SplitRegion::grading;
  double sum = 0;
  for (int k = first; k <= level; ++k) {
    const double reach = std::min(angle + ring * edge_of_level(k), 2.0);
    sum += static_cast<double>(triangles_of_level(k)) * 0.25 * reach * reach;
  }
  return sum;
}

/// The smallest cap about the middle of some places that has all of them.
Cap cap_around(std::span<const Vec3> places) {
  Vec3 sum{};
  for (const Vec3& place : places) sum = sum + place;
  Cap cap;
  cap.centre = length(sum) > 1e-9 ? normalised(sum) : places.front();
  for (const Vec3& place : places) cap.angle = std::max(cap.angle, arc(cap.centre, place));
  return cap;
}

}  // namespace

int level_at(const Planet& planet, double spacing) {
  constexpr int deepest = 24;
  return std::clamp(level_of_spacing(spacing / planet.length_scale()), planet.land().mesh.level, deepest);
}

/// Places that are answered from one piece of land.
struct PlanetPlaces::Group {
  std::vector<size_t> members;  ///< in ascending order
};

/// Divides places into groups such that little land is made for nothing, and not too much at a time.
class PlanetPlaces::Grouping {
 public:
  Grouping(std::span<const Vec3> places, int first, int level)
      : places_(places), first_(first), level_(level), order_(places.size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
  }

  std::vector<Group> groups() && {
    if (!order_.empty()) best(0, order_.size());
    for (Group& group : groups_) std::ranges::sort(group.members);
    return std::move(groups_);
  }

 private:
  struct Box {
    Vec3 low{2, 2, 2}, high{-2, -2, -2};
    Vec3 extent() const { return high - low; }
  };

  Box box_of(size_t begin, size_t end) const {
    Box box;
    for (size_t i = begin; i < end; ++i) {
      const Vec3& p = places_[order_[i]];
      box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
      box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
    }
    return box;
  }

  /// How far places lie from the middle of their box, in radians, about.
  double reach_of(size_t begin, size_t end, const Box& box) const {
    const Vec3 middle = (box.low + box.high) * 0.5;
    double most = 0;
    for (size_t i = begin; i < end; ++i) {
      const Vec3 away = places_[order_[i]] - middle;
      most = std::max(most, dot(away, away));
    }
    return std::sqrt(most);
  }

  /// Puts the places of a part into the groups that take least work, and gives that work.
  double best(size_t begin, size_t end) {
    constexpr double most = 6e6;     // triangles at a time
    constexpr double a_place = 16;   // triangles that a place may take
    constexpr double a_group = 5e4;  // and a group
    constexpr double widest = 1.4;   // radians
    const auto count = static_cast<double>(end - begin);
    const Box box = box_of(begin, end);
    const double angle = reach_of(begin, end, box), own = work_within(angle, first_, level_);
    const bool whole = own <= most && angle <= widest;
    const bool one = length(box.extent()) <= edge_of_level(level_);
    const size_t before = groups_.size();
    if (!one && !(whole && own <= a_place * count + a_group)) {
      const size_t middle = divide(begin, end, box);
      const double parts = best(begin, middle) + best(middle, end);
      if (!whole || parts < own) return parts;
      groups_.resize(before);
    }
    groups_.push_back(
        {{order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.begin() + static_cast<std::ptrdiff_t>(end)}});
    return own;
  }

  /// In the middle of the box's longest side.
  size_t divide(size_t begin, size_t end, const Box& box) {
    const Vec3 extent = box.extent(), middle = (box.low + box.high) * 0.5;
    const auto low = [&](size_t i) {
      const Vec3& p = places_[i];
      if (extent.x >= extent.y && extent.x >= extent.z) return p.x < middle.x;
      return extent.y >= extent.z ? p.y < middle.y : p.z < middle.z;
    };
    const auto from = order_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = order_.begin() + static_cast<std::ptrdiff_t>(end);
    return static_cast<size_t>(std::stable_partition(from, to, low) - order_.begin());
  }

  std::span<const Vec3> places_;
  int first_, level_;
  std::vector<size_t> order_;
  std::vector<Group> groups_;
};

PlanetPlaces::PlanetPlaces(Planet planet)
    : planet_(std::move(planet)), refiner_(planet_.share()), locator_(planet_.land().mesh) {}

void PlanetPlaces::visit(const Group& group, std::span<const Vec3> all, int level, const Visit& visit,
                         const Context& context) const {
  std::vector<Vec3> places;
  places.reserve(group.members.size());
  for (const size_t i : group.members) places.push_back(all[i]);
  const Cap cap = cap_around(places);
  const FineLand fine = refiner_.refine(PatchRegion(cap.centre, cap.angle + 2 * edge_of_level(level), level),
                                        context.stage("refining", 0, 0.8));
  const std::vector<FinePlace> found = find_places(fine, places, cap, context.stage("sampling", 0.8, 0.9));
  const Context reading = context.stage("sampling", 0.9, 1);
  parallel_chunks(static_cast<int64_t>(places.size()), 4096, reading, [&](int64_t begin, int64_t end) {
    SpherePlace coarse = locator_.at(places[static_cast<size_t>(begin)]);
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      coarse = locator_.from(coarse.triangle, places[i]);
      PlaceValues values = values_at(planet_.land(), coarse);
      if (const FinePlace& place = found[i]; place.triangle >= 0) {
        const Province province = values.province;
        values = values_at(planet_.land(), fine, fine.triangles[static_cast<size_t>(place.triangle)],
                           {static_cast<double>(place.shares[0]), static_cast<double>(place.shares[1]),
                            static_cast<double>(place.shares[2])});
        values.province = province;
      }
      visit(group.members[i], values);
    }
  });
}

void PlanetPlaces::visit(std::span<const Vec3> places, int level, const Visit& visit_place,
                         const Context& context) const {
  const std::vector<Group> groups = Grouping(places, planet_.land().mesh.level, level).groups();
  double done = 0;
  for (const Group& group : groups) {
    const double share = static_cast<double>(group.members.size()) / static_cast<double>(places.size());
    visit(group, places, level, visit_place, context.stage("places", done, std::min(done + share, 1.0)));
    done = std::min(done + share, 1.0);
  }
}

std::vector<double> PlanetPlaces::heights(std::span<const double> latitude, std::span<const double> longitude,
                                          double spacing, const Context& context) const {
  if (latitude.size() != longitude.size())
    refuse(fmt::format("there are {} latitudes and {} longitudes", latitude.size(), longitude.size()),
           "one of each for every place");
  if (!(spacing > 0)) refuse("the spacing of places must be more than 0 m");
  std::vector<Vec3> places(latitude.size());
  for (size_t i = 0; i < places.size(); ++i) {
    if (!(std::abs(latitude[i]) <= 90) || !std::isfinite(longitude[i]))
      refuse(fmt::format("place {} is not on the planet: latitude {}, longitude {}", i, latitude[i], longitude[i]),
             "degrees, latitudes from -90 to 90");
    places[i] = direction_at(math::radians(latitude[i]), math::radians(std::fmod(longitude[i], 360.0)));
  }
  std::vector<double> heights(places.size());
  visit(
      places, level_at(planet_, spacing),
      [&](size_t i, const PlaceValues& values) { heights[i] = (values.ground + values.ice) * planet_.height_scale(); },
      context);
  return heights;
}

}  // namespace tepui

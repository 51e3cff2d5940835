#include "tepui/geology/strata.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

/// Beds between parallel planes.
class BeddedRock : public Rock {
 public:
  /// `ceilings` of all beds but the highest, rising; `beds` from the lowest up.
  BeddedRock(Vec3 origin, Vec3 normal, std::vector<double> ceilings, const std::vector<NamedRock>& beds)
      : origin_(origin), normal_(normal), ceilings_(std::move(ceilings)) {
    for (const NamedRock& bed : beds) {
      rho_.push_back(bed.resistance);
      const auto same = [&](const NamedRock& rock) {
        return rock.name == bed.name && rock.resistance == bed.resistance;
      };
      const auto known = std::ranges::find_if(names_, same);
      which_.push_back(static_cast<int32_t>(known - names_.begin()));
      if (known == names_.end()) names_.push_back(bed);
    }
  }

  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i) rho[i] = rho_[bed(at.x[i], at.y[i], at.z[i])];
  }
  void rocks(const RockPoints& at, int32_t* which) const override {
    for (int64_t i = 0; i < at.count; ++i) which[i] = which_[bed(at.x[i], at.y[i], at.z[i])];
  }
  std::vector<NamedRock> names() const override { return names_; }

  Interval levels() const override {
    if (ceilings_.empty()) return {origin_.z, origin_.z};
    return {origin_.z + std::min(ceilings_.front(), 0.0), origin_.z + std::max(ceilings_.back(), 0.0)};
  }

  void hash(Hasher& hasher) const override {
    hasher.add("strata");
    for (const double number : {origin_.x, origin_.y, origin_.z, normal_.x, normal_.y, normal_.z}) hasher.add(number);
    hasher.add(static_cast<int64_t>(rho_.size()));
    for (const double ceiling : ceilings_) hasher.add(ceiling);
    for (size_t i = 0; i < rho_.size(); ++i)
      hasher.add(static_cast<double>(rho_[i])).add(names_[static_cast<size_t>(which_[i])].name);
  }
  size_t bytes() const override {
    size_t text = 0;
    for (const NamedRock& rock : names_) text += sizeof rock + rock.name.size();
    return sizeof *this + ceilings_.size() * sizeof(double) + rho_.size() * (sizeof(float) + sizeof(int32_t)) + text;
  }

 private:
  size_t bed(double x, double y, double z) const {
    const double t = (z - origin_.z) * normal_.z + ((x - origin_.x) * normal_.x + (y - origin_.y) * normal_.y);
    return static_cast<size_t>(std::upper_bound(ceilings_.begin(), ceilings_.end(), t) - ceilings_.begin());
  }

  Vec3 origin_, normal_;
  std::vector<double> ceilings_;
  std::vector<float> rho_;
  std::vector<int32_t> which_;  ///< of the names
  std::vector<NamedRock> names_;
};

}  // namespace

void describe(Fields<Bed>& f) {
  f("rock", &Bed::rock, "name of the rock");
  f("thickness", &Bed::thickness, open_range(0, 1e9), "thickness at right angles to the bed");
  f("resistance", &Bed::resistance, Range{0, 1}, "resistance to erosion, from 0 (none) to 1 (never eroded)");
}

void describe(Fields<StrataParams>& f) {
  f.about("Stack beds of rock, level or dipping");
  f.reach(Reach::point);
  f("beds", &StrataParams::beds, Range{1, 1000}, "the beds in order; the first and the last extend without end");
  f("elevation", &StrataParams::elevation, Range{-1e9, 1e9},
    "height at which the first bed begins, at the world's middle");
  f("order", &StrataParams::order, {"up", "down"}, "order of the beds: from the lowest up or from the highest down");
  f("dip", &StrataParams::dip, Range{0, 90}, "dip of the beds, 0 being level").slider(0, 45).sweep("0", "6", "20");
  f("direction", &StrataParams::direction, Range{-360, 360}, "direction in which they dip, clockwise from north");
}

Geology strata(const Frame& world, const StrataParams& params, const Context&) {
  std::vector<NamedRock> beds;
  std::vector<double> planes;  // between the beds, away from the first
  double along = 0;
  for (size_t i = 0; i < params.beds.size(); ++i) {
    const Bed& bed = params.beds[i];
    const double thickness = bed.thickness.in(world);
    if (!(thickness > 0)) refuse(fmt::format("'beds[{}].thickness' must be above 0", i), "or remove the bed");
    beds.push_back({bed.rock, static_cast<float>(bed.resistance)});
    along += thickness;
    if (i + 1 < params.beds.size()) planes.push_back(along);
  }
  if (beds.empty()) refuse("there are no beds", "give at least one");
  if (params.order == BedOrder::down) {
    std::ranges::reverse(beds);
    std::ranges::reverse(planes);
    for (double& plane : planes) plane = -plane;
  }
  const Vec3 origin = place_in(world, metres(0), metres(0), params.elevation);
  return Geology(
      std::make_shared<const BeddedRock>(origin, plane_normal(params.dip, params.direction), std::move(planes), beds));
}

}  // namespace tepui

#include "tepui/volume/region.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/drawn_region.h"

namespace tepui {

namespace {

/// From 1 at 0 to 0 at 1; at most 15/8 steep.
double ramp(double u) { return u <= 0 ? 1 : u >= 1 ? 0 : 1 - u * u * u * (u * (6 * u - 15) + 10); }
constexpr double steepest_ramp = 1.875;

}  // namespace

Region::Region(const RegionParams& params, const Placing& placing, const Box3& whole) {
  if (params.within == RegionShape::everywhere) {
    *this = Region(whole);
    return;
  }
  centre_ = placing.place(params.at);
  falloff_ = placing.length(params.falloff);
  if (!(falloff_ > 0)) refuse("'falloff' must be above 0, so that the change fades out", "give some metres");
  sphere_ = params.within == RegionShape::sphere;
  if (sphere_) {
    radius_ = placing.length(params.radius);
    box_ = Box3{centre_, centre_}.grown(radius_ + falloff_);
  } else {
    half_ = placing.size(params.half);
    box_ = Box3{centre_ - half_, centre_ + half_}.grown(falloff_);
  }
}

Region Region::within(std::shared_ptr<const DrawnRegion> drawn) const {
  Region region = *this;
  region.box_ = box_.within(drawn->box());
  region.drawn_ = std::move(drawn);
  return region;
}

double Region::weight(Vec3 p) const {
  if (drawn_ != nullptr) {
    const double own = box_.holds(p) ? own_weight(p) : 0;
    return own > 0 ? own * drawn_->weight(p) : 0;
  }
  return own_weight(p);
}

double Region::own_weight(Vec3 p) const {
  if (everywhere_) return box_.holds(p) ? 1 : 0;
  const Vec3 away = p - centre_;
  if (sphere_) return ramp((length(away) - radius_) / falloff_);
  const double x = ramp((std::abs(away.x) - half_.x) / falloff_), y = ramp((std::abs(away.y) - half_.y) / falloff_),
               z = ramp((std::abs(away.z) - half_.z) / falloff_);
  return x * y * z;
}

std::vector<Box3> Region::boxes() const {
  if (drawn_ == nullptr) return {box_};
  std::vector<Box3> boxes;
  for (const Box3& one : drawn_->boxes())
    if (const Box3 part = one.within(box_); !part.empty()) boxes.push_back(part);
  return boxes;
}

Box3 Region::difference_from(const Region& other) const {
  const auto told = [](const Region& region) {
    Hasher hasher;
    region.hash_own(hasher);
    return hasher.finish();
  };
  if (told(*this) != told(other) || is_drawn() != other.is_drawn()) return box_.with(other.box_);
  return is_drawn() ? drawn_->difference_from(*other.drawn_).within(box_.with(other.box_)) : Box3{};
}

double Region::steepest() const {
  if (everywhere_) return 0;
  return sphere_ ? steepest_ramp / falloff_ : std::sqrt(3.0) * steepest_ramp / falloff_;
}

/// A drawn region's box changes with every stroke, and is no number of its own.
void Region::hash_own(Hasher& hasher) const {
  hasher.add(everywhere_).add(sphere_).add(radius_).add(falloff_);
  for (const Vec3 v : {centre_, half_}) hasher.add(v.x).add(v.y).add(v.z);
  if (!is_drawn())
    for (const Vec3 v : {box_.low, box_.high}) hasher.add(v.x).add(v.y).add(v.z);
}

void Region::hash(Hasher& hasher) const {
  hash_own(hasher);
  if (is_drawn()) drawn_->hash(hasher);
}

}  // namespace tepui

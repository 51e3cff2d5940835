#include "tepui/volume/space_strokes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr double farthest = 1e10, longest_radius = 1e8;

double ramp(double u) { return u <= 0 ? 1 : u >= 1 ? 0 : 1 - u * u * u * (u * (6 * u - 15) + 10); }

void check(const SpaceStroke& stroke, size_t index) {
  if (!(stroke.radius > 0 && stroke.radius <= longest_radius))
    refuse(fmt::format("stroke {} has a radius of {:g} m", index, stroke.radius),
           fmt::format("use more than 0, and at most {:g}", longest_radius));
  if (!std::isfinite(stroke.strength)) refuse(fmt::format("a number of stroke {} is not finite", index));
  for (const Vec3 p : stroke.points)
    if (!(std::abs(p.x) <= farthest && std::abs(p.y) <= farthest && std::abs(p.z) <= farthest))
      refuse(fmt::format("stroke {} has a point at {:g}, {:g}, {:g}, which is too far away", index, p.x, p.y, p.z));
}

}  // namespace

SpaceStrokes::SpaceStrokes(std::vector<SpaceStroke> strokes) {
  for (size_t i = 0; i < strokes.size(); ++i) {
    SpaceStroke& one = strokes[i];
    check(one, i);
    if (one.points.empty()) continue;
    if (one.points.size() == 1) one.points.push_back(one.points.front());
    Hasher hasher;
    hasher.add(one.radius).add(one.strength).add(static_cast<int64_t>(one.points.size()));
    for (const Vec3 p : one.points) hasher.add(p.x).add(p.y).add(p.z);
    Stroke stroke{CurvePieces(std::move(one.points)), one.radius, one.strength, {}, hasher.finish()};
    std::vector<Box3> runs;
    stroke.curve.list_boxes(2 * one.radius, runs);
    for (const Box3& run : runs) {
      boxes_.push_back(run.grown(one.radius));
      owners_.push_back(static_cast<uint32_t>(strokes_.size()));
      stroke.box = stroke.box.with(boxes_.back());
    }
    box_ = box_.with(stroke.box);
    strokes_.push_back(std::move(stroke));
  }
  tree_ = BoxTree(boxes_);
}

void SpaceStrokes::reaching(Vec3 at, std::vector<Reach>& found) const {
  found.clear();
  if (!box_.holds(at)) return;
  static thread_local std::vector<uint32_t> near;
  near.clear();
  tree_.near({at, at}, near);
  uint32_t last = UINT32_MAX;
  for (const uint32_t i : near) {
    const uint32_t owner = owners_[i];
    if (owner == last || !boxes_[i].holds(at)) continue;
    last = owner;
    const Stroke& stroke = strokes_[owner];
    const CurvePieces::Foot foot = stroke.curve.nearest(at, stroke.radius);
    if (foot.piece == CurvePieces::none) continue;
    if (const double weight = ramp(foot.distance / stroke.radius); weight > 0) found.push_back({owner, weight});
  }
}

double SpaceStrokes::most(Vec3 at) const {
  static thread_local std::vector<Reach> found;
  reaching(at, found);
  double most = 0;
  for (const Reach& reach : found) most = std::max(most, reach.weight * strokes_[reach.stroke].strength);
  return most;
}

bool SpaceStrokes::may(const Box3& box) const {
  if (!box.meets(box_)) return false;
  static thread_local std::vector<uint32_t> near;
  near.clear();
  if (!tree_.near(box, 64, near)) return true;
  return std::ranges::any_of(near, [&](uint32_t i) { return boxes_[i].meets(box); });
}

Box3 SpaceStrokes::difference_from(const SpaceStrokes& other) const {
  const std::vector<Stroke>&a = strokes_, &b = other.strokes_;
  const auto same = [](const Stroke& p, const Stroke& q) { return p.hash == q.hash; };
  const size_t common = std::min(a.size(), b.size());
  size_t front = 0, back = 0;
  while (front < common && same(a[front], b[front])) ++front;
  while (back < common - front && same(a[a.size() - 1 - back], b[b.size() - 1 - back])) ++back;
  Box3 box;
  for (const std::vector<Stroke>* list : {&a, &b})
    for (size_t i = front; i < list->size() - back; ++i) box = box.with((*list)[i].box);
  return box;
}

void SpaceStrokes::hash(Hasher& hasher) const {
  hasher.add("strokes").add(static_cast<int64_t>(strokes_.size()));
  for (const Stroke& stroke : strokes_) hasher.add(stroke.hash);
}

size_t SpaceStrokes::bytes() const {
  size_t bytes =
      sizeof *this + boxes_.capacity() * sizeof(Box3) + owners_.capacity() * sizeof(uint32_t) + tree_.bytes();
  for (const Stroke& stroke : strokes_) bytes += sizeof stroke + stroke.curve.bytes();
  return bytes;
}

}  // namespace tepui

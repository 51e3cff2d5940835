#include "tepui/volume/drawn_region.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tepui/core/error.h"

namespace tepui {

namespace {

/// From 1 at 0 to 0 at 1, as `Region` has it.
double ramp(double u) { return u <= 0 ? 1 : u >= 1 ? 0 : 1 - u * u * u * (u * (6 * u - 15) + 10); }

bool is_outline(const LinePart& part) { return part.closed && part.points.size() >= 3; }

std::vector<SpaceStroke> strokes_of(const Lines& lines, const std::function<double(size_t)>& share) {
  std::vector<SpaceStroke> strokes;
  for_each_feature_curve(lines, [&](size_t feature, const LinePart& part) {
    const double radius = feature_number(lines, "radius", feature, std::nan(""));
    if (is_outline(part) || std::isnan(radius)) return;
    strokes.push_back({{part.points.begin(), part.points.end()}, radius, share ? share(feature) : 1});
    if (part.closed && !part.points.empty()) strokes.back().points.push_back(part.points.front());
  });
  return strokes;
}

}  // namespace

DrawnRegion::DrawnRegion(const Lines& lines, double falloff, const std::function<double(size_t)>& share)
    : falloff_(falloff), strokes_(strokes_of(lines, share)), box_(strokes_.box()) {
  std::map<double, std::vector<PlanRegion::Edge>> borders;
  for_each_feature_curve(lines, [&](size_t feature, const LinePart& part) {
    if (!is_outline(part)) return;
    std::vector<Vec2> corners;
    for (const Vec3 p : part.points) corners.push_back({p.x, p.y});
    const std::vector<PlanRegion::Edge> border = polygon_border(corners);
    std::vector<PlanRegion::Edge>& all = borders[share ? share(feature) : 1];
    all.insert(all.end(), border.begin(), border.end());
  });
  if (borders.empty() && strokes_.empty())
    refuse("the lines of 'region' enclose nothing, and have no radius",
           "draw polygons, closed lines of three points and more, or lines with a number 'radius' in metres");
  if (!borders.empty() && !(falloff > 0))
    refuse("'falloff' must be above 0, so that the change fades out", "give some metres");
  for (auto& [most, border] : borders) {
    outlines_.push_back({PlanRegion(std::move(border), falloff), most});
    box_ = box_.with(box_of(outlines_.back(), falloff));
  }
}

Box3 DrawnRegion::box_of(const Outline& outline, double falloff) {
  const Vec2 low = outline.plan.low(), high = outline.plan.high();
  return {{low.x - falloff, low.y - falloff, -Box3::far}, {high.x + falloff, high.y + falloff, Box3::far}};
}

double DrawnRegion::weight(Vec3 at) const {
  double most = strokes_.empty() ? 0 : strokes_.most(at);
  for (const Outline& outline : outlines_) {
    Vec2 foot;
    most = std::max(most, outline.share * ramp(std::sqrt(outline.plan.square_distance({at.x, at.y}, foot)) / falloff_));
  }
  return most;
}

bool DrawnRegion::may(const Box3& box) const {
  const Vec2 low{box.low.x, box.low.y}, high{box.high.x, box.high.y};
  return strokes_.may(box) ||
         std::ranges::any_of(outlines_, [&](const Outline& outline) { return !outline.plan.surely_far(low, high); });
}

std::vector<Box3> DrawnRegion::boxes() const {
  std::vector<Box3> boxes = strokes_.boxes();
  for (const Outline& outline : outlines_) boxes.push_back(box_of(outline, falloff_));
  return boxes;
}

Box3 DrawnRegion::difference_from(const DrawnRegion& other) const {
  const auto told = [](const DrawnRegion& region) {
    Hasher hasher;
    for (const Outline& outline : region.outlines_) {
      hasher.add(outline.share);
      outline.plan.hash(hasher);
    }
    return hasher.finish();
  };
  Box3 box = strokes_.difference_from(other.strokes_);
  if (told(*this) == told(other)) return box;
  for (const DrawnRegion* region : {this, &other})
    for (const Outline& outline : region->outlines_) box = box.with(box_of(outline, region->falloff_));
  return box;
}

void DrawnRegion::hash(Hasher& hasher) const {
  hasher.add("drawn").add(falloff_).add(static_cast<int64_t>(outlines_.size()));
  for (const Outline& outline : outlines_) {
    hasher.add(outline.share);
    outline.plan.hash(hasher);
  }
  strokes_.hash(hasher);
}

size_t DrawnRegion::bytes() const {
  size_t bytes = sizeof *this + strokes_.bytes();
  for (const Outline& outline : outlines_) bytes += outline.plan.bytes();
  return bytes;
}

}  // namespace tepui

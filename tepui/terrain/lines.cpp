#include "tepui/terrain/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

bool is_finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

void check(const Polyline& line) {
  if (!std::ranges::all_of(line.points, is_finite))
    refuse(fmt::format("line '{}' has a point that is not a number", line.name));
  for (const LineAttribute& attribute : line.attributes) {
    if (attribute.values.size() != line.points.size())
      refuse(fmt::format("line '{}' has {} points, but {} numbers of '{}'", line.name, line.points.size(),
                         attribute.values.size(), attribute.name));
    if (!std::ranges::all_of(attribute.values, [](double v) { return std::isfinite(v); }))
      refuse(fmt::format("line '{}' has a '{}' that is not a number", line.name, attribute.name));
  }
}

}  // namespace

Lines::Lines() : list_(std::make_shared<const std::vector<Polyline>>()) {}

Lines::Lines(std::vector<Polyline> list) {
  std::ranges::for_each(list, check);
  list_ = std::make_shared<const std::vector<Polyline>>(std::move(list));
}

size_t Lines::bytes() const {
  size_t sum = 0;
  for (const Polyline& line : *list_) {
    sum += sizeof line + line.name.size() + line.points.size() * sizeof(Vec3);
    for (const LineAttribute& attribute : line.attributes)
      sum +=
          sizeof attribute + attribute.name.size() + attribute.unit.size() + attribute.values.size() * sizeof(double);
  }
  return sum;
}

Hash Lines::hash() const {
  Hasher hasher;
  hasher.add("lines").add(static_cast<int64_t>(list_->size()));
  for (const Polyline& line : *list_) {
    hasher.add(line.name).add(line.closed).add(static_cast<int64_t>(line.points.size()));
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    hasher.add(hash_large(line.points.data(), line.points.size() * sizeof(Vec3)));
    hasher.add(static_cast<int64_t>(line.attributes.size()));
    for (const LineAttribute& attribute : line.attributes) {
      hasher.add(attribute.name).add(attribute.unit);
      hasher.add(hash_large(attribute.values.data(), attribute.values.size() * sizeof(double)));
    }
  }
  return hasher.finish();
}

LinesExtent extent_of(const Lines& lines) {
  LinesExtent extent;
  const auto step = [](Vec3 a, Vec3 b) {
    const double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return std::sqrt(x * x + y * y + z * z);
  };
  for (const Polyline& line : lines.list()) {
    for (size_t i = 0; i < line.points.size(); ++i) {
      const Vec3 p = line.points[i];
      if (extent.points++ == 0) extent.low = extent.high = p;
      extent.low = {std::min(extent.low.x, p.x), std::min(extent.low.y, p.y), std::min(extent.low.z, p.z)};
      extent.high = {std::max(extent.high.x, p.x), std::max(extent.high.y, p.y), std::max(extent.high.z, p.z)};
      if (i > 0) extent.length += step(line.points[i - 1], p);
    }
    if (line.closed && !line.points.empty()) extent.length += step(line.points.back(), line.points.front());
  }
  return extent;
}

std::vector<AttributeRange> attribute_ranges(const Lines& lines) {
  std::vector<AttributeRange> ranges;
  for (const Polyline& line : lines.list())
    for (const LineAttribute& attribute : line.attributes) {
      if (attribute.values.empty()) continue;
      const auto [low, high] = std::ranges::minmax(attribute.values);
      const auto known = std::ranges::find_if(
          ranges, [&](const AttributeRange& r) { return r.name == attribute.name && r.unit == attribute.unit; });
      if (known == ranges.end()) {
        ranges.push_back({attribute.name, attribute.unit, low, high});
      } else {
        known->low = std::min(known->low, low);
        known->high = std::max(known->high, high);
      }
    }
  return ranges;
}

}  // namespace tepui

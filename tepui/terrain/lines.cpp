#include "tepui/terrain/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

bool is_finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

void check(const Polyline& line) {
  for (const LineAttribute& attribute : line.attributes) {
    if (attribute.values.size() != line.points.size())
      refuse(fmt::format("line '{}' has {} points, but {} numbers of '{}'", line.name, line.points.size(),
                         attribute.values.size(), attribute.name));
    if (!std::ranges::all_of(attribute.values, [](double v) { return std::isfinite(v); }))
      refuse(fmt::format("line '{}' has a '{}' that is not a number", line.name, attribute.name));
    const auto same = [&](const LineAttribute& a) { return a.name == attribute.name && a.unit == attribute.unit; };
    if (std::ranges::count_if(line.attributes, same) > 1)
      refuse(fmt::format("line '{}' has two attributes '{}'", line.name, attribute.name));
  }
}

/// The numbers of a line whose first vertex is number `first`, added to the column of their name and unit.
void add_values(const LineAttribute& attribute, size_t first, std::vector<LineAttribute>& columns) {
  auto column = std::ranges::find_if(
      columns, [&](const LineAttribute& c) { return c.name == attribute.name && c.unit == attribute.unit; });
  if (column == columns.end()) column = columns.insert(column, {attribute.name, attribute.unit, {}});
  column->values.resize(first, missing);
  column->values.insert(column->values.end(), attribute.values.begin(), attribute.values.end());
}

/// Offsets into something of `end` elements, one more than there are `count` pieces.
void check_starts(const std::vector<uint64_t>& starts, size_t count, size_t end, const char* what) {
  if (starts.size() != count + 1 || starts.front() != 0 || starts.back() != end || !std::ranges::is_sorted(starts))
    refuse(fmt::format("the {} of lines do not fit together", what));
}

void check_numbers(std::vector<LineAttribute>& columns, size_t count, const char* what) {
  for (size_t i = 0; i < columns.size(); ++i) {
    LineAttribute& column = columns[i];
    if (column.values.size() != count)
      refuse(fmt::format("lines have {} {}, but {} numbers of '{}'", count, what, column.values.size(), column.name));
    for (double& value : column.values) {
      if (std::isinf(value)) refuse(fmt::format("lines have a '{}' that is not a number", column.name));
      if (std::isnan(value)) value = missing;  // one of its many patterns of bits
    }
    for (size_t k = 0; k < i; ++k)
      if (columns[k].name == column.name && columns[k].unit == column.unit)
        refuse(fmt::format("lines have two attributes '{}'", column.name));
  }
}

void check_texts(const std::vector<LineTextAttribute>& columns, size_t count) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const LineTextAttribute& column = columns[i];
    check_starts(column.values.starts, count, column.values.text.size(), "texts");
    if (column.present.size() != count)
      refuse(fmt::format("lines have {} features, but {} texts of '{}'", count, column.present.size(), column.name));
    for (size_t f = 0; f < count; ++f)
      if (column.present[f] > 1 || (column.present[f] == 0 && !column.values[f].empty()))
        refuse(fmt::format("lines have a '{}' that is there and is not", column.name));
    for (size_t k = 0; k < i; ++k)
      if (columns[k].name == column.name) refuse(fmt::format("lines have two attributes '{}'", column.name));
  }
}

void check_polygon(const LinesColumns& c, size_t feature) {
  const std::span<const Vec3> vertices = c.vertices;
  const std::string_view name = c.names[feature];
  for (size_t p = c.feature_starts[feature]; p < c.feature_starts[feature + 1]; ++p) {
    const size_t count = c.part_starts[p + 1] - c.part_starts[p];
    if (c.part_closed[p] == 0) refuse(fmt::format("polygon '{}' has a ring that is not closed", name));
    if (count < 3) refuse(fmt::format("polygon '{}' has a ring of {} points", name, count), "a ring has at least 3");
    const double area = twice_signed_area(vertices.subspan(c.part_starts[p], count));
    const bool outline = p == c.feature_starts[feature];
    if (outline ? area < 0 : area > 0)
      refuse(fmt::format("polygon '{}' has {} that runs {}clockwise", name, outline ? "an outline" : "a hole",
                         outline ? "" : "counter-"));
  }
}

void check_feature(const LinesColumns& c, size_t feature) {
  const size_t first = c.feature_starts[feature], end = c.feature_starts[feature + 1];
  const std::string_view name = c.names[feature];
  if (first == end) refuse(fmt::format("line '{}' has no parts", name));
  const std::span<const Vec3> vertices = c.vertices;
  const auto own = vertices.subspan(c.part_starts[first], c.part_starts[end] - c.part_starts[first]);
  if (!std::ranges::all_of(own, is_finite)) refuse(fmt::format("line '{}' has a point that is not a number", name));
  switch (c.shapes[feature]) {
    case FeatureShape::point:
      if (end != first + 1 || own.empty() || c.part_closed[first] != 0)
        refuse(fmt::format("'{}' is points, but has no points, several parts or a closed one", name));
      return;
    case FeatureShape::line:
      return;
    case FeatureShape::polygon:
      return check_polygon(c, feature);
  }
  refuse(fmt::format("'{}' is neither points nor lines nor a polygon", name));
}

void check(LinesColumns& c) {
  const size_t features = c.shapes.size(), parts = c.part_closed.size();
  check_starts(c.part_starts, parts, c.vertices.size(), "parts");
  check_starts(c.feature_starts, features, parts, "features");
  check_starts(c.names.starts, features, c.names.text.size(), "names");
  if (std::ranges::any_of(c.part_closed, [](uint8_t v) { return v > 1; }))
    refuse("lines have a part that is neither open nor closed");
  for (size_t i = 0; i < features; ++i) check_feature(c, i);
  check_numbers(c.numbers, features, "features");
  check_texts(c.texts, features);
  check_numbers(c.vertex_numbers, c.vertices.size(), "points");
  if (!c.geo) return;
  const Georeference& geo = *c.geo;
  if (geo.crs.empty()) refuse("lines have a place on Earth in no reference system");
  const auto sane = [](double step) { return std::isfinite(step) && step != 0; };
  if (!sane(geo.step.x) || !sane(geo.step.y) || !std::isfinite(geo.origin.x) || !std::isfinite(geo.origin.y))
    refuse("lines have a place on Earth that is not a number");
}

bool has_number(std::span<const double> values) {
  return std::ranges::any_of(values, [](double v) { return !std::isnan(v); });
}

template <class T>
Hash hash_of(const std::vector<T>& column) {
  return hash_large(column.data(), column.size() * sizeof(T));
}

/// Whether every column has a number, and they stand in the order in which features come to have them.
bool are_in_order(const std::vector<LineAttribute>& columns) {
  size_t before = 0;
  for (const LineAttribute& column : columns) {
    const auto number = std::ranges::find_if(column.values, [](double v) { return !std::isnan(v); });
    const auto first = static_cast<size_t>(number - column.values.begin());
    if (first < before || first == column.values.size()) return false;
    before = first;
  }
  return true;
}

/// Whether there is nothing that lines could not hold when they were lists of named polylines.
bool are_polylines(const LinesColumns& c) {
  return are_in_order(c.vertex_numbers) && c.part_closed.size() == c.shapes.size() && c.numbers.empty() &&
         c.texts.empty() && !c.geo &&
         std::ranges::all_of(c.shapes, [](FeatureShape s) { return s == FeatureShape::line; });
}

Hash hash_of_polylines(const LinesColumns& c) {
  Hasher hasher;
  hasher.add("lines").add(static_cast<int64_t>(c.shapes.size()));
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  for (size_t f = 0; f < c.shapes.size(); ++f) {
    const size_t from = c.part_starts[f], count = c.part_starts[f + 1] - from;
    hasher.add(c.names[f]).add(c.part_closed[f] != 0).add(static_cast<int64_t>(count));
    hasher.add(hash_large(c.vertices.data() + from, count * sizeof(Vec3)));
    const auto own = [&](const LineAttribute& a) { return std::span(a.values).subspan(from, count); };
    hasher.add(static_cast<int64_t>(
        std::ranges::count_if(c.vertex_numbers, [&](const LineAttribute& a) { return has_number(own(a)); })));
    for (const LineAttribute& attribute : c.vertex_numbers) {
      if (!has_number(own(attribute))) continue;
      hasher.add(attribute.name).add(attribute.unit);
      hasher.add(hash_large(own(attribute).data(), count * sizeof(double)));
    }
  }
  return hasher.finish();
}

Hash hash_of_columns(const LinesColumns& c) {
  Hasher hasher;
  const auto add_text = [&](const TextColumn& column) {
    hasher.add(hash_large(column.text.data(), column.text.size())).add(hash_of(column.starts));
  };
  const auto add_numbers = [&](const std::vector<LineAttribute>& columns) {
    hasher.add(static_cast<int64_t>(columns.size()));
    for (const LineAttribute& a : columns) hasher.add(a.name).add(a.unit).add(hash_of(a.values));
  };
  hasher.add("features").add(hash_of(c.vertices)).add(hash_of(c.part_starts)).add(hash_of(c.part_closed));
  hasher.add(hash_of(c.feature_starts)).add(hash_of(c.shapes));
  add_text(c.names);
  add_numbers(c.numbers);
  add_numbers(c.vertex_numbers);
  hasher.add(static_cast<int64_t>(c.texts.size()));
  for (const LineTextAttribute& a : c.texts) {
    hasher.add(a.name).add(hash_of(a.present));
    add_text(a.values);
  }
  hasher.add(c.geo.has_value());
  if (c.geo) hasher.add(c.geo->crs).add(c.geo->origin.x).add(c.geo->origin.y).add(c.geo->step.x).add(c.geo->step.y);
  return hasher.finish();
}

size_t bytes_of(const TextColumn& column) { return column.text.size() + column.starts.size() * sizeof(uint64_t); }

size_t bytes_of(const std::vector<LineAttribute>& columns) {
  size_t sum = 0;
  for (const LineAttribute& a : columns)
    sum += sizeof a + a.name.size() + a.unit.size() + a.values.size() * sizeof(double);
  return sum;
}

template <class Column>
const Column* find_column(const std::vector<Column>& columns, std::string_view name) {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found != columns.end() ? &*found : nullptr;
}

}  // namespace

Lines::Lines() : columns_(std::make_shared<const LinesColumns>()) {}

Lines::Lines(LinesColumns columns) {
  check(columns);
  columns_ = std::make_shared<const LinesColumns>(std::move(columns));
}

Lines::Lines(std::vector<Polyline> list) {
  LinesColumns c;
  for (const Polyline& line : list) {
    check(line);
    c.shapes.push_back(FeatureShape::line);
    c.names.add(line.name);
    c.part_closed.push_back(line.closed);
    c.feature_starts.push_back(c.part_closed.size());
    for (const LineAttribute& attribute : line.attributes) add_values(attribute, c.vertices.size(), c.vertex_numbers);
    c.vertices.insert(c.vertices.end(), line.points.begin(), line.points.end());
    c.part_starts.push_back(c.vertices.size());
  }
  for (LineAttribute& column : c.vertex_numbers) column.values.resize(c.vertices.size(), missing);
  *this = Lines(std::move(c));
}

LineFeature Lines::feature(size_t i) const {
  const LinesColumns& c = *columns_;
  const size_t first = c.feature_starts[i], end = c.feature_starts[i + 1];
  return {c.shapes[i], c.names[i], first, end, c.part_starts[first], c.part_starts[end]};
}

LinePart Lines::part(const LineFeature& feature, size_t i) const {
  const LinesColumns& c = *columns_;
  return {feature.shape, feature.name, c.part_closed[i] != 0,
          vertices().subspan(c.part_starts[i], c.part_starts[i + 1] - c.part_starts[i])};
}

const LineAttribute* Lines::number(std::string_view name) const { return find_column(columns_->numbers, name); }
const LineTextAttribute* Lines::text(std::string_view name) const { return find_column(columns_->texts, name); }
double feature_number(const Lines& lines, std::string_view name, size_t feature, double otherwise) {
  const LineAttribute* column = lines.number(name);
  return column != nullptr && !std::isnan(column->values[feature]) ? column->values[feature] : otherwise;
}

const LineAttribute* Lines::vertex_number(std::string_view name) const {
  return find_column(columns_->vertex_numbers, name);
}

std::vector<Polyline> Lines::polylines() const {
  const LinesColumns& c = *columns_;
  std::vector<Polyline> list;
  list.reserve(parts());
  for (size_t f = 0; f < features(); ++f)
    for (size_t p = c.feature_starts[f]; p < c.feature_starts[f + 1]; ++p) {
      const size_t from = c.part_starts[p], count = c.part_starts[p + 1] - from;
      const auto points = vertices().subspan(from, count);
      Polyline line{std::string(c.names[f]), {points.begin(), points.end()}, c.part_closed[p] != 0, {}};
      for (const LineAttribute& attribute : c.vertex_numbers)
        if (const auto own = std::span(attribute.values).subspan(from, count); has_number(own))
          line.attributes.push_back({attribute.name, attribute.unit, {own.begin(), own.end()}});
      list.push_back(std::move(line));
    }
  return list;
}

size_t Lines::bytes() const {
  const LinesColumns& c = *columns_;
  size_t sum = c.vertices.size() * sizeof(Vec3) + c.part_closed.size() + c.shapes.size() + bytes_of(c.names) +
               (c.part_starts.size() + c.feature_starts.size()) * sizeof(uint64_t) + bytes_of(c.numbers) +
               bytes_of(c.vertex_numbers);
  for (const LineTextAttribute& a : c.texts) sum += sizeof a + a.name.size() + bytes_of(a.values) + a.present.size();
  return sum + (c.geo ? c.geo->crs.size() : 0);
}

Hash Lines::hash() const {
  return are_polylines(*columns_) ? hash_of_polylines(*columns_) : hash_of_columns(*columns_);
}

std::optional<Georeference> lines_geo(const Frame& frame) {
  if (!frame.geo || frame.geo->crs.empty()) return std::nullopt;
  const Vec2 step{frame.geo->step.x / frame.cell.x, frame.geo->step.y / frame.cell.y};
  const Vec2 origin{frame.geo->origin.x - frame.origin.x * step.x, frame.geo->origin.y - frame.origin.y * step.y};
  return Georeference{frame.geo->crs, origin, step};
}

double twice_signed_area(std::span<const Vec3> ring) {
  double sum = 0;
  for (size_t i = 2; i < ring.size(); ++i) {
    const Vec3 a = ring[i - 1] - ring[0], b = ring[i] - ring[0];  // large coordinates would cancel badly
    sum += a.x * b.y - a.y * b.x;
  }
  return sum;
}

LinesExtent extent_of(const Lines& lines) {
  LinesExtent extent;
  const std::span<const Vec3> vertices = lines.vertices();
  extent.points = vertices.size();
  if (!vertices.empty()) extent.low = extent.high = vertices.front();
  for (const Vec3 p : vertices) {
    extent.low = {std::min(extent.low.x, p.x), std::min(extent.low.y, p.y), std::min(extent.low.z, p.z)};
    extent.high = {std::max(extent.high.x, p.x), std::max(extent.high.y, p.y), std::max(extent.high.z, p.z)};
  }
  for_each_curve(lines, [&](const LinePart& part) {
    for (size_t i = 1; i < part.points.size(); ++i) extent.length += length(part.points[i] - part.points[i - 1]);
    if (part.closed && !part.points.empty()) extent.length += length(part.points.front() - part.points.back());
  });
  return extent;
}

std::vector<AttributeRange> attribute_ranges(const Lines& lines) {
  std::vector<AttributeRange> ranges;
  for (const auto* columns : {&lines.columns().vertex_numbers, &lines.columns().numbers})
    for (const LineAttribute& attribute : *columns) {
      constexpr double inf = std::numeric_limits<double>::infinity();
      AttributeRange own{attribute.name, attribute.unit, inf, -inf};
      for (const double value : attribute.values) {
        own.low = value < own.low ? value : own.low;  // false for NaN
        own.high = value > own.high ? value : own.high;
      }
      if (own.low > own.high) continue;
      const auto known = std::ranges::find_if(
          ranges, [&](const AttributeRange& r) { return r.name == own.name && r.unit == own.unit; });
      if (known == ranges.end()) {
        ranges.push_back(own);
      } else {
        known->low = std::min(known->low, own.low);
        known->high = std::max(known->high, own.high);
      }
    }
  return ranges;
}

}  // namespace tepui

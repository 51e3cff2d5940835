#include "tepui/terrain/lines_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

size_t column_of(std::vector<LineAttribute>& columns, std::string_view name, std::string_view unit) {
  const auto known =
      std::ranges::find_if(columns, [&](const LineAttribute& c) { return c.name == name && c.unit == unit; });
  if (known != columns.end()) return static_cast<size_t>(known - columns.begin());
  columns.push_back({std::string(name), std::string(unit), {}});
  return columns.size() - 1;
}

/// Texts up to the feature `count`, missing where none was set.
void fill(LineTextAttribute& column, size_t count) {
  column.present.resize(count, 0);
  column.values.starts.resize(count + 1, column.values.text.size());
}

}  // namespace

NumberColumn LinesBuilder::number(std::string_view name, std::string_view unit) {
  return NumberColumn{column_of(columns_.numbers, name, unit)};
}

VertexColumn LinesBuilder::vertex_number(std::string_view name, std::string_view unit) {
  return VertexColumn{column_of(columns_.vertex_numbers, name, unit)};
}

TextColumnId LinesBuilder::text(std::string_view name) {
  std::vector<LineTextAttribute>& columns = columns_.texts;
  const auto known = std::ranges::find(columns, name, &LineTextAttribute::name);
  if (known != columns.end()) return TextColumnId{static_cast<size_t>(known - columns.begin())};
  columns.push_back({std::string(name), {}, {}});
  return TextColumnId{columns.size() - 1};
}

void LinesBuilder::begin(FeatureShape shape, std::string_view name) {
  columns_.shapes.push_back(shape);
  columns_.names.add(name);
  columns_.feature_starts.push_back(columns_.feature_starts.back());
}

void LinesBuilder::part(std::span<const Vec3> points, bool closed) {
  assert(!columns_.shapes.empty());
  columns_.vertices.insert(columns_.vertices.end(), points.begin(), points.end());
  columns_.part_starts.push_back(columns_.vertices.size());
  columns_.part_closed.push_back(closed || columns_.shapes.back() == FeatureShape::polygon);
  ++columns_.feature_starts.back();
}

void LinesBuilder::set(NumberColumn column, double value) {
  assert(!columns_.shapes.empty());
  std::vector<double>& values = columns_.numbers[static_cast<size_t>(column)].values;
  values.resize(columns_.shapes.size(), missing);
  values.back() = value;
}

void LinesBuilder::set(TextColumnId column, std::string_view value) {
  assert(!columns_.shapes.empty());
  LineTextAttribute& attribute = columns_.texts[static_cast<size_t>(column)];
  fill(attribute, columns_.shapes.size());
  TextColumn& values = attribute.values;
  values.text.resize(values.starts[columns_.shapes.size() - 1]);  // what was set before
  values.text += value;
  values.starts.back() = values.text.size();
  attribute.present.back() = 1;
}

void LinesBuilder::set(VertexColumn column, std::span<const double> values) {
  LineAttribute& attribute = columns_.vertex_numbers[static_cast<size_t>(column)];
  const std::vector<uint64_t>& starts = columns_.part_starts;
  const size_t count = starts.size() < 2 ? 0 : starts.back() - starts[starts.size() - 2];
  if (values.size() != count)
    refuse(fmt::format("a part of '{}' has {} points, but {} numbers of '{}'",
                       columns_.names.size() > 0 ? columns_.names[columns_.names.size() - 1] : "", count, values.size(),
                       attribute.name));
  attribute.values.resize(columns_.vertices.size(), missing);
  std::ranges::copy(values, attribute.values.end() - static_cast<std::ptrdiff_t>(count));
}

void LinesBuilder::turn_rings() {
  const std::span<const Vec3> vertices = columns_.vertices;
  for (size_t f = 0; f < columns_.shapes.size(); ++f) {
    if (columns_.shapes[f] != FeatureShape::polygon) continue;
    for (size_t p = columns_.feature_starts[f]; p < columns_.feature_starts[f + 1]; ++p) {
      const size_t from = columns_.part_starts[p], end = columns_.part_starts[p + 1];
      const double area = twice_signed_area(vertices.subspan(from, end - from));
      const bool outline = p == columns_.feature_starts[f];
      if (outline ? area >= 0 : area <= 0) continue;
      const auto turn = [&](auto& column) {
        std::reverse(column.begin() + static_cast<std::ptrdiff_t>(from + 1),
                     column.begin() + static_cast<std::ptrdiff_t>(end));
      };
      turn(columns_.vertices);
      for (LineAttribute& attribute : columns_.vertex_numbers) turn(attribute.values);
    }
  }
}

Lines LinesBuilder::build() && {
  for (LineAttribute& column : columns_.numbers) column.values.resize(columns_.shapes.size(), missing);
  for (LineTextAttribute& column : columns_.texts) fill(column, columns_.shapes.size());
  for (LineAttribute& column : columns_.vertex_numbers) column.values.resize(columns_.vertices.size(), missing);
  turn_rings();
  return Lines(std::move(columns_));
}

}  // namespace tepui

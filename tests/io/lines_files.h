#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>
#include <vector>

#include "tepui/io/table/lines_read.h"
#include "tepui/terrain/lines_builder.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

// Lines for the tests of their files.

namespace tepui::test {

inline double any_metres() { return *rc::gen::inRange(-100000, 100000) / 64.0; }

/// A ring around a middle, either way around.
inline std::vector<Vec3> any_ring(Vec3 middle, double radius) {
  const int corners = *rc::gen::inRange(3, 8), way = *rc::gen::element(-1, 1);
  std::vector<Vec3> ring;
  for (int i = 0; i < corners; ++i) {
    const double angle = way * 2 * 3.14159265358979 * i / corners;
    ring.push_back({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle), any_metres()});
  }
  return ring;
}

/// Letters that files have trouble with; never empty.
inline std::string any_words() {
  std::string text = "n";
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i)
    text += *rc::gen::element<std::string>("a", ",", "\"", "\n", "'", "\\", "é", "漢", "🌋", "\x01", "{", " ", "%s", ";",
                                           "/");
  return text;
}

inline void add_line(LinesBuilder& builder) {
  std::vector<Vec3> points;
  const int count = *rc::gen::inRange(0, 6);
  // Its last point is never its first.
  for (int i = 0; i < count; ++i) points.push_back({any_metres(), any_metres(), i + 1.0});
  builder.part(points, count > 0 && *rc::gen::arbitrary<bool>());
}

/// A number for each of some vertices: those of the last part.
inline void set_any(LinesBuilder& builder, VertexColumn column, size_t count) {
  if (*rc::gen::arbitrary<bool>()) return;
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) values.push_back(*rc::gen::element(0.1, -2.5e-300, 1e300, 1.0 / 3, 7.0));
  if (count > 0) builder.set(column, values);
}

/// Any features, in metres, with every kind of attribute.
inline Lines any_lines() {
  LinesBuilder builder;
  const NumberColumn level = builder.number("level", "m"), depth = builder.number("depth (mean)");
  const TextColumnId kind = builder.text("kind é");
  const VertexColumn flow = builder.vertex_number("flow", "m3/s"), width = builder.vertex_number("width");
  const int features = *rc::gen::inRange(0, 6);
  for (int f = 0; f < features; ++f) {
    const auto shape = *rc::gen::element(FeatureShape::point, FeatureShape::line, FeatureShape::polygon);
    builder.begin(shape, *rc::gen::arbitrary<bool>() ? any_words() : "");
    const int parts = shape == FeatureShape::point ? 1 : *rc::gen::inRange(1, 4);
    const Vec3 middle{any_metres(), any_metres(), 0};
    for (int p = 0; p < parts; ++p) {
      const size_t before = builder.vertices().size();
      if (shape == FeatureShape::line) {
        add_line(builder);
      } else if (shape == FeatureShape::polygon) {
        builder.part(any_ring(middle, p == 0 ? 100 : 10.0 / p));
      } else {
        builder.part(any_ring(middle, 50));
      }
      set_any(builder, flow, builder.vertices().size() - before);
      set_any(builder, width, builder.vertices().size() - before);
    }
    if (f == 0 || *rc::gen::arbitrary<bool>()) builder.set(level, any_metres());
    if (f == 0 || *rc::gen::arbitrary<bool>()) builder.set(depth, *rc::gen::element(0.1, 1e300, -3.0, 5e-324));
    if (f == 0 || *rc::gen::arbitrary<bool>())
      builder.set(kind, *rc::gen::element<std::string>("", "null", "7", "2020-01-01", "[1]", any_words()));
  }
  return std::move(builder).build();
}

/// A million points: trees, one by one, and a river of the rest.
inline Lines a_million_points() {
  LinesBuilder builder;
  const NumberColumn height = builder.number("height", "m");
  for (int i = 0; i < 50'000; ++i) {
    const Vec3 at{i % 1000 * 1.5, i / 1000 * 1.25, 0.1 * i};
    builder.begin(FeatureShape::point);
    builder.part({&at, 1});
    builder.set(height, 0.01 * i);
  }
  std::vector<Vec3> river;
  for (int i = 0; i < 950'000; ++i) river.push_back({0.5 * i, std::sin(0.001 * i), 1000 - 0.001 * i});
  builder.begin(FeatureShape::line, "river");
  builder.part(river);
  return std::move(builder).build();
}

/// The same features, to the last bit; where the world lies may differ.
inline void expect_same_features(const Lines& a, const Lines& b) {
  LinesColumns left = a.columns(), right = b.columns();
  left.geo = right.geo = std::nullopt;
  EXPECT_EQ(Lines(left).hash(), Lines(right).hash());
}

inline Lines with_geo(const Lines& lines, const Georeference& geo) {
  LinesColumns columns = lines.columns();
  columns.geo = geo;
  return Lines(columns);
}

inline Lines read_quietly(const std::string& path, const LinesFileParams& params = {}, const Frame* land = nullptr) {
  return lines_from_file(path, params, {}, land);
}

}  // namespace tepui::test

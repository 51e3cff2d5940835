#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/frame.h"
#include "tepui/core/hash.h"
#include "tepui/core/vec.h"

namespace tepui {

/// What the points of a feature are to each other.
enum class FeatureShape : uint8_t {
  point,    ///< One part, whose points are not joined: a tree, or a wood of them.
  line,     ///< One or more parts, each a line, open or closed: a river, a ridge, the passages of a cave.
  polygon,  ///< Closed rings. The first is the outline, counter-clockwise from above; the others are holes, clockwise.
};

/// Texts, one after the other in one block.
struct TextColumn {
  std::string text;                 ///< All of them, without anything in between.
  std::vector<uint64_t> starts{0};  ///< Text i is [starts[i], starts[i + 1]) of the block.

  size_t size() const { return starts.size() - 1; }
  std::string_view operator[](size_t i) const {
    return std::string_view(text).substr(starts[i], starts[i + 1] - starts[i]);
  }
  void add(std::string_view value) {
    text += value;
    starts.push_back(text.size());
  }
};

/// A column of numbers: one for each vertex (a river's flow, a cave's radius) or one for each feature (a lake's level).
struct LineAttribute {
  std::string name;
  std::string unit;            ///< "m", "" for none.
  std::vector<double> values;  ///< NaN where there is none.
};

/// A column of texts, one for each feature.
struct LineTextAttribute {
  std::string name;
  TextColumn values;             ///< Empty where there is none.
  std::vector<uint8_t> present;  ///< 1 where there is a text, which may be empty; else 0.
};

/// All that lines hold, as flat columns. Features are made of parts, parts of vertices.
struct LinesColumns {
  std::vector<Vec3> vertices;               ///< Metres of the world.
  std::vector<uint64_t> part_starts{0};     ///< Part i is the vertices [part_starts[i], part_starts[i + 1]).
  std::vector<uint8_t> part_closed;         ///< 1 where a part's last vertex is joined to its first; the rings all are.
  std::vector<uint64_t> feature_starts{0};  ///< Feature i is the parts [feature_starts[i], feature_starts[i + 1]).
  std::vector<FeatureShape> shapes;         ///< One for each feature.
  TextColumn names;                         ///< One for each feature; empty where it has none.
  std::vector<LineAttribute> numbers;       ///< A value for each feature.
  std::vector<LineTextAttribute> texts;     ///< A value for each feature.
  std::vector<LineAttribute> vertex_numbers;  ///< A value for each vertex; NaN where its feature has no such attribute.
  /// Where the world lies on Earth, if that is known: a point at (x, y) metres has the coordinates
  /// origin + (x, y) * step of the reference system.
  std::optional<Georeference> geo;
};

/// One line of a list, for those who build or look at few. Points are metres of the world, one after the other.
struct Polyline {
  std::string name;
  std::vector<Vec3> points;
  bool closed = false;                    ///< The last point is joined to the first.
  std::vector<LineAttribute> attributes;  ///< A value for each point, none of them missing.
};

/// A part as one looks at it, with the shape and name of its feature.
struct LinePart {
  FeatureShape shape = FeatureShape::line;
  std::string_view name;
  bool closed = false;
  std::span<const Vec3> points;
};

/// A feature as one looks at it.
struct LineFeature {
  FeatureShape shape = FeatureShape::line;
  std::string_view name;
  size_t first_part = 0, end_part = 0;      ///< Its parts are [first_part, end_part).
  size_t first_vertex = 0, end_vertex = 0;  ///< Its vertices are [first_vertex, end_vertex).
};

/// Points, lines and polygons with names and attributes: skylines, rivers, lakes, skeletons of caves, trees, strokes of
/// a brush. A value: immutable and cheap to copy. Everything is kept in columns, so that a million points are a few
/// blocks of memory; LinesBuilder fills them.
class Lines {
 public:
  static constexpr std::string_view kind_name = "lines";

  Lines();
  /// One feature for each line. Refuses points and numbers that are not finite, attributes without a number for every
  /// point, and an attribute that one line has twice.
  explicit Lines(std::vector<Polyline> list);
  /// Refuses columns that do not fit together: what was read from a file may be anything. Vertices must be finite,
  /// numbers finite or NaN, attributes of one kind must differ in name or unit, points have one open part that is not
  /// empty, rings at least three vertices and the right way around.
  explicit Lines(LinesColumns columns);

  const LinesColumns& columns() const { return *columns_; }
  bool empty() const { return features() == 0; }

  size_t features() const { return columns_->shapes.size(); }
  LineFeature feature(size_t i) const;
  size_t parts() const { return columns_->part_closed.size(); }
  /// Of a feature of these lines, the part with this number among the parts of all of them.
  LinePart part(const LineFeature& feature, size_t i) const;
  std::span<const Vec3> vertices() const { return columns_->vertices; }
  /// The same world's place on Earth, if it is known; see LinesColumns.
  const std::optional<Georeference>& geo() const { return columns_->geo; }

  /// The first column of that name, or nullptr.
  const LineAttribute* number(std::string_view name) const;
  const LineTextAttribute* text(std::string_view name) const;
  const LineAttribute* vertex_number(std::string_view name) const;

  /// A line for each part, with the name of its feature and the attributes of its vertices, for few of them: this
  /// copies everything. Points of one feature come as one line; look at the shapes where there may be points.
  std::vector<Polyline> polylines() const;

  size_t bytes() const;
  /// Of every vertex, name and attribute. What is more than named lines of one part with attributes of their vertices
  /// counts only where there is some, so that such lines have the hash that they had before there was more.
  Hash hash() const;

 private:
  std::shared_ptr<const LinesColumns> columns_;
};

/// Calls act(feature, part) for every part of lines and polygons, for whoever wants curves to run along; points come
/// one by one, each as a part of its own.
template <class Act>
void for_each_feature_curve(const Lines& lines, const Act& act) {
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    if (feature.shape == FeatureShape::point) {
      for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v)
        act(f, LinePart{feature.shape, feature.name, false, lines.vertices().subspan(v, 1)});
    } else {
      for (size_t p = feature.first_part; p < feature.end_part; ++p) act(f, lines.part(feature, p));
    }
  }
}

/// The same, of parts alone.
template <class Act>
void for_each_curve(const Lines& lines, const Act& act) {
  for_each_feature_curve(lines, [&](size_t, const LinePart& part) { act(part); });
}

/// The number of a feature in the column of that name, or `otherwise` where it has none.
double feature_number(const Lines& lines, std::string_view name, size_t feature, double otherwise);

/// How a world's metres become coordinates of the reference system of a frame's land: what LinesColumns::geo holds for
/// lines in that world. Nothing where the land lies nowhere on Earth.
std::optional<Georeference> lines_geo(const Frame& frame);

/// Twice the area of a ring as seen from above, above 0 where it runs counter-clockwise.
double twice_signed_area(std::span<const Vec3> ring);

/// How large lines are.
struct LinesExtent {
  size_t points = 0;
  double length = 0;  ///< Of all lines and rings together, metres; a closed one's last step counts.
  Vec3 low, high;     ///< Corners of the box around all points; zeros where there are none.
};
LinesExtent extent_of(const Lines& lines);

/// An attribute that some of the lines have, and the lowest and highest of its numbers.
struct AttributeRange {
  std::string name, unit;
  double low = 0, high = 0;
};
/// Those of vertices, then those of features, each in the order of their columns. One name in two units counts as two;
/// an attribute without a single number is left out.
std::vector<AttributeRange> attribute_ranges(const Lines& lines);

}  // namespace tepui

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/terrain/lines.h"

namespace tepui::studio {

/// What a property of a stroke holds; a list has a number, or NaN, for each vertex.
using StrokeValue = std::variant<std::monostate, double, std::string, std::vector<double>>;

struct StrokeProperty {
  std::string name;
  StrokeValue value;
};

/// A stroke as a hand draws it.
struct DrawnStroke {
  std::vector<Vec3> points;  ///< metres of the world
  bool has_heights = false;
  bool closed = false;             ///< a polygon
  std::vector<double> pressure{};  ///< of each point; empty where there is none
  std::vector<StrokeProperty> properties{};
};

/// What a request draws: its `line`, `closed` and `properties`. Refuses what is no stroke. Numbers are rounded to a
/// thousandth of a metre, so that their text is short.
DrawnStroke drawn_stroke(const Json& request);

/// A feature of a file of strokes: its bytes, and what they say.
struct Stroke {
  std::string text;
  std::string before = ",\n";  ///< what stands between it and the feature before it
  FeatureShape shape = FeatureShape::line;
  bool closed = false;
  std::vector<Vec3> points{};  ///< a closed one's without the last, which is the first again
  std::vector<StrokeProperty> properties{};
};
using SharedStroke = std::shared_ptr<const Stroke>;

/// A change of a file of strokes: `count` of them from `at` on become others; head and tail, where they are given, too.
struct StrokeSplice {
  size_t at = 0, count = 0;
  std::vector<SharedStroke> with{};
  std::optional<std::string> head{}, tail{};
};

/// A GeoJSON file of strokes, one feature each: its bytes and its lines, which are those that read_lines reads from
/// these bytes. Nothing is parsed again when a stroke is added.
class StrokeFile {
 public:
  /// Without strokes, in metres of the world.
  StrokeFile();
  /// Refuses what is no GeoJSON of plain strokes: points, lines and polygons of one part, with numbers and texts, whose
  /// properties stand in one order.
  explicit StrokeFile(const std::string& text);

  const std::vector<SharedStroke>& strokes() const { return strokes_; }
  size_t size() const { return strokes_.size(); }
  size_t bytes() const { return bytes_; }
  std::string text() const;
  Lines lines() const;

  /// With one more at the end; refuses what does not go with the others, and what makes it too large.
  StrokeFile with(const DrawnStroke& stroke) const;
  StrokeFile without(size_t index) const;

  /// The splice that makes `after` of this.
  StrokeSplice difference(const StrokeFile& after) const;
  /// One after the other. Refuses what is then no file of plain strokes.
  void splice(const std::vector<StrokeSplice>& changes);

 private:
  enum class FieldKind { unknown, number, text, list };
  struct Field {
    std::string name;
    FieldKind kind = FieldKind::unknown;
  };
  static FieldKind kind_of(const StrokeValue& value);
  void find_fields();
  std::vector<StrokeProperty> in_order(const DrawnStroke& stroke) const;

  std::string head_, tail_;
  std::vector<SharedStroke> strokes_;
  std::vector<Field> fields_;  ///< in the order in which readers find them
  size_t bytes_ = 0;
};

/// What two changes of one file make together: theirs, with what I have added and without what I have taken out.
StrokeFile merge_strokes(const StrokeFile& base, const StrokeFile& mine, const StrokeFile& theirs);

}  // namespace tepui::studio

#pragma once

#include <span>
#include <string_view>

#include "tepui/terrain/lines.h"

namespace tepui {

/// The columns of a LinesBuilder, as it hands them out.
enum class NumberColumn : size_t {};
enum class TextColumnId : size_t {};
enum class VertexColumn : size_t {};

/// Makes lines feature by feature, without memory of its own for each of them.
///
///   LinesBuilder builder;
///   const NumberColumn level = builder.number("level", "m");
///   builder.begin(FeatureShape::polygon, "Crater Lake");
///   builder.part(shore);
///   builder.part(island);
///   builder.set(level, 1883);
///   const Lines lakes = std::move(builder).build();
class LinesBuilder {
 public:
  /// A column of that name and unit; the same again gives the same column.
  NumberColumn number(std::string_view name, std::string_view unit = {});
  TextColumnId text(std::string_view name);
  VertexColumn vertex_number(std::string_view name, std::string_view unit = {});

  /// Begins the next feature.
  void begin(FeatureShape shape, std::string_view name = {});
  /// Adds a part to the feature. Rings are closed without being told so, and need not run the right way around.
  void part(std::span<const Vec3> points, bool closed = false);
  /// A value of the feature; those that are not set are missing.
  void set(NumberColumn column, double value);
  void set(TextColumnId column, std::string_view value);
  /// A value for each vertex of the last part.
  void set(VertexColumn column, std::span<const double> values);

  /// Where the world lies on Earth; see LinesColumns::geo.
  void set_geo(Georeference geo) { columns_.geo = std::move(geo); }

  size_t features() const { return columns_.shapes.size(); }
  /// All vertices so far, to be moved where that must wait until all are known.
  std::span<Vec3> vertices() { return columns_.vertices; }

  /// The lines; refuses what Lines refuses. Rings are turned the right way around, their first vertex staying first.
  Lines build() &&;

 private:
  void turn_rings();

  LinesColumns columns_;
};

}  // namespace tepui

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/io/export.h"
#include "tepui/recipe/value.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/picture.h"

namespace tepui {

/// What is around a value when it is shown or written.
struct Setting {
  Frame world;
  std::optional<double> sea_level;
  std::optional<Geology> rock{};  ///< what land is made of, where the output says

  const Geology* its_rock() const { return rock ? &*rock : nullptr; }
};

/// What can be done with one kind of value. One row each in value_kind.cpp: the parser, the builder, the commands,
/// their help and their messages go by it, so that a new kind is its type, its row and its functions.
struct ValueKind {
  ValueType type = ValueType::terrain;
  std::string noun, label;             ///< "land", "Land"
  std::vector<std::string> endings{};  ///< of the files that hold it, in small letters, with the dot
  std::vector<std::string> figures{};  ///< the kinds of figures that show it, the usual one first
  bool pictured = false;               ///< whether a picture in sun and sky shows it: `render`, turntables
  bool takes_world = false;            ///< whether its figures depend on the world's frame
  Interval (*heights)(const Value& value, const Context& context) = nullptr;  ///< that its pictures frame
  /// None where its figures are pictures.
  Drawing (*draw)(const Value& value, const FigureParams& params, const Setting& around,
                  const Context& context) = nullptr;
  /// Those of OutputParams that such a file takes.
  std::vector<std::string> (*options)(const std::string& file) = nullptr;
  /// Throws what `write` would throw about the request itself; none where no file holds it.
  void (*check)(const Value& value, const ExportRequest& request) = nullptr;
  std::vector<FileRecord> (*write)(const Value& value, const ExportRequest& request, const Setting& around,
                                   const Context& context) = nullptr;
};
const ValueKind& value_kind(ValueType type);
inline const ValueKind& value_kind(const Value& value) { return value_kind(value_type(value)); }

/// Of all kinds, each ending once.
const std::vector<std::string>& value_endings();

/// Refuses a file whose ending does not hold this kind of value; `from` are the words for the value: "node 'sky'".
void check_value_file(const std::string& file, ValueType type, const std::string& from);

/// Whether a file of such a value takes an option of OutputParams; refused with what does, otherwise.
bool takes_option(ValueType type, const std::string& file, std::string_view option);
void require_option(ValueType type, const std::string& file, std::string_view option);

/// Refuses a kind of value that no picture in sun and sky shows, and says what does; `from` as above.
void require_pictured(ValueType type, const std::string& from);

/// The figure that stands for a value where nothing else is said: its usual kind, the picture alone.
FigureParams usual_figure(ValueType type);

/// A picture in sun and sky of a value that is pictured.
Picture picture_value(const Value& value, const PictureParams& params, const Setting& around, const Context& context);

/// The picture that stands for it: in sun and sky, or its usual figure, `size` pixels, with the heights of `frame`.
Image draw_value(const Value& value, const PictureParams& params, const Setting& around, const Context& context);

/// Of land, export_files with the land's colours where the format takes them.
std::vector<FileRecord> write_land(const Terrain& land, ExportRequest request, std::optional<double> sea_level,
                                   const Context& context);

}  // namespace tepui

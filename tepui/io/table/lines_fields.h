#pragma once  // internal

#include <string>
#include <string_view>
#include <vector>

#include "tepui/terrain/lines.h"

// How attributes of lines are called in files.

namespace tepui {

/// "point", "line" or "polygon".
std::string_view feature_shape_name(FeatureShape shape);

/// A field of a file, as it is read: "flow_per_vertex (m3/s)" is the name flow and the unit m3/s, of every vertex.
struct LineField {
  std::string name, unit;
  bool per_vertex = false;
};
LineField parse_line_field(std::string_view field);
std::string line_field_text(const LineField& field);

/// The fields that lines have in a file, in the order of their columns. Programs want the names of fields to differ by
/// more than small and capital letters, and have some of their own (fid, geom): a name that is taken gets a number.
struct LineFieldNames {
  bool name = false;  ///< whether there is a field "name": where any feature has one
  std::vector<std::string> numbers, texts, vertex_numbers;
};
LineFieldNames line_field_names(const Lines& lines);

/// The text as files hold it: what is not UTF-8, and zero bytes, become U+FFFD.
std::string valid_text(std::string_view text);

/// The numbers as a list in JSON, as short as they can be and still read back to the same bits; null for NaN.
void add_json_list(std::string& to, std::span<const double> numbers);

}  // namespace tepui

#include "tepui/io/table/lines_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>

#include "tepui/core/text.h"

namespace tepui {

namespace {

constexpr std::string_view per_vertex = "_per_vertex";

/// Bytes of the character of UTF-8 that the text starts with; 0 where it is not one.
size_t character_bytes(std::string_view text) {
  const auto byte = [&](size_t i) -> unsigned { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first == 0) return 0;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    const bool known = !(first == 0xe0 && second < 0xa0) && !(first == 0xed && second >= 0xa0);  // long, surrogate
    return known && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    const bool known = !(first == 0xf0 && second < 0x90) && !(first == 0xf4 && second >= 0x90);
    return known && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Gives out names, none twice.
class Names {
 public:
  std::string take(const LineField& field) {
    LineField own = field;
    if (own.name.empty()) own.name = "attribute";
    const std::string name = own.name;
    for (int number = 2; !taken_.insert(lower_case(line_field_text(own))).second; ++number)
      own.name = fmt::format("{}_{}", name, number);
    return line_field_text(own);
  }

 private:
  std::set<std::string> taken_{"name", "fid", "geom"};
};

}  // namespace

std::string_view feature_shape_name(FeatureShape shape) {
  static constexpr std::string_view names[] = {"point", "line", "polygon"};
  return names[static_cast<size_t>(shape)];
}

LineField parse_line_field(std::string_view field) {
  LineField result;
  if (const size_t open = field.rfind(" ("); field.ends_with(')') && open != std::string_view::npos) {
    result.unit = field.substr(open + 2, field.size() - open - 3);
    field = field.substr(0, open);
  }
  if (field.ends_with(per_vertex) && field.size() > per_vertex.size()) {
    result.per_vertex = true;
    field.remove_suffix(per_vertex.size());
  }
  result.name = field;
  return result;
}

std::string line_field_text(const LineField& field) {
  std::string text = field.name;
  if (field.per_vertex) text += per_vertex;
  // An empty unit keeps a name such as "depth (mean)" in one piece.
  return field.unit.empty() && !text.ends_with(')') ? text : fmt::format("{} ({})", text, field.unit);
}

LineFieldNames line_field_names(const Lines& lines) {
  const LinesColumns& columns = lines.columns();
  LineFieldNames fields;
  fields.name = !columns.names.text.empty();
  Names names;
  const auto text = [](const std::string& t) { return valid_text(t); };
  for (const LineAttribute& a : columns.numbers)
    fields.numbers.push_back(names.take({text(a.name), text(a.unit), false}));
  for (const LineTextAttribute& a : columns.texts) fields.texts.push_back(names.take({text(a.name), "", false}));
  for (const LineAttribute& a : columns.vertex_numbers)
    fields.vertex_numbers.push_back(names.take({text(a.name), text(a.unit), true}));
  return fields;
}

std::string valid_text(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = character_bytes(text);
    valid += bytes > 0 ? text.substr(0, bytes) : "\xef\xbf\xbd";
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return valid;
}

void add_json_list(std::string& to, std::span<const double> numbers) {
  to += '[';
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) to += ',';
    if (std::isnan(numbers[i]))
      to += "null";
    else
      fmt::format_to(std::back_inserter(to), "{}", numbers[i]);
  }
  to += ']';
}

}  // namespace tepui

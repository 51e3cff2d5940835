#include "tepui/recipe/param_json.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "tepui/core/number.h"

namespace tepui {

namespace {

[[noreturn]] void wrong_type(const Field& field, const Json& value, std::string_view wanted) {
  std::string shown(value.type_name());
  if (value.is_string()) shown = fmt::format("\"{}\"", value.text);
  if (value.is_number()) shown = json_text(value);
  refuse_at(value.at,
            fmt::format("'{}' must be {}{}, not {}", field.name, wanted, field.automatic ? ", or auto" : "", shown));
}

double number(const Field& field, const Json& value, std::string_view wanted = "a number") {
  if (value.is_number()) return value.number;
  if (value.is_string())
    if (const std::optional<double> parsed = parse_number(value.text)) return *parsed;
  wrong_type(field, value, wanted);
}

bool boolean(const Field& field, const Json& value) {
  if (value.type == Json::Type::boolean) return value.boolean;
  if (value.is_string() && (value.text == "true" || value.text == "false")) return value.text == "true";
  wrong_type(field, value, "true or false");
}

int64_t integer(const Field& field, const Json& value) {
  if (value.type == Json::Type::integer) return value.integer;
  const double v = number(field, value, "a whole number");
  if (v != std::floor(v) || std::abs(v) > 0x1p53) wrong_type(field, value, "a whole number");
  return static_cast<int64_t>(v);
}

Length length(const Field& field, const Json& value) {
  if (value.is_number()) return metres(value.number);
  if (!value.is_string()) wrong_type(field, value, "a length such as 350, \"350m\", \"1.2km\" or \"10%\"");
  return length_from_json(value);
}

Angle angle(const Field& field, const Json& value) {
  if (value.is_string() && value.text.ends_with("deg")) {
    if (const std::optional<double> parsed = parse_number(value.text.substr(0, value.text.size() - 3)))
      return {*parsed};
  }
  return {number(field, value, "an angle in degrees")};
}

/// The two ends of `[a, b]`, "a..b" or a single value.
std::pair<Json, Json> ends(const Field& field, const Json& value) {
  if (value.is_array()) {
    if (value.items.size() != 2) wrong_type(field, value, "one value, or [low, high]");
    return {value.items[0], value.items[1]};
  }
  if (value.is_string())
    if (const size_t dots = value.text.find(".."); dots != std::string::npos)
      return {json_string(value.text.substr(0, dots), value.at), json_string(value.text.substr(dots + 2), value.at)};
  return {value, value};
}

/// `[a, b, ...]` or, in a one-liner, "a,b,...".
std::vector<double> numbers(const Field& field, const Json& value, std::string_view wanted) {
  std::vector<double> list;
  if (value.is_array()) {
    for (const Json& item : value.items) list.push_back(number(field, item, wanted));
    return list;
  }
  if (value.is_number()) return {value.number};
  if (!value.is_string()) wrong_type(field, value, wanted);
  size_t start = 0;
  while (start <= value.text.size()) {
    const size_t comma = std::min(value.text.find(',', start), value.text.size());
    list.push_back(number(field, json_string(value.text.substr(start, comma - start), value.at), wanted));
    start = comma + 1;
  }
  return list;
}

Choice choice(const Field& field, const Json& value) {
  if (!value.is_string()) wrong_type(field, value, fmt::format("one of {}", fmt::join(field.choices, ", ")));
  for (size_t i = 0; i < field.choices.size(); ++i)
    if (field.choices[i] == value.text) return {static_cast<int>(i)};
  const std::string near = nearest_name(value.text, field.choices);
  refuse_at(value.at, fmt::format("'{}' has no choice \"{}\"", field.name, value.text),
            near.empty() ? fmt::format("choose from {}", fmt::join(field.choices, ", "))
                         : fmt::format("did you mean \"{}\"?", near));
}

Curve curve(const Field& field, const Json& value) {
  constexpr std::string_view wanted = "a list of points such as [[0, 0], [0.5, 0.2], [1, 1]]";
  if (!value.is_array()) wrong_type(field, value, wanted);
  Curve result;
  for (const Json& item : value.items) {
    const std::vector<double> point = numbers(field, item, wanted);
    if (point.size() != 2) wrong_type(field, item, "a point [x, y]");
    result.points.push_back({point[0], point[1]});
  }
  return result;
}

Colour colour(const Field& field, const Json& value) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  int channels[3] = {};
  bool good = value.is_string() && value.text.size() == 7 && value.text[0] == '#';
  for (size_t i = 0; good && i < 3; ++i) {
    const int high = digit(value.text[1 + 2 * i]), low = digit(value.text[2 + 2 * i]);
    good = high >= 0 && low >= 0;
    channels[i] = 16 * high + low;
  }
  if (!good) wrong_type(field, value, "a colour such as \"#c8793b\"");
  return {channels[0] / 255.0, channels[1] / 255.0, channels[2] / 255.0};
}

/// At the separator outside of brackets.
std::vector<std::string> split_text(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == separator && depth <= 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// "sandstone:40:0.9": values in the order of the record's fields; those left out at the end, or empty, have their
/// defaults.
Json record_of_text(const Field& field, const Json& value, const std::string& name) {
  const std::vector<Field>& columns = field.record->fields;
  const std::vector<std::string> parts = split_text(value.text, ':');
  if (parts.size() > columns.size())
    refuse_at(value.at, fmt::format("'{}' is \"{}\", which has {} values; there are {}", name, value.text, parts.size(),
                                    columns.size()));
  Json object = json_object(value.at);
  for (size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].empty())
      object.members.push_back(
          {columns[i].name, value.at,
           parts[i].front() == '[' ? parse_word(parts[i], value.at) : json_string(parts[i], value.at)});
  return object;
}

Record record(const Field& field, const Json& value, size_t row) {
  const std::string name = fmt::format("{}[{}]", field.name, row);
  if (value.is_string()) return record(field, record_of_text(field, value, name), row);
  Record result;
  std::vector<std::string> known;
  for (const Field& column : field.record->fields) {
    result.values.push_back(column.fallback);
    known.push_back(column.name);
  }
  if (!value.is_object())
    refuse_at(value.at, fmt::format("'{}' must be an object with {}, or text such as \"{}\"", name,
                                    fmt::join(known, ", "), fmt::join(known, ":")));
  for (const JsonMember& member : value.members) {
    const int column = field.record->find(member.key);
    if (column < 0)
      refuse_at(member.at, fmt::format("'{}' has no key '{}'", name, member.key), suggest_name(member.key, known));
    const auto index = static_cast<size_t>(column);
    result.values[index] = param_from_json(record_field(field, row, index), member.value);
  }
  return result;
}

/// `[{"rock": "sandstone", "thickness": 40}, ...]`, or text: "sandstone:40,shale:20", with or without brackets.
Records records(const Field& field, const Json& value) {
  std::vector<Json> rows = value.items;
  if (value.is_string()) {
    std::string_view text = value.text;
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    if (!text.empty())
      for (std::string& part : split_text(text, ',')) rows.push_back(json_string(std::move(part), value.at));
  } else if (!value.is_array()) {
    wrong_type(field, value, "a list of records");
  }
  Records list;
  // Before each becomes a record.
  if (static_cast<double>(rows.size()) > field.range.high)
    check_range(field, Records{std::vector<Record>(rows.size())});
  for (size_t row = 0; row < rows.size(); ++row) list.rows.push_back(record(field, rows[row], row));
  return list;
}

ParamValue convert(const Field& field, const Json& value) {
  if (field.automatic && value.is_string() && value.text == automatic_text) return Automatic{};
  switch (field.type) {
    case ParamType::boolean:
      return boolean(field, value);
    case ParamType::integer:
      return integer(field, value);
    case ParamType::number:
      return number(field, value);
    case ParamType::length:
      return length(field, value);
    case ParamType::angle:
      return angle(field, value);
    case ParamType::interval: {
      const auto [low, high] = ends(field, value);
      return Interval{number(field, low), number(field, high)};
    }
    case ParamType::length_interval: {
      const auto [low, high] = ends(field, value);
      return LengthInterval{length(field, low), length(field, high)};
    }
    case ParamType::choice:
      return choice(field, value);
    case ParamType::text:
      // A number stands for its digits: "nodata": -9999.
      if (value.is_number()) return json_text(value);
      if (!value.is_string()) wrong_type(field, value, "text");
      return value.text;
    case ParamType::vec2: {
      const std::vector<double> v = numbers(field, value, "two numbers [x, y]");
      if (v.size() != 2) wrong_type(field, value, "two numbers [x, y]");
      return Vec2{v[0], v[1]};
    }
    case ParamType::vec3: {
      const std::vector<double> v = numbers(field, value, "three numbers [x, y, z]");
      if (v.size() != 3) wrong_type(field, value, "three numbers [x, y, z]");
      return Vec3{v[0], v[1], v[2]};
    }
    case ParamType::list:
      return numbers(field, value, "a list of numbers");
    case ParamType::curve:
      return curve(field, value);
    case ParamType::colour:
      return colour(field, value);
    case ParamType::file:
      if (!value.is_string() || value.text.empty() || has_control_characters(value.text))
        wrong_type(field, value, "the name of a file");
      return FilePath{value.text};
    case ParamType::seed:
      return Seed{integer(field, value), 0};
    case ParamType::records:
      return records(field, value);
  }
  return {};
}

Json json_number(double v) {
  if (v == std::floor(v) && std::abs(v) < 0x1p53) return json_integer(static_cast<int64_t>(v));
  Json value;
  value.type = Json::Type::number;
  value.number = v;
  return value;
}

struct ToJson {
  const Field& field;

  Json operator()(bool v) const {
    Json value;
    value.type = Json::Type::boolean;
    value.boolean = v;
    return value;
  }
  Json operator()(int64_t v) const { return json_number(static_cast<double>(v)); }
  Json operator()(double v) const { return json_number(v); }
  Json operator()(const Length& v) const {
    return v.percent ? json_string(fmt::format("{}%", v.value), {}) : json_number(v.value);
  }
  Json operator()(const Angle& v) const { return json_number(v.degrees); }
  Json operator()(const Interval& v) const {
    return v.low == v.high ? json_number(v.low) : json_list({json_number(v.low), json_number(v.high)});
  }
  Json operator()(const LengthInterval& v) const {
    return v.low == v.high ? (*this)(v.low) : json_list({(*this)(v.low), (*this)(v.high)});
  }
  Json operator()(const Vec2& v) const { return json_list({json_number(v.x), json_number(v.y)}); }
  Json operator()(const Vec3& v) const { return json_list({json_number(v.x), json_number(v.y), json_number(v.z)}); }
  Json operator()(const std::vector<double>& v) const {
    Json value = json_list({});
    for (const double d : v) value.items.push_back(json_number(d));
    return value;
  }
  Json operator()(const Curve& v) const {
    Json value = json_list({});
    for (const Vec2& p : v.points) value.items.push_back((*this)(p));
    return value;
  }
  Json operator()(const Seed& v) const { return json_number(static_cast<double>(v.node)); }
  Json operator()(const Records& v) const {
    Json list = json_list({});
    for (const Record& record : v.rows) {
      Json object = json_object({});
      for (size_t i = 0; i < record.values.size(); ++i) {
        const Field& column = field.record->fields[i];
        object.members.push_back({column.name, {}, param_to_json(column, record.values[i])});
      }
      list.items.push_back(std::move(object));
    }
    return list;
  }
  template <class Other>
  Json operator()(const Other& v) const {
    return json_string(param_text(field, v), {});
  }
};

}  // namespace

ParamValue param_from_json(const Field& field, const Json& value) {
  try {
    ParamValue result = convert(field, value);
    check_range(field, result);
    return result;
  } catch (const Error& error) {
    throw error.at(value.at.place());
  }
}

std::vector<ParamValue> params_from_json(const ParamTable& table, const Json& object, std::string_view what) {
  if (!object.is_object()) refuse_at(object.at, fmt::format("{} must be an object, not {}", what, object.type_name()));
  std::vector<ParamValue> values;
  std::vector<std::string> known;
  for (const Field& field : table.fields) {
    values.push_back(field.fallback);
    known.push_back(field.name);
  }
  for (const JsonMember& member : object.members) {
    const int index = table.find(member.key);
    if (index < 0)
      refuse_at(member.at, fmt::format("{} has no key '{}'", what, member.key), suggest_name(member.key, known));
    values[static_cast<size_t>(index)] = param_from_json(table.fields[static_cast<size_t>(index)], member.value);
  }
  return values;
}

Json param_to_json(const Field& field, const ParamValue& value) { return std::visit(ToJson{field}, value); }

Length length_from_json(const Json& value) {
  if (value.is_number()) return metres(value.number);
  if (!value.is_string()) refuse_at(value.at, fmt::format("expected a length, not {}", value.type_name()));
  try {
    return parse_length(value.text);
  } catch (const Error& error) {
    throw error.at(value.at.place());
  }
}

}  // namespace tepui

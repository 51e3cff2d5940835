#include "apps/studio/stroke_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "tepui/core/error.h"
#include "tepui/io/table/lines_fields.h"

namespace tepui::studio {

namespace {

[[noreturn]] void refuse_text() {
  refuse("this file does not hold plain strokes: it is no GeoJSON collection of features",
         "draw into a node of its own");
}

/// Reads as much of JSON as it takes to know where features begin and end.
class Splitter {
 public:
  explicit Splitter(const std::string& text) : text_(text) {}

  StrokeTexts split() {
    StrokeTexts parts;
    find_list();
    parts.head = text_.substr(0, at_);
    size_t end = at_;  // of the last feature
    for (;;) {
      skip_space();
      if (peek() == ']') break;
      if (!parts.features.empty()) {
        if (peek() != ',') refuse_text();
        ++at_;
        skip_space();
      }
      if (peek() != '{') refuse_text();
      const size_t begin = at_;
      skip_value();
      if (parts.features.empty()) {
        parts.head = text_.substr(0, begin);
        parts.features.push_back({",\n", text_.substr(begin, at_ - begin)});
      } else {
        parts.features.push_back({text_.substr(end, begin - end), text_.substr(begin, at_ - begin)});
      }
      end = at_;
    }
    parts.tail = text_.substr(end);
    if (parts.features.empty()) {
      parts.head = text_.substr(0, at_);
      parts.tail = text_.substr(at_);
    }
    return parts;
  }

 private:
  char peek() const {
    if (at_ >= text_.size()) refuse_text();
    return text_[at_];
  }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  /// A text; what stands between its quotes.
  std::string_view skip_text() {
    const size_t begin = ++at_;
    while (peek() != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    return std::string_view(text_).substr(begin, at_ - 1 - begin);
  }
  void skip_value() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        skip_text();
        continue;
      }
      if (c == '/') refuse_text();
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      ++at_;
    } while (depth > 0);
  }
  /// Goes to what stands behind the bracket that opens the features.
  void find_list() {
    skip_space();
    if (peek() != '{') refuse_text();
    ++at_;
    for (;;) {
      skip_space();
      if (peek() != '"') refuse_text();
      const bool found = skip_text() == "features";
      skip_space();
      if (peek() != ':') refuse_text();
      ++at_;
      skip_space();
      if (found) {
        if (peek() != '[') refuse_text();
        ++at_;
        return;
      }
      skip_member();
      if (peek() != ',') refuse_text();
      ++at_;
    }
  }
  void skip_member() {
    const char c = peek();
    if (c == '{' || c == '[' || c == '"')
      skip_value();
    else
      while (std::string_view(",}] \t\r\n").find(peek()) == std::string_view::npos) ++at_;
    skip_space();
  }

  const std::string& text_;
  size_t at_ = 0;
};

std::optional<std::vector<double>> numbers_of(const Json& list) {
  std::vector<double> numbers;
  for (const Json& item : list.items) {
    if (!item.is_number() && item.type != Json::Type::null) return {};
    numbers.push_back(item.is_number() ? item.number : std::numeric_limits<double>::quiet_NaN());
  }
  return numbers;
}

std::optional<StrokeProperty> property_of(const JsonMember& member) {
  const Json& value = member.value;
  const bool is_list = parse_line_field(member.key).per_vertex;
  switch (value.type) {
    case Json::Type::null:
      return StrokeProperty{member.key, std::monostate()};
    case Json::Type::integer:
    case Json::Type::number:
      return StrokeProperty{member.key, value.number};
    case Json::Type::string:
      if (is_list) return {};
      return StrokeProperty{member.key, value.text};
    case Json::Type::array:
      if (!is_list) return {};
      if (auto numbers = numbers_of(value)) return StrokeProperty{member.key, std::move(*numbers)};
      return {};
    default:
      return {};
  }
}

bool add_point(const Json& position, std::vector<Vec3>& points) {
  if (!position.is_array() || position.items.size() < 2 || position.items.size() > 3) return false;
  for (const Json& item : position.items)
    if (!item.is_number()) return false;
  points.push_back(
      {position.items[0].number, position.items[1].number, position.items.size() == 3 ? position.items[2].number : 0});
  return true;
}

bool add_points(const Json& list, std::vector<Vec3>& points) {
  return list.is_array() && std::ranges::all_of(list.items, [&](const Json& item) { return add_point(item, points); });
}

bool read_geometry(const Json& geometry, Stroke& stroke) {
  const Json *type = geometry.find("type"), *coordinates = geometry.find("coordinates");
  if (type == nullptr || coordinates == nullptr || geometry.members.size() != 2) return false;
  if (type->text == "Point") {
    stroke.shape = FeatureShape::point;
    return add_point(*coordinates, stroke.points);
  }
  if (type->text == "LineString") {
    stroke.shape = FeatureShape::line;
    if (!add_points(*coordinates, stroke.points) || stroke.points.size() < 2) return false;
  } else if (type->text == "Polygon") {
    stroke.shape = FeatureShape::polygon;
    if (!coordinates->is_array() || coordinates->items.size() != 1) return false;
    if (!add_points(coordinates->items[0], stroke.points) || stroke.points.size() < 4) return false;
    if (!(stroke.points.front() == stroke.points.back())) return false;
  } else {
    return false;
  }
  if (stroke.points.front() == stroke.points.back()) {
    stroke.closed = true;
    stroke.points.pop_back();
  }
  return true;
}

std::string in_quotes(const std::string& text) { return json_text(json_string(text, {})); }

void add_point(std::string& text, Vec3 p, bool has_height) {
  fmt::format_to(std::back_inserter(text), "[{},{}", p.x, p.y);
  if (has_height) fmt::format_to(std::back_inserter(text), ",{}", p.z);
  text += ']';
}

void add_value(std::string& text, const StrokeValue& value) {
  if (const double* number = std::get_if<double>(&value))
    fmt::format_to(std::back_inserter(text), "{}", *number);
  else if (const std::string* words = std::get_if<std::string>(&value))
    text += in_quotes(*words);
  else if (const auto* list = std::get_if<std::vector<double>>(&value))
    add_json_list(text, *list);
  else
    text += "null";
}

}  // namespace

StrokeTexts split_strokes(const std::string& text) {
  StrokeTexts parts = Splitter(text).split();
  // What is left must be JSON, too.
  parse_json({"strokes", parts.head + parts.tail});
  return parts;
}

std::optional<Stroke> parse_stroke(const std::string& text) {
  const Json feature = parse_json({"stroke", text});
  const Json *type = feature.find("type"), *geometry = feature.find("geometry");
  const Json* properties = feature.find("properties");
  if (type == nullptr || type->text != "Feature" || geometry == nullptr || properties == nullptr) return {};
  if (feature.members.size() != 3 || !properties->is_object()) return {};
  Stroke stroke;
  stroke.text = text;
  if (!read_geometry(*geometry, stroke)) return {};
  for (const JsonMember& member : properties->members) {
    std::optional<StrokeProperty> property = property_of(member);
    if (!property) return {};
    if (const auto* list = std::get_if<std::vector<double>>(&property->value);
        list != nullptr && list->size() != stroke.points.size())
      return {};
    stroke.properties.push_back(std::move(*property));
  }
  return stroke;
}

std::string stroke_text(const DrawnStroke& stroke, const std::vector<StrokeProperty>& properties) {
  std::string text = R"({"type":"Feature","properties":{)";
  const char* comma = "";
  for (const StrokeProperty& property : properties) {
    text += std::exchange(comma, ",");
    text += in_quotes(property.name);
    text += ':';
    add_value(text, property.value);
  }
  const bool is_point = stroke.points.size() == 1 && !stroke.closed;
  text += R"(},"geometry":{"type":")";
  text += is_point ? "Point" : stroke.closed ? "Polygon" : "LineString";
  text += stroke.closed ? R"(","coordinates":[[)" : is_point ? R"(","coordinates":)" : R"(","coordinates":[)";
  for (size_t i = 0; i < stroke.points.size(); ++i) {
    if (i > 0) text += ',';
    add_point(text, stroke.points[i], stroke.has_heights);
  }
  if (stroke.closed) {
    text += ',';
    add_point(text, stroke.points.front(), stroke.has_heights);
  }
  text += stroke.closed ? "]]}}" : is_point ? "}}" : "]}}";
  return text;
}

}  // namespace tepui::studio

// What a page draws.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/studio/stroke_file.h"
#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/core/text.h"

namespace tepui::studio {

namespace {

constexpr size_t most_points = 4096, most_properties = 32, longest_name = 64, longest_text = 256;
constexpr double farthest = 1e9;

/// No minus where there is nothing.
double rounded(double value) { return std::round(value * 1000) / 1000 + 0.0; }

double number_of(const Json& value, const char* what) {
  if (!value.is_number() || !(std::abs(value.number) <= farthest))
    refuse(fmt::format("{} is no number", what), fmt::format("from {:g} to {:g}", -farthest, farthest));
  return value.number;
}

void add_point(const Json& point, DrawnStroke& stroke) {
  const size_t count = point.items.size();
  if (!point.is_array() || count < 2 || count > 4)
    refuse("'line' is a list of points", "[x, y], [x, y, z] or [x, y, z, pressure]");
  Vec3 at{rounded(number_of(point.items[0], "a point's x")), rounded(number_of(point.items[1], "a point's y")), 0};
  if (count > 2 && point.items[2].type != Json::Type::null) {
    at.z = rounded(number_of(point.items[2], "a point's height"));
    stroke.has_heights = true;
  }
  double pressure = 1;
  if (count > 3) {
    pressure = rounded(number_of(point.items[3], "a point's pressure"));
    if (pressure < 0 || pressure > 1) refuse(fmt::format("a pressure is {:g}", pressure), "from 0 to 1");
    stroke.pressure.resize(stroke.points.size(), 1);
  }
  stroke.points.push_back(at);
  if (!stroke.pressure.empty() || count > 3) stroke.pressure.push_back(pressure);
}

/// Lines that end where they began are closed, and a list for their vertices has no number for that end.
void close(DrawnStroke& stroke) {
  std::vector<Vec3>& points = stroke.points;
  if (stroke.closed)
    while (points.size() > 1 && points.back() == points.front()) points.pop_back();
  if (stroke.closed && points.size() < 3) refuse("a closed stroke has at least three points");
  const bool returns = !stroke.closed && points.size() > 1 && points.back() == points.front();
  if (!stroke.pressure.empty()) stroke.pressure.resize(points.size() - (returns ? 1 : 0));
}

void check_name(const std::string& name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, good) || name.ends_with("_per_vertex"))
    refuse(fmt::format("'{}' is not the name of a property", name.substr(0, longest_name)),
           fmt::format("letters, digits and _, at most {}", longest_name));
}

StrokeProperty property_of(const JsonMember& member) {
  check_name(member.key);
  const Json& value = member.value;
  if (lower_case(member.key) == "name" && (member.key != "name" || !value.is_string()))
    refuse("the 'name' of a stroke is a text");
  if (value.is_number()) return {member.key, number_of(value, "a property") + 0.0};
  if (!value.is_string()) refuse(fmt::format("'{}' is neither a number nor a text", member.key));
  if (value.text.size() > longest_text || has_control_characters(value.text))
    refuse(fmt::format("'{}' is too long, or holds more than letters", member.key),
           fmt::format("at most {} characters", longest_text));
  return {member.key, value.text};
}

}  // namespace

DrawnStroke drawn_stroke(const Json& request) {
  DrawnStroke stroke;
  const Json* line = request.find("line");
  if (line == nullptr || !line->is_array()) refuse("'line' is a list of points");
  if (line->items.empty() || line->items.size() > most_points)
    refuse(fmt::format("'line' has {} points", line->items.size()), fmt::format("from 1 to {}", most_points));
  if (const Json* closed = request.find("closed")) {
    if (closed->type != Json::Type::boolean) refuse("'closed' must be true or false");
    stroke.closed = closed->boolean;
  }
  for (const Json& point : line->items) add_point(point, stroke);
  close(stroke);
  const Json* properties = request.find("properties");
  if (properties == nullptr) return stroke;
  if (!properties->is_object()) refuse("'properties' is an object");
  if (properties->members.size() > most_properties)
    refuse(fmt::format("a stroke has at most {} properties", most_properties));
  for (const JsonMember& member : properties->members) stroke.properties.push_back(property_of(member));
  return stroke;
}

}  // namespace tepui::studio

#include "tepui/terrain/brush_stroke.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr std::array<std::string_view, 6> tool_names{"raise", "lower", "level", "set", "smooth", "layer"};

/// One feature of the lines, as errors name it, and what it says itself.
class Told {
 public:
  Told(const Lines& lines, size_t feature) : lines_(lines), feature_(feature) {}

  double number(const char* name, double usual, double least, double most) const {
    const double value = optional_number(name).value_or(usual);
    if (!(value >= least && value <= most))
      refuse_stroke(fmt::format("has the {} {:g}", name, value),
                    fmt::format("a number from {:g} to {:g}", least, most));
    return value;
  }

  std::optional<double> optional_number(const char* name) const {
    const LineAttribute* column = lines_.number(name);
    if (column == nullptr || std::isnan(column->values[feature_])) return {};
    return column->values[feature_];
  }

  std::string text(const char* name, std::string_view usual) const {
    const LineTextAttribute* column = lines_.text(name);
    return std::string(column != nullptr && column->present[feature_] != 0 ? column->values[feature_] : usual);
  }

  [[noreturn]] void refuse_stroke(const std::string& what, std::string hint) const {
    const std::string_view name = lines_.columns().names[feature_];
    refuse(fmt::format("stroke {}{} {}", feature_ + 1, name.empty() ? "" : fmt::format(" ('{}')", name), what),
           std::move(hint));
  }

 private:
  const Lines& lines_;
  size_t feature_;
};

PaintTool tool_of(const Told& told, PaintTool usual) {
  const std::string name = told.text("tool", tool_names[static_cast<size_t>(usual)]);
  const auto found = std::ranges::find(tool_names, name);
  if (found == tool_names.end())
    told.refuse_stroke(fmt::format("has the tool '{}', which there is not", name),
                       fmt::format("one of {}", fmt::join(tool_names, ", ")));
  return static_cast<PaintTool>(found - tool_names.begin());
}

double pressure_at(const LineAttribute* column, size_t vertex) {
  if (column == nullptr || std::isnan(column->values[vertex])) return 1;
  return std::clamp(column->values[vertex], 0.0, 1.0);
}

void add_steps(const Lines& lines, size_t index, BrushStroke& stroke) {
  const LineFeature feature = lines.feature(index);
  const LineAttribute* pressure = lines.vertex_number("pressure");
  const Vec3* const first = lines.vertices().data();
  const auto add = [&](const Vec3& from, const Vec3& to) {
    stroke.steps.push_back({from, to, pressure_at(pressure, static_cast<size_t>(&from - first)),
                            pressure_at(pressure, static_cast<size_t>(&to - first))});
  };
  for (size_t p = feature.first_part; p < feature.end_part; ++p) {
    const LinePart part = lines.part(feature, p);
    if (feature.shape == FeatureShape::point || part.points.size() == 1)
      for (const Vec3& point : part.points) add(point, point);
    else
      for (size_t i = 1; i < part.points.size(); ++i) add(part.points[i - 1], part.points[i]);
    if (part.closed && part.points.size() > 1) add(part.points.back(), part.points.front());
    if (feature.shape == FeatureShape::polygon) stroke.rings.emplace_back(part.points.begin(), part.points.end());
  }
}

void add_bounds(BrushStroke& stroke) {
  constexpr double far = std::numeric_limits<double>::infinity();
  stroke.low = {far, far};
  stroke.high = {-far, -far};
  for (const StrokeStep& step : stroke.steps)
    for (const Vec3& end : {step.from, step.to}) {
      stroke.low = {std::min(stroke.low.x, end.x - stroke.radius), std::min(stroke.low.y, end.y - stroke.radius)};
      stroke.high = {std::max(stroke.high.x, end.x + stroke.radius), std::max(stroke.high.y, end.y + stroke.radius)};
    }
}

}  // namespace

double brush_profile(double t, double hardness) {
  if (t >= 1) return 0;
  if (t <= hardness) return 1;
  const double u = (t - hardness) / (1 - hardness), rest = 1 - u * u;
  return rest * rest;
}

BrushTouch touch_of(const BrushStroke& stroke, const StrokeStep& step, double x, double y) {
  const double dx = step.to.x - step.from.x, dy = step.to.y - step.from.y;
  const double square = dx * dx + dy * dy;
  const double along =
      square > 0 ? std::clamp(((x - step.from.x) * dx + (y - step.from.y) * dy) / square, 0.0, 1.0) : 0;
  const double off_x = x - (step.from.x + along * dx), off_y = y - (step.from.y + along * dy);
  const double distance = std::sqrt(off_x * off_x + off_y * off_y);
  const double pressure = step.pressure_from + along * (step.pressure_to - step.pressure_from);
  return {pressure * brush_profile(distance / stroke.radius, stroke.hardness),
          step.from.z + along * (step.to.z - step.from.z), distance};
}

bool is_inside(const BrushStroke& stroke, double x, double y) {
  bool inside = false;
  for (const std::vector<Vec3>& ring : stroke.rings)
    for (size_t i = 0, before = ring.size() - 1; i < ring.size(); before = i++) {
      const Vec3 &a = ring[i], &b = ring[before];
      if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) inside = !inside;
    }
  return inside;
}

std::vector<BrushStroke> brush_strokes(const Frame& frame, const Lines& lines, const PaintParams& params) {
  constexpr double most = 1e9;
  std::vector<BrushStroke> strokes;
  strokes.reserve(lines.features());
  for (size_t f = 0; f < lines.features(); ++f) {
    const Told told(lines, f);
    BrushStroke stroke;
    stroke.tool = tool_of(told, params.tool);
    stroke.radius = told.number("radius", params.radius.in(frame), 1e-6, most);
    stroke.hardness = told.number("hardness", params.hardness, 0, 1);
    stroke.strength = told.number("strength", params.strength, 0, 1);
    stroke.amount = told.number("amount", params.amount.in(frame), -most, most);
    stroke.value = told.number("value", params.value, -most, most);
    if (told.optional_number("target") || params.target)
      stroke.target = told.number("target", params.target ? params.target->in(frame) : 0, -most, most);
    stroke.layer = told.text("layer", params.layer);
    if (stroke.tool == PaintTool::layer && (stroke.layer.empty() || stroke.layer == "height"))
      told.refuse_stroke(fmt::format("paints the layer '{}'", stroke.layer),
                         "the tools raise, lower, level, set and smooth are for heights; name another layer");
    add_steps(lines, f, stroke);
    add_bounds(stroke);
    strokes.push_back(std::move(stroke));
  }
  return strokes;
}

}  // namespace tepui

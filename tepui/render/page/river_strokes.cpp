#include "tepui/render/page/river_strokes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/render/light/colour.h"
#include "tepui/render/page/smooth_line.h"

namespace tepui {

namespace {

using Key = std::pair<double, double>;
Key key_of(Vec3 p) { return {p.x, p.y}; }

/// How wide a head is beside what it grows to.
constexpr double head_share = 0.3;
/// Widths change in steps that nobody sees.
constexpr double width_step = 0.12;

double number_of(const LineAttribute* column, size_t feature, double otherwise) {
  const double v = column != nullptr ? column->values[feature] : otherwise;
  return std::isfinite(v) ? v : otherwise;
}

/// A part of a feature on its way down.
struct Course {
  std::vector<Vec3> points;
  size_t feature = 0;
  double order = 1, width = 0;
};

std::vector<Course> courses_of(const Lines& rivers) {
  const LineAttribute* order = rivers.number("order");
  std::vector<Course> list;
  for (size_t f = 0; f < rivers.features(); ++f) {
    const LineFeature feature = rivers.feature(f);
    if (feature.shape != FeatureShape::line) continue;
    for (size_t p = feature.first_part; p < feature.end_part; ++p) {
      const LinePart part = rivers.part(feature, p);
      if (part.points.size() < 2) continue;
      Course course{{part.points.begin(), part.points.end()}, f, std::max(1.0, number_of(order, f, 1)), 0};
      if (part.closed) course.points.push_back(course.points.front());
      // Water runs down, whichever way the line was drawn.
      if (course.points.front().z < course.points.back().z) std::ranges::reverse(course.points);
      list.push_back(std::move(course));
    }
  }
  return list;
}

/// Points that several courses share hold still, so that rivers still meet after they have been smoothed.
std::map<Key, int> meetings_of(const std::vector<Course>& courses) {
  std::map<Key, int> counts;
  for (const Course& course : courses)
    for (size_t i = 0; i < course.points.size(); ++i) {
      const bool end = i == 0 || i + 1 == course.points.size();
      counts[key_of(course.points[i])] += end ? 2 : 1;
    }
  return counts;
}

bool is_inside(Vec2 p, const PlotArea& area) {
  constexpr double slack = 0.5;
  return p.x >= area.corner.x - slack && p.y >= area.corner.y - slack && p.x <= area.corner.x + area.size.x + slack &&
         p.y <= area.corner.y + area.size.y + slack;
}

/// The runs of a stroke that lie in the area.
void add_inside(std::vector<RiverStroke>& list, const RiverStroke& stroke, const PlotArea& area) {
  RiverStroke run = stroke;
  run.points.clear();
  run.widths.clear();
  const auto flush = [&] {
    if (run.points.size() > 1) list.push_back(run);
    run.points.clear();
    run.widths.clear();
  };
  for (size_t i = 0; i < stroke.points.size(); ++i) {
    if (!is_inside(stroke.points[i], area)) {
      flush();
      continue;
    }
    run.points.push_back(stroke.points[i]);
    run.widths.push_back(stroke.widths[i]);
  }
  flush();
}

}  // namespace

double river_width(double order, double last, const RiverStyle& style) {
  const double widest = std::min(3.2, 0.7 + 0.4 * last);
  return style.scale * std::max(0.42, widest * math::pow(1.45, order - last));
}

uint32_t river_rgb(double order, double last, const RiverStyle& style) {
  const double share = last > 1 ? std::clamp((order - 1) / (last - 1), 0.0, 1.0) : 1;
  return to_hex(mix(from_hex(style.small), from_hex(style.large), static_cast<float>(share)));
}

std::vector<RiverStroke> river_strokes(const Lines& rivers, const PlotArea& area, const RiverStyle& style) {
  std::vector<Course> courses = courses_of(rivers);
  const LineAttribute *width = rivers.number("width"), *drainage = rivers.number("drainage");
  const LineTextAttribute* names = rivers.text("name");
  const double pixels_per_metre = area.size.x / (area.x_high - area.x_low);
  double last = 1;
  for (const Course& course : courses) last = std::max(last, course.order);
  std::map<Key, double> arriving;  // the widest river that ends at a point
  for (Course& course : courses) {
    course.width =
        std::max(river_width(course.order, last, style), number_of(width, course.feature, 0) * pixels_per_metre);
    double& widest = arriving[key_of(course.points.back())];
    widest = std::max(widest, course.width);
  }
  const std::map<Key, int> meetings = meetings_of(courses);
  std::vector<RiverStroke> list;
  for (const Course& course : courses) {
    RiverStroke stroke;
    std::vector<bool> fixed;
    for (const Vec3& p : course.points) {
      stroke.points.push_back(area.at(p.x, p.y));
      fixed.push_back(meetings.at(key_of(p)) > 1);
    }
    smooth_line(stroke.points, std::move(fixed), 4);
    const auto above = arriving.find(key_of(course.points.front()));
    const double from = above == arriving.end() ? head_share * course.width : std::min(above->second, course.width);
    for (size_t i = 0; i < stroke.points.size(); ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(stroke.points.size() - 1);
      stroke.widths.push_back(from + (course.width - from) * std::sqrt(share));
    }
    stroke.order = course.order;
    stroke.size = number_of(drainage, course.feature, math::pow(4.0, course.order));
    stroke.name = rivers.feature(course.feature).name;
    if (stroke.name.empty() && names != nullptr) stroke.name = names->values[course.feature];
    add_inside(list, stroke, area);
  }
  std::ranges::stable_sort(list, {}, &RiverStroke::order);
  return list;
}

void draw_rivers(Drawing& drawing, const std::vector<RiverStroke>& rivers, const RiverStyle& style) {
  double last = 1;
  for (const RiverStroke& river : rivers) last = std::max(last, river.order);
  for (const RiverStroke& river : rivers) {
    const uint32_t rgb = river_rgb(river.order, last, style);
    // Pieces of one width each; their round ends close the gaps.
    for (size_t first = 0; first + 1 < river.points.size();) {
      size_t end = first + 1;
      while (end + 1 < river.points.size() && std::abs(river.widths[end] - river.widths[first]) < width_step) ++end;
      const auto begin = river.points.begin();
      drawing.line({begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end) + 1},
                   {rgb, 0.5 * (river.widths[first] + river.widths[end]), false, true});
      first = end;
    }
  }
}

}  // namespace tepui

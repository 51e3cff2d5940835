#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/page/figure_parts.h"
#include "tepui/render/page/river_strokes.h"

namespace tepui {

namespace {

constexpr double own_side = 760;  ///< of the longer side, unless the size is given
constexpr double margin = 0.04;   ///< of the box around all points
constexpr uint32_t paper_rgb = 0xfbfaf6, polygon_rgb = 0xb9d8e8, outline_rgb = 0x4a83ab, point_rgb = 0x3a3530;

/// The box around all points with some room, one scale for both axes.
PlotArea line_area(const Lines& lines, Vec2 asked) {
  const LinesExtent extent = extent_of(lines);
  PlotArea area;
  const double wide = extent.high.x - extent.low.x, tall = extent.high.y - extent.low.y;
  const double longer = std::max({wide, tall, 1e-3}), room = margin * longer;
  const Vec2 span{std::max(wide, 0.1 * longer) + 2 * room, std::max(tall, 0.1 * longer) + 2 * room};
  double scale = own_side / std::max(span.x, span.y);
  if (asked.x > 0 || asked.y > 0)
    scale = std::min(asked.x > 0 ? asked.x / span.x : 1e300, asked.y > 0 ? asked.y / span.y : 1e300);
  const auto pixels = [&](double metres, double wanted) {
    return wanted > 0 ? wanted : std::max(1.0, std::round(metres * scale));
  };
  area.size = {pixels(span.x, asked.x), pixels(span.y, asked.y)};
  const Vec2 middle{(extent.low.x + extent.high.x) / 2, (extent.low.y + extent.high.y) / 2};
  const Vec2 half{area.size.x / scale / 2, area.size.y / scale / 2};
  area.x_low = middle.x - half.x;
  area.x_high = middle.x + half.x;
  area.y_low = middle.y - half.y;
  area.y_high = middle.y + half.y;
  set_common_step(area);
  return area;
}

/// Polygons and points, which are no rivers.
void draw_shapes(Drawing& drawing, const PlotArea& area, const Lines& lines) {
  for_each_curve(lines, [&](const LinePart& part) {
    if (part.shape == FeatureShape::line) return;
    std::vector<Vec2> points;
    for (const Vec3& p : part.points) points.push_back(area.at(p.x, p.y));
    if (part.shape == FeatureShape::point) {
      for (const Vec2 p : points) drawing.rectangle(p - Vec2{1.5, 1.5}, {3, 3}, point_rgb);
      return;
    }
    if (points.empty()) return;
    points.push_back(points.front());
    drawing.area(points, twice_signed_area(part.points) > 0 ? polygon_rgb : paper_rgb);
    drawing.line(std::move(points), {outline_rgb, 0.8});
  });
}

}  // namespace

Drawing draw_line_map(const Lines& lines, const FigureParams& params, const Context& context) {
  context.check();
  if (extent_of(lines).points == 0) refuse("there are no lines to make a figure of");
  PlotArea area = line_area(lines, params.wanted_size());
  const double top = figure_margin + heading_room(params.title, ""),
               left = y_axis_room(area.y_low, area.y_high, area.size.y);
  if (params.axes) area.corner = {figure_margin + left, top};
  const double width = std::max(area.corner.x + area.size.x + figure_margin, heading_width(params.title, ""));
  Drawing drawing = params.axes ? Drawing(std::ceil(width), std::ceil(top + area.size.y + x_axis_room + figure_margin))
                                : Drawing(area.size.x, area.size.y);
  if (params.axes) draw_heading(drawing, params.title, "");
  drawing.rectangle(area.corner, area.size, paper_rgb);
  draw_shapes(drawing, area, lines);
  RiverStyle style;
  style.paper = paper_rgb;
  const std::vector<RiverStroke> strokes = river_strokes(lines, area, style);
  draw_rivers(drawing, strokes, style);
  draw_river_names(drawing, strokes, params.names, style);
  if (params.axes) draw_axes(drawing, area, "x (m)", "y (m)");
  return drawing;
}

}  // namespace tepui

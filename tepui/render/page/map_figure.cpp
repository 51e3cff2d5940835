#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/light/colour.h"
#include "tepui/render/page/contour_labels.h"
#include "tepui/render/page/contours.h"
#include "tepui/render/page/figure_parts.h"
#include "tepui/render/page/map_cells.h"
#include "tepui/render/page/map_water.h"
#include "tepui/render/page/river_strokes.h"

namespace tepui {

namespace {

constexpr int most_contours = 400;

/// What lies below `sea` is tinted blue.
Image paint(const Grid<float>& cells, const Layer& layer, const ColourScale& scale, const Grid<float>* shade,
            const FigureParams& params, std::optional<double> sea, const Context& context) {
  const int64_t last = layer.kind == LayerKind::category ? last_class(layer, context) : 0;
  Image image(static_cast<int>(cells.width()), static_cast<int>(cells.height()), 3);
  for (int64_t y = 0; y < cells.height(); ++y)
    for (int64_t x = 0; x < cells.width(); ++x) {
      const float v = cells(x, y);
      uint32_t rgb = layer.kind == LayerKind::category ? class_rgb(static_cast<int64_t>(v), last, params)
                                                       : scale.colour(static_cast<double>(v));
      if (sea && static_cast<double>(v) < *sea) rgb = to_hex(mix(from_hex(rgb), from_hex(0x5f97c4), 0.8f));
      const double light = shade == nullptr ? 1 : 1 + params.hillshade * (static_cast<double>((*shade)(x, y)) - 1);
      uint8_t* pixel = image.at(static_cast<int>(x), static_cast<int>(cells.height() - 1 - y));
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<uint8_t>(std::min(255.0, static_cast<double>(rgb >> (16 - 8 * c) & 255u) * light + 0.5));
    }
  return image;
}

void draw_contours(Drawing& drawing, Vec2 corner, const MapShape& shape, const Grid<float>& cells,
                   const ColourScale& scale, std::optional<double> asked, const Context& context) {
  const double step = asked.value_or(round_step(scale.high - scale.low, 16));
  const double first = std::ceil(scale.low / step), count = std::floor(scale.high / step) - first + 1;
  if (!(count <= most_contours))
    refuse(fmt::format("contours every {:.6g} {} are more than {}", step, scale.unit, most_contours),
           fmt::format("a contour_step of {:.6g} gives about 16", round_step(scale.high - scale.low, 16)));
  // Land without a range has none.
  if (!(scale.high > scale.low)) return;
  std::vector<double> levels;
  for (int i = 0; i < static_cast<int>(count); ++i) levels.push_back((first + i) * step);
  std::vector<MapContour> lines;
  for (ContourLine& line : contour_lines(cells, levels, context)) {
    const double n = std::round(line.level / step);
    for (Vec2& p : line.points)
      p = corner + Vec2{(p.x + 0.5) * shape.size.x / static_cast<double>(shape.width),
                        shape.size.y - (p.y + 0.5) * shape.size.y / static_cast<double>(shape.height)};
    lines.push_back({std::move(line.points), std::fmod(n, 5) == 0, tick_text(line.level, step)});
  }
  draw_labelled_contours(drawing, corner, shape.size, lines);
}

/// Around the map, not on it.
void draw_frame(Drawing& drawing, Vec2 corner, Vec2 size) {
  const Vec2 far = corner + size + Vec2{0.5, 0.5};
  corner = corner - Vec2{0.5, 0.5};
  drawing.line({corner, {far.x, corner.y}, far, {corner.x, far.y}, corner}, {ink::frame, 1});
}

/// The same with half a pixel around it, where axes do not cover the map.
PlotArea around(PlotArea area) {
  const Vec2 half{0.5 * (area.x_high - area.x_low) / area.size.x, 0.5 * (area.y_high - area.y_low) / area.size.y};
  area.corner = area.corner - Vec2{0.5, 0.5};
  area.size = area.size + Vec2{1, 1};
  area.x_low -= half.x;
  area.x_high += half.x;
  area.y_low -= half.y;
  area.y_high += half.y;
  return area;
}

/// Lines at the ticks of the axes, light enough to see the land through them.
void draw_grid(Drawing& drawing, const PlotArea& area) {
  constexpr uint32_t light = 0xffffff;
  constexpr double opacity = 0.4;
  for (const double x : axis_ticks_x(area).values)
    drawing.rectangle({area.at(x, 0).x - 0.5, area.corner.y}, {1, area.size.y}, light, opacity);
  for (const double y : axis_ticks_y(area).values)
    drawing.rectangle({area.corner.x, area.at(0, y).y - 0.5}, {area.size.x, 1}, light, opacity);
}

/// Lakes over the rivers that run through them, and names over all.
void draw_waters(Drawing& drawing, const PlotArea& area, const Terrain& land, const Layer& shown,
                 const FigureParams& params, const Lines* rivers, const Context& context) {
  RiverStyle style;
  style.scale = 0.8;
  style.paper = 0xffffff;
  const std::vector<RiverStroke> strokes =
      rivers != nullptr ? river_strokes(*rivers, area, style) : std::vector<RiverStroke>();
  draw_rivers(drawing, strokes, style);
  if (const InlandWater water(land, context); !water.empty() && !tells_of_water(shown))
    draw_lakes(drawing, area, water, {}, context);
  draw_river_names(drawing, strokes, params.names, style);
}

}  // namespace

Drawing draw_map(const Terrain& land, const FigureParams& params, std::optional<double> sea_level, const Lines* rivers,
                 const Context& context) {
  const Layer& layer = figure_layer(land, params);
  const bool classes = layer.kind == LayerKind::category;
  const MapShape shape = map_shape(land.frame(), params.wanted_size());
  const ColourScale scale =
      classes ? ColourScale{ColourMap::viridis, 0, 1, layer.name, ""} : layer_scale(layer, params, context);
  const std::vector<LegendClass> legend = classes ? layer_classes(layer, params, context) : std::vector<LegendClass>{};

  const double top = figure_margin + heading_room(params.title, "");
  PlotArea area = map_area(land.frame(), shape.size);
  const double left = y_axis_room(area.y_low, area.y_high, shape.size.y);
  const Vec2 corner = params.axes ? Vec2{figure_margin + left, top} : Vec2{}, far = corner + shape.size;
  area.corner = corner;
  const double column = std::max(140.0, shape.size.y);
  const Vec2 bar{14, std::clamp(shape.size.y - 24, 100.0, 280.0)};
  const Vec2 room = classes ? classes_room(column, layer.name, legend) : colour_bar_room(bar, scale);
  const double longest = std::clamp(0.3 * shape.size.x, 40.0, 180.0), foot = x_axis_room + 6 + 34;
  const double width = std::max(
      {far.x + legend_gap + room.x + figure_margin, corner.x + longest + 110, heading_width(params.title, "")});
  const double height = std::max(far.y + foot, top + room.y) + figure_margin - 8;

  Drawing drawing = params.axes ? Drawing(std::ceil(width), std::ceil(height)) : Drawing(shape.size.x, shape.size.y);
  if (params.axes) draw_heading(drawing, params.title, "");
  const Grid<float> cells = reduced(layer, shape, context);
  std::optional<Grid<float>> shade;
  if (params.hillshade > 0) {
    figure_heights(land, "hillshade");
    shade = hillshade(land, shape, context);
  }
  drawing.picture(corner, shape.size,
                  paint(cells, layer, scale, shade ? &*shade : nullptr, params,
                        layer.name == "height" ? sea_level : std::nullopt, context),
                  false);
  if (params.contours) {
    if (classes) refuse(fmt::format("'{}' names classes, which have no contours", layer.name), "leave contours out");
    draw_contours(drawing, corner, shape, cells, scale, params.contour_step, context);
  }
  draw_waters(drawing, area, land, layer, params, rivers, context);
  if (!params.axes) return drawing;
  if (params.grid) draw_grid(drawing, area);
  draw_axes(drawing, around(area), "x (m)", "y (m)");
  draw_frame(drawing, corner, shape.size);
  const Vec2 beside{far.x + legend_gap, top};
  if (classes)
    draw_classes(drawing, beside, column, layer.name, legend);
  else
    draw_colour_bar(drawing, beside, bar, scale);
  const double metres_per_pixel = land.frame().cell.x * static_cast<double>(land.frame().width) / shape.size.x;
  const Vec2 taken = draw_scale_bar(drawing, {corner.x, far.y + x_axis_room + 8}, metres_per_pixel, longest);
  draw_north_arrow(drawing, {std::max(far.x - 8, corner.x + taken.x + 24), far.y + x_axis_room + 4}, 34);
  return drawing;
}

}  // namespace tepui

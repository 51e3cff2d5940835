#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/render/light/colour.h"
#include "tepui/render/page/contour_labels.h"
#include "tepui/render/page/contours.h"
#include "tepui/render/page/figure_parts.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

constexpr double own_side = 1100;  ///< up to here a sample keeps its own pixel
constexpr double small_side = 512;
constexpr int most_contours = 400;

/// The map's pixels, and the samples that are drawn in them.
struct MapShape {
  Vec2 size;
  int64_t width = 0, height = 0;  ///< of the samples, or fewer
};

MapShape map_shape(const Frame& frame, Vec2 asked) {
  const double finest = std::min(frame.cell.x, frame.cell.y);
  const Vec2 own{static_cast<double>(frame.width) * frame.cell.x / finest,
                 static_cast<double>(frame.height) * frame.cell.y / finest};
  const double longer = std::max(own.x, own.y);
  double scale = std::max(1.0, std::floor(small_side / longer));
  if (longer > own_side) scale = 1 / std::ceil(longer / 1024);
  if (asked.x > 0 || asked.y > 0)
    scale = std::min(asked.x > 0 ? asked.x / own.x : 1e300, asked.y > 0 ? asked.y / own.y : 1e300);
  const auto pixels = [](double v) { return std::max(1.0, std::round(v)); };
  MapShape shape;
  shape.size = {pixels(own.x * scale), pixels(own.y * scale)};
  shape.width = std::min(frame.width, static_cast<int64_t>(shape.size.x));
  shape.height = std::min(frame.height, static_cast<int64_t>(shape.size.y));
  return shape;
}

/// The class that most of a block has; of equals the lowest.
float most_frequent(std::vector<float>& block) {
  std::ranges::sort(block);
  float best = block.front();
  size_t most = 0;
  for (size_t i = 0; i < block.size();) {
    size_t end = i;
    while (end < block.size() && block[end] == block[i]) ++end;
    if (end - i > most) {
      most = end - i;
      best = block[i];
    }
    i = end;
  }
  return best;
}

/// The samples, or where there are more of them than pixels, one for each block: the mean, or the most frequent class.
Grid<float> reduced(const Layer& layer, const MapShape& shape, const Context& context) {
  const Grid<float>& in = layer.grid();
  if (in.width() == shape.width && in.height() == shape.height) return in.clone();
  Grid<float> out(shape.width, shape.height);
  parallel_chunks(shape.height, 8, context, [&](int64_t begin, int64_t end) {
    std::vector<float> block;
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < shape.width; ++x) {
        const int64_t x0 = x * in.width() / shape.width, x1 = (x + 1) * in.width() / shape.width;
        const int64_t y0 = y * in.height() / shape.height, y1 = (y + 1) * in.height() / shape.height;
        block.clear();
        double sum = 0;
        for (int64_t j = y0; j < y1; ++j)
          for (int64_t i = x0; i < x1; ++i) {
            if (layer.kind == LayerKind::category) block.push_back(in(i, j));
            sum += static_cast<double>(in(i, j));
          }
        out(x, y) = layer.kind == LayerKind::category
                        ? most_frequent(block)
                        : static_cast<float>(sum / static_cast<double>((x1 - x0) * (y1 - y0)));
      }
  });
  return out;
}

/// How bright land is beside level ground, under a sun in the north-west at 45 degrees.
Grid<float> hillshade(const Terrain& land, const MapShape& shape, const Context& context) {
  Frame frame = land.frame();
  frame.cell = {frame.cell.x * static_cast<double>(frame.width) / static_cast<double>(shape.width),
                frame.cell.y * static_cast<double>(frame.height) / static_cast<double>(shape.height)};
  frame.width = shape.width;
  frame.height = shape.height;
  const Gradient slope =
      gradient(Terrain(frame, land.relief(), reduced(land.layer("height"), shape, context)), context);
  Grid<float> shade(shape.width, shape.height);
  for (int64_t y = 0; y < shape.height; ++y)
    for (int64_t x = 0; x < shape.width; ++x) {
      const double e = static_cast<double>(slope.east(x, y)), n = static_cast<double>(slope.north(x, y));
      // The sun is at (-1, 1, sqrt 2) / 2; level ground has sqrt(1/2) of its light.
      const double light = (e - n) / 2 + std::sqrt(0.5);
      shade(x, y) = static_cast<float>(std::clamp(light / std::sqrt(1 + e * e + n * n) / std::sqrt(0.5), 0.15, 1.25));
    }
  return shade;
}

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

/// Where the map's pixels lie, in metres of the world: samples stand for the middle of their pixels.
PlotArea map_area(const Frame& frame, Vec2 size) {
  PlotArea area;
  area.size = size;
  area.x_low = frame.x(0) - 0.5 * frame.cell.x;
  area.x_high = frame.x(frame.width - 1) + 0.5 * frame.cell.x;
  area.y_low = frame.y(0) - 0.5 * frame.cell.y;
  area.y_high = frame.y(frame.height - 1) + 0.5 * frame.cell.y;
  set_common_step(area);
  return area;
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

}  // namespace

Drawing draw_map(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
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

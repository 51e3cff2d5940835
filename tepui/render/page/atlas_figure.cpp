#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/page/atlas_relief.h"
#include "tepui/render/page/class_borders.h"
#include "tepui/render/page/contours.h"
#include "tepui/render/page/figure_parts.h"
#include "tepui/render/page/font.h"
#include "tepui/render/page/lettering.h"
#include "tepui/render/page/map_water.h"
#include "tepui/render/page/river_strokes.h"
#include "tepui/render/page/smooth_line.h"

namespace tepui {

namespace {

constexpr double own_side = 1600;      ///< of the map, unless its size is given
constexpr double smallest_unit = 0.5;  ///< smaller letters could not be read
constexpr uint32_t paper_rgb = 0xf8f4ea, ink_rgb = 0x3a3530, quiet_rgb = 0x7d746a, divide_rgb = 0x86715f;
constexpr uint32_t lake_rgb = 0xb4d5e6, shore_rgb = 0x3f7aa5;

/// What is to be drawn. Lengths of the page are in units, of which a large map has 1600 on its longer side.
struct Atlas {
  PlotArea map;
  double unit = 1;
  bool has_lakes = false, has_divides = false;
  std::vector<RiverStroke> rivers;
  RiverStyle river_style;

  double highest_order() const { return rivers.empty() ? 0 : rivers.back().order; }
};

MapShape atlas_shape(const Frame& frame, Vec2 asked) {
  const Vec2 wide = asked.x > 0 || asked.y > 0 ? asked : Vec2{own_side, own_side};
  return map_shape(frame, wide);
}

/// The layer whose classes are tinted; nothing where there is none.
const Layer* tinted_layer(const Terrain& land, const FigureParams& params) {
  const Layer* layer = params.tints ? &land.layer(*params.tints) : land.find("watershed");
  if (layer == nullptr || layer->kind == LayerKind::category) return layer;
  if (params.tints)
    refuse(fmt::format("'{}' is no layer of classes, which tints need", layer->name), "for example tints = watershed");
  return nullptr;
}

/// Lines between classes, on land alone.
void draw_divides(Drawing& drawing, const Atlas& atlas, const Grid<float>& classes, const Terrain& reduced,
                  std::optional<double> sea) {
  const Grid<float>& z = reduced.height();
  const Vec2 step{atlas.map.size.x / static_cast<double>(classes.width()),
                  atlas.map.size.y / static_cast<double>(classes.height())};
  const auto dry = [&](Vec2 p) {
    const int64_t x = std::clamp<int64_t>(std::lround(p.x), 0, z.width() - 1),
                  y = std::clamp<int64_t>(std::lround(p.y), 0, z.height() - 1);
    return !sea || static_cast<double>(z(x, y)) >= *sea;
  };
  for (std::vector<Vec2>& line : class_borders(classes)) {
    smooth_line(line, 6);
    std::vector<Vec2> run;
    const auto flush = [&] {
      drawing.line(std::move(run), {divide_rgb, 0.9 * atlas.unit, false, true});
      run.clear();
    };
    for (const Vec2 p : line) {
      if (dry(p))
        run.push_back(atlas.map.corner + Vec2{(p.x + 0.5) * step.x, atlas.map.size.y - (p.y + 0.5) * step.y});
      else
        flush();
    }
    flush();
  }
}

void draw_coast(Drawing& drawing, const Atlas& atlas, const Terrain& reduced, double sea, const Context& context) {
  const Grid<float>& z = reduced.height();
  const Vec2 step{atlas.map.size.x / static_cast<double>(z.width()),
                  atlas.map.size.y / static_cast<double>(z.height())};
  for (ContourLine& line : contour_lines(z, {sea}, context)) {
    for (Vec2& p : line.points)
      p = atlas.map.corner + Vec2{(p.x + 0.5) * step.x, atlas.map.size.y - (p.y + 0.5) * step.y};
    drawing.line(std::move(line.points), {shore_rgb, 0.9 * atlas.unit, false, true});
  }
}

void draw_rectangle(Drawing& drawing, Vec2 corner, Vec2 far, double width) {
  drawing.line({corner, {far.x, corner.y}, far, {corner.x, far.y}, corner}, {ink_rgb, width});
}

/// A fine line at the map, coordinates around it, and a heavy line around those.
void draw_frame(Drawing& drawing, const Atlas& atlas, double band) {
  const double u = atlas.unit;
  const PlotArea& map = atlas.map;
  const Vec2 near = map.corner, far = map.corner + map.size;
  // What reaches beyond the map's edge is under the paper again.
  const double rim = 4 * u;
  drawing.rectangle({near.x - rim, near.y - rim}, {map.size.x + 2 * rim, rim}, paper_rgb);
  drawing.rectangle({near.x - rim, far.y}, {map.size.x + 2 * rim, rim}, paper_rgb);
  drawing.rectangle({near.x - rim, near.y - rim}, {rim, map.size.y + 2 * rim}, paper_rgb);
  drawing.rectangle({far.x, near.y - rim}, {rim, map.size.y + 2 * rim}, paper_rgb);
  draw_rectangle(drawing, near, far, 0.9 * u);
  const Vec2 out{band, band};
  draw_rectangle(drawing, near - out, far + out, 2.2 * u);
  draw_rectangle(drawing, near - out - Vec2{5 * u, 5 * u}, far + out + Vec2{5 * u, 5 * u}, 0.7 * u);
  const Ticks xs = axis_ticks_x(map), ys = axis_ticks_y(map);
  const Stroke tick{ink_rgb, 0.8 * u};
  const TextStyle label{10 * u, quiet_rgb, Anchor::middle};
  const double mark = 6 * u, low = band - 6 * u, room = 24 * u;
  for (const double v : xs.values) {
    const double x = map.at(v, 0).x;
    drawing.line({{x, near.y}, {x, near.y - mark}}, tick);
    drawing.line({{x, far.y}, {x, far.y + mark}}, tick);
    if (x < near.x + room || x > far.x - room) continue;
    drawing.text({x, near.y - mark - 4 * u}, tick_text(v, xs.step), label);
    drawing.text({x, far.y + low}, tick_text(v, xs.step), label);
  }
  TextStyle upright = label;
  upright.turn = 90;
  for (const double v : ys.values) {
    const double y = map.at(0, v).y;
    drawing.line({{near.x, y}, {near.x - mark, y}}, tick);
    drawing.line({{far.x, y}, {far.x + mark, y}}, tick);
    if (y < near.y + room || y > far.y - room) continue;
    drawing.text({near.x - mark - 4 * u, y}, tick_text(v, ys.step), upright);
    drawing.text({far.x + low, y}, tick_text(v, ys.step), upright);
  }
}

/// A gentle bend, as a sample of a river or a divide.
std::vector<Vec2> sample_line(Vec2 from, double wide, double high) {
  std::vector<Vec2> points;
  constexpr int steps = 24;
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps, wave = t * (1 - t) * (1 - 2 * t) * 10;
    points.push_back(from + Vec2{wide * t, -high * wave});
  }
  return points;
}

/// What the signs mean, from `right` to the left, on a line at `y`. Returns where it begins.
double draw_key(Drawing& drawing, const Atlas& atlas, double right, double y) {
  const double u = atlas.unit, wide = 38 * u, gap = 12 * u;
  const TextStyle label{10.5 * u, quiet_rgb, Anchor::middle};
  double x = right - wide;
  const auto text = [&](const std::string& words) { drawing.text({x + wide / 2, y + 24 * u}, words, label); };
  if (atlas.has_divides) {
    drawing.line(sample_line({x, y}, wide, 5 * u), {divide_rgb, 0.9 * u, false, true});
    text("divide");
    x -= wide + gap;
  }
  if (atlas.has_lakes) {
    std::vector<Vec2> shore = sample_line({x + 2 * u, y - 6 * u}, wide - 4 * u, 4 * u),
                      other = sample_line({x + 2 * u, y + 6 * u}, wide - 4 * u, 4 * u);
    std::ranges::reverse(other);
    shore.insert(shore.end(), other.begin(), other.end());
    shore.push_back(shore.front());
    drawing.area(shore, lake_rgb);
    drawing.line(shore, {shore_rgb, 0.9 * u, false, true});
    text("lake");
    x -= wide + gap;
  }
  const auto last = static_cast<int>(std::lround(std::min(atlas.highest_order(), 9.0)));
  for (int order = last; order >= 1; --order) {
    drawing.line(sample_line({x, y}, wide, 5 * u),
                 {river_rgb(order, last, atlas.river_style), river_width(order, last, atlas.river_style), false, true});
    text(fmt::format("{}", order));
    x -= wide + gap;
  }
  if (last > 0) {
    const std::string words = "river of order";
    drawing.text({x + wide, y + 24 * u}, words, {label.size, quiet_rgb, Anchor::right});
    x -= text_width(words, label.size) - wide;
  }
  return x;
}

void draw_scale(Drawing& drawing, const Atlas& atlas, Vec2 middle, double longest) {
  const double u = atlas.unit, per_pixel = (atlas.map.x_high - atlas.map.x_low) / atlas.map.size.x;
  const double metres = round_below(per_pixel * longest), wide = metres / per_pixel, thick = 3.5 * u;
  constexpr int parts = 4;
  const Vec2 corner{middle.x - wide / 2, middle.y - thick / 2};
  for (int i = 0; i < parts; i += 2)
    drawing.rectangle({corner.x + wide * i / parts, corner.y}, {wide / parts, thick}, ink_rgb);
  draw_rectangle(drawing, corner, corner + Vec2{wide, thick}, 0.7 * u);
  const TextStyle label{10.5 * u, quiet_rgb, Anchor::middle};
  drawing.text({corner.x, middle.y + 24 * u}, "0", label);
  drawing.text({corner.x + wide, middle.y + 24 * u}, length_text(metres), label);
}

/// Below the map: the title at the left, the scale, the key at the right; the title has a line of its own where it
/// would not fit between.
void draw_foot(Drawing& drawing, const Atlas& atlas, const std::string& title, double top) {
  const double u = atlas.unit, left = atlas.map.corner.x, right = left + atlas.map.size.x;
  const TextStyle style{30 * u, ink_rgb, Anchor::left};
  const double spacing = 5 * u, y = top + 30 * u;
  const double key = draw_key(drawing, atlas, right, y);
  const double wide = title.empty() ? 0 : spaced_width(title, style, spacing) + 30 * u;
  const double room = key - left - wide;
  if (!title.empty()) draw_spaced(drawing, {left, y + 14 * u}, title, style, spacing);
  if (room > 120 * u) draw_scale(drawing, atlas, {left + wide + room / 2, y}, std::min(0.7 * room, 260 * u));
}

}  // namespace

Drawing draw_atlas(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
                   const Lines* rivers, const Context& context) {
  figure_heights(land, "atlas");
  const MapShape shape = atlas_shape(land.frame(), params.wanted_size());
  Atlas atlas;
  atlas.map = map_area(land.frame(), shape.size);
  atlas.unit = std::max(std::max(shape.size.x, shape.size.y) / own_side, smallest_unit);
  const double u = atlas.unit, band = 24 * u, margin = 64 * u, foot = 72 * u;
  if (params.axes) atlas.map.corner = {margin, margin};
  atlas.map.step = round_step(std::max(atlas.map.x_high - atlas.map.x_low, atlas.map.y_high - atlas.map.y_low), 10);
  const Vec2 page = params.axes ? shape.size + Vec2{2 * margin, 2 * margin + foot} : shape.size;

  Drawing drawing(std::ceil(page.x), std::ceil(page.y), paper_rgb);
  const Layer* layer = tinted_layer(land, params);
  std::optional<Grid<float>> classes;
  if (layer != nullptr) classes = reduced(*layer, shape, context);
  drawing.picture(atlas.map.corner, shape.size,
                  paint_atlas_relief(land, shape, classes ? &*classes : nullptr, sea_level, context));
  atlas.has_divides = classes.has_value();
  const Terrain coarse = reduced_land(land, shape, context);
  if (classes) draw_divides(drawing, atlas, *classes, coarse, sea_level);
  if (sea_level) draw_coast(drawing, atlas, coarse, *sea_level, context);
  atlas.river_style.scale = 1.35 * u;
  if (rivers != nullptr) atlas.rivers = river_strokes(*rivers, atlas.map, atlas.river_style);
  draw_rivers(drawing, atlas.rivers, atlas.river_style);
  const InlandWater water(land, context);
  atlas.has_lakes = !water.empty();
  if (atlas.has_lakes) draw_lakes(drawing, atlas.map, water, {lake_rgb, shore_rgb, 0.9 * u}, context);
  draw_river_names(drawing, atlas.rivers, params.names, atlas.river_style);
  if (!params.axes) return drawing;
  draw_frame(drawing, atlas, band);
  draw_foot(drawing, atlas, params.title, atlas.map.corner.y + shape.size.y + band + 8 * u);
  return drawing;
}

}  // namespace tepui

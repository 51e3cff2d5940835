#include "tepui/render/page/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/webp.h"
#include "tepui/render/light/colour.h"
#include "tepui/render/page/figure_parts.h"
#include "tepui/render/page/layer_scale.h"
#include "tepui/terrain/statistics.h"

namespace tepui {

namespace {

constexpr double largest_plot = 8192;
constexpr double far_away = 1e12;

void check_figure(const Terrain& land, const FigureParams& params) {
  check_figure_params(params);
  if (land.layers().empty() || land.frame().width < 1 || land.frame().height < 1)
    refuse("there is no land to make a figure of: it has no layers", "name a node that makes heights");
}

}  // namespace

void describe(Fields<FigureParams>& f) {
  using P = FigureParams;
  f.about("Draw land as a figure for print");
  f.reach(Reach::whole);
  f("kind", &P::kind, {"map", "section", "wireframe", "profile", "histogram", "skyline"},
    "a coloured map, a cut through layers or rock, the land as lines, a plot along lines, how often values are; or "
    "lines "
    "as ridges against the sky");
  f("layer", &P::layer, "the layer to show (map, profile, histogram); height if not given");
  f("title", &P::title, "stands above the figure");
  f("size", &P::size, Range{0, largest_plot}, "width and height of the plot itself; 0 follows from the land")
      .slider(0, 2048)
      .unit("px");
  f("colour_map", &P::colour_map, colour_map_names(),
    "how values become colours; by_layer is difference for signed ones and else viridis; classes are coloured or grey");
  f("range", &P::range, Range{-far_away, far_away},
    "values at the ends of the colours or bins, heights of a skyline or of a cut through rock; equal ends: their own");
  f("hillshade", &P::hillshade, Range{0, 1}, "strength of a shaded relief under the map's colours");
  f("contours", &P::contours, "draw contour lines on a map");
  f("contour_step", &P::contour_step, Range{0, far_away}, "between two contours, in the layer's unit; 0: a round one");
  f("from", &P::from, Range{-far_away, far_away},
    "start of a section or profile, in metres of the world; with `to` the same: west to east through the middle")
      .unit("m");
  f("to", &P::to, Range{-far_away, far_away}, "its end").unit("m");
  f("exaggeration", &P::exaggeration, Range{0, 1000}, "heights are drawn this many times as high; 0: a round number")
      .slider(0, 10);
  f("profiles", &P::profiles, Range{1, 12}, "so many profiles from west to east, from south to north");
  f("bins", &P::bins, Range{1, 512}, "parts of a histogram").slider(8, 128);
  f("lines", &P::lines, Range{2, 256}, "of a wireframe along its longer side").slider(16, 128);
  f("view_azimuth", &P::view_azimuth, Range{-720, 720}, "whence a wireframe is seen, clockwise from north")
      .slider(0, 360);
  f("view_elevation", &P::view_elevation, Range{3, 85}, "how far down it is looked at").slider(10, 60);
  f("axes", &P::axes,
    "of a map, a skyline or a cut through rock: axes, scale and legend around it; without them the picture alone");
}

Drawing draw_figure(const Terrain& land, const FigureParams& params, const Context& context,
                    std::optional<double> sea_level, const Geology* rock) {
  check_figure(land, params);
  switch (params.kind) {
    case FigureKind::section:
      return draw_section(land, params, sea_level, rock, context);
    case FigureKind::wireframe:
      return draw_wireframe(land, params, context);
    case FigureKind::profile:
      return draw_profiles(land, params, context);
    case FigureKind::histogram:
      return draw_histogram(land, params, context);
    case FigureKind::skyline:
      refuse("a skyline shows lines, not land", "kinds map, section, wireframe, profile and histogram show land");
    case FigureKind::map:
      break;
  }
  return draw_map(land, params, sea_level, context);
}

void write_figure(const std::string& path, const Drawing& drawing, const PngText& text, const Context& context,
                  double scale) {
  context.check();
  const std::string ending = file_ending(path);
  if (ending == ".png")
    write_png(path, drawing.raster(scale), text, context);
  else if (ending == ".webp")
    write_webp(path, drawing.raster(scale), 90, text, context);
  else if (ending == ".svg")
    write_file(path, drawing.svg(text));
  else
    refuse(fmt::format("{}: a figure is written as .png, .webp or .svg", path), "for example map.svg");
}

void check_figure_params(const FigureParams& params) {
  Fields<FigureParams> fields;
  describe(fields);
  const std::vector<ParamValue> values = fields.values(params);
  for (size_t i = 0; i < values.size(); ++i) check_range(fields.table().fields[i], values[i]);
}

PlotPage plot_page(PlotArea plot, Vec2 legend, std::string note, const FigureParams& params) {
  if (!params.axes && params.title.empty()) {
    plot.corner = {};
    return {plot, std::ceil(plot.size.x), std::ceil(plot.size.y), ""};
  }
  if (!params.axes) note.clear();
  const double top = figure_margin + heading_room(params.title, note);
  const double left = params.axes ? y_axis_room(plot.y_low, plot.y_high, plot.size.y) : 0;
  plot.corner = {figure_margin + left, top};
  const bool beside = params.axes && legend.x > 0;
  const double right = plot.corner.x + plot.size.x + (beside ? legend_gap + legend.x : 8) + figure_margin;
  const double bottom = std::max(top + plot.size.y + (params.axes ? x_axis_room : 8), top + (beside ? legend.y : 0));
  const double width = std::max(right, heading_width(params.title, note));
  return {plot, std::ceil(width), std::ceil(bottom + figure_margin - 8), std::move(note)};
}

void draw_plot_page(Drawing& drawing, const PlotPage& page, const FigureParams& params, const DistanceUnit& unit) {
  draw_heading(drawing, params.title, page.note);
  if (params.axes) draw_axes(drawing, page.plot, fmt::format("distance ({})", unit.name), "height (m)");
}

const Layer& figure_layer(const Terrain& land, const FigureParams& params) {
  if (!params.layer.empty()) return land.layer(params.layer);
  const Layer* height = land.find("height");
  return height != nullptr ? *height : land.layers().front();
}

const Grid<float>& figure_heights(const Terrain& land, const char* kind) {
  const Layer* height = land.find("height");
  if (height == nullptr)
    refuse(fmt::format("a {} needs heights, and this land has only '{}'", kind, land.layers().front().name),
           "kinds map, profile and histogram show any layer");
  return height->grid();
}

Interval layer_range(const Grid<float>& cells, const Context& context) {
  const Interval none{static_cast<double>(cells.data()[0]), static_cast<double>(cells.data()[0])};
  return parallel_reduce(
      cells.size(), int64_t{1} << 16, context, none,
      [&](int64_t begin, int64_t end) {
        const auto [low, high] = std::minmax_element(cells.data() + begin, cells.data() + end);
        return Interval{static_cast<double>(*low), static_cast<double>(*high)};
      },
      [](Interval a, Interval b) {
        return Interval{std::min(a.low, b.low), std::max(a.high, b.high)};
      });
}

ColourScale layer_scale(const Layer& layer, const FigureParams& params, const Context& context) {
  if (params.range.low < params.range.high) return scale_of(layer, params.colour_map, params.range, {});
  const Interval own = layer.kind == LayerKind::mask ? Interval{0, 1} : layer_range(layer.grid(), context);
  return scale_of(layer, params.colour_map, {}, own);
}

uint32_t class_rgb(int64_t index) { return to_hex(category_colour(index)); }

uint32_t class_rgb(int64_t index, int64_t last, const FigureParams& params) {
  if (params.colour_map != ColourMap::grey) return class_rgb(index);
  return colour_at(ColourMap::grey, static_cast<double>(index) / static_cast<double>(std::max<int64_t>(last, 1)));
}

int64_t last_class(const Layer& layer, const Context& context) {
  return layer.classes > 0 ? layer.classes - 1 : static_cast<int64_t>(class_counts(layer.grid(), context).size()) - 1;
}

std::vector<LegendClass> layer_classes(const Layer& layer, const FigureParams& params, const Context& context) {
  const std::vector<int64_t> counts = class_counts(layer.grid(), context);
  std::vector<LegendClass> classes;
  const int64_t last = last_class(layer, context);
  // As on a hill: the highest class on top.
  for (size_t i = counts.size(); i-- > 0;)
    if (counts[i] > 0)
      classes.push_back({class_rgb(static_cast<int64_t>(i), last, params),
                         fmt::format("{}  ({:.1f} %)", i,
                                     100 * static_cast<double>(counts[i]) / static_cast<double>(layer.grid().size()))});
  return classes;
}

std::string line_text(const SectionLine& line) {
  // Decimetres, without exponents far from the origin.
  const auto rounded = [](double v) { return std::round(v * 10) / 10; };
  return fmt::format("({:.12g}, {:.12g}) to ({:.12g}, {:.12g}) m", rounded(line.from.x), rounded(line.from.y),
                     rounded(line.to.x), rounded(line.to.y));
}

double heading_room(const std::string& title, const std::string& note) {
  return (title.empty() ? 0 : 24) + (note.empty() ? 0 : 20);
}

double heading_width(const std::string& title, const std::string& note) {
  return 2 * figure_margin + std::max(text_width(title, ink::title, true), text_width(note, ink::tick));
}

void draw_heading(Drawing& drawing, const std::string& title, const std::string& note) {
  double y = figure_margin + 11;
  if (!title.empty()) {
    drawing.text({figure_margin, y}, title, {ink::title, ink::text, Anchor::left, true});
    y += 20;
  }
  drawing.text({figure_margin, y}, note, {ink::tick, ink::quiet});
}

double round_exaggeration(double wanted) {
  const double below = round_below(wanted);
  return 1.5 * below <= wanted ? 1.5 * below : below;
}

std::string exaggeration_text(double exaggeration) { return fmt::format("heights × {:.3g}", exaggeration); }

std::string length_text(double metres) {
  return metres >= 1000 ? fmt::format("{:.4g} km", metres / 1000) : fmt::format("{:.4g} m", metres);
}

DistanceUnit distance_unit(double longest) { return longest >= 5000 ? DistanceUnit{1000, "km"} : DistanceUnit{}; }

}  // namespace tepui

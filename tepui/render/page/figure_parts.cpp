#include "tepui/render/page/figure_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/planet/global_land.h"
#include "tepui/planet/planet_climate.h"
#include "tepui/render/light/colour.h"
#include "tepui/render/page/font.h"
#include "tepui/render/page/layer_scale.h"
#include "tepui/terrain/statistics.h"

namespace tepui {

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
  if (params.layer) return land.layer(*params.layer);
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
  if (params.range) return scale_of(layer, params.colour_map, params.range, {});
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

namespace {

/// What the classes of a planet's layers are called.
std::span<const std::string_view> class_names(const Layer& layer) {
  const auto called = [&](std::string_view name, std::span<const std::string_view> names) {
    return layer.name == name && layer.classes == static_cast<int64_t>(names.size());
  };
  if (called("climate", koppen_names)) return koppen_names;
  if (called("province", province_names)) return province_names;
  return {};
}

}  // namespace

std::vector<LegendClass> layer_classes(const Layer& layer, const FigureParams& params, const Context& context) {
  const std::vector<int64_t> counts = class_counts(layer.grid(), context);
  std::vector<LegendClass> classes;
  const int64_t last = last_class(layer, context);
  const std::span<const std::string_view> names = class_names(layer);
  // As on a hill: the highest class on top.
  for (size_t i = counts.size(); i-- > 0;)
    if (counts[i] > 0)
      classes.push_back({class_rgb(static_cast<int64_t>(i), last, params),
                         fmt::format("{}  ({:.1f} %)", i < names.size() ? std::string(names[i]) : std::to_string(i),
                                     100 * static_cast<double>(counts[i]) / static_cast<double>(layer.grid().size()))});
  return classes;
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

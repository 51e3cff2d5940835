#include "tepui/render/page/figure.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/webp.h"
#include "tepui/render/page/figure_parts.h"

namespace tepui {

namespace {

void check_figure(const Terrain& land, const FigureParams& params) {
  check_params(params);
  if (land.layers().empty() || land.frame().width < 1 || land.frame().height < 1)
    refuse("there is nothing to draw: the land has no layers", "name a node that gives heights");
}

}  // namespace

Drawing draw_figure(const Terrain& land, const FigureParams& params, const Context& context,
                    std::optional<double> sea_level, const Geology* rock, const Lines* rivers) {
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
    case FigureKind::hypsometry:
      return draw_hypsometry(land, params, context);
    case FigureKind::slope_area:
      return draw_slope_area(land, params, sea_level, context);
    case FigureKind::long_profile:
    case FigureKind::chi:
      return draw_river_profiles(land, params, sea_level, context);
    case FigureKind::skyline:
      refuse("a skyline shows lines, not land",
             "kinds map, atlas, section, wireframe, profile, histogram, hypsometry, slope_area, long_profile and chi "
             "show land");
    case FigureKind::survey:
      refuse("a survey shows lines, not land", "kind section shows a cut through land and volumes");
    case FigureKind::atlas:
      return draw_atlas(land, params, sea_level, rivers, context);
    case FigureKind::map:
      break;
  }
  return draw_map(land, params, sea_level, rivers, context);
}

bool has_numbers(FigureKind kind) {
  switch (kind) {
    case FigureKind::profile:
    case FigureKind::histogram:
    case FigureKind::hypsometry:
    case FigureKind::slope_area:
    case FigureKind::long_profile:
    case FigureKind::chi:
      return true;
    default:
      return false;
  }
}

void write_figure(const FileTarget& to, const Drawing& drawing, const PngText& text, const Context& context,
                  double scale) {
  context.check();
  const std::string ending = file_ending(to.path());
  if (ending == ".png")
    write_png(to, drawing.raster(scale), text, context);
  else if (ending == ".webp")
    write_webp(to, drawing.raster(scale), 90, text, context);
  else if (ending == ".svg")
    to.write(drawing.svg(text));
  else if (ending == ".csv" && !drawing.numbers().empty())
    to.write(drawing.numbers().csv());
  else
    refuse(fmt::format("{}: a figure is written as .png, .webp or .svg", to.path()), "for example map.svg");
}

}  // namespace tepui

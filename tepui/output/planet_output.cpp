#include <fmt/format.h>

#include <algorithm>

#include "tepui/output/info_json.h"
#include "tepui/output/kind_rows.h"
#include "tepui/output/output_kind.h"
#include "tepui/planet/planet_map.h"
#include "tepui/planet/planet_rivers.h"
#include "tepui/planet/planet_view.h"

namespace tepui {

namespace {

/// What a planet is in a few numbers. Heights are metres above the sea.
struct Outline {
  double sea = 0;        ///< share of the surface
  double ice = 0;        ///< share of the land
  double mean_land = 0;  ///< of the ground, without ice
  double lowest = 0, highest = 0;
  int plates = 1;
};

Outline outline_of(const Planet& planet) {
  const GlobalLand& land = planet.land();
  const std::vector<double> areas = cell_areas(land.mesh);
  Outline all;
  double sphere = 0, dry = 0;
  for (size_t v = 0; v < areas.size(); ++v) {
    sphere += areas[v];
    all.plates = std::max(all.plates, 1 + static_cast<int>(land.plate[v]));
    all.lowest = std::min(all.lowest, land.height[v]);
    all.highest = std::max(all.highest, land.height[v]);
    if (land.receiver[v] < 0) {
      all.sea += areas[v];
      continue;
    }
    dry += areas[v];
    all.mean_land += areas[v] * land.height[v];
    if (land.ice[v] > 0) all.ice += areas[v];
  }
  all.sea /= sphere;
  all.mean_land *= dry > 0 ? planet.height_scale() / dry : 0;
  all.ice /= dry > 0 ? dry : 1;
  all.lowest *= planet.height_scale();
  all.highest *= planet.height_scale();
  return all;
}

Drawing draw_planet(const Value& value, const FigureParams& params, const Setting& around, const Context& context) {
  constexpr int64_t usual_width = 1600;
  PlanetMapParams map;
  map.width = params.size ? std::clamp(static_cast<int64_t>(params.size->x), int64_t{16}, int64_t{16384}) : usual_width;
  const Planet& planet = get<Planet>(value);
  const Terrain land = planet_map(planet, map, context.stage("map", 0, 0.6));
  PlanetRiversParams strokes;
  strokes.width = 0;  // by their order: to scale none would be seen
  const Lines rivers = planet_rivers({}, planet, strokes, context);
  return draw_figure(land, params, context.stage("drawing", 0.6, 1), around.sea_level.value_or(0), nullptr, &rivers);
}

/// From space, where an edge is as long as it looks from a few radii away.
Mesh globe(const Value& value, int64_t cells, const Setting& around, SurfaceMemory&, const Context& context) {
  const Planet& planet = get<Planet>(value);
  PlanetViewParams view;
  view.altitude = planet.radius();
  view.whole = true;
  view.frame = ViewAxes::planet;
  view.detail = 8.0 / static_cast<double>(cells);
  return painted_mesh(planet_view(planet, view, context.stage("surface", 0, 0.6)), around,
                      context.stage("colours", 0.6, 1));
}

OrderedJson describe(const Value& value, const Context&) {
  const Planet& planet = get<Planet>(value);
  const Outline o = outline_of(planet);
  return {{"kind", "planet"},
          {"radius", planet.radius()},
          {"exaggeration", planet.data().exaggeration},
          {"level", planet.land().mesh.level},
          {"vertices", planet.land().mesh.directions.size()},
          {"plates", o.plates},
          {"sea_share", o.sea},
          {"ice_share_of_land", o.ice},
          {"mean_land", o.mean_land},
          {"lowest", o.lowest},
          {"highest", o.highest},
          {"bytes", planet.bytes()}};
}

std::string text_of(const Value& value, const Context&) {
  const Planet& planet = get<Planet>(value);
  const Outline o = outline_of(planet);
  return fmt::format(
      "a planet of radius {:.6g} km, {} plates, {:.1f} % sea, ice on {:.1f} % of the land\n"
      "land {:.0f} m high on average, up to {:.0f} m; sea floor down to {:.0f} m\n",
      planet.radius() / 1000, o.plates, 100 * o.sea, 100 * o.ice, o.mean_land, o.highest, o.lowest);
}

Interval heights_of(const Value& value, const Context&) {
  const Planet& planet = get<Planet>(value);
  const auto [low, high] = std::minmax_element(planet.land().height.begin(), planet.land().height.end());
  return {*low * planet.height_scale(), *high * planet.height_scale()};
}

}  // namespace

OutputKind planet_output() {
  return {.kind = &kind_of<Planet>(),
          .figures = {"map", "turntable"},
          .example = "planet level=6",
          .heights = heights_of,
          .picture = [](const Value& value, const PictureParams& params, const Setting&,
                        const Context& context) { return draw_picture(get<Planet>(value), params, context); },
          .draw = draw_planet,
          .surface = globe,
          .info = info_text<describe>,
          .text = text_of};
}

}  // namespace tepui

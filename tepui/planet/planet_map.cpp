#include "tepui/planet/planet_map.h"

#include <memory>
#include <string_view>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/planet_layers.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/min_max.h"

namespace tepui {

namespace {

Frame map_frame(const Planet& planet, int64_t width) {
  const double step = 360 / static_cast<double>(width), cell = planet.radius() * math::radians(step);
  Frame frame;
  frame.width = width;
  frame.height = width / 2;
  frame.cell = {cell, cell};
  frame.origin = {cell / 2, cell / 2};  // metres from 180 degrees west and the south pole
  frame.size = {cell * static_cast<double>(width - 1), cell * static_cast<double>(frame.height - 1)};
  frame.geo = std::make_shared<const Georeference>(
      Georeference{planet_crs(planet.radius()), {-180 + step / 2, -90 + step / 2}, {step, step}});
  return frame;
}

std::vector<const PlanetLayer*> chosen(PlanetLayers layers) {
  static constexpr std::string_view sets[] = {"land", "climate", "rock"};
  std::vector<const PlanetLayer*> list;
  for (const PlanetLayer& layer : planet_layers())
    if (layers == PlanetLayers::all || layer.name == "height" || layer.name == "water" ||
        layer.set == sets[static_cast<size_t>(layers)])
      list.push_back(&layer);
  return list;
}

}  // namespace

void describe(Fields<PlanetMapParams>& f) {
  using P = PlanetMapParams;
  f.about("Draw the whole planet as a map in degrees");
  f.reach(Reach::whole);
  f.example("planet level=6 | {} width=1024");
  f("width", &P::width, Range{4, 65536}, "samples around the equator; half as many from pole to pole")
      .slider(256, 8192);
  f("layers", &P::layers, {"land", "climate", "rock", "all"},
    "beside height and water: ice, snow and rivers; temperature, rain and Köppen's classes; plates and the sea floor's "
    "age; or all");
}

Terrain planet_map(const Planet& in, const PlanetMapParams& params, const Context& context) {
  const Frame frame = map_frame(in, params.width - params.width % 2);
  const SphereLocator locator(in.land().mesh);
  const std::vector<const PlanetLayer*> layers = chosen(params.layers);
  std::vector<Grid<float>> cells;
  for (size_t k = 0; k < layers.size(); ++k) cells.emplace_back(frame.width, frame.height);
  parallel_chunks(frame.height, 4, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const double north = math::radians(frame.geo->origin.y + static_cast<double>(y) * frame.geo->step.y);
      SpherePlace last = locator.at(direction_at(north, -math::pi));
      for (int64_t x = 0; x < frame.width; ++x) {
        const Vec3 direction =
            direction_at(north, math::radians(frame.geo->origin.x + static_cast<double>(x) * frame.geo->step.x));
        last = locator.from(last.triangle, direction);
        const PlanetPlace place{in, last, direction};
        for (size_t k = 0; k < layers.size(); ++k)
          cells[k](x, y) = to_cell(layers[k]->value(place) * (layers[k]->height ? in.height_scale() : 1));
      }
    }
  });
  const MinMax heights = min_max(cells.front(), Context());
  Terrain map(frame, {heights.low, heights.high}, std::move(cells.front()));
  for (size_t k = 1; k < layers.size(); ++k) {
    Layer layer = make_layer(layers[k]->name, layers[k]->unit, layers[k]->kind, std::move(cells[k]));
    if (layers[k]->classes != nullptr) layer.classes = layers[k]->classes(in);
    map = map.with(std::move(layer));
  }
  return map;
}

}  // namespace tepui

#include "tepui/planet/planet_map.h"

#include <memory>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/sphere_locator.h"

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

}  // namespace

void describe(Fields<PlanetMapParams>& f) {
  using P = PlanetMapParams;
  f.about("Draw the whole planet as a map in degrees");
  f.reach(Reach::whole);
  f.example("planet level=6 | {} width=1024");
  f("width", &P::width, Range{4, 65536}, "samples around the equator; half as many from pole to pole")
      .slider(256, 8192);
  f("layers", &P::layers, planet_layer_sets, planet_layers_doc).sweep("land", "climate", "rock");
}

Terrain planet_map(const Planet& in, const PlanetMapParams& params, const Context& context) {
  const Frame frame = map_frame(in, params.width - params.width % 2);
  const SphereLocator locator(in.land().mesh);
  PlanetLayerCells cells(in, params.layers, frame);
  parallel_chunks(frame.height, 4, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const double north = math::radians(frame.geo->origin.y + static_cast<double>(y) * frame.geo->step.y);
      SpherePlace last = locator.at(direction_at(north, -math::pi));
      for (int64_t x = 0; x < frame.width; ++x) {
        const Vec3 direction =
            direction_at(north, math::radians(frame.geo->origin.x + static_cast<double>(x) * frame.geo->step.x));
        last = locator.from(last.triangle, direction);
        cells.set(x, y, values_at(in.land(), last));
      }
    }
  });
  return std::move(cells).land();
}

}  // namespace tepui

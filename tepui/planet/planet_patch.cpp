#include "tepui/planet/planet_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/planet/place_params.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/planet_places.h"

namespace tepui {

namespace {

/// The directions of rows of a patch's samples, row by row.
std::vector<Vec3> directions_of(const Frame& frame, const PatchPlane& plane, int64_t first_row, int64_t end_row,
                                const Context& context) {
  const Vec2 middle = frame.origin + frame.size * 0.5;
  std::vector<Vec3> directions(static_cast<size_t>(frame.width * (end_row - first_row)));
  parallel_chunks(end_row - first_row, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t x = 0; x < frame.width; ++x)
        directions[static_cast<size_t>(row * frame.width + x)] =
            plane.direction({frame.x(x) - middle.x, frame.y(first_row + row) - middle.y});
  });
  return directions;
}

/// Rows that are made at a time, so that a large patch does not need all of its places at once.
int64_t rows_at_once(const Frame& frame) {
  constexpr int64_t most_samples = int64_t{1} << 20;
  return std::clamp<int64_t>(most_samples / std::max<int64_t>(frame.width, 1), 1, std::max<int64_t>(frame.height, 1));
}

}  // namespace

void describe(Fields<PlanetPatchParams>& f) {
  using P = PlanetPatchParams;
  f.about("Cut a piece out of a planet, as land");
  f.reach(Reach::whole);
  f.example("planet level=6 | {} latitude=20 longitude=30 size=\"200km\"");
  describe_place(f, "of the middle");
  f("size", &P::size, open_range(0, 1e12), "of the piece's longer side; auto: the world's")
      .sweep("20km", "200km", "2000km");
  f("resolution", &P::resolution, Range{1, 32769}, "samples along the longer side; auto: the world's");
  f("layers", &P::layers, planet_layer_sets, planet_layers_doc);
}

Frame patch_frame(const Frame& world, const Planet& in, const PlanetPatchParams& params) {
  Frame frame = world;
  if (params.size || params.resolution) {
    const double scale = params.size ? params.size->in(world) / world.longer_side() : 1;
    const Vec2 size = world.size * scale;
    frame = make_world(size, params.resolution.value_or(std::max(world.width, world.height)), world.origin);
  }
  const double reach = 0.5 * std::hypot(frame.size.x, frame.size.y) / in.radius();
  if (reach > std::sqrt(2.0))
    refuse(fmt::format("a patch of {:.6g} km reaches beyond a quarter of the way around the planet",
                       frame.longer_side() / 1000),
           fmt::format("its longer side may be {:.6g} km; 'planet_map' shows the whole planet",
                       0.999 * 2 * in.radius() / 1000));
  frame.geo = std::make_shared<const Georeference>(
      Georeference{patch_crs(in.radius(), params.latitude, params.longitude), frame.size * -0.5, frame.cell});
  return frame;
}

Terrain planet_patch(const Frame& world, const Planet& in, const PlanetPatchParams& params, const Context& context) {
  const Frame frame = patch_frame(world, in, params);
  const PatchPlane plane(in.radius(), direction_at(math::radians(params.latitude), math::radians(params.longitude)));
  const PlanetPlaces known(in);
  const int level = level_at(in, std::max(frame.cell.x, frame.cell.y));
  PlanetLayerCells cells(in, params.layers, frame);
  const int64_t rows = rows_at_once(frame);
  for (int64_t first = 0; first < frame.height; first += rows) {
    const int64_t end = std::min(first + rows, frame.height);
    const std::vector<Vec3> places = directions_of(frame, plane, first, end, Context());
    const auto share = [&](int64_t row) { return static_cast<double>(row) / static_cast<double>(frame.height); };
    known.visit(
        places, level,
        [&](size_t i, const PlaceValues& values) {
          cells.set(static_cast<int64_t>(i) % frame.width, first + static_cast<int64_t>(i) / frame.width, values);
        },
        context.stage("refining", share(first), share(end)));
  }
  return std::move(cells).land();
}

}  // namespace tepui

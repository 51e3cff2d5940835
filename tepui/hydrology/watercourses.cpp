#include "tepui/hydrology/watercourses.h"

#include <utility>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/directions.h"
#include "tepui/terrain/cells.h"

namespace tepui {

Watercourses watercourses_of(WaterGround ground, Grid<uint8_t> directions, const Context& context) {
  Watercourses water{std::move(ground), std::move(directions), {}, {}, {}};
  water.basins = basins_of(water.ground, water.directions, context.stage("basins", 0, 0.5));
  water.saddles = lowest_saddles(water.ground, water.basins, context.stage("saddles", 0.5, 1));
  water.ways = ways_out(water.basins, water.saddles);
  turn_flow(water.ground, water.basins, water.saddles, water.ways, water.directions, context);
  return water;
}

Watercourses watercourses(const Terrain& land, std::optional<double> sea_level, const Context& context) {
  WaterGround ground = water_ground(land, sea_level, context.stage("ground", 0, 0.1));
  Grid<uint8_t> directions = steepest_directions(ground, context.stage("directions", 0.1, 0.4));
  return watercourses_of(std::move(ground), std::move(directions), context.stage("ways", 0.4, 1));
}

Grid<float> filled_heights(const Watercourses& water, const Context& context) {
  const int64_t w = water.ground.width(), h = water.ground.height->height();
  Grid<float> filled(w, h);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) filled.data()[i] = water.filled(i);
  });
  return filled;
}

}  // namespace tepui

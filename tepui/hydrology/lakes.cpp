#include "tepui/hydrology/lakes.h"

#include <algorithm>

#include "tepui/core/parallel.h"
#include "tepui/hydrology/chosen_lakes.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/hydrology/water_layers.h"
#include "tepui/terrain/cells.h"

namespace tepui {

void describe(Fields<LakesParams>& f) {
  f.about("Fill pits with water: lakes with their depth and level");
  f.example("noise sum=ridged height=400m | {}");
  f("depth", &LakesParams::depth, Range{0, 1e6}, "lakes that are nowhere this deep are left out")
      .unit("m")
      .slider(0, 20)
      .sweep("0.5", "5", "15");
  f("area", &LakesParams::area, Range{0, 1e15}, "smaller lakes are left out; auto: those of less than four samples")
      .unit("m2")
      .slider(0, 1e6);
  describe_sea_level(f);
}

Terrain lakes(const Terrain& in, const LakesParams& params, const Context& context) {
  const ChosenLakes lakes =
      chosen_lakes(in, params.depth, params.area, params.sea_level, context.stage("lakes", 0, 0.8));
  const Grid<float>& z = in.height();
  Grid<float> level = water_levels_of(in);
  parallel_chunks(z.height(), rows_per_chunk(z.width()), context.stage("water", 0.8, 1),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin * z.width(); i < end * z.width(); ++i)
                      if (const int32_t lake = lakes.lake_at(i); lake != 0)
                        level.data()[i] = std::max(level.data()[i], lakes.water.ways.level[static_cast<size_t>(lake)]);
                  });
  return with_water(in, std::move(level), context);
}

}  // namespace tepui

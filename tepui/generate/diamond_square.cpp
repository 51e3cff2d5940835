#include "tepui/generate/diamond_square.h"

#include "tepui/generate/diamond_square_lattice.h"

namespace tepui {

Terrain diamond_square(const Frame& world, const DiamondSquareParams& params, const Context& context) {
  const auto stage = [&](double from, double to) { return context.stage("squares", from, to); };
  MinMax range{-1, 1};
  if (params.normalise == Normalise::world)
    range = min_max(diamond_square_heights(world.measuring_lattice(), params, stage(0, 0.05)), stage(0.05, 0.05));
  Grid<float> raw = diamond_square_heights(world, params, stage(0.05, 0.85));
  if (params.normalise == Normalise::samples) range = min_max(raw, stage(0.85, 0.9));
  return normalised_land(world, std::move(raw), range, params.height.in(world), stage(0.9, 1));
}

}  // namespace tepui

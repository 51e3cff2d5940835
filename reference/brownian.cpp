#include "reference/brownian.h"

#include "reference/noise.h"

namespace tepui::reference {

Terrain brownian(const Frame& world, const BrownianParams& params) {
  return noise_land(world, brownian_recipe(world, params), params.normalise, params.height.in(world));
}

}  // namespace tepui::reference

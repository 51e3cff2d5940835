#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/core/random.h"

namespace tepui {

/// An island as seen from above: metres from its shore at every sample, above 0 inside.
struct IslandOutline {
  Frame frame;
  Grid<float> inside;
  double width = 0;    ///< of the box around it, its longer side, metres
  double deepest = 0;  ///< the largest distance from the shore
};

/// Samples on the longer side of an island, whatever the world has: the same rock in a preview.
inline constexpr int64_t island_samples = 385;

/// Rings that enclose what lies inside an odd number of them.
using IslandRings = std::vector<std::vector<Vec2>>;

IslandOutline outline_of_rings(const IslandRings& rings, const Context& context);
/// Where a mask is above one half.
IslandOutline outline_of_mask(const Frame& frame, const Grid<float>& mask, const Context& context);
/// A disc of about `width` metres around a place, pulled out and bitten by noise.
IslandOutline noisy_disc(Vec2 centre, double width, double roughness, const Stream& stream, const Context& context);

}  // namespace tepui

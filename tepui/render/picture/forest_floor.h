#pragma once  // internal

#include <span>

#include "tepui/core/context.h"
#include "tepui/mesh/standing.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The land as it is below plants that stand on it as models: the shares of their layers are no canopy any more, but
/// mostly grass, and bare soil in the shade.
Terrain forest_floor(const Terrain& land, std::span<const Standing> standing, const Context& context);

}  // namespace tepui

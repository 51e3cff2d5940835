#pragma once

#include <cstdint>

#include "tepui/core/context.h"
#include "tepui/planet/fine_land.h"
#include "tepui/planet/refine_net.h"
#include "tepui/planet/refine_rules.h"

namespace tepui {

/// Adds the vertices of the edges `splits.born` to `vertices`, by the rules, and lets the old ones share their water
/// with them. `key` is that of everything drawn. Gives the number of the first new vertex.
int32_t bear_vertices(const RefineNet& net, const Splits& splits, const LevelScale& scale, uint64_t key,
                      FineVertices& vertices, const Context& context);

}  // namespace tepui

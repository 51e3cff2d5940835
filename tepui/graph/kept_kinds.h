#pragma once

#include "tepui/graph/value.h"
#include "tepui/terrain/terrain.h"

// How values are taken apart for the cache and put together again: each function adds that to the row of its kind.

namespace tepui {

Kind kept_terrain(Kind row);
Kind kept_lines(Kind row);
Kind kept_mesh(Kind row);
Kind kept_image(Kind row);
Kind kept_files(Kind row);
Kind kept_planet(Kind row);

/// What the facts of land tell of it.
TerrainOutline terrain_outline(std::string_view outline);

}  // namespace tepui

#pragma once  // internal

#include <optional>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/image.h"
#include "tepui/render/page/map_cells.h"

namespace tepui {

/// The land under an atlas's lines: relief shaded from the north-west, cool in its shadows and warm in its light, on
/// soft tints; the sea paler towards the coast.
Image paint_atlas_relief(const Terrain& land, const MapShape& shape, const Grid<float>* classes,
                         std::optional<double> sea_level, const Context& context);

/// The colour of a tint, before it is shaded.
uint32_t atlas_tint(int number);
inline constexpr int atlas_tints = 8;

}  // namespace tepui

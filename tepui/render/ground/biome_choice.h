#pragma once  // internal

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/skin.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The biome that is asked for, or else the one that the land's layers tell of: temperature and rain, ice, snow and
/// plants, soil and water, the sea; desert where there is none of them. The relief, which a part of a land shares with
/// the whole, decides rather than its samples wherever that is possible.
Biome biome_of(const Terrain& land, const SkinParams& skin, std::optional<double> sea, const Context& context);

}  // namespace tepui

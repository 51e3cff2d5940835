#pragma once  // internal

#include <optional>

#include "tepui/hydrology/ways_out.h"

namespace tepui {

/// Where all water of a land goes: the ground, the direction of every cell with the flow turned along the ways out, and
/// the basins with the levels at which they spill over.
struct Watercourses {
  WaterGround ground;
  Grid<uint8_t> directions;
  Basins basins;
  std::vector<Saddle> saddles;
  WaysOut ways;

  /// Of the lowest surface without pits: that of the lake, or the ground's.
  float filled(int64_t cell) const {
    const float z = ground.height->data()[cell], level = ways.level[static_cast<size_t>(basins.of.data()[cell])];
    return level > z ? level : z;
  }
};
/// Keeps a pointer to the land's heights.
Watercourses watercourses(const Terrain& land, std::optional<double> sea_level, const Context& context);

/// The same of ground whose directions are known up to the pits, which stay d8_none.
Watercourses watercourses_of(WaterGround ground, Grid<uint8_t> directions, const Context& context);

/// The lowest surface without pits.
Grid<float> filled_heights(const Watercourses& water, const Context& context);

}  // namespace tepui

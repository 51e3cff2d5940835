#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/hydrology/lake_measures.h"

namespace tepui {

/// The lakes of a land that are asked for.
struct ChosenLakes {
  Watercourses water;
  LakeMeasures measures;
  std::vector<uint8_t> chosen;  ///< 1 for each number of a lake that is asked for.

  /// The number of the lake that a cell lies in, of those asked for; 0 where it is dry.
  int32_t lake_at(int64_t cell) const {
    const auto basin = static_cast<size_t>(water.basins.of.data()[cell]);
    if (!(water.ways.level[basin] > water.ground.height->data()[cell])) return 0;
    const int32_t lake = water.ways.lake[basin];
    return chosen[static_cast<size_t>(lake)] != 0 ? lake : 0;
  }
};
/// Those at least `depth` metres deep somewhere, with at least `area` square metres, or four samples.
ChosenLakes chosen_lakes(const Terrain& land, double depth, std::optional<double> area, std::optional<double> sea_level,
                         const Context& context);

}  // namespace tepui

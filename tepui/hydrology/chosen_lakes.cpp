#include "tepui/hydrology/chosen_lakes.h"

namespace tepui {

ChosenLakes chosen_lakes(const Terrain& land, double depth, std::optional<double> area, std::optional<double> sea_level,
                         const Context& context) {
  ChosenLakes lakes;
  lakes.water = watercourses(land, sea_level, context.stage("basins", 0, 0.8));
  lakes.measures = lake_measures(lakes.water, context);
  lakes.chosen.resize(lakes.water.basins.count());
  const double cell = land.frame().cell.x * land.frame().cell.y;
  // Four samples, unless an area is asked for: less has no shape.
  const double least = area.value_or(4 * cell);
  for (size_t lake = 1; lake < lakes.chosen.size(); ++lake) {
    const int64_t cells = lakes.measures.cells[lake];
    lakes.chosen[lake] = cells > 0 && static_cast<double>(cells) * cell >= least &&
                         static_cast<double>(lakes.measures.deepest[lake]) >= depth;
  }
  return lakes;
}

}  // namespace tepui

#include "tepui/hydrology/specific_area.h"

#include <algorithm>
#include <cmath>

#include "tepui/hydrology/flow.h"
#include "tepui/terrain/cells.h"

namespace tepui {

Grid<float> specific_area(const Terrain& land, double exponent, const Context& context) {
  Terrain drained = land;
  if (land.find("drainage") == nullptr) {
    FlowParams params;
    params.method = FlowMethod::freeman;
    params.exponent = exponent;
    drained = flow(land, nullptr, nullptr, params, context);
  }
  Grid<float> areas = drained.layer("drainage").grid().clone();
  const double across = std::sqrt(land.frame().cell.x * land.frame().cell.y);
  for (float& a : areas.cells()) a = to_cell(std::max(a / across, across));
  return areas;
}

}  // namespace tepui

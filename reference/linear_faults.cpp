#include "reference/linear_faults.h"

#include <algorithm>

#include "tepui/generate/linear_fault_count.h"

namespace tepui::reference {

Grid<int32_t> count_linear_faults(const Frame& frame, const LinearFaultsParams& params) {
  Grid<int32_t> counts(frame.width, frame.height, 0);
  for (const LinearFault& fault : draw_linear_faults(frame, params, 0, params.faults))
    for (int64_t y = 0; y < frame.height; ++y)
      for (int64_t x = 0; x < frame.width; ++x) {
        const double east = static_cast<double>(frame.first_x + x) * frame.cell.x;
        const double north = static_cast<double>(frame.first_y + y) * frame.cell.y;
        if (fault.lifts(east, north)) ++counts(x, y);
      }
  return counts;
}

Terrain linear_faults(const Frame& world, const LinearFaultsParams& params) {
  const Grid<int32_t> counts = count_linear_faults(world, params);
  const auto range = [](const Grid<int32_t>& grid) { return std::ranges::minmax(grid.cells()); };
  const auto [low, high] = params.normalise == Normalise::samples
                               ? range(counts)
                               : range(count_linear_faults(world.measuring_lattice(), params));
  const double height = params.height.in(world);
  Grid<float> z(world.width, world.height);
  for (int64_t i = 0; i < z.size(); ++i)
    z.data()[i] =
        high > low ? static_cast<float>((counts.data()[i] - low) / static_cast<double>(high - low) * height) : 0.0f;
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui::reference

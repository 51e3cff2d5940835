#include "reference/circular_faults.h"

#include <algorithm>
#include <cmath>

#include "tepui/generate/circular_fault_sum.h"

namespace tepui::reference {

namespace {

/// The first and last index whose position can lie within `radius` of `centre`; last < first where there is none.
struct Box {
  int64_t first, last;
};
Box box(double centre, double radius, double cell, int64_t first, int64_t count) {
  const double low = std::max((centre - radius) / cell - static_cast<double>(first), 0.0);
  const double high = std::min((centre + radius) / cell - static_cast<double>(first), static_cast<double>(count - 1));
  return {static_cast<int64_t>(std::floor(low)), high < 0 ? -1 : static_cast<int64_t>(std::ceil(high))};
}

}  // namespace

Grid<double> sum_circular_faults(const Frame& frame, const CircularFaultsParams& params) {
  Grid<double> sum(frame.width, frame.height, 0.0);
  for (const auto& [centre, r] : draw_circular_faults(frame, params, 0, params.faults)) {
    const Box columns = box(centre.x, r, frame.cell.x, frame.first_x, frame.width);
    const Box rows = box(centre.y, r, frame.cell.y, frame.first_y, frame.height);
    for (int64_t y = rows.first; y <= rows.last; ++y) {
      const double dy = static_cast<double>(frame.first_y + y) * frame.cell.y - centre.y;
      for (int64_t x = columns.first; x <= columns.last; ++x) {
        const double dx = static_cast<double>(frame.first_x + x) * frame.cell.x - centre.x;
        const double s = r * r - dx * dx - dy * dy;
        if (s > 0) sum(x, y) += std::sqrt(s) / r;
      }
    }
  }
  return sum;
}

Terrain circular_faults(const Frame& world, const CircularFaultsParams& params) {
  const Grid<double> sum = sum_circular_faults(world, params);
  const auto range = [](const Grid<double>& grid) { return std::ranges::minmax(grid.cells()); };
  const auto [low, high] = params.normalise == Normalise::samples
                               ? range(sum)
                               : range(sum_circular_faults(world.measuring_lattice(), params));
  const double height = params.height.in(world);
  Grid<float> z(world.width, world.height);
  for (int64_t i = 0; i < z.size(); ++i)
    z.data()[i] = high > low ? static_cast<float>((sum.data()[i] - low) / (high - low) * height) : 0.0f;
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui::reference

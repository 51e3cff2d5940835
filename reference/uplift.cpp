#include "reference/uplift.h"

#include <algorithm>
#include <cmath>

#include "tepui/generate/uplift_mean.h"

namespace tepui::reference {

Grid<double> mean_uplift(const Frame& frame, const UpliftParams& params) {
  Grid<double> y(frame.width, frame.height, 0.0);
  for (const auto& [place, height] : draw_uplift_peaks(frame, params, 0, params.peaks))
    for (int64_t j = 0; j < frame.height; ++j)
      for (int64_t i = 0; i < frame.width; ++i) {
        const double dx = static_cast<double>(frame.first_x + i) * frame.cell.x - place.x;
        const double dy = static_cast<double>(frame.first_y + j) * frame.cell.y - place.y;
        const double influence = height - params.ruggedness * std::sqrt(dx * dx + dy * dy);
        if (influence > 0) y(i, j) += influence;
      }
  if (params.peaks > 0)
    for (double& value : y.cells()) value /= static_cast<double>(params.peaks);
  return y;
}

Terrain uplift(const Frame& world, const UpliftParams& params) {
  const Grid<double> y = mean_uplift(world, params);
  const double highest = params.normalise == Normalise::samples
                             ? *std::ranges::max_element(y.cells())
                             : *std::ranges::max_element(mean_uplift(world.measuring_lattice(), params).cells());
  const bool literal = params.normalise == Normalise::none;
  const double height = literal ? highest : params.height.in(world);
  const double scale = literal ? 1 : highest > 0 ? height / highest : 0;
  Grid<float> z(world.width, world.height);
  for (int64_t i = 0; i < z.size(); ++i) z.data()[i] = static_cast<float>(y.data()[i] * scale);
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui::reference

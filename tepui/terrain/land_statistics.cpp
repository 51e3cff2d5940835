#include "tepui/terrain/land_statistics.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"
#include "tepui/terrain/min_max.h"
#include "tepui/terrain/statistics.h"

namespace tepui {

namespace {

/// Whether a sample, or one of those within `around` of it, is void.
bool meets_void(const Grid<float>& voids, int64_t x, int64_t y, int64_t around) {
  for (int64_t j = std::max<int64_t>(y - around, 0); j <= std::min(y + around, voids.height() - 1); ++j)
    for (int64_t i = std::max<int64_t>(x - around, 0); i <= std::min(x + around, voids.width() - 1); ++i)
      if (is_void(voids(i, j))) return true;
  return false;
}

/// The cells of a layer that count, in one row.
Grid<float> counted(const Terrain& land, const Grid<float>& cells, int64_t around) {
  const Layer* voids = land.find("void");
  if (voids == nullptr) return cells.clone();
  std::vector<float> kept;
  for (int64_t y = 0; y < cells.height(); ++y)
    for (int64_t x = 0; x < cells.width(); ++x)
      if (!meets_void(voids->grid(), x, y, around)) kept.push_back(cells(x, y));
  Grid<float> row(static_cast<int64_t>(kept.size()), kept.empty() ? 0 : 1);
  std::ranges::copy(kept, row.data());
  return row;
}

void add_quantiles(const char* name, const char* unit, const Grid<float>& cells, const Context& context,
                   std::vector<LandNumber>& numbers) {
  if (cells.empty()) return;
  const std::vector<int64_t> percent{5, 25, 50, 75, 95};
  const std::vector<double> values = percentiles(cells, percent, context);
  for (size_t i = 0; i < percent.size(); ++i)
    numbers.push_back({fmt::format("{}_p{}", name, percent[i]), values[i], unit});
}

void require_heights(const Grid<float>& heights) {
  if (heights.empty()) refuse("there is no land here but voids", "fill them when the file is read");
}

std::optional<double> integral_of(const Grid<float>& heights, const Context& context) {
  const LayerStatistics facts = statistics(heights, context);
  if (!(facts.max > facts.min)) return std::nullopt;
  return (facts.mean - facts.min) / (facts.max - facts.min);
}

}  // namespace

std::vector<LandNumber> land_statistics(const Terrain& land, const Context& context) {
  const Grid<float> heights = counted(land, land.height(), 0);
  require_heights(heights);
  std::vector<LandNumber> numbers;
  add_quantiles("height", "m", heights, context.stage("heights", 0, 0.3), numbers);
  Grid<float> slopes = counted(land, slope_grid(land, context.stage("slopes", 0.3, 0.5)), 1);
  for (float& s : slopes.cells()) s = static_cast<float>(math::degrees(math::atan(static_cast<double>(s))));
  add_quantiles("slope", "deg", slopes, context.stage("slopes", 0.5, 0.8), numbers);
  if (const std::optional<double> integral = integral_of(heights, context.stage("heights", 0.8, 1)))
    numbers.push_back({"hypsometric_integral", *integral, ""});
  return numbers;
}

std::optional<double> hypsometric_integral(const Terrain& land, const Context& context) {
  const Grid<float> heights = counted(land, land.height(), 0);
  require_heights(heights);
  return integral_of(heights, context);
}

std::vector<HypsometricPoint> hypsometric_curve(const Terrain& land, int parts, const Context& context) {
  const Grid<float> heights = counted(land, land.height(), 0);
  require_heights(heights);
  const MinMax range = min_max(heights, context);
  const double low = static_cast<double>(range.low), span = static_cast<double>(range.high) - low;
  if (!(span > 0)) return {{0, 1, low}, {1, 1, low}};
  std::vector<int64_t> reaching(static_cast<size_t>(parts) + 1);
  for (const float z : heights.cells()) ++reaching[static_cast<size_t>((static_cast<double>(z) - low) / span * parts)];
  std::vector<HypsometricPoint> curve(reaching.size());
  int64_t above = 0;
  for (size_t i = reaching.size(); i-- > 0;) {
    above += reaching[i];
    const double relative = static_cast<double>(i) / parts;
    curve[i] = {relative, static_cast<double>(above) / static_cast<double>(heights.size()), low + relative * span};
  }
  return curve;
}

}  // namespace tepui

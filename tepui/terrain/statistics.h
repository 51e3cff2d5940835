#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"

namespace tepui {

/// A layer in figures. Sums are in double and in a fixed order: the same bits for any number of threads.
struct LayerStatistics {
  static constexpr size_t bins = 256;

  int64_t cells = 0;
  double min = 0, max = 0, mean = 0;
  double deviation = 0;  ///< standard deviation of the cells, not of a sample of them
  /// Nearest-rank percentiles: the lowest cell that at least so many per cent of the cells do not exceed.
  double percentile_1 = 0, percentile_5 = 0, median = 0, percentile_95 = 0, percentile_99 = 0;
  /// Cells in equal parts of [min, max]; the last part holds max. Land without relief is all in the first.
  std::array<int64_t, bins> histogram{};
};

/// Throws when there are no cells.
LayerStatistics statistics(const Grid<float>& cells, const Context& context);

/// Nearest-rank percentiles, exactly: of each percentage the lowest cell that at least so many per cent of the cells do
/// not exceed. Percentages are whole and ascend. Throws when there are no cells.
std::vector<double> percentiles(const Grid<float>& cells, const std::vector<int64_t>& percent, const Context& context);

/// Cells of class 0, 1, 2, ... up to the highest there is. Throws where a cell is no whole number from 0 to 65535.
std::vector<int64_t> class_counts(const Grid<float>& cells, const Context& context);

/// How `b` differs from `a`.
struct Comparison {
  bool equal = true;   ///< every cell has the same bits
  double max_abs = 0;  ///< of b - a
  double rmse = 0;
  double mean = 0;  ///< of b - a, signed
};

/// Throws when the sizes differ.
Comparison compare(const Grid<float>& a, const Grid<float>& b, const Context& context);

}  // namespace tepui

#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

// What the sums of many round things have in common: which rows and columns each of them touches, and positions in two
// floats each, so that kernels run in float and still tell samples apart wherever they lie in the world.

namespace tepui {

struct Disc {
  Vec2 centre;  ///< metres east and north of the world's south-west corner
  double radius = 0;
};

/// A number as the sum of two floats: differences of two of them are as precise as float allows.
struct FloatPair {
  float high, low;
};
FloatPair float_pair(double value);

struct IndexRange {
  int64_t begin, end;
};

/// Indices of the samples from `first` on, `per_metre` apart, that may lie within [low, high]; one to spare at each end
/// makes up for rounding. None where an end is not a number.
IndexRange covered(double low, double high, double per_metre, int64_t first, int64_t count);

/// Rows that are summed together.
inline constexpr int64_t rows_per_block = 16;
/// Columns that are summed together: coordinates and sums stay in the first-level cache.
inline constexpr int64_t block_columns = 2048;
/// Rows are worked on in whole vectors of at most so many floats.
inline constexpr int64_t widest_vector = 16;

/// For each block of rows the discs that touch it, in their order: those in [starts[block], starts[block + 1]).
struct DiscBins {
  std::vector<size_t> starts;
  std::vector<int32_t> discs;
};
/// Discs of radius 0 touch nothing.
DiscBins bin_by_rows(const std::vector<Disc>& discs, const Frame& frame);

/// The frame's columns, `unit` a metre east of the world's corner, padded to whole vectors.
class DiscColumns {
 public:
  DiscColumns(const Frame& frame, double unit);
  const float* high() const { return high_.data(); }
  const float* low() const { return low_.data(); }

 private:
  int64_t padded_;
  Grid<float> high_, low_;
};

}  // namespace tepui

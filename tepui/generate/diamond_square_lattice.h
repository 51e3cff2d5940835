#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/generate/diamond_square_params.h"

// What diamond_square() is made of, before it is normalised.

namespace tepui {

/// The lattices of one land: how far their points are displaced, and where samples lie between them. A point of level
/// l has whole coordinates, counted in square / 2^l from the world's south-west corner.
class DiamondSquareLattice {
 public:
  /// Of a sample's position, counted in units of square / 2^position_bits.
  static constexpr int position_bits = 36;

  /// Refuses H outside (0, 1) and squares too small for the world.
  DiamondSquareLattice(const Frame& world, const DiamondSquareParams& params);

  /// Of the sample with this global index. Shared samples of worlds of any resolution have the same position: what
  /// counts is the share of the world's side that the sample lies at, in lowest terms, and not how its cell was
  /// rounded.
  int64_t position(int64_t index, double cell) const;
  double square() const { return square_; }
  /// The level whose points these samples are, or between whose points they are interpolated.
  int level_of(const Frame& frame) const;

  /// The hash of a row of points, those of even or odd x.
  struct RowKey {
    uint32_t first, second;
  };
  RowKey row_key(int level, int64_t y, int parity) const;
  /// In [-1, 1].
  float draw(int level, int64_t x, int64_t y) const;

  /// Of the displacement in the middle of a square, and in the middle of an edge, in level 1, 2, ...
  float diamond_amplitude(int level) const { return diamond_[static_cast<size_t>(level)]; }
  float edge_amplitude(int level) const { return edge_[static_cast<size_t>(level)]; }

 private:
  Stream stream_;
  double side_;  ///< the world's longer one
  double square_;
  int levels_;
  std::vector<float> diamond_, edge_;
};

/// The land at the samples of `frame`, root corners in [-1, 1]; each sample a function of its position only.
Grid<float> diamond_square_heights(const Frame& frame, const DiamondSquareParams& params, const Context& context);

}  // namespace tepui

#pragma once

#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui {

/// A surface of bilinear patches over a grid, with the maxima of ever larger squares of patches, for casting rays:
/// Tevs, Ihrke and Seidel 2008, Maximum mipmaps for fast, accurate and scalable dynamic height field rendering.
/// Positions are in samples, heights in metres.
class HeightPyramid {
 public:
  HeightPyramid(Grid<float> height, const Context& context);

  const Grid<float>& height() const { return height_; }
  double highest() const { return highest_; }
  double height_at(double u, double v) const;

  /// The first t in [from, to] at which start + t * direction is on or under the surface. The ray must be over the grid
  /// throughout.
  std::optional<double> hit(Vec3 start, Vec3 direction, double from, double to) const;

 private:
  std::optional<double> hit_patch(Vec3 start, Vec3 direction, int64_t x, int64_t y, double from, double to) const;

  Grid<float> height_;
  std::vector<Grid<float>> maxima_;  ///< [0] is one per patch, each next one per 2 x 2 of those
  double highest_ = 0;
};

}  // namespace tepui

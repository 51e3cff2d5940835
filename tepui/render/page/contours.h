#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Where the surface through the samples has one value. Points are in samples, (0, 0) the south-west one.
struct ContourLine {
  double level = 0;
  std::vector<Vec2> points;  ///< a closed line ends where it begins
};

/// Marching squares; a saddle parts by the mean of its corners. Lines are whole: each ends at the border or closes.
std::vector<ContourLine> contour_lines(const Grid<float>& cells, const std::vector<double>& levels,
                                       const Context& context);

}  // namespace tepui

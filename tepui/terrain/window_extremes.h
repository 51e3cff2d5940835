#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/params.h"

namespace tepui {

/// The lowest and the highest of the rectangle of samples around each sample, which is clipped by the border. Extremes
/// of 1, 2, 4, ... samples are made of each other, so that the cost grows only with the logarithm of the rectangle.
struct WindowExtremes {
  Grid<float> low, high;
};
WindowExtremes window_extremes(const Grid<float>& cells, Halo reach, const Context& context);

}  // namespace tepui

#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class RoughnessMeasure { residual, deviation, difference, range };

struct RoughnessParams {
  RoughnessMeasure measure = RoughnessMeasure::residual;
  Length radius = percent(1);
};
void describe(Fields<RoughnessParams>&);

/// Adds the layer `roughness`, in metres: how uneven the land is in the square of samples that reaches `radius` along x
/// and y (rounded to cells, at least one, and clipped by the land's border):
///   residual    root mean square of what is left of the heights after taking off the plane of best fit: a smooth slope
///               is not rough (Grohmann et al. 2011)
///   deviation   standard deviation of the heights, so that slopes count
///   difference  root mean square of the differences between the sample and the others; in a window of 3 x 3 samples it
///               is the terrain ruggedness index of Riley et al. 1999 divided by the square root of 8
///   range       from the lowest to the highest (Wilson et al. 2007)
/// Heights take part rounded to a few ten-millionths of a cell. Other layers are kept.
Terrain roughness(const Terrain& in, const RoughnessParams& params, const Context& context);

}  // namespace tepui

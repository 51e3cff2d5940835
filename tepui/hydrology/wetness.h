#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct WetnessParams {
  double exponent = 1.1;
  double least_slope = 0.1;  // degrees
};
void describe(Fields<WetnessParams>&);

/// Adds the layer `wetness`: the topographic wetness index ln(a / tan(slope)) of Beven and Kirkby 1979, where a is the
/// area that drains through a metre of contour, in metres. High where water gathers and the ground is level. Areas are
/// those of the land's layer `drainage`, if it has one, else Freeman's with the exponent. Ground that is more level
/// than `least_slope` counts as if it had that slope.
Terrain wetness(const Terrain& in, const WetnessParams& params, const Context& context);

}  // namespace tepui

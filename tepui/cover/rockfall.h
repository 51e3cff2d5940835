#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/cover/soil_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Depths are whole numbers of this, so that what falls is what lies.
inline constexpr double rockfall_grain = 1.0 / 1024;

/// Walls steeper than 37 degrees, wholly from 48 on, lose `rockfall` metres, times `mask`. From the highest sample down
/// each keeps up to 5 m (1 - slope / 39 degrees) of what comes to it, and all where nothing lies lower; the rest goes
/// to the lower ones of its eight neighbours, by the square of the slope. Slopes are those of the land before, over 0.3
/// of `smoothing`. What then stands steeper than 39 degrees over a neighbour slides there. Changes `height` and adds to
/// `talus`.
Terrain rockfall(const Terrain& in, const Terrain* mask, const SoilParams& params, const Context& context);

}  // namespace tepui

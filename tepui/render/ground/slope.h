#pragma once  // internal

#include "tepui/core/vec.h"

namespace tepui {

/// The tangent of a surface's slope by its normal; that of a wall in overhangs.
float slope_of(Vec3 normal);

}  // namespace tepui

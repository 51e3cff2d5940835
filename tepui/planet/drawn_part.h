#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/planet/fine_land.h"

namespace tepui {

/// The part of a piece whose vertices have triangles, with the rivers that show among triangles of such size. `unit`:
/// m3 a year of one unit of discharge.
FineLand drawn_part(const FineLand& raw, double unit, const Context& context);

}  // namespace tepui

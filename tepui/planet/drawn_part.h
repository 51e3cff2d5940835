#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/planet/fine_land.h"

namespace tepui {

/// The part of a piece whose vertices have triangles, with the rivers that show among triangles of such size.
FineLand drawn_part(const FineLand& raw, const Context& context);

}  // namespace tepui

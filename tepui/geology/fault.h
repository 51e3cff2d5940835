#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"

namespace tepui {

enum class FaultShape {
  plane,  ///< all rock above a plane, or beyond one that stands upright
  box,    ///< a block with level top and bottom: a horst, a graben
};

struct FaultParams {
  FaultShape shape = FaultShape::plane;
  Length throw_x = metres(0), throw_y = metres(0);
  Length throw_z = percent(-4);
  Angle dip{70};
  Angle direction{90};
  Length x = metres(0), y = metres(0);
  Length elevation = metres(0);
  Length width = percent(25), length = percent(300), height = percent(300);
};
void describe(Fields<FaultParams>& f);

/// Breaks rock: what lies within a domain D is moved by the throw as one piece, and what lies outside stays. Paris et
/// al. 2019, section 4.4:
///
///   rho(p) = inside(p - throw) strictly within D, in(p) elsewhere
///
/// where `inside` is `in`, or the rock `with` where that is given, so that a fault can separate two rocks (Fig. 3).
///
/// `plane`: D = {p : n . (p - q) > 0}, q the place and n the upward normal of a plane that dips so steeply to
/// `direction`: the hanging wall. A throw downwards is a normal fault, upwards a reverse one, along the plane's level a
/// strike-slip. `box`: a block around the place, `width` along `direction`, `length` across it, `height` upright. The
/// place is x and y from the world's middle, at `elevation`.
Geology fault(const Frame& world, const Geology& in, const Geology* with, const FaultParams& params,
              const Context& context);

}  // namespace tepui

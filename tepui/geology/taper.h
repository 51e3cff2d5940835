#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"

namespace tepui {

enum class TaperAlong {
  direction,  ///< a wedge: thinner and thinner one way
  height,     ///< thinner and thinner upwards
  place,      ///< thinnest at a place
};

struct TaperParams {
  TaperAlong along = TaperAlong::direction;
  double scale = 0.35;
  Length length = percent(60);
  Angle direction{90};
  Length x = metres(0), y = metres(0);
  Length elevation = metres(0);
};
void describe(Fields<TaperParams>& f);

/// Compresses strata, or spreads them where `scale` is above 1: beds become `scale` times as thick as they were, little
/// by little over `length` L. Paris et al. 2019, section 4.3, name the operator and leave its formula open. Here
/// rho(x, y, z) = in(x, y, w), with e the `elevation`, k = 1 / scale - 1 and S(u) = u^2 (3 - 2u) of u held within
/// [0, 1]:
///
///   direction   w = e + (z - e) (1 + k S(s / L + 1/2)),   s the distance along `direction` from the place (x, y)
///   place       w = e + (z - e) (1 + k S(1 - d / L)),     d the level distance from the place
///   height      w = z + k L (u^3 - u^4 / 2),              u = (z - e) / L held within [0, 1], and above
///               w = e + L (1 + k / 2) + (z - e - L) (1 + k)
///
/// The level e stays; w rises with z everywhere, so the taper can be undone. The place is x and y from the world's
/// middle.
Geology taper(const Frame& world, const Geology& in, const TaperParams& params, const Context& context);

}  // namespace tepui

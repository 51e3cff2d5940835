#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class RockBlendMode { sum, mean, max, min, mix };

struct RockBlendParams {
  RockBlendMode mode = RockBlendMode::sum;
  double amount = 0.5;
};
void describe(Fields<RockBlendParams>& f);

/// One rock out of several, point by point: in + w (r - in), where r is
///
///   sum       of `in` and all of `with` (Paris et al. 2019, section 4.2)
///   mean      of the same
///   max, min  the hardest, the softest
///   mix       the only rock of `with`, w = `amount`
///
/// w is 1 (of a mix `amount`), times the `mask` where there is one: a layer from 0 to 1 of some land, bilinear between
/// its samples, the nearest beyond its border, the same at all heights. At w = 0 that is `in`, at w = 1 exactly r.
///
/// The rock at a point is called what `in` calls it, or else the next that calls it something; of max and min the one
/// that is hardest or softest; and where w >= 1/2, of a mix, by the other.
Geology rock_blend(const Geology& in, const std::vector<Geology>& with, const Terrain* mask,
                   const RockBlendParams& params, const Context& context);

}  // namespace tepui

#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct DifferenceParams {
  Length smooth = metres(0);
};
void describe(Fields<DifferenceParams>& f);

/// The rock of `in` that no other volume has: v = min(v_in, -v_1, -v_2, ..., T) (Wyvill et al. 1999); with f = v + T
/// that is f = min(f_in, 2T - f_i, 2T).
///
/// With `smooth` s the seam is rounded, so that it is off by s/4 where both fields are equal, and as before where they
/// differ by s; land's field grows by one a metre. All parts have the same threshold; the rock is that of `in`.
Volume difference(const Frame& world, const Volume& in, const std::vector<Volume>& with, const DifferenceParams& params,
                  const Context& context);

}  // namespace tepui

#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct IntersectionParams {
  Length smooth = metres(0);
};
void describe(Fields<IntersectionParams>& f);

/// Rock where all of the volumes have rock: v = min v_i (Wyvill et al. 1999; Paris et al. 2019, section 5.3, where the
/// text takes minimum and maximum for each other).
///
/// With `smooth` s the seam is rounded, so that it is off by s/4 where both fields are equal, and as before where they
/// differ by s; land's field grows by one a metre. All parts have the same threshold; the rock is that of `in`.
Volume intersection(const Frame& world, const Volume& in, const std::vector<Volume>& with,
                    const IntersectionParams& params, const Context& context);

}  // namespace tepui

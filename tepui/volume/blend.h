#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct BlendParams {
  double strength = 1;
};
void describe(Fields<BlendParams>& f);

/// Lets volumes run into each other: f = f_in + strength sum f_i (Wyvill et al. 1999; Paris et al. 2019, section 5.3).
/// Rock swells where they meet, also where none of them had enough field alone. With a strength below 0 they carve. All
/// parts have the same threshold; the rock is that of `in`.
Volume blend(const Volume& in, const std::vector<Volume>& with, const BlendParams& params, const Context& context);

}  // namespace tepui

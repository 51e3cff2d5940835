#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Exactly one of the two, or the port `like`, says what to resample to.
struct ResampleParams {
  std::optional<int> resolution{};  // samples on the longer side
  std::optional<Length> cell{};     // between samples
};
void describe(Fields<ResampleParams>&);

/// The same land on other samples: those of `like`, or square cells over the same rectangle. A crop becomes a world of
/// its own, so that `resolution` counts its samples.
///
/// Along each axis, where samples lie farther apart than before, each is the mean of what its cell covers, weighted by
/// area; where they lie closer, cubic convolution (Keys 1981, Eq. 4 with a = -1/2) goes through the old samples, with
/// the land continued in a straight line at its border. Classes take the largest area (of equals the lowest class) or
/// the nearest sample; masks stay within 0 to 1, and a cell of `void` is 1
/// where more than half of it was, else 0, so that about as much of the land stays void. Relief is kept, and every
/// place keeps its geographic position. Samples up to one old cell outside the old ones repeat the border; farther ones
/// are refused.
Terrain resample(const Terrain& in, const Terrain* like, const ResampleParams& params, const Context& context);

}  // namespace tepui

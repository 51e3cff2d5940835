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

/// Where land that lies on `from` is brought to; `like` is the frame of the land on that port.
Frame resampled_frame(const Frame& from, const Frame* like, const ResampleParams& params);
/// The samples of `from` that a window of the land brought to `to` depends on.
Frame resampled_source(const Frame& from, const Frame& to, const Frame& window);
/// The window of land brought from `from` to `to`, with the bits it has there; `part` is the source that it depends on,
/// or more.
Terrain resampled_window(const Terrain& part, const Frame& from, const Frame& to, const Frame& window,
                         const Context& context);

}  // namespace tepui

#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// A painted picture as a mask over the world.
struct ReadMaskParams {
  FilePath file;
  std::optional<int> band{};  ///< Which of its channels, from 1; not given: the first.
  Interval range{0, 1};       ///< The shades that become 0 and 1; black is 0, white is 1.
  bool invert = false;
};
void describe(Fields<ReadMaskParams>& f);

/// Land with the one layer `mask`: 0 where the picture is black, 1 where it is white, unless `range` says otherwise.
/// Its corner pixels lie on the world's corners, whatever its size: north is at its top, and what has another shape
/// than the world is stretched, with a warning. Pixels that are transparent select nothing. The file is a PNG, or holds
/// numbers from 0 to 1 (EXR, NPY).
Terrain read_mask(const Frame& world, const ReadMaskParams& params, const Context& context);

}  // namespace tepui

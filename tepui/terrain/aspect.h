#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct AspectParams {
  std::optional<Length> distance{};  // not given: to the next samples
};
void describe(Fields<AspectParams>&);

/// Adds the layer `aspect`: where the slope faces, downhill, in degrees clockwise from north in [0, 360), and -1 on
/// level ground. Horn 1981, with samples `distance` apart (derivatives.h). Other layers are kept.
Terrain aspect(const Terrain& in, const AspectParams& params, const Context& context);

}  // namespace tepui

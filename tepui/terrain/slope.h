#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class SlopeUnit { degrees, percent, tangent };

struct SlopeParams {
  SlopeUnit unit = SlopeUnit::degrees;
  std::optional<Length> distance{};  // not given: to the next samples
};
void describe(Fields<SlopeParams>&);

/// Adds the layer `slope`: how steep the land is, in degrees from level, in per cent (100 is 45 degrees) or as the
/// tangent of the angle. Horn 1981, with samples `distance` apart (derivatives.h). Other layers are kept.
Terrain slope(const Terrain& in, const SlopeParams& params, const Context& context);

}  // namespace tepui

#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct HillshadeParams {
  Angle azimuth{315};
  Angle altitude{45};
  double exaggeration = 1;
  bool multidirectional = false;
  std::optional<Length> distance{};  // not given: to the next samples
};
void describe(Fields<HillshadeParams>&);

/// Adds the layer `hillshade`: from 0 to 1 how much light falls on the slope from far away, the cosine of the angle
/// between the ground's normal (Horn 1981, with samples `distance` apart) and the light; 0 where it faces away. Nothing
/// casts a shadow. Level ground has the sine of the altitude.
///
/// `multidirectional` (Mark 1992): four lights, at 90 and 45 degrees to the left of the azimuth, at it and 45 degrees
/// to its right, each weighted by the square of the sine of the angle between it and where the slope faces, so that
/// slopes along the light show, too. (GDAL weights by the square of the cosine instead.) Other layers are kept.
Terrain hillshade(const Terrain& in, const HillshadeParams& params, const Context& context);

}  // namespace tepui

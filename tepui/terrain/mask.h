#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class MaskBy { height, relief, slope, aspect, curvature, noise };

struct MaskParams {
  MaskBy by = MaskBy::slope;
  Interval range{30, 90};     // in the unit of `by`
  double falloff = 5;         // in the unit of `by`
  Length scale = percent(5);  // of curvature and noise
  bool invert = false;
  Seed seed;  // of noise
};
void describe(Fields<MaskParams>&);

/// Adds the layer `mask`: 1 where the land's `by` is within `range`, smoothly down to 0 over `falloff` outside it. In
/// the unit of `by`:
///   height     metres
///   relief     per cent of the way from base to top
///   slope      degrees from level (Horn 1981)
///   aspect     degrees clockwise from north of where the slope faces; it wraps round: -45..45 faces north, as does
///              315..405. Level ground faces nowhere and gets 0
///   curvature  per cent: how much the ground bends over `scale`; 100 is a dome whose radius is `scale`, negative is
///              hollow (derivatives.h)
///   noise      per cent of all land that lies lower in a noise with features of size `scale`: 70..100 selects about 30
///   %
/// What lies outside of these is never selected; `invert` selects the rest. Other layers are kept.
Terrain mask(const Terrain& in, const MaskParams& params, const Context& context);

}  // namespace tepui

#pragma once

#include <optional>

#include "tepui/core/params.h"
#include "tepui/render/page/legend.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How a layer's numbers become colours, in maps and pictures alike. `own` is from its lowest to its highest value,
/// `range` what was asked for instead. `by_layer` chooses `difference` for what lies to both
/// sides of zero and is no height, such as deposits that may be worn again, `compass` from 0 to 360 degrees for aspect,
/// and viridis for all else. `difference` has
/// zero in its middle, unless a range is asked for.
ColourScale scale_of(const Layer& layer, ColourMap map, const std::optional<Interval>& range, Interval own);

/// Whether the layer's numbers are directions: 359 degrees are next to 0, and means of them mean nothing. Below 0 there
/// is no direction.
bool wraps(const Layer& layer);

/// How the resistance of rock becomes colours, in sections and pictures alike.
ColourScale rock_scale(ColourMap map);

}  // namespace tepui

#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class AccessibilityMeasure { share, light };

struct AccessibilityParams {
  AccessibilityMeasure measure = AccessibilityMeasure::share;
  Length radius = percent(10);
  int directions = 16;
};
void describe(Fields<AccessibilityParams>&);

/// Adds the layer `accessibility`, from 0 to 1: how open a place is to the sky. In each of `directions` azimuths,
/// evenly around from north on, the horizon is the steepest line of sight to the land within `radius`, at least the
/// level one:
///   share  the share of the sky's half sphere that lies above the horizon, the mean of 1 - sin(elevation): the
///   sky-view
///          factor of Zaksek et al. 2011
///   light  the same with the sky weighted by the cosine from the zenith, the mean of cos^2(elevation): the light that
///   an
///          even sky sends on level ground
/// 1 on open land and on summits, less in valleys and at the foot of walls. Along a line of sight the land is looked at
/// once for each row or column that it crosses, between two samples linearly. Beyond the border there is no land.
///
/// Where we differ: Miller 1994 calls accessibility the radius of the largest ball that touches a point and nothing
/// else. The share of the sky orders land likewise, from hollows to crests, has no unit, and needs no search for balls.
Terrain accessibility(const Terrain& in, const AccessibilityParams& params, const Context& context);

}  // namespace tepui

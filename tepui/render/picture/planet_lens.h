#pragma once  // internal

#include "tepui/render/picture/lens.h"
#include "tepui/render/picture/planet_scene.h"

namespace tepui {

/// Where a planet is looked at from, and what stands in the middle of the picture.
struct PlanetView {
  Lens lens;        ///< in metres from the planet's centre
  double altitude;  ///< metres above the ground or water below the eye
  Vec3 looked_at;   ///< unit vector towards the place in the middle, or the one nearest to the middle's ray
};

/// The view that the parameters ask for; those not given show the whole planet, or the horizon in the upper third.
PlanetView planet_view_of(const PlanetScene& scene, const PictureParams& params, double aspect);

}  // namespace tepui

#pragma once  // internal

#include "tepui/render/picture/lens.h"
#include "tepui/render/picture/planet_scene.h"

namespace tepui {

/// Where a planet is looked at from, and which way.
struct PlanetView {
  PlanetSight sight;
  Lens lens;  ///< in metres from the planet's centre; without the eye until the ground below it is known
  /// Sets the eye.
  void stand(const PlanetScene& scene);
  /// Unit vector towards the place in the middle of the picture, or that nearest to the middle's ray.
  Vec3 looked_at() const;
  double radius = 1;
};

/// The view that the parameters ask for; those not given show the whole planet, or the horizon in the upper third.
PlanetView planet_view_of(double radius, const PictureParams& params, double aspect, int rows);

}  // namespace tepui

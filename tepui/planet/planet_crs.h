#pragma once

#include <string>

#include "tepui/core/vec.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

// Reference systems of a planet, as WKT (ISO 19162) on one line.

/// Latitude and longitude in degrees on the planet's own sphere; of the Earth's radius WGS 84's (EPSG:4326), in which
/// GIS expect maps of the Earth.
std::string planet_crs(double radius);

/// Metres east and north on a plane that touches the sphere at a place: Lambert's azimuthal equal-area projection.
std::string patch_crs(double radius, double latitude, double longitude);

/// That plane.
class PatchPlane {
 public:
  PatchPlane(double radius, Vec3 centre);

  /// The direction from the planet's centre to the place that is shown at `at`, in metres from the plane's middle.
  /// Places farther out than the other side of the planet are that other side.
  Vec3 direction(Vec2 at) const;
  /// And back; of the place opposite the middle any point of the rim.
  Vec2 position(Vec3 direction) const;

 private:
  double radius_;
  Vec3 centre_;
  LocalAxes axes_;
};

}  // namespace tepui

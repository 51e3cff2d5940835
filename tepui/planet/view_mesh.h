#pragma once

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"
#include "tepui/planet/fine_land.h"
#include "tepui/planet/global_land.h"

namespace tepui {

/// What the vertices of a view lie on: the ground alone, that of seas and below ice, too; or that and the ice on it; or
/// also the water of seas and lakes.
enum class ViewSurface { ground, ice, water };

/// How a piece of refined land becomes a mesh.
struct ViewMeshSpec {
  Vec3 below{1, 0, 0};  ///< the direction of the place below the camera
  double altitude = 0;  ///< of the camera above the sea, metres of the mesh; its positions are exact near the camera
  /// Positions with x east, y north and z up, from the place below the camera at sea level; or else from the middle of
  /// the planet, with z through the pole and x through Greenwich.
  bool local = true;
  double length_scale = 1;  ///< of lengths along the ground, and the planet's radius, to those at the Earth's size
  double height_scale = 1;  ///< of heights and depths
  ViewSurface surface = ViewSurface::ice;
};

/// The land as a mesh without cracks. Its attributes are, at every vertex,
///   height       of the vertex above the sea, in metres
///   water        depth of the sea or a lake here, in metres
///   snow         share of the ground that snow covers all year
///   ice          thickness of the ice here, in metres
///   plate        the number of the plate
///   stress       along plates' borders, in metres a year; below 0 where they close
///   discharge    of the water that runs here, in m3/s
///   temperature  mean of the year, in degrees Celsius
///   season       half the difference between the warmest and the coldest month, in kelvin
///   rain         metres a year
///   slope        of the surface, a tangent
///   born_height  height of the middle of the edge on which the vertex was born: of the land before this vertex
/// so that engines can move vertices from `born_height` to `height` as they appear.
Mesh view_mesh(const GlobalLand& land, const FineLand& fine, const ViewMeshSpec& spec, const Context& context);

/// The share of a place that snow covers all year: from the altitude of the snow line up, in hollows below it, and not
/// on cliffs (Mieloszyk 2017, Eqs. 7-11). `hollow`: how far the ground lies below its surroundings, over their
/// distance.
double lasting_snow(double altitude, double snow_line, double hollow, double slope);

}  // namespace tepui

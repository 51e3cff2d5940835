#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/mesh/mesh.h"
#include "tepui/planet/planet_value.h"
#include "tepui/planet/view_mesh.h"

namespace tepui {

/// How a view's positions are meant.
enum class ViewAxes {
  local,   ///< x east, y north and z up, from sea level below the camera
  planet,  ///< from the planet's middle, z through the north pole and x through latitude 0, longitude 0
};

struct PlanetViewParams {
  double latitude = 0, longitude = 0;  // degrees
  double altitude = 2;                 // metres above what lies below the camera
  double heading = 0;                  // degrees clockwise from north
  std::optional<double> pitch{};       // degrees above the level; not given: the horizon
  std::optional<double> field_of_view{};
  double detail = 0.03;  // of the distance
  int max_level = 20;
  bool whole = false;
  ViewSurface surface = ViewSurface::ice;
  ViewAxes frame = ViewAxes::local;
};
void describe(Fields<PlanetViewParams>& f);

/// The land around a camera as one mesh without cracks, down to the horizon and the mountains beyond: an edge is split
/// while it looks longer than `detail` of its distance, up to a level. A vertex has the same place in every view that
/// has it (Mieloszyk 2017). Its attributes are those of view_mesh(), and the mesh's centre is the camera.
///
/// The camera stands `altitude` above the ground, or the ice or water on it, so it is never below. Where it looks does
/// not change the land: what lies outside of its picture is left out only if there is a `field_of_view`. Nothing is
/// coarser than the planet's own level.
Mesh planet_view(const Planet& in, const PlanetViewParams& params, const Context& context);

}  // namespace tepui

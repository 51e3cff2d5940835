#pragma once  // internal

#include <cstdint>
#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/erode/glaciers_params.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Where ice grows and where it melts, on the samples of a lattice.
struct IceClimate {
  Grid<float> snow_line;   ///< Metres: the height at which a year neither adds nor takes ice.
  Grid<float> most;        ///< Metres of ice a year that snow gives at most.
  double gradient = 6e-3;  ///< Metres of ice a year for a metre above the line.

  /// Metres of ice that a year adds at a height, or takes (Mieloszyk 2017, Eqs. 10 and 13: the balance grows with the
  /// height above the snow line).
  double balance(int64_t cell, double height) const;
};

/// The most that melts in a year, metres of ice.
inline constexpr double most_melt = 9;

/// From the layers of climate, or from a line at one height.
IceClimate ice_climate(const Terrain& land, const Lattice& lattice, const GlaciersParams& params,
                       const Context& context);

/// Halfway up a land, but for its lowest and highest fiftieth.
double usual_snow_line(const Grid<float>& heights);

/// Of a glacier through which so much ice flows, m3 a year: metres. A glacier of 1 km2 and the Great Aletsch lie on
/// these curves.
double glacier_width(double flux);
double glacier_thickness(double flux);
/// Metres a year: what flows, through a section that is two thirds of width times thickness.
double glacier_speed(double flux);

}  // namespace tepui

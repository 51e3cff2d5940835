#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

// First and second derivatives of the height. Each is exact on a plane (curvature on any quadric without a twist), up
// to the border, where land is continued in a straight line (curvature: with the bend of the samples next to it).
// Along a side of one sample (curvature: two) the land is level. Cells need not be square.

namespace tepui {

/// The metres of an operator's `distance`; 0, which means the next samples, where it is not given.
inline double distance_in(const std::optional<Length>& distance, const Frame& frame) {
  return distance ? distance->in(frame) : 0;
}

/// Metres of rise per metre towards east and north.
struct Gradient {
  Grid<float> east, north;
};

// Each takes the `distance` in metres between a sample and those that it is compared with, along x and along y, rounded
// to cells and at least one, so that the result means the same at any resolution. Samples nearer to the border than
// that are compared with the one side that reaches so far; on land too short for that, with the farther end.

/// Horn 1981, third-order finite difference: the 3x3 samples with weights 1, 2, 1.
Gradient gradient(const Terrain& land, double distance, const Context& context);
Gradient gradient(const Terrain& land, const Context& context);

/// The tangent of the slope angle: the length of the gradient.
Grid<float> slope_grid(const Terrain& land, double distance, const Context& context);
Grid<float> slope_grid(const Terrain& land, const Context& context);

/// The slope over exactly so many metres, where `slope_grid` takes the nearest number of cells: the gradients over the
/// whole cells below and above, blended by the square of the distance, as what they miss grows. So the slope is the
/// same at any resolution. Cells longer than the distance can only guess at it, from the gradients over one and over
/// two of them. At most 10^6.
Grid<float> slope_over(const Terrain& land, double metres, const Context& context);
Halo slope_over_halo(const Frame& frame, double metres);

/// Where the slope faces, downhill: degrees clockwise from north in [0, 360); -1 on level ground.
Grid<float> aspect_grid(const Terrain& land, double distance, const Context& context);
Grid<float> aspect_grid(const Terrain& land, const Context& context);

/// The samples on each side that the gradient, and so slope and aspect, depend on.
Halo gradient_halo(const Frame& frame, double distance = 0);

/// The mean of the bends along x and y, -(z_xx + z_yy)/2, in 1/m: positive on crests, negative in hollows; a flat dome
/// of radius R has 1/R. It is -(D + E) of Zevenbergen and Thorne 1987, Eqs 10 and 11.
Grid<float> curvature_grid(const Terrain& land, double distance, const Context& context);

/// The samples on each side that it depends on: at a border the bend is that of the samples next to it.
Halo curvature_halo(const Frame& frame, double distance);

}  // namespace tepui

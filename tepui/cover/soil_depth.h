#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/cover/soil.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Metres of soil at which weathering is slower by e.
inline constexpr double soil_shield = 0.5;
/// Of (S/Sc)^2 in the law of creep, which has no end where it is 1.
inline constexpr double most_creep = 0.6;

/// The law of soil in the units of its kernel.
struct SoilLaw {
  float per_x = 0, per_y = 0;  ///< over the metres between the samples of a bend
  float creep = 0;             ///< m2 a year
  float per_steepest = 0;      ///< over (tan Sc)^2
  float production = 0;        ///< P0, m a year: also the most that creep may bring
  float years = 0;             ///< t / h*, years per metre

  explicit SoilLaw(const SoilParams& params);
};

/// What soil depends on.
struct SoilGround {
  Grid<float> smooth;      ///< heights
  Grid<float> slope;       ///< its tangent
  Grid<float> resistance;  ///< of the rock; empty: 1/2
};

/// Samples between the middle and the sides of a bend in smooth land.
Halo soil_bend(const Frame& frame, double smoothing);

/// The depth of weathered soil.
Grid<float> soil_depth(const SoilGround& ground, const SoilParams& params, const Frame& frame, const Context& context);

}  // namespace tepui

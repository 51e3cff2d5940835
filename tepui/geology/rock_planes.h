#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/noise.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"

namespace tepui {

/// A sheet of harder or weaker rock around a plane.
struct RockPlane {
  Length elevation = percent(7);
  Length thickness = percent(2);
  double resistance = 0.4;
  Angle dip{0};
  Angle direction{90};
  Length x = metres(0), y = metres(0);
};
void describe(Fields<RockPlane>& f);

/// A soft stratum between harder ones.
std::vector<RockPlane> sample_planes();

struct RockPlanesParams {
  std::vector<RockPlane> planes = sample_planes();
  double base = 0.35;
  double roughness = 0.12;
  Length wavelength = percent(4);
  int octaves = 5;
  Seed seed;
};
void describe(Fields<RockPlanesParams>& f);

/// Rock that gets harder or weaker towards planes: strata without sharp boundaries, each with its own dip. Paris et al.
/// 2019, section 4.2:
///
///   rho(p) = base + sum r_i g(d_i(p) / R_i) + roughness n(p / lambda),   g(u) = (1 - u^2)^3 where |u| < 1, else 0
///
/// with d_i the distance to plane i, R_i its `thickness` (half of its r_i is left 0.454 R_i away on either side, so
/// that the stratum is about as thick as that) and n turbulence, here around 0, so that roughness neither hardens nor
/// weakens rock on the whole. A plane goes through its `elevation` at the world's middle, or `x` and `y` metres east
/// and north of it.
Geology rock_planes(const Frame& world, const RockPlanesParams& params, const Context& context);

/// The noise of its roughness.
NoiseSpec roughness_noise(const Frame& world, const RockPlanesParams& params);

}  // namespace tepui

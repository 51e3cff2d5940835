#pragma once

#include <functional>

#include "tepui/geology/fault.h"
#include "tepui/geology/fold.h"
#include "tepui/geology/rock_blend.h"
#include "tepui/geology/rock_body.h"
#include "tepui/geology/rock_planes.h"
#include "tepui/geology/taper.h"
#include "tepui/geology/turbulence.h"

// The geology of Paris et al. 2019, section 4, a point at a time and in double.

namespace tepui::reference {

/// Resistance at a point, not held within [0, 1].
using Resistance = std::function<double(Vec3)>;

Resistance turbulence(const Frame& world, const TurbulenceParams& params);
Resistance rock_planes(const Frame& world, const RockPlanesParams& params);
Resistance rock_body(const Frame& world, Resistance in, const Lines* along, const RockBodyParams& params);
Resistance fold(const Frame& world, Resistance in, const FoldParams& params);
Resistance taper(const Frame& world, Resistance in, const TaperParams& params);
Resistance fault(const Frame& world, Resistance in, Resistance with, const FaultParams& params);
Resistance rock_blend(Resistance in, const std::vector<Resistance>& with, const Terrain* mask,
                      const RockBlendParams& params);

/// Where the rock at p lay before the fold.
Vec3 before_fold(const Frame& world, const FoldParams& params, Vec3 p);
/// The height at which the rock at p lay before the taper.
double height_before_taper(const Frame& world, const TaperParams& params, Vec3 p);
/// How far inside the fault's domain p lies, in metres or shares of the box; at most 0 where it is not strictly within.
double inside_fault(const Frame& world, const FaultParams& params, Vec3 p);

}  // namespace tepui::reference

#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class CurvatureKind { mean, plan, profile };

struct CurvatureParams {
  CurvatureKind kind = CurvatureKind::mean;
  std::optional<Length> distance{};  // not given: to the next samples
};
void describe(Fields<CurvatureParams>&);

/// Adds how much the land bends, in 1/m, as the layer `curvature` (mean), `plan_curvature` or `profile_curvature`:
///   profile  along the line of steepest slope: positive where it steepens downhill, as on the shoulder of a hill
///   plan     at right angles to it: positive on spurs, where water parts, negative in hollows, where it gathers
///   mean     half of their sum, which is the mean over all directions: positive on crests
/// All are second derivatives of the height with their sign turned; a dome of radius R has 1/R at its top. Where the
/// land is level there is no steepest slope, and all three are the mean. Other layers are kept.
///
/// Zevenbergen and Thorne 1987: profile is as theirs, plan is theirs with its sign turned, so that all three are
/// positive where the land is convex; their own total, -2(D + E), is twice the mean. At borders the surface of the 3x3
/// samples next to them is continued.
Terrain curvature(const Terrain& in, const CurvatureParams& params, const Context& context);

}  // namespace tepui

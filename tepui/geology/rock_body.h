#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// A point of a body, from the world's middle.
struct BodyPoint {
  Length x = metres(0), y = metres(0);
  Length elevation = percent(7);
};
void describe(Fields<BodyPoint>& f);

/// Three, from west to east.
std::vector<BodyPoint> sample_points();

enum class BodyShape {
  spheres,  ///< one around every point
  curve,    ///< along the points, one after the other; two make a segment
};

struct RockBodyParams {
  BodyShape shape = BodyShape::spheres;
  std::vector<BodyPoint> points = sample_points();
  Length radius = percent(8);
  double resistance = 0.6;
};
void describe(Fields<RockBodyParams>& f);

/// A body of harder, or weaker, rock within another: spheres, a segment or a curve around which
///
///   rho(p) = in(p) + resistance g(d(p) / radius),   g(u) = (1 - u^2)^3 where u < 1, else 0
///
/// with d the distance to the nearest of them, so that bodies that touch are one and nowhere stronger. Paris et al.
/// 2019, section 4.2. Beyond the radius nothing changes. `along`, where it is given, is the curve (or the curves) in
/// place of `points`; numbers `radius` (metres) and `resistance` of a line go before the parameters. Lines with the
/// same numbers are one body, and what bodies of other numbers do adds up. Without `in` there is no other rock.
Geology rock_body(const Frame& world, const Geology* in, const Lines* along, const RockBodyParams& params,
                  const Context& context);

}  // namespace tepui

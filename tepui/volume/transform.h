#pragma once

#include "tepui/core/params.h"
#include "tepui/volume/affine.h"
#include "tepui/volume/placing.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// What a volume is turned and sized about: the middle of its box, the middle of that box's floor, or (0, 0, 0).
enum class Pivot { middle, foot, origin };
Vec3 pivot_of(const Volume& volume, Pivot pivot);

struct TransformParams {
  Vec3 move{};
  Positions positions = Positions::metres;
  Angle turn{0};
  Angle tilt{0};
  Angle tilt_direction{0};
  double scale = 1;
  bool flip = false;
  Pivot about = Pivot::middle;
};
void describe(Fields<TransformParams>& f);

/// Moves, turns, tilts and sizes a volume, or turns it upside down: v'(p) = v(q), q being the place that came to p. In
/// this order: flip (z to -z), tilt (down towards its direction, clockwise from north), turn (counter-clockwise from
/// above), scale, all about the pivot, then move. A volume's box is that of its field, which reaches beyond its rock.
///
/// The field is not scaled: rock keeps its threshold, and a larger copy has a flatter field, on which strokes and
/// erosion act as upon the small one. The rock does not move: geology is of the world.
Volume transform(const Frame& world, const Volume& in, const TransformParams& params, const Context& context);

}  // namespace tepui

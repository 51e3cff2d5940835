#pragma once

#include <vector>

#include "tepui/terrain/lines.h"
#include "tepui/volume/transform.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// One copy.
struct Copy {
  Vec3 at{50, 50, 0};
  Angle turn{0};
  double scale = 1;
};
void describe(Fields<Copy>& f);

enum class CopyJoin { unite, blend };

struct InstancesParams {
  std::vector<Copy> copies{{{30, 30, 0}, {0}, 0.6},
                           {{66, 28, 0}, {70}, 0.45},
                           {{50, 52, 0}, {140}, 0.7},
                           {{28, 68, 0}, {210}, 0.4},
                           {{70, 70, 0}, {280}, 0.5}};
  Positions positions = Positions::percent;
  Heights heights = Heights::ground;
  Pivot about = Pivot::foot;
  CopyJoin join = CopyJoin::unite;
  double scale = 1;
  Interval scales{1, 1};
  bool turned = false;
  Seed seed;
};
void describe(Fields<InstancesParams>& f);

/// Copies of a volume, which all share its tree: a copy costs a place, a turn and a size. Their pivot comes to each
/// place of `copies`, or, where lines are given, to every point of those `along` instead. Fields of copies that meet
/// are united, v = max v_i, or blended, f = sum f_i. Where land is given in `onto`, heights may be counted from its
/// ground, and the copies are joined to it likewise; rock and threshold are then those of the land. As in `transform`
/// fields are not scaled, and the rock does not move.
///
/// `scales` and `turned` vary copies at random: by a factor, and around the vertical.
Volume instances(const Frame& world, const Volume& in, const Volume* onto, const Lines* along,
                 const InstancesParams& params, const Context& context);

/// Where a copy's pivot goes, and how it is turned and sized.
struct Placement {
  Vec3 at;
  double turn = 0, scale = 1;
};

/// The node behind it.
SolidPointer copies_of(SolidPointer part, Vec3 pivot, const std::vector<Placement>& places, CopyJoin join,
                       double threshold);

}  // namespace tepui

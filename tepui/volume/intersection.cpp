#include "tepui/volume/intersection.h"

#include "tepui/volume/csg.h"
#include "tepui/volume/csg_operator.h"

namespace tepui {

void describe(Fields<IntersectionParams>& f) {
  f.about("Keep only the rock that all volumes have in common");
  f.reach(Reach::point);
  f.example("circular_faults | implicitize | transform flip=true | {} with=implicitize");
  f("smooth", &IntersectionParams::smooth, Range{0, 1e6},
    "width over which the seam is rounded; at most twice the threshold")
      .slider(0, 15)
      .sweep("0", "4", "12");
}

Volume intersection(const Frame& world, const Volume& in, const std::vector<Volume>& with,
                    const IntersectionParams& params, const Context&) {
  return csg_of(Csg::intersected, in, with, params.smooth.in(world));
}

}  // namespace tepui

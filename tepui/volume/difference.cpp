#include "tepui/volume/difference.h"

#include "tepui/volume/csg.h"
#include "tepui/volume/csg_operator.h"

namespace tepui {

void describe(Fields<DifferenceParams>& f) {
  f.about("Subtract other volumes from one");
  f.reach(Reach::point);
  f.example(
      "circular_faults | implicitize | transform turn=45 scale=0.6 move=[0,0,60] | {} in=implicitize with=transform");
  f("smooth", &DifferenceParams::smooth, Range{0, 1e6},
    "width over which the seam is rounded; at most twice the threshold")
      .slider(0, 15)
      .sweep("0", "4", "12");
}

Volume difference(const Frame& world, const Volume& in, const std::vector<Volume>& with, const DifferenceParams& params,
                  const Context&) {
  return csg_of(Csg::subtracted, in, with, params.smooth.in(world));
}

}  // namespace tepui

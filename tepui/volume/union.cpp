#include "tepui/volume/union.h"

#include "tepui/volume/csg.h"
#include "tepui/volume/csg_operator.h"

namespace tepui {

void describe(Fields<UnionParams>& f) {
  f.about("Unite volumes: rock wherever any of them has rock");
  f.reach(Reach::point);
  f.example("circular_faults | implicitize | transform turn=45 scale=0.6 move=[0,0,60] | {} with=implicitize");
  f("smooth", &UnionParams::smooth, Range{0, 1e6}, "width over which the seam is rounded; at most twice the threshold")
      .slider(0, 15)
      .sweep("0", "4", "12");
}

Volume unite(const Frame& world, const Volume& in, const std::vector<Volume>& with, const UnionParams& params,
             const Context&) {
  return csg_of(Csg::united, in, with, params.smooth.in(world));
}

}  // namespace tepui

#include "tepui/volume/blend.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/csg.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/tree.h"

namespace tepui {

void describe(Fields<BlendParams>& f) {
  f.about("Blend volumes smoothly by adding their fields");
  f.reach(Reach::point);
  f.example("circular_faults | implicitize | transform turn=45 scale=0.6 move=[0,0,60] | {} with=implicitize");
  f("strength", &BlendParams::strength, Range{-100, 100}, "weight of the other volumes; negative: they carve")
      .slider(-2, 2)
      .sweep("-0.5", "0.5", "1");
}

Volume blend(const Volume& in, const std::vector<Volume>& with, const BlendParams& params, const Context&) {
  if (!std::isfinite(params.strength)) refuse("'strength' is not a number");
  std::vector<SolidPointer> parts{in.share()};
  Volume all = in;
  for (const Volume& other : with) {
    require_same_threshold(in, other);
    if (params.strength == 0) continue;
    parts.push_back(times(other.share(), params.strength, in.threshold()));
    all = all.with_part(other);
  }
  if (parts.size() == 1) return in;
  return all.with_root(modest_tree(blended(std::move(parts), {}, in.threshold())));
}

}  // namespace tepui

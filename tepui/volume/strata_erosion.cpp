#include "tepui/volume/strata_erosion.h"

#include <fmt/format.h>

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/exposed_erosion.h"
#include "tepui/volume/field_erosion.h"
#include "tepui/volume/tree.h"

namespace tepui {

void describe(Fields<StrataErosionParams>& f) {
  f.about("Wear back soft beds on every surface, so that hard ones stand out and overhang");
  f.reach(Reach::point);
  f.example("strata | circular_faults | implicitize | {}");
  f("depth", &StrataErosionParams::depth, Range{0, 1e6}, "depth that exposed rock without resistance loses")
      .slider(0, 14)
      .sweep("2", "6", "12");
  f("form", &StrataErosionParams::form, {"metres", "paper"},
    "metres: the same depth on any surface, and hard beds protect what lies beneath; paper: straight down below land, "
    "less on steep faces and brush strokes; the depth must be below twice the threshold");
  describe_region(f);
}

Volume strata_erosion(const Frame& world, const Volume& in, const Geology* rock, const StrataErosionParams& params,
                      const Context&) {
  const double depth = params.depth.in(world), threshold = in.threshold();
  if (!std::isfinite(depth)) refuse("'depth' is not finite");
  if (depth == 0 || in.support().empty()) return in;
  const bool paper = params.form == ErosionForm::paper;
  if (paper && !(depth < 2 * threshold))
    refuse(fmt::format("a depth of {:.4g} m would remove all rock: the threshold is {:.4g}", depth, threshold),
           fmt::format("give less than {:.4g} m, or form = metres", 2 * threshold));
  const Placing placing(world, &in, params.positions, params.heights);
  const Region region(params, placing, in.support());
  const Geology& worn = rock != nullptr ? *rock : in.rock();
  return in.with_root(modest_tree(paper ? field_erosion(in.share(), worn, region, depth, threshold)
                                        : exposed_erosion(in.share(), worn, region, depth, threshold)));
}

}  // namespace tepui

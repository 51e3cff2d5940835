#include "tepui/volume/strata_erosion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tepui/core/error.h"
#include "tepui/volume/drawn_region.h"
#include "tepui/volume/exposed_erosion.h"
#include "tepui/volume/field_erosion.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {
constexpr double deepest = 1e6;
}  // namespace

void describe(Fields<StrataErosionParams>& f) {
  f.about("Wear back soft beds on every surface, so that hard ones stand out and overhang");
  f.reach(Reach::point);
  f.example("strata | circular_faults | implicitize | {}");
  f("depth", &StrataErosionParams::depth, Range{0, deepest}, "depth that exposed rock without resistance loses")
      .slider(0, 14)
      .sweep("2", "6", "12");
  f("form", &StrataErosionParams::form, {"metres", "paper"},
    "metres: the same depth on any surface, and hard beds protect what lies beneath; paper: straight down below land, "
    "less on steep faces and brush strokes; the depth must be below twice the threshold");
  describe_region(f);
}

namespace {

/// What goes from each feature of the lines, in metres.
struct Depths {
  const Lines& lines;
  double usual;

  double of(size_t feature) const {
    const double depth = feature_number(lines, "depth", feature, usual);
    if (!(depth >= 0 && depth <= deepest))
      refuse(fmt::format("the depth {:g} m of line {} of 'region' is no depth", depth, feature),
             fmt::format("use 0 to {:g}", deepest));
    return depth;
  }
  double most() const {
    double most = 0;
    for (size_t f = 0; f < lines.features(); ++f) most = std::max(most, of(f));
    return most;
  }
};

}  // namespace

Volume strata_erosion(const Frame& world, const Volume& in, const Geology* rock, const Lines* lines,
                      const StrataErosionParams& params, const Context&) {
  double depth = params.depth.in(world);
  const double threshold = in.threshold();
  if (!std::isfinite(depth)) refuse("'depth' is not finite");
  const Placing placing(world, &in, params.positions, params.heights);
  Region region(params, placing, in.support());
  if (lines != nullptr && !lines->empty()) {
    const Depths depths{*lines, depth};
    depth = depths.most();
    const auto share = [&](size_t feature) { return depth > 0 ? depths.of(feature) / depth : 0; };
    region = region.within(std::make_shared<const DrawnRegion>(*lines, placing.length(params.falloff), share));
  }
  if (depth == 0 || in.support().empty() || (lines != nullptr && lines->empty())) return in;
  const bool paper = params.form == ErosionForm::paper;
  if (paper && !(depth < 2 * threshold))
    refuse(fmt::format("a depth of {:.4g} m would remove all rock: the threshold is {:.4g}", depth, threshold),
           fmt::format("give less than {:.4g} m, or form = metres", 2 * threshold));
  const Geology& worn = rock != nullptr ? *rock : in.rock();
  return in.with_root(modest_tree(paper ? field_erosion(in.share(), worn, region, depth, threshold)
                                        : exposed_erosion(in.share(), worn, region, depth, threshold)));
}

}  // namespace tepui

#include "tepui/generate/uplift_params.h"

namespace tepui {

void describe(Fields<UpliftParams>& f) {
  f.about("Average many cones, each an uplift of the crust: worn mountains with soft ridges above a level plain");
  reach_of_normalised(f);
  f("peaks", &UpliftParams::peaks, Range{0, 1e7}, "how many peaks; more of them wear each other down")
      .slider(0, 2000)
      .sweep("20", "150", "1000");
  f("peak_height", &UpliftParams::peak_height, Range{0, 1e6},
    "height of a peak before averaging: one length, or drawn uniformly from an interval")
      .slider(0, 100)
      .sweep("5%", "1%..20%", "10%..40%");
  f("ruggedness", &UpliftParams::ruggedness, Range{0, 1e6},
    "slope of the cones, in metres per metre: a peak of height y has a radius of y / ruggedness")
      .slider(0.2, 5)
      .sweep("0.5", "1", "3");
  f("height", &UpliftParams::height, Range{0, 1e6}, "height of the highest point, unless 'normalise' is 'none'")
      .slider(0, 50);
  f("normalise", &UpliftParams::normalise, {"world", "samples", "none"},
    "where the highest point is measured: over the whole world, on these samples, or not at all, which keeps the "
    "model's own heights");
  f.seed(&UpliftParams::seed);
}

}  // namespace tepui

#include "tepui/generate/linear_faults_params.h"

namespace tepui {

void describe(Fields<LinearFaultsParams>& f) {
  f.about("Break the land along many straight lines, raising one side of each: rough, blocky crags and scarps");
  reach_of_normalised(f);
  f("faults", &LinearFaultsParams::faults, Range{0, 1e7}, "how many faults").slider(0, 3000).sweep("10", "100", "1000");
  f("height", &LinearFaultsParams::height, Range{0, 1e6}, "height from the lowest to the highest point").slider(0, 50);
  f("normalise", &LinearFaultsParams::normalise, {"world", "samples"},
    "where the range that becomes the height is measured: over the whole world, or on these samples, as in the paper");
  f.seed(&LinearFaultsParams::seed);
}

}  // namespace tepui

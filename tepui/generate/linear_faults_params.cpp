#include "tepui/generate/linear_faults_params.h"

namespace tepui {

void describe(Fields<LinearFaultsParams>& f) {
  f.about("Break the land along many straight lines, one side of each rising: rough, blocky crags and scarps");
  reach_of_normalised(f);
  f("faults", &LinearFaultsParams::faults, Range{0, 1e7}, "how many faults").slider(0, 3000).sweep("10", "100", "1000");
  f("height", &LinearFaultsParams::height, Range{0, 1e6}, "height of the land from its lowest to its highest point")
      .slider(0, 50);
  f("normalise", &LinearFaultsParams::normalise, {"world", "samples"},
    "measure the range over the whole world, or on the samples at hand as the paper does");
  f.seed(&LinearFaultsParams::seed);
}

}  // namespace tepui

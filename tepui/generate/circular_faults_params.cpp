#include "tepui/generate/circular_faults_params.h"

namespace tepui {

void describe(Fields<CircularFaultsParams>& f) {
  f.about("Pile up many round hills, each a hemisphere: the smooth, lumpy land that table mountains are cut from");
  reach_of_normalised(f);
  f("faults", &CircularFaultsParams::faults, Range{0, 1e7}, "how many faults").slider(0, 3000);
  f("radius", &CircularFaultsParams::radius, Range{0, 1e9},
    "radius of a fault, one length or drawn evenly from an interval")
      .slider(0, 50)
      .sweep("1%..8%", "2%..20%", "5%..30%");
  f("height", &CircularFaultsParams::height, Range{0, 1e6}, "height of the land from its lowest to its highest point")
      .slider(0, 50);
  f("limit", &CircularFaultsParams::limit, {"none", "along_x", "around_centre"},
    "where centres may lie: anywhere, near the middle line along x (a row of buttes), near the centre (one butte)")
      .sweep("none", "along_x", "around_centre");
  f("distance", &CircularFaultsParams::distance, Range{0, 1e9},
    "how far from the middle line or the centre a limited centre may lie")
      .slider(0, 50);
  f("normalise", &CircularFaultsParams::normalise, {"world", "samples"},
    "measure the range over the whole world, or on the samples at hand as the paper does");
  f.seed(&CircularFaultsParams::seed);
}

}  // namespace tepui

#include "tepui/generate/circular_faults_params.h"

namespace tepui {

void describe(Fields<CircularFaultsParams>& f) {
  f.about("Pile up many hemispheres: smooth, lumpy land to cut table mountains from");
  reach_of_normalised(f);
  f("faults", &CircularFaultsParams::faults, Range{0, 1e7}, "how many faults").slider(0, 3000);
  f("radius", &CircularFaultsParams::radius, Range{0, 1e9},
    "radius of a fault: one length, or drawn uniformly from an interval")
      .slider(0, 50)
      .sweep("1%..8%", "2%..20%", "5%..30%");
  f("height", &CircularFaultsParams::height, Range{0, 1e6}, "height from the lowest to the highest point")
      .slider(0, 50);
  f("limit", &CircularFaultsParams::limit, {"none", "along_x", "around_centre"},
    "where the faults' centres may lie: anywhere, near the middle line along x (a row of buttes), or near the centre "
    "(one butte)")
      .sweep("none", "along_x", "around_centre");
  f("distance", &CircularFaultsParams::distance, Range{0, 1e9},
    "with limit: how far from the middle line or the centre a fault's centre may lie")
      .slider(0, 50);
  f("normalise", &CircularFaultsParams::normalise, {"world", "samples"},
    "where the range that becomes the height is measured: over the whole world, or on these samples, as in the paper");
  f.seed(&CircularFaultsParams::seed);
}

}  // namespace tepui

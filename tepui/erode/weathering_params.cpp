#include "tepui/erode/weathering_params.h"

namespace tepui {

void describe(Fields<WeatheringParams>& f) {
  using P = WeatheringParams;
  f.about(
      "Wear back cliffs: walls shed blocks, which break down to sand and slide; adds bedrock, sediment, wear, "
      "deposits");
  f.reach(Reach::whole);
  f("retreat", &P::retreat, Range{0, 1e9},
    "distance by which the rims of the highest bare walls wear back; low, hard and buried walls wear less")
      .slider(0, 10)
      .sweep("0.5%", "1.5%", "3%")
      .age();
  f("steps", &P::steps, Range{1, most_weathering_steps}, "number of steps, instead of 'retreat'; auto: from 'retreat'")
      .slider(1, 10000)
      .age();
  f("from", &P::from, not_negative,
    "age of land that an earlier run has already weathered, in the unit of 'retreat' or in steps")
      .start_age();
  f("mode", &P::mode, {"block", "smooth"}, "blocks fall at random, or a little rock falls everywhere");
  f("pace", &P::pace, Range{1e-3, 1},
    "share of a wall's rock that falls at once; with 'retreat' in metres it only changes the grain");
  f("chance", &P::chance, Range{1e-3, 1}, "chance per step that a wall as high as the land sheds a block");
  f("spread", &P::spread, Range{0, 10}, "how much the thickness of blocks varies").slider(0, 1);
  f("reach", &P::reach, Range{0, 1e9},
    "distance over which the exposure of walls is measured, and the size of blocks; 0: one cell")
      .slider(0, 2)
      .sweep("0.3%", "0.5%", "0.9%");
  f("talus", &P::talus, Range{0, 89.9}, "slope at which debris comes to rest").sweep("0", "20", "38");
  f("cover", &P::cover, Range{0, 1e9}, "depth of loose ground at the start, if there is no layer 'sediment'");
  f.seed(&P::seed, "mode=block");
}

}  // namespace tepui

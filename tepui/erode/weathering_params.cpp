#include "tepui/erode/weathering_params.h"

namespace tepui {

void describe(Fields<WeatheringParams>& f) {
  using P = WeatheringParams;
  f.about(
      "Wear cliffs back: walls shed blocks that turn to sand, which slides; adds bedrock, sediment, wear, deposits");
  f.reach(Reach::whole);
  f("retreat", &P::retreat, Range{0, 1e9},
    "how far the rims of the highest bare walls have worn back; low, hard and buried ones less")
      .slider(0, 10)
      .sweep("0.5%", "1.5%", "3%")
      .age();
  f("steps", &P::steps, Range{1, most_weathering_steps}, "number of steps instead; auto: as 'retreat' says")
      .slider(1, 10000)
      .age();
  f("from", &P::from, not_negative, "age of a land that an earlier run left, in the unit of 'retreat' or in 'steps'")
      .start_age();
  f("mode", &P::mode, {"block", "smooth"}, "blocks that fall now and then, or a little everywhere");
  f("pace", &P::pace, Range{1e-3, 1},
    "how much of a wall's rock a fall takes; of a run in metres it only changes the grain");
  f("chance", &P::chance, Range{1e-3, 1}, "how likely a wall as high as the land falls in a step");
  f("spread", &P::spread, Range{0, 10}, "how much blocks differ in thickness").slider(0, 1);
  f("reach", &P::reach, Range{0, 1e9}, "over which distance walls stand free, and the size of blocks; 0: one cell")
      .slider(0, 2)
      .sweep("0.3%", "0.5%", "0.9%");
  f("talus", &P::talus, Range{0, 89.9}, "slope at which debris comes to rest").sweep("0", "20", "38");
  f("cover", &P::cover, Range{0, 1e9}, "depth of loose ground to begin with, where no layer 'sediment' tells it");
  f.seed(&P::seed, "mode=block");
}

}  // namespace tepui

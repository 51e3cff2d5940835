#include "tepui/erode/glaciers_params.h"

#include "tepui/hydrology/sea_level.h"

namespace tepui {

void describe(Fields<GlaciersParams>& f) {
  using P = GlaciersParams;
  f.about("Let glaciers carve troughs, cirques and hanging valleys and leave moraines; shown under ice or after it");
  f.reach(Reach::whole);
  f.example("noise sum=ridged height=1200m | stream_power | {} snow_line=0 gradient=0.02 most_snow=10");
  f("glaciation", &P::glaciation, {"before", "height", "after"},
    "when the land is shown: before the ice age, at its height under ice, or after it")
      .sweep("before", "height", "after");
  f("snow_line", &P::snow_line, Range{-1e5, 1e5},
    "height above which more snow falls than melts; auto: by the layers of 'climate' where there are some, else "
    "halfway "
    "up the land")
      .unit("m")
      .slider(0, 4000);
  f("colder", &P::colder, Range{-50, 100}, "how much colder the ice age is than the climate, where that tells the line")
      .unit("K")
      .slider(0, 12);
  f("gradient", &P::gradient, Range{0, 1},
    "ice that a year adds for every metre above the snow line, or melts below it")
      .unit("m/yr/m")
      .slider(0.001, 0.02);
  f("most_snow", &P::most_snow, Range{0, 1000}, "the most ice that the snow of a year gives")
      .unit("m/yr")
      .slider(0.1, 4);
  f("years", &P::years, Range{0, 1e7}, "how long the ice lies: troughs become deeper, and rounder")
      .unit("yr")
      .slider(0, 200000)
      .sweep("5000", "50000", "200000");
  f("carving", &P::carving, Range{0, 100}, "how fast ice wears rock, as a multiple of what is usual; 0 carves nothing")
      .slider(0, 3)
      .sweep("0.3", "1", "2");
  f("cirques", &P::cirques, Range{0, 10}, "how large the hollows are in which glaciers begin; 0 makes none")
      .slider(0, 2);
  f("moraines", &P::moraines, Range{0, 100}, "how much of what the ice carries it lays down as moraines").slider(0, 3);
  f("variety", &P::variety, Range{0, 2}, "how much the depth of troughs differs from place to place").slider(0, 1);
  describe_sea_level(f);
  f.seed(&P::seed);
}

}  // namespace tepui

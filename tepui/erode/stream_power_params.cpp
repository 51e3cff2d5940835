#include "tepui/erode/stream_power_params.h"

#include "tepui/hydrology/sea_level.h"

namespace tepui {

void describe(Fields<StreamPowerParams>& f) {
  using P = StreamPowerParams;
  f.about("Carve valleys: rivers cut, slopes follow, floors fill; adds bedrock, sediment, wear, deposits, drainage");
  f.reach(Reach::whole);
  f.example("noise height=900m | {}");
  f("age", &P::age, Range{0, 100}, "how far erosion has come: 0 leaves the land as it is, 1 is old mountains")
      .slider(0, 1)
      .sweep("0.05", "0.3", "1")
      .age();
  f("steepness", &P::steepness, Range{1e-4, 5},
    "slope, in metres a metre, of a river that drains 1 km2; auto: as the height of the land asks for")
      .slider(0.01, 0.3)
      .sweep("0.03", "0.08", "0.15");
  f("uplift_shape", &P::uplift_shape, {"broad", "even", "none"},
    "what rises while rivers cut, where 'uplift' is not connected: the land's broad shape, all of it, or nothing");
  f("fall", &P::fall, Range{0, 1e5}, "how far the outlets sink, so that canyons are cut into land that stays")
      .slider(0, 1000);
  f("concavity", &P::concavity, Range{0.05, 1.5}, "how fast rivers become gentle downstream: m/n of K A^m S^n")
      .slider(0.3, 0.7);
  f("slope_exponent", &P::slope_exponent, Range{0.2, 5}, "n of K A^m S^n").slider(0.5, 2);
  f("talus", &P::talus, Range{0, 89.9}, "slope at which hillsides fail").slider(10, 60).sweep("20", "33", "50");
  f("creep", &P::creep, Range{0, 1e9},
    "how much soil creeps and rounds the land, D in m2 (m2 a year with 'erodibility'); auto: by the size of the world")
      .slider(0, 500);
  f("channel_head", &P::channel_head, Range{0, 1e12},
    "area that must drain to a place before water cuts a channel; auto: by the size of the world")
      .unit("m2")
      .slider(0, 1e5);
  f("valley_floor", &P::valley_floor, Range{0, 1e5}, "width of the flat floor of a valley that drains 1 km2")
      .slider(0, 200)
      .sweep("0m", "40m", "120m");
  f("deposition", &P::deposition, Range{0, 4},
    "how readily rivers lay down what they carry, as fans and plains where they come out of the mountains; 0: they "
    "carry all of it away; G of Yuan et al.")
      .slider(0, 2)
      .sweep("0", "0.6", "2");
  f("outlets", &P::outlets, {"low_edges", "all_edges", "sea", "points"},
    "where water leaves the land; auto: the sea where there is one, else the low edges");
  f("variety", &P::variety, Range{0, 2}, "how much slopes and rock differ from place to place").slider(0, 1);
  f("runoff", &P::runoff, Range{1, 1e5}, "rain that runs off, to compare 'inflow' with the land's own rivers")
      .unit("mm/yr")
      .slider(100, 2000);
  f("erodibility", &P::erodibility, Range{1e-15, 1e6},
    "K in m^(1-2m) a year, for those who think in years; auto: 'age' and 'steepness' say how far and how steep");
  f("years", &P::years, Range{0, 1e12}, "how long water works, where 'erodibility' is given").unit("yr").slider(0, 1e7);
  f("uplift_rate", &P::uplift_rate, Range{0, 1}, "highest uplift, where 'erodibility' is given").unit("m/yr");
  f("steps", &P::steps, Range{1, 1e5}, "steps of time on the coarsest samples; auto: as age asks for").slider(1, 200);
  f("levels", &P::levels, Range{1, 16},
    "how many times from coarse to fine; 1 runs the plain scheme on the land's own samples; auto: from 129 samples on");
  describe_sea_level(f);
  f.seed(&P::seed);
}

}  // namespace tepui

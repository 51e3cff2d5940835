#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct SoilParams {
  double age = 12000;        // years
  double production = 0.15;  // mm a year, of bare rock
  double creep = 3;          // m2 in 1000 years
  Angle steepest{42};
  Length smoothing = metres(50);
  double rockfall = 0;  // metres, of the steepest walls
  double runoff = 500;  // mm a year
  Seed seed;
};
void describe(Fields<SoilParams>& f);

/// What lies loose on the land, as depths in metres; the height stays what it is, they are part of it.
///
///   soil    what rock has weathered to since the `age` began with bare rock, less what crept away: thin on crests and
///           steep slopes, deep in hollows. Rock weathers at P = P0 e^(-H/h*) (Heimsath et al. 1997), h* = 0.5 m, and
///           soil creeps downhill at q = D S / (1 - (S/Sc)^2) (Roering et al. 1999), on heights smoothed over
///           `smoothing`. With c = -div q, no more than P0, the depth H from H(0) = 0 has a closed form:
///           H = h* ln u, u = e^(ct/h*) + P0 (e^(ct/h*) - 1)/c; crags keep some between them even where u < 1, so
///           that it is h*/2 ln(u^2 + 1 - e^(-2 P0 t/h*)), times 1 - (S/Sc)^4 with the slope S over 0.3 of `smoothing`.
///           P0 is that of rock of resistance 1/2 and grows by 2 (1 - resistance): that of `rock` at (x, y, height),
///           else of the layer `hardness`. Level loose `sediment` is soil at once, to 1.5 m.
///   talus   blocks: the layer `talus` that is there, and loose `sediment` where it lies steep, as at its angle of rest
///   gravel  beds, bars and banks of rivers that flow fast, and steep shores of lakes
///   mud     beds and banks of slow rivers, floors of lakes and their gentle shores
///
/// Rivers are where the layer `discharge`, or `runoff` on `drainage`, comes to 10 l/s; they are as wide as `rivers`
/// makes them, and up to three times as wide on level loose `sediment`. Lakes are where `water` stands level.
///
/// With `rockfall` walls steeper than 37 degrees, wholly from 48 on, lose that much, and blocks run down to where they
/// stay: `height` and `talus` change, and what falls is what lies, to the last 1/1024 m of a sample (rockfall.h).
///
/// `mask` scales all four layers, and what falls.
Terrain soil(const Terrain& in, const Terrain* mask, const Geology* rock, const SoilParams& params,
             const Context& context);

}  // namespace tepui

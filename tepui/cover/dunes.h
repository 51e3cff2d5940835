#pragma once

#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/cover/dune_field.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct DunesParams {
  std::optional<double> sand = {};                    // metres; auto: an 80th of `size`, or none where there is sand
  std::vector<double> wind = {270};                   // degrees clockwise from north that the winds come from
  std::optional<std::vector<double>> strengths = {};  // of each; auto: alike
  Angle spread{8};
  Length size = percent(15);
  std::optional<double> years = {};
  double transport = 20;  // m2 a year
  double heaps = 0;
  Angle repose{33};
  DuneBorder border = DuneBorder::returns;
  Seed seed = {};
};
void describe(Fields<DunesParams>& f);

/// Dunes of sand that wind moves over any land: barchans where there is little sand, ridges across the wind where there
/// is much, long dunes between two winds and stars among several.
///
/// After Werner 1995: the wind lifts sand, which hops and comes to rest sooner on sand than on rock and always in the
/// shadow behind a crest, 15 degrees deep; slopes above the angle of rest slide. Where he moves slabs of sand drawn by
/// chance, one at a time, here every cell lifts a thinner one in each round, and shares of what arrives stay
/// (dune_field.h): the same flow without its noise. More is lifted where the ground stands above its means upwind,
/// near and far, which makes small waves grow and crests move on, as the wind's speed-up over hills does (Momiji et
/// al. 2000; Sauermann et al. 2001). Before walls the wind stands and at their feet turns back: sand piles up in front
/// of them and leaves a moat (Tsoar 1983). Winds blow in turn, from any direction.
///
/// All lengths follow `size`, about the way from one dune to the next. Sand moves on samples of its own, 80 to that
/// length, whatever the land's are, so that land of any resolution has the same dunes.
///
/// Layers: `sand`, m, in quanta of size 2^-18 or less, whose sum is that of the start, less what an open border let
/// go; and `height`, the ground under it plus the sand. No sample with sand lies higher above one of its eight
/// neighbours than the angle of rest allows. A mask scales the wind; where it is 0, nothing changes.
Terrain dunes(const Terrain& in, const Terrain* mask, const DunesParams& params, const Context& context);

}  // namespace tepui

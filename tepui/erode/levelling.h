#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct LevellingParams {
  Length radius = percent(0.4);
};
void describe(Fields<LevellingParams>& f);

/// Takes the edge off steps: the mean of the point and of the mean of its neighbours, which are the other points within
/// `radius` along x and y. Warszawski et al. 2019, Eq. 9. The window is a square of k = round(radius / cell) samples
/// each way, cut off at the land's border; k = 0 along both axes returns the land as it is.
///
/// Sums run in exact integers over heights rounded to 2^-34 of the relief (coarser for windows of more than 2^22
/// samples, see levelling_precision), so that the cost does not grow with k and no crop, tile or thread count changes a
/// bit. Changes below 2 such steps are dropped: what is level stays so, and no height leaves the range there was.
Terrain levelling(const Terrain& in, const LevellingParams& params, const Context& context);

/// The samples on each side that a sample depends on.
Halo levelling_halo(const Frame& frame, const Length& radius);

/// How heights become integers; a function of the world, never of the samples at hand.
struct LevellingPrecision {
  double quantum;  ///< metres, a power of two
  double limit;    ///< heights beyond this many quanta take part as this many; at least 64 times the relief's scale
};

/// Of a window that holds at most `window` samples of a land with this relief.
LevellingPrecision levelling_precision(const Relief& relief, double window);

}  // namespace tepui

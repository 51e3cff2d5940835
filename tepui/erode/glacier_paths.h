#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"
#include "tepui/erode/glacier_flow.h"
#include "tepui/erode/glaciers_params.h"
#include "tepui/geology/geology.h"

namespace tepui {

/// A place on the middle line of a glacier, and what the trough is there.
struct GlacierPoint {
  Vec2 at;             ///< Metres of the world.
  double floor = 0;    ///< Of the trough, metres.
  double depth = 0;    ///< From the floor up to the trimline, metres.
  double half = 0;     ///< Of the trough's width at the trimline, metres.
  double flux = 0;     ///< m3 of ice a year.
  double surface = 0;  ///< Of the ice, metres.
  double carved = 0;   ///< How far the floor lies below the bed before, metres.
  double melting = 0;  ///< How far below the snow line the ice is: 0 above it, 1 from 150 m on.
};

/// A glacier from its head to its end, or to the larger one that it joins: there its last point is on the line of that.
struct GlacierPath {
  std::vector<GlacierPoint> points;  ///< At least two, downstream.
  int joins = -1;                    ///< The index of the larger one; -1: it ends.
};

/// The glaciers of a land, larger ones before those that join them. How deep they have carved follows from the speed
/// of their ice over the `years` (Humphrey and Raymond 1994: a ten thousandth of the way that the ice slides), less
/// where the rock is hard.
std::vector<GlacierPath> glacier_paths(const GlacierFlow& flow, const IceClimate& climate, const Geology* rock,
                                       const GlaciersParams& params, const Context& context);

}  // namespace tepui

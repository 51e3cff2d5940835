#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

class Streams;

struct RiversParams {
  std::optional<double> source{};  // square metres
  double runoff = 500;             // mm a year
  double width = 7.2;              // metres at 1 m3/s
  double depth = 0.27;             // metres at 1 m3/s
  int smoothing = 6;
  std::optional<double> sea_level{};
};
void describe(Fields<RiversParams>&);

/// The rivers of the land as lines that run downstream, each from its head or a meeting to the next meeting or its
/// mouth. Rivers begin where they drain the area `source`.
///
/// A line's name is that of its river: at a meeting the one that drains more keeps its name. "River 1" drains most at
/// its mouth. Attributes of a line: `order` (Strahler 1957), `length` (m), `slope` (m a m), and, at its lower end,
/// `drainage` (m2), `discharge` (m3/s), `width` and `depth` (m). Vertices have the last four as well. Discharge is that
/// of the land's layer `discharge`, if there is one, else `runoff` on the area drained; width and depth grow with its
/// powers 0.5 and 0.4 (Leopold and Maddock 1953).
///
/// Lines are smoothed so that the grid does not show, and stay within three quarters of a cell of the samples that they
/// lead over. Heights are those of the water: the ground's, or a lake's level, and never rise downstream.
Lines rivers(const Terrain& in, const RiversParams& params, const Context& context);

/// The same of streams that are known.
Lines river_lines(const Terrain& in, const Streams& streams, const RiversParams& params, const Context& context);

}  // namespace tepui

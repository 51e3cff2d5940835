#pragma once  // internal

#include <vector>

#include "tepui/core/vec.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/erode/node_warp.h"
#include "tepui/erode/stream_land.h"
#include "tepui/hydrology/inflow.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// What was drawn for rivers to follow. Each feature says what it is by its text attribute `guide`, or by its name:
///   river   water runs along the line, from its first point to its last, and leaves the land if that is at the border
///   ridge   no water crosses the line
///   height  the land keeps the heights of the line's points, linearly between them
///   outlet  water leaves the land at the point
///   inflow  a river enters there; its attribute `discharge` says how much, m3/s
struct StreamGuides {
  std::vector<std::vector<Vec3>> rivers, ridges, heights;
  std::vector<Vec3> outlets;
  std::vector<PointInflow> inflows;

  bool empty() const { return rivers.empty() && ridges.empty() && heights.empty() && outlets.empty(); }

  /// Refuses features that do not say what they are, and points outside the land.
  static StreamGuides from(const Lines& lines, const Frame& land);

  /// Puts them onto the nodes of a lattice: directions, divides, fixed heights and outlets.
  void apply(const Lattice& lattice, const NodeWarp* warp, StreamGround& ground, Grid<float>& height) const;
};

/// Raises land around heights that were drawn to what the slope `talus` carries, so that they do not stand as walls.
void support_heights(const Lattice& lattice, double talus, const StreamGround& ground, Grid<float>& height,
                     const Context& context);

/// Raises ridges that were drawn above the land beside them.
void raise_divides(const StreamGround& ground, float least, Grid<float>& height);

}  // namespace tepui

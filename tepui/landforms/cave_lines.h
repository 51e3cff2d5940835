#pragma once  // internal

#include <span>

#include "tepui/landforms/cave_network.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// The network as lines: a line for each passage from one branching to the next, of what has `grown`; then its sinks
/// and springs as points. `ground` is the height of the land above every point.
Lines cave_lines(const CaveNetwork& caves, std::span<const PercolationStart> starts, std::span<const uint8_t> grown,
                 std::span<const double> ground, std::optional<Georeference> geo);

/// What a network is like.
struct CaveFacts {
  double length = 0;  ///< Metres of all passages.
  double level = 0;   ///< Share of it that is within 20 degrees of level.
  double weak = 0;    ///< Share of it in rock of a resistance below 0.35.
};
CaveFacts cave_facts(const CaveNetwork& caves, std::span<const uint8_t> grown);

}  // namespace tepui

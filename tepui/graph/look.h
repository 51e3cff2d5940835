#pragma once

#include <optional>
#include <vector>

#include "tepui/graph/graph.h"

namespace tepui {

/// What someone looks at: a node of the graph.
struct Look {
  int node = -1;
  std::optional<Frame> frame{};  ///< of land: only these samples, of its own or of any lattice over the same world
  bool value = true;             ///< whether the value is wanted, or only what is known of it
};

/// The graph with nodes at its end for looks at some samples of a land, and which node each look means.
SharedGraph with_looks(const SharedGraph& graph, const std::vector<Look>& looks, std::vector<int>& targets);

}  // namespace tepui

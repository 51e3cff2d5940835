#pragma once

#include "tepui/graph/graph.h"

namespace tepui {

/// The same graph with at most `samples` on the longer side of its lands, for a quick look: the world has fewer, land
/// that brings its own samples is resampled, and operators that say how (Operator::coarser) take larger cells. Nodes
/// keep their numbers; those that are added come after them. Nothing where the graph is no finer than that.
SharedGraph preview_graph(const SharedGraph& graph, int64_t samples);

}  // namespace tepui

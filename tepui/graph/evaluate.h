#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tepui/graph/cache.h"
#include "tepui/graph/graph.h"
#include "tepui/graph/land_windows.h"
#include "tepui/graph/node_report.h"

namespace tepui {

struct Evaluation {
  std::vector<Value> values;      ///< one per wanted node; empty where it was not needed
  std::vector<NodeFacts> facts;   ///< one per wanted node
  std::vector<bool> cached;       ///< one per wanted node: it was known already
  std::vector<NodeReport> nodes;  ///< those that were needed, in the graph's order
};

/// Whether the value of wanted[index] itself is needed, given what is known of it. Called from any thread.
using ValueNeed = std::function<bool(size_t index, const NodeFacts& facts)>;

/// Computes the wanted nodes (indices into graph.nodes) and what they need, independent ones side by side. A node
/// whose key (operator, version, parameters, input contents, frame, file contents) is in the cache is not computed, and
/// its value not even loaded unless a node that is computed reads it, or the caller needs it. A value is let go after
/// its last reader.
Evaluation evaluate(const Graph& graph, const std::vector<int>& wanted, ValueCache& cache, const Context& context,
                    const ValueNeed& need = {});

/// The frame of the graph's world; where a node brings it, that node's, of which only the facts are needed.
Frame world_frame(const Graph& graph, ValueCache& cache, const Context& context);

/// The windows of a node's land, its sources computed or brought from the cache.
LandWindows land_windows(const Graph& graph, int node, ValueCache& cache, const Context& context);

}  // namespace tepui

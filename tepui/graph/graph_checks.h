#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tepui/core/problems.h"
#include "tepui/graph/graph.h"

namespace tepui {

/// What to do where a port wants another kind of value than it is given; "" where there is nothing to say.
using LinkHint = std::function<std::string(const Kind& given, const Kind& wanted)>;

/// Refuses links between ports of different types and nodes that feed each other in a circle.
void check_graph(const Graph& graph);
/// The same, for all problems or the first. A node without an operator is a problem that was found before.
void check_graph(const Graph& graph, Problems& problems, const LinkHint& hint = {});

/// Refuses a layer of a node that has none.
void check_layer(const Graph& graph, const Reference& reference);

/// What is allowed but hardly meant: nodes that draw the same random numbers.
std::vector<std::string> graph_warnings(const Graph& graph);

/// Warns of nodes that none of the references leads to; a stage counts for the node that it is of.
std::vector<std::string> unused_warnings(const Graph& graph, const std::vector<Reference>& used);

/// "recipe.json:3:5: message".
std::string warning_text(const Position& at, const std::string& message);

}  // namespace tepui

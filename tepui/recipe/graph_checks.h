#pragma once

#include <string>
#include <vector>

#include "tepui/recipe/recipe.h"

namespace tepui {

/// Refuses links between ports of different types and nodes that feed each other in a circle.
void check_graph(const Recipe& recipe);

/// What is allowed but hardly meant: nodes that draw the same random numbers, nodes that lead to no output.
std::vector<std::string> graph_warnings(const Recipe& recipe);

/// "recipe.json:3:5: message".
std::string warning_text(const Position& at, const std::string& message);

/// What to say where a layer is asked of a node that gives no land.
std::string no_layers(const Node& from);

}  // namespace tepui

#pragma once

#include <string>
#include <vector>

#include "tepui/graph/graph.h"

// Graphs built by a program rather than read from a recipe.

namespace tepui {

/// What feeds a port of a node: another node that is in the graph already, or one layer of its land.
struct PortInput {
  std::string port;
  int node = -1;
  std::string layer = {};
};

/// Adds a node that computes the operator and returns its index. Parameters are "name=value" as in a line of `tepui
/// make`, and those that are not given have their defaults; a list on a port is several inputs of that port. Seeds are
/// the graph's, so that it has its seed before its nodes. Refuses what a recipe would be refused for.
int add_operator(Graph& graph, const std::string& name, const std::string& op,
                 const std::vector<std::string>& params = {}, const std::vector<PortInput>& inputs = {});

/// Refuses a name that is neither a port nor a parameter of the operator.
[[noreturn]] void refuse_parameter(const Operator& op, const std::string& name, const Position& at);

/// What to do where a port wants another kind of value than it is given: "put 'implicitize' between them".
std::string link_hint(const Kind& given, const Kind& wanted);

/// Gives one parameter of a node another value: "erosion=0.8".
void set_parameter(Graph& graph, int node, const std::string& word);

}  // namespace tepui

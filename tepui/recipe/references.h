#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tepui/graph/operator.h"
#include "tepui/recipe/json_path.h"

namespace tepui {

/// A place of a recipe's text that names a node.
struct ReferencePlace {
  JsonPath path;     ///< the keys to it
  std::string text;  ///< "rock", "rock.material" or "life@20"
  Position at;
  std::string node;            ///< whose port it feeds; empty outside of nodes
  const Port* port = nullptr;  ///< none outside of nodes
};

/// All of them in the order of the text: ports, the world, outputs and their sheets. Nodes whose operator nobody knows
/// have none.
std::vector<ReferencePlace> references_of(const Json& document);

/// The node that a reference is to, without its stage and layer.
std::string_view referred_node(std::string_view reference);

/// The operator that a node's text names; nullptr where there is none of that name.
const Operator* operator_of_node(const Json& node);

}  // namespace tepui

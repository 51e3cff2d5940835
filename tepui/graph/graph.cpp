#include "tepui/graph/graph.h"

namespace tepui {

int Graph::find_node(std::string_view node_name) const {
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].name == node_name) return static_cast<int>(i);
  return -1;
}

std::vector<int> Graph::needs(int index) const {
  const Node& reader = node(index);
  std::vector<int> list;
  for (const std::vector<Reference>& port : reader.inputs)
    for (const Reference& reference : port) list.push_back(reference.node);
  if (reader.op->takes_world && world.from >= 0) list.push_back(world.from);
  return list;
}

std::vector<ParamValue> Graph::completed_params(const Node& of) const {
  std::vector<ParamValue> params = of.params;
  for (size_t i = 0; i < params.size(); ++i)
    if (of.op->params.fields[i].sea_level && world.sea_level && std::holds_alternative<Automatic>(params[i]))
      params[i] = *world.sea_level;
  return params;
}

}  // namespace tepui

#include "tepui/recipe/compose.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_words.h"
#include "tepui/recipe/stages.h"

namespace tepui {

namespace {

void put_seed(const Graph& graph, Node& node) {
  for (ParamValue& value : node.params)
    if (Seed* seed = std::get_if<Seed>(&value)) seed->recipe = graph.seed;
}

void connect(const Graph& graph, Node& node, const PortInput& input) {
  std::vector<std::string> known;
  for (const Port& port : node.op->inputs) known.push_back(port.name);
  const auto port = std::ranges::find(known, input.port);
  if (port == known.end())
    refuse(fmt::format("'{}' has no port '{}'", node.op->name, input.port), suggest_name(input.port, known));
  if (input.node < 0 || input.node >= std::ssize(graph.nodes))
    refuse(fmt::format("the graph has no node {} for port '{}' of '{}'", input.node, input.port, node.name));
  std::vector<Reference>& list = node.inputs[static_cast<size_t>(port - known.begin())];
  if (!list.empty() && !node.op->inputs[static_cast<size_t>(port - known.begin())].list)
    refuse(fmt::format("port '{}' of '{}' takes one value", input.port, node.name));
  list.push_back({input.node, input.layer, {}});
}

}  // namespace

int add_operator(Graph& graph, const std::string& name, const std::string& op, const std::vector<std::string>& params,
                 const std::vector<PortInput>& inputs) {
  Node node{name, &require_operator(op), {}, {}, {}};
  if (graph.find_node(name) >= 0) refuse(fmt::format("there is already a node '{}'", name));
  node.params = params_from_words(node.op->params, params, fmt::format("'{}'", op));
  put_seed(graph, node);
  node.inputs.resize(node.op->inputs.size());
  for (const PortInput& input : inputs) connect(graph, node, input);
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i].empty() && !node.op->inputs[i].optional)
      refuse(fmt::format("node '{}' needs an input on its port '{}'", name, node.op->inputs[i].name));
  graph.nodes.push_back(std::move(node));
  try {
    check_graph(graph);
  } catch (const Error&) {
    graph.nodes.pop_back();
    throw;
  }
  return static_cast<int>(graph.nodes.size()) - 1;
}

void refuse_parameter(const Operator& op, const std::string& name, const Position& at) {
  std::vector<std::string> known;
  for (const Port& port : op.inputs) known.push_back(port.name);
  for (const Field& field : op.params.fields) known.push_back(field.name);
  if (has_ages(op)) known.emplace_back(every_key);
  refuse_at(at, fmt::format("'{}' has no parameter '{}'", op.name, name), suggest_name(name, known));
}

std::string link_hint(const Kind& given, const Kind& wanted) {
  const Operator* between = converter(given, wanted);
  return between != nullptr ? fmt::format("put '{}' between them", between->name) : "";
}

void set_parameter(Graph& graph, int index, const std::string& word) {
  Node& node = graph.nodes.at(static_cast<size_t>(index));
  const std::vector<ParamValue> values = params_from_words(node.op->params, {word}, fmt::format("'{}'", node.op->name));
  const auto field = static_cast<size_t>(node.op->params.find(word.substr(0, word.find('='))));
  node.params[field] = values[field];
  put_seed(graph, node);
}

}  // namespace tepui

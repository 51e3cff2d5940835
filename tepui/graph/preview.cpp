#include "tepui/graph/preview.h"

#include <algorithm>
#include <deque>

namespace tepui {

namespace {

struct Preview {
  SharedGraph full;
  Graph graph;
  std::deque<Operator> operators;
};

/// Land that does not follow from the world or from other land: it comes from a file.
bool brings_samples(const Graph& graph, const Node& node) {
  if (!node.op->output->has_samples() || node.op->takes_world) return false;
  for (const std::vector<Reference>& port : node.inputs)
    for (const Reference& reference : port)
      if (graph.node(reference).op->output->has_samples()) return false;
  return true;
}

Operator shrinking(const Kind& kind, int64_t samples) {
  Operator op;
  op.name = "preview";
  op.inputs = {{"in", &kind, false, false}};
  op.output = &kind;
  op.outside = [samples](const std::vector<ParamValue>&) { return Hasher().add(samples).finish(); };
  op.run = [samples](const OperatorCall& call, const Context& context) {
    const Value& land = call.inputs.front().front();
    return land.kind().coarser(land, samples, context);
  };
  return op;
}

}  // namespace

SharedGraph preview_graph(const SharedGraph& full, int64_t samples) {
  const auto preview = std::make_shared<Preview>();
  preview->full = full;
  preview->graph = *full;
  Graph& graph = preview->graph;
  Coarseness coarseness{samples, {}};
  bool other = false;
  if (graph.world.from < 0) {
    other = graph.world.resolution > samples;
    graph.world.resolution = std::min(graph.world.resolution, samples);
    coarseness.cell = graph.world.frame().cell.x;
  }
  const size_t count = graph.nodes.size();
  std::vector<int> instead(count);
  for (size_t i = 0; i < count; ++i) {
    instead[i] = static_cast<int>(i);
    if (Node& node = graph.nodes[i]; node.op->coarser) {
      std::vector<ParamValue> params = node.op->coarser(node.params, coarseness);
      other |= params != node.params;
      node.params = std::move(params);
    }
    if (!brings_samples(graph, graph.nodes[i])) continue;
    other = true;
    Node small;
    small.name = graph.nodes[i].name;
    small.op = &preview->operators.emplace_back(shrinking(*graph.nodes[i].op->output, samples));
    small.inputs = {{{static_cast<int>(i), "", {}}}};
    small.at = graph.nodes[i].at;
    instead[i] = static_cast<int>(graph.nodes.size());
    graph.nodes.push_back(std::move(small));
  }
  if (!other) return nullptr;
  for (size_t i = 0; i < count; ++i)
    for (std::vector<Reference>& port : graph.nodes[i].inputs)
      for (Reference& reference : port) reference.node = instead[static_cast<size_t>(reference.node)];
  if (graph.world.from >= 0) graph.world.from = instead[static_cast<size_t>(graph.world.from)];
  return {preview, &graph};
}

}  // namespace tepui

#include "tepui/graph/land_chain.h"

#include <algorithm>

namespace tepui {

namespace {

int place_of(const std::vector<int>& list, int node) {
  const auto found = std::ranges::find(list, node);
  return found != list.end() ? static_cast<int>(found - list.begin()) : -1;
}

bool reads_land(const Graph& graph, const Node& node) {
  return std::ranges::any_of(node.inputs, [&](const std::vector<Reference>& port) {
    return std::ranges::any_of(port, [&](const Reference& r) { return graph.node(r).op->output->has_samples(); });
  });
}

bool is_by_windows(const Graph& graph, const Node& node, const std::vector<ParamValue>& params) {
  const Operator& op = *node.op;
  if (!op.output->has_samples() || !op.reach || node.is_stage()) return false;
  // Land lies where that on the first port does, or where the world does.
  if (op.takes_world == reads_land(graph, node)) return false;
  const Reach reach = op.reach(params);
  const bool sized = op.halo || (op.framing && op.framing->source);
  return reach == Reach::point || (reach == Reach::window && sized);
}

}  // namespace

bool is_on_own_lattice(const Operator& op, size_t port) { return op.lattices.contains(port); }

LandChain::LandChain(const Graph& graph, int node, const std::vector<bool>& whole) : graph_(&graph) {
  visit(node, whole);
}

bool LandChain::fits_any_lattice() const {
  const auto has_own_place = [&](int node) { return graph_->node(node).op->output->has_samples(); };
  const auto moves = [&](const Step& step) { return graph_->node(step.node).op->framing.has_value(); };
  return std::ranges::none_of(sources_, has_own_place) && std::ranges::none_of(steps_, moves);
}

LandChain LandChain::on_any_lattice(const Graph& graph, int node) {
  LandChain chain(graph, node);
  if (chain.fits_any_lattice()) return chain;
  std::vector<bool> whole(graph.nodes.size(), false);
  whole[static_cast<size_t>(node)] = true;
  return {graph, node, whole};
}

int LandChain::step_of(int node) const {
  const auto found = std::ranges::find(steps_, node, &Step::node);
  return found != steps_.end() ? static_cast<int>(found - steps_.begin()) : -1;
}

int LandChain::source_of(int node) const { return place_of(sources_, node); }

void LandChain::add_source(int node) {
  if (source_of(node) < 0) sources_.push_back(node);
}

void LandChain::visit(int index, const std::vector<bool>& whole) {
  if (step_of(index) >= 0 || source_of(index) >= 0) return;
  const Node& node = graph_->node(index);
  Step step{index, graph_->completed_params(node), {}};
  const bool wanted_whole = static_cast<size_t>(index) < whole.size() && whole[static_cast<size_t>(index)];
  if (wanted_whole || !tepui::is_by_windows(*graph_, node, step.params)) return add_source(index);
  takes_world_ |= node.op->takes_world;
  step.apart.resize(node.inputs.size());
  for (size_t port = 0; port < node.inputs.size(); ++port) visit_port(step, port, whole);
  steps_.push_back(std::move(step));
}

void LandChain::visit_port(Step& step, size_t port, const std::vector<bool>& whole) {
  const Node& node = graph_->node(step.node);
  for (const Reference& reference : node.inputs[port]) {
    if (!is_on_own_lattice(*node.op, port)) {
      visit(reference.node, whole);
      continue;
    }
    LandChain apart = on_any_lattice(*graph_, reference.node);
    takes_world_ |= apart.takes_world();
    for (const int source : apart.sources()) add_source(source);
    step.apart[port].push_back(std::move(apart));
  }
}

Hash LandChain::hash() const {
  Hasher hasher;
  for (const Step& step : steps_) {
    const Node& node = graph_->node(step.node);
    const Operator& op = *node.op;
    hasher.add(op.name).add(op.version);
    for (size_t i = 0; i < step.params.size(); ++i) hash_param(hasher, op.params.fields[i], step.params[i]);
    if (op.outside) hasher.add(op.outside(step.params));
    for (size_t port = 0; port < node.inputs.size(); ++port) {
      hasher.add(static_cast<int64_t>(node.inputs[port].size()));
      for (const Reference& reference : node.inputs[port])
        hasher.add(step_of(reference.node)).add(source_of(reference.node)).add(reference.layer);
      for (const LandChain& apart : step.apart[port]) hasher.add(apart.hash());
    }
  }
  return hasher.finish();
}

}  // namespace tepui

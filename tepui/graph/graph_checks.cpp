#include "tepui/graph/graph_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tepui {

namespace {

void check_port(const Graph& graph, const Port& port, const Reference& reference, const LinkHint& hint) {
  const Node& from = graph.node(reference);
  check_layer(graph, reference);
  if (from.op->output != port.kind)
    refuse_at(reference.at,
              fmt::format("port '{}' takes {}, but node '{}' gives {}", port.name, port.kind->name, from.name,
                          from.op->output->name),
              hint ? hint(*from.op->output, *port.kind) : "");
}

void check_ports(const Graph& graph, Problems& problems, const LinkHint& hint) {
  for (const Node& node : graph.nodes)
    for (size_t i = 0; node.op != nullptr && i < node.inputs.size(); ++i)
      for (const Reference& reference : node.inputs[i])
        if (graph.node(reference).op != nullptr)
          problems.attempt([&] { check_port(graph, node.op->inputs[i], reference, hint); });
}

enum class Mark { unseen, open, done };

void find_cycles(const Graph& graph, int index, std::vector<Mark>& marks, std::vector<int>& path) {
  Mark& mark = marks[static_cast<size_t>(index)];
  if (mark == Mark::done) return;
  path.push_back(index);
  if (mark == Mark::open) {
    std::vector<std::string> names;
    for (auto it = std::ranges::find(path, index); it != path.end(); ++it)
      names.push_back(graph.nodes[static_cast<size_t>(*it)].name);
    refuse_at(graph.node(index).at, fmt::format("the nodes form a cycle: {}", fmt::join(names, " <- ")));
  }
  mark = Mark::open;
  for (const int need : graph.needs(index)) find_cycles(graph, need, marks, path);
  mark = Mark::done;
  path.pop_back();
}

void mark_used(const Graph& graph, int index, std::vector<bool>& used) {
  if (used[static_cast<size_t>(index)]) return;
  used[static_cast<size_t>(index)] = true;
  for (const int need : graph.needs(index)) mark_used(graph, need, used);
}

/// Whether the node's other parameters let this field matter.
bool is_read(const Node& node, const Field& field) {
  const size_t equals = field.when.find('=');
  if (equals == std::string::npos) return true;
  const auto other = static_cast<size_t>(node.op->params.find(field.when.substr(0, equals)));
  return param_text(node.op->params.fields[other], node.params[other]) == field.when.substr(equals + 1);
}

/// Whether it goes on from where another node of the same seed has ended.
bool goes_on(const Node& node) {
  for (size_t i = 0; i < node.params.size(); ++i)
    if (node.op->params.fields[i].age == AgeRole::start && std::get<double>(node.params[i]) > 0) return true;
  return false;
}

void warn_of_shared_streams(const Graph& graph, std::vector<std::string>& warnings) {
  std::map<std::pair<std::string, int64_t>, std::string> streams;
  for (const Node& node : graph.nodes)
    for (size_t i = 0; i < node.params.size(); ++i) {
      const Seed* seed = std::get_if<Seed>(&node.params[i]);
      if (seed == nullptr || node.whole >= 0 || goes_on(node) || !is_read(node, node.op->params.fields[i])) continue;
      const auto [first, added] = streams.try_emplace({node.op->name, seed->node}, node.name);
      if (!added)
        warnings.push_back(warning_text(
            node.at, fmt::format("nodes '{}' and '{}' draw the same random numbers; give one of them another \"seed\"",
                                 first->second, node.name)));
    }
}

}  // namespace

void check_layer(const Graph& graph, const Reference& reference) {
  const Node& from = graph.node(reference);
  if (!reference.layer.empty() && !from.op->output->has_layers())
    refuse_at(reference.at, fmt::format("node '{}' gives {}, which has no layers", from.name, from.op->output->name));
}

void check_graph(const Graph& graph, Problems& problems, const LinkHint& hint) {
  check_ports(graph, problems, hint);
  if (std::ranges::any_of(graph.nodes, [](const Node& node) { return node.op == nullptr; })) return;
  std::vector<Mark> marks(graph.nodes.size(), Mark::unseen);
  std::vector<int> path;
  problems.attempt([&] {
    for (size_t i = 0; i < graph.nodes.size(); ++i) find_cycles(graph, static_cast<int>(i), marks, path);
  });
}

void check_graph(const Graph& graph) {
  Problems first;
  check_graph(graph, first);
}

std::vector<std::string> graph_warnings(const Graph& graph) {
  std::vector<std::string> warnings;
  warn_of_shared_streams(graph, warnings);
  return warnings;
}

std::vector<std::string> unused_warnings(const Graph& graph, const std::vector<Reference>& references) {
  std::vector<bool> used(graph.nodes.size(), false);
  for (const Reference& reference : references) mark_used(graph, reference.node, used);
  std::vector<std::string> warnings;
  // A node is used if a stage of it is.
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i] && graph.nodes[i].whole < 0 &&
        std::ranges::none_of(graph.nodes[i].stages, [&](int stage) { return used[static_cast<size_t>(stage)]; }))
      warnings.push_back(
          warning_text(graph.nodes[i].at, fmt::format("node '{}' is not used by any output", graph.nodes[i].name)));
  return warnings;
}

std::string warning_text(const Position& at, const std::string& message) {
  return at.source != nullptr ? at.text() + ": " + message : message;
}

}  // namespace tepui

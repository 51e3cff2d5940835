#include "tepui/recipe/graph_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tepui {

namespace {

/// Only land has layers.
void check_layer(const Recipe& recipe, const Reference& reference) {
  const Node& from = recipe.nodes[static_cast<size_t>(reference.node)];
  if (!reference.layer.empty() && from.op->output != ValueType::terrain) refuse_at(reference.at, no_layers(from));
}

void check_ports(const Recipe& recipe) {
  for (const Node& node : recipe.nodes)
    for (size_t i = 0; i < node.inputs.size(); ++i)
      for (const Reference& reference : node.inputs[i]) {
        const Node& from = recipe.nodes[static_cast<size_t>(reference.node)];
        const ValueType wanted = node.op->inputs[i].type;
        check_layer(recipe, reference);
        if (from.op->output != wanted)
          refuse_at(reference.at, fmt::format("port '{}' takes {}, but node '{}' gives {}", node.op->inputs[i].name,
                                              value_type_name(wanted), from.name, value_type_name(from.op->output)));
      }
}

enum class Mark { unseen, open, done };

void find_cycles(const Recipe& recipe, int index, std::vector<Mark>& marks, std::vector<int>& path) {
  Mark& mark = marks[static_cast<size_t>(index)];
  if (mark == Mark::done) return;
  path.push_back(index);
  if (mark == Mark::open) {
    std::vector<std::string> names;
    for (auto it = std::ranges::find(path, index); it != path.end(); ++it)
      names.push_back(recipe.nodes[static_cast<size_t>(*it)].name);
    refuse_at(recipe.nodes[static_cast<size_t>(index)].at,
              fmt::format("the nodes feed each other in a circle: {}", fmt::join(names, " <- ")));
  }
  mark = Mark::open;
  for (const int need : recipe.needs(index)) find_cycles(recipe, need, marks, path);
  mark = Mark::done;
  path.pop_back();
}

void mark_used(const Recipe& recipe, int index, std::vector<bool>& used) {
  if (used[static_cast<size_t>(index)]) return;
  used[static_cast<size_t>(index)] = true;
  for (const int need : recipe.needs(index)) mark_used(recipe, need, used);
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

void warn_of_shared_streams(const Recipe& recipe, std::vector<std::string>& warnings) {
  std::map<std::pair<std::string, int64_t>, std::string> streams;
  for (const Node& node : recipe.nodes)
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

std::string no_layers(const Node& from) {
  return fmt::format("node '{}' gives {}, which has no layers", from.name, value_type_name(from.op->output));
}

void check_graph(const Recipe& recipe) {
  check_ports(recipe);
  for (const Output& output : recipe.outputs)
    for (const Reference& source : output.sources()) check_layer(recipe, source);
  std::vector<Mark> marks(recipe.nodes.size(), Mark::unseen);
  std::vector<int> path;
  for (size_t i = 0; i < recipe.nodes.size(); ++i) find_cycles(recipe, static_cast<int>(i), marks, path);
}

std::vector<std::string> graph_warnings(const Recipe& recipe) {
  std::vector<std::string> warnings;
  warn_of_shared_streams(recipe, warnings);
  if (recipe.outputs.empty()) return warnings;
  std::vector<bool> used(recipe.nodes.size(), false);
  for (const Output& output : recipe.outputs)
    for (const Reference& source : output.sources()) mark_used(recipe, source.node, used);
  // A node is used if a stage of it is.
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i] && recipe.nodes[i].whole < 0 &&
        std::ranges::none_of(recipe.nodes[i].stages, [&](int stage) { return used[static_cast<size_t>(stage)]; }))
      warnings.push_back(
          warning_text(recipe.nodes[i].at, fmt::format("node '{}' leads to no output", recipe.nodes[i].name)));
  return warnings;
}

std::string warning_text(const Position& at, const std::string& message) {
  return at.source != nullptr ? at.text() + ": " + message : message;
}

}  // namespace tepui

#include "apps/studio/graph_wires.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tepui/core/error.h"
#include "tepui/core/params.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/references.h"
#include "tepui/recipe/stages.h"

namespace tepui::studio {

namespace {

std::string quoted(const std::string& text) { return json_text(json_string(text, {})); }

/// What each node waits for: what its ports name, and the node whose frame is the world for those that fill it.
std::map<std::string, std::set<std::string>> needs_of(const Json& document) {
  std::map<std::string, std::set<std::string>> needs;
  std::string frame;
  for (const ReferencePlace& place : references_of(document)) {
    if (!place.node.empty()) needs[place.node].emplace(referred_node(place.text));
    if (place.path == JsonPath{"world", "from"}) frame = referred_node(place.text);
  }
  const Json* nodes = document.find("nodes");
  if (frame.empty() || nodes == nullptr) return needs;
  for (const JsonMember& node : nodes->members)
    if (const Operator* op = operator_of_node(node.value); op != nullptr && op->takes_world)
      needs[node.key].insert(frame);
  return needs;
}

bool waits_for_itself(const std::map<std::string, std::set<std::string>>& needs, const std::string& node) {
  std::set<std::string> seen;
  std::vector<std::string> left{node};
  while (!left.empty()) {
    const auto found = needs.find(left.back());
    left.pop_back();
    if (found == needs.end()) continue;
    if (found->second.contains(node)) return true;
    for (const std::string& need : found->second)
      if (seen.insert(need).second) left.push_back(need);
  }
  return false;
}

/// The text of a port's value with these references; a list only where there is not one.
std::string port_text(const std::vector<std::string>& wires, bool list) {
  if (wires.size() == 1 && !list) return quoted(wires.front());
  std::vector<std::string> words;
  for (const std::string& wire : wires) words.push_back(quoted(wire));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

}  // namespace

const Json& require_nodes(const Json& document) {
  const Json* nodes = document.find("nodes");
  if (nodes == nullptr || !nodes->is_object()) refuse("the recipe has no \"nodes\"");
  return *nodes;
}

const Json& require_node(const Json& document, const std::string& name) {
  const Json& nodes = require_nodes(document);
  const Json* node = nodes.find(name);
  if (node != nullptr && node->is_object()) return *node;
  std::vector<std::string> known;
  for (const JsonMember& member : nodes.members) known.push_back(member.key);
  refuse(fmt::format("there is no node '{}'", name), suggest_name(name, known));
}

const Operator& require_node_operator(const Json& document, const std::string& name) {
  const Operator* op = operator_of_node(require_node(document, name));
  if (op == nullptr) refuse(fmt::format("node '{}' has no operator that is known", name), "mend its \"op\" first");
  return *op;
}

const Port& require_port(const Operator& op, const std::string& name) {
  const auto found = std::ranges::find(op.inputs, name, &Port::name);
  if (found != op.inputs.end()) return *found;
  std::vector<std::string> known;
  for (const Port& port : op.inputs) known.push_back(port.name);
  refuse(fmt::format("'{}' has no port '{}'", op.name, name),
         known.empty() ? "it has none at all" : suggest_name(name, known));
}

const Kind& kind_given(const Json& document, const std::string& reference) {
  const std::string name(referred_node(reference));
  const Kind& kind = *require_node_operator(document, name).output;
  const std::string rest = reference.substr(name.size());
  if (rest.starts_with('@') && require_node(document, name).find(every_key) == nullptr)
    refuse(fmt::format("node '{}' has no stages", name), "its \"every\" would make them");
  if (rest.ends_with('.')) refuse(fmt::format("'{}' does not name its layer", reference));
  if (rest.find('.') != std::string::npos && !kind.has_layers())
    refuse(fmt::format("node '{}' gives {}, which has no layers", name, kind.name));
  return kind;
}

std::vector<std::string> wires_on(const Json& node, const std::string& port) {
  std::vector<std::string> wires;
  const Json* value = node.find(port);
  if (value == nullptr) return wires;
  if (value->is_string()) wires.push_back(value->text);
  for (const Json& item : value->items)
    if (item.is_string()) wires.push_back(item.text);
  return wires;
}

const Port* port_for(const Operator& op, const Kind& kind) {
  const auto found = std::ranges::find(op.inputs, &kind, &Port::kind);
  return found != op.inputs.end() ? &*found : nullptr;
}

const Port* main_port(const Operator& op) { return port_for(op, *op.output); }

void require_fit(const Kind& given, const std::string& from, const Port& port) {
  if (&given == port.kind) return;
  const Operator* between = converter(given, *port.kind);
  refuse(fmt::format("port '{}' takes {}, but '{}' gives {}", port.name, port.kind->name, from, given.name),
         between != nullptr ? fmt::format("put '{}' between them", between->name) : "");
}

void require_no_cycle(const Source& source, const std::string& node) {
  if (waits_for_itself(needs_of(parse_json(source)), node))
    refuse(fmt::format("'{}' would wait for itself", node), "a wire must not lead back to where it came from");
}

namespace {

/// The same as `connected`, whether or not the wire leads back to where it came from.
std::string wired(const Source& source, const WireEnd& end, const std::optional<std::string>& from) {
  const Json document = parse_json(source);
  const Json& node = require_node(document, end.node);
  const Port& port = require_port(require_node_operator(document, end.node), end.port);
  if (from) require_fit(kind_given(document, *from), *from, port);
  std::vector<std::string> wires = wires_on(node, end.port);
  if (end.index && (!port.list || *end.index > wires.size() || (!from && *end.index == wires.size())))
    refuse(fmt::format("port '{}' of '{}' has no place {}", end.port, end.node, *end.index));
  const bool only = !port.list;
  if (!from && (only || !end.index)) wires.clear();
  if (from && only) wires = {*from};
  if (!from && end.index) wires.erase(wires.begin() + static_cast<ptrdiff_t>(*end.index));
  if (from && port.list) {
    const size_t at = end.index.value_or(wires.size());
    if (at == wires.size()) wires.emplace_back();
    wires[at] = *from;
  }
  const Json* written = node.find(end.port);
  const JsonPath path{"nodes", end.node, end.port};
  if (wires.empty()) return written == nullptr ? source.text : spliced(source.text, remove_value(source, path));
  const bool list = written != nullptr && written->is_array();
  return spliced(source.text, set_value(source, path, port_text(wires, list)));
}

}  // namespace

std::string connected(const Source& source, const WireEnd& end, const std::optional<std::string>& from) {
  const std::string text = wired(source, end, from);
  if (from) require_no_cycle({source.name, text}, end.node);
  return text;
}

std::string inserted(const Source& source, const std::string& node, const WireEnd& onto) {
  const Json document = parse_json(source);
  const Operator& op = require_node_operator(document, node);
  const std::vector<std::string> wires = wires_on(require_node(document, onto.node), onto.port);
  const size_t index = onto.index.value_or(0);
  if (index >= wires.size()) refuse(fmt::format("nothing is on port '{}' of '{}'", onto.port, onto.node));
  if (onto.node == node || referred_node(wires[index]) == node)
    refuse(fmt::format("'{}' is at an end of that wire already", node));
  const Kind& brought = kind_given(document, wires[index]);
  const Port* into = port_for(op, brought);
  if (into == nullptr) refuse(fmt::format("'{}' takes no {}", node, brought.name));
  require_fit(*op.output, node, require_port(require_node_operator(document, onto.node), onto.port));
  WireEnd own{node, into->name};
  if (into->list && !wires_on(require_node(document, node), into->name).empty()) own.index = 0;
  Source changed{source.name, wired(source, onto, node)};
  changed.text = wired(changed, own, wires[index]);
  require_no_cycle(changed, node);
  return changed.text;
}

}  // namespace tepui::studio

#include "apps/studio/graph_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tepui/core/error.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/references.h"

namespace tepui::studio {

namespace {

constexpr size_t longest_name = 64;
/// How far a copy stands from what it is of.
constexpr Vec2 beside{40, 60};

std::string quoted(const std::string& text) { return json_text(json_string(text, {})); }

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// "op" of a node, and "as" where the operator is one of several ways of another, such as read_mask.
std::string op_text(const std::string& name) {
  const size_t bar = name.find('_');
  const std::string plain = name.substr(0, bar), as = bar == std::string::npos ? "" : name.substr(bar + 1);
  const bool way = !as.empty() && find_operator(plain) != nullptr && contains(ways_of(plain), as) &&
                   operator_name(plain, as) == name;
  return way ? fmt::format("\"op\": {}, \"{}\": {}", quoted(plain), as_key, quoted(as))
             : fmt::format("\"op\": {}", quoted(name));
}

std::string written_inputs(const Json& document, const NewNode& node, const Operator& op) {
  std::string text;
  std::set<std::string> seen;
  for (const auto& [name, wires] : node.inputs) {
    const Port& port = require_port(op, name);
    if (wires.empty() || (wires.size() > 1 && !port.list)) refuse(fmt::format("port '{}' takes one input", name));
    if (!seen.insert(name).second) refuse(fmt::format("port '{}' is given twice", name));
    std::vector<std::string> words;
    for (const std::string& wire : wires) {
      require_fit(kind_given(document, wire), wire, port);
      words.push_back(quoted(wire));
    }
    const std::string value = fmt::format("{}", fmt::join(words, ", "));
    text += fmt::format(", {}: {}", quoted(name), port.list ? "[" + value + "]" : value);
  }
  return text;
}

/// The new node with what the wire brings on the first port that takes it, if it says nothing of that itself.
void take_wire(const Json& document, const Operator& op, NewNode& node) {
  const Port& end = require_port(require_node_operator(document, node.onto->node), node.onto->port);
  require_fit(*op.output, op.name, end);
  const std::vector<std::string> wires = wires_on(require_node(document, node.onto->node), end.name);
  const size_t index = node.onto->index.value_or(end.list ? wires.size() : 0);
  if (index >= wires.size()) return;
  const Kind& brought = kind_given(document, wires[index]);
  for (const Port& port : op.inputs) {
    const bool given = std::ranges::any_of(node.inputs, [&](const auto& input) { return input.first == port.name; });
    if (port.kind != &brought || given) continue;
    node.inputs.push_back({port.name, {wires[index]}});
    return;
  }
  if (node.inputs.empty())
    refuse(fmt::format("'{}' takes no {}, so it cannot stand on this wire", op.name, brought.name));
}

/// What becomes of each reference to a node that goes.
class Removal {
 public:
  Removal(const Json& document, const std::vector<std::string>& nodes) : document_(document), nodes_(nodes) {}

  /// What changes its text, and what goes: keys in the order of the text.
  void find() {
    for (const std::string& node : nodes_) take_out({"nodes", node});
    for (const ReferencePlace& place : references_of(document_)) {
      const std::string name(referred_node(place.text));
      if (!contains(nodes_, name) || contains(nodes_, place.node)) continue;
      const std::string other = place.text == name ? stand_in(document_, name, nodes_) : std::string();
      if (!other.empty() && fits(place, name, other))
        changed_.push_back({place.at.begin, place.at.end, quoted(other)});
      else
        take_out(what_goes(place.path));
    }
    test_values();
  }

  std::string text(Source source) {
    source.text = spliced(source.text, changed_);
    // From behind, so that what stands before it in a list keeps its place.
    for (auto path = gone_.rbegin(); path != gone_.rend(); ++path)
      if (const Json now = parse_json(source); find_value(now, *path) != nullptr)
        source.text = spliced(source.text, remove_value(source, emptied(now, *path)));
    return source.text;
  }

 private:
  void take_out(JsonPath path) { gone_.push_back(std::move(path)); }

  bool fits(const ReferencePlace& place, const std::string& name, const std::string& other) const {
    const Kind& given = kind_given(document_, other);
    if (place.port != nullptr) return &given == place.port->kind;
    if (place.path == JsonPath{"world", "from"}) {
      const Operator& op = require_node_operator(document_, std::string(referred_node(other)));
      return !op.takes_world && given.frame != nullptr && referred_node(other) == other;
    }
    const bool of_stages = place.path.back() == "frames" || place.path.back() == "timelapse";
    return !of_stages && &given == require_node_operator(document_, name).output;
  }

  /// An output without what it is of is none; of a node or a sheet, the reference alone goes.
  static JsonPath what_goes(const JsonPath& path) {
    if (path.front() != "outputs" || path.back() == "rock") return path;
    const auto panels = std::ranges::find(path, "panels");
    if (panels != path.end() && panels + 1 != path.end()) return {path.begin(), panels + 2};
    return {path.begin(), path.begin() + 2};
  }

  /// The list itself where nothing else is in it, and for panels their output.
  static JsonPath emptied(const Json& document, const JsonPath& path) {
    JsonPath above(path.begin(), path.end() - 1);
    const Json* list = find_value(document, above);
    if (list == nullptr || !list->is_array() || list->items.size() > 1) return path;
    return path.front() == "outputs" ? JsonPath{path[0], path[1]} : above;
  }

  void test_values() {
    const Json* test = document_.find("test");
    const Json* set = test != nullptr ? test->find("set") : nullptr;
    if (set == nullptr) return;
    for (const JsonMember& member : set->members)
      if (const size_t dot = member.key.find('.');
          dot != std::string::npos && contains(nodes_, member.key.substr(0, dot)))
        take_out({"test", "set", member.key});
  }

  const Json& document_;
  const std::vector<std::string>& nodes_;
  std::vector<Splice> changed_;
  std::vector<JsonPath> gone_;
};

}  // namespace

void require_node_name(const std::string& name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (!name.empty() && name.size() <= longest_name && std::ranges::all_of(name, good) &&
      !(name[0] >= '0' && name[0] <= '9'))
    return;
  refuse(fmt::format("'{}' is not a valid name for a node", name.substr(0, longest_name)),
         "use letters, digits, _ and -, and do not start with a digit");
}

std::string free_name(const Json& document, const std::string& wanted) {
  const Json* nodes = document.find("nodes");
  std::string name = wanted;
  for (int copy = 2; nodes != nullptr && nodes->find(name) != nullptr; ++copy)
    name = fmt::format("{}_{}", wanted.substr(0, longest_name - 8), copy);
  return name;
}

MadeNodes added(const Source& source, const NewNode& wanted) {
  const Json document = parse_json(source);
  const Operator& op = require_operator(wanted.op);
  NewNode node = wanted;
  if (!node.name.empty()) require_node_name(node.name);
  const std::string name = free_name(document, node.name.empty() ? op.name : node.name);
  if (!node.name.empty() && name != node.name) refuse(fmt::format("there is already a node '{}'", node.name));
  if (node.onto) take_wire(document, op, node);
  const std::string text = fmt::format("{{ {}{} }}", op_text(op.name), written_inputs(document, node, op));
  Source changed{source.name, spliced(source.text, add_members(source, {"nodes"}, {{name, text}}))};
  if (node.onto) changed.text = connected(changed, *node.onto, name);
  if (node.at) node.places.emplace_back(name, node.at);
  if (!node.places.empty()) changed.text = placed(changed, node.places);
  return {changed.text, {name}};
}

std::string stand_in(const Json& document, const std::string& node, const std::vector<std::string>& nodes) {
  std::string at = node;
  for (size_t step = 0; step <= nodes.size(); ++step) {
    const Operator* op = operator_of_node(require_node(document, at));
    const Port* port = op != nullptr ? main_port(*op) : nullptr;
    const std::vector<std::string> wires =
        port != nullptr ? wires_on(require_node(document, at), port->name) : std::vector<std::string>();
    if (wires.empty()) return {};
    const std::string next(referred_node(wires.front()));
    const Json* below = require_nodes(document).find(next);
    if (below == nullptr || operator_of_node(*below) == nullptr) return {};
    if (!contains(nodes, next)) return wires.front();
    if (wires.front() != next) return {};
    at = next;
  }
  return {};
}

std::string removed(const Source& source, const std::vector<std::string>& nodes) {
  const Json document = parse_json(source);
  for (const std::string& node : nodes) require_node(document, node);
  Removal removal(document, nodes);
  removal.find();
  return without_places({source.name, removal.text(source)}, nodes);
}

MadeNodes duplicated(const Source& source, const std::vector<std::string>& nodes) {
  const Json document = parse_json(source);
  std::map<std::string, std::string> copy_of;
  Json names = require_nodes(document);
  std::vector<std::string> made;
  for (const std::string& node : nodes) {
    require_node(document, node);
    if (copy_of.contains(node)) continue;
    Json taken = json_object({});
    taken.members.push_back({"nodes", {}, names});
    made.push_back(free_name(taken, node));
    copy_of[node] = made.back();
    names.members.push_back({made.back(), {}, json_object({})});
  }
  std::map<std::string, std::vector<Splice>> inner;
  for (const ReferencePlace& place : references_of(document))
    if (const auto copy = copy_of.find(std::string(referred_node(place.text)));
        copy != copy_of.end() && copy_of.contains(place.node)) {
      const size_t begin = require_node(document, place.node).at.begin;
      inner[place.node].push_back(
          {place.at.begin - begin, place.at.end - begin, quoted(copy->second + place.text.substr(copy->first.size()))});
    }
  std::vector<NamedText> entries;
  std::vector<Place> places;
  for (const JsonMember& member : require_nodes(document).members) {
    const auto copy = copy_of.find(member.key);
    if (copy == copy_of.end()) continue;
    const Position& at = member.value.at;
    entries.push_back({copy->second, spliced(source.text.substr(at.begin, at.end - at.begin), inner[member.key])});
    if (const std::optional<Vec2> place = place_of(document, member.key))
      places.push_back({copy->second, Vec2{place->x + beside.x, place->y + beside.y}});
  }
  Source changed{source.name, spliced(source.text, add_members(source, {"nodes"}, entries))};
  if (!places.empty()) changed.text = placed(changed, places);
  return {changed.text, made};
}

std::optional<FinishedPart> finished_part(const Source& source, const std::vector<Error>& problems) {
  std::set<std::string> wrong;
  for (const Error& problem : problems) {
    if (problem.place().node.empty()) return std::nullopt;
    wrong.insert(problem.place().node);
  }
  const Json document = parse_json(source);
  const std::vector<ReferencePlace> references = references_of(document);
  for (size_t before = 0; before != wrong.size();) {
    before = wrong.size();
    for (const ReferencePlace& place : references)
      if (wrong.contains(std::string(referred_node(place.text)))) {
        if (place.node.empty()) return std::nullopt;
        wrong.insert(place.node);
      }
  }
  FinishedPart part{source, {wrong.begin(), wrong.end()}};
  for (const std::string& node : part.unfinished) {
    if (require_nodes(document).find(node) == nullptr) return std::nullopt;
    part.source.text = spliced(part.source.text, remove_value(part.source, {"nodes", node}));
  }
  return part;
}

}  // namespace tepui::studio

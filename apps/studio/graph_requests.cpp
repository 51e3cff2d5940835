// What pages may ask for the graph: edits of nodes, wires and where they stand.
#include <fmt/format.h>

#include <algorithm>

#include "apps/studio/graph_edits.h"
#include "apps/studio/graph_ui.h"
#include "apps/studio/server.h"
#include "tepui/recipe/rename_node.h"

namespace tepui::studio {

namespace {

/// Names in one request, and wires of one new node.
constexpr size_t most_nodes = 1000, most_places = 4096, most_wires = 256;

std::string name_in(const Json& value, const char* what) {
  if (!value.is_string()) refuse(fmt::format("'{}' holds names", what));
  return value.text;
}

/// Names of nodes, each once.
std::vector<std::string> nodes_of(const Request& request) {
  const Json& list = request.member("nodes");
  if (!list.is_array()) refuse("'nodes' is a list of names");
  if (list.items.size() > most_nodes) refuse(fmt::format("'nodes' has at most {} names", most_nodes));
  std::vector<std::string> names;
  for (const Json& item : list.items) names.push_back(name_in(item, "nodes"));
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) refuse("'nodes' names a node twice");
  return names;
}

std::optional<size_t> index_of(const Json& object) {
  const Json* index = object.find("index");
  if (index == nullptr || index->type == Json::Type::null) return std::nullopt;
  if (index->type != Json::Type::integer || index->integer < 0 || index->integer > int64_t{most_places})
    refuse("'index' is a place in a list");
  return static_cast<size_t>(index->integer);
}

std::string text_in(const Json& object, const char* key) {
  const Json* value = object.find(key);
  if (value == nullptr || !value->is_string()) refuse(fmt::format("'{}' must be text", key));
  return value->text;
}

WireEnd end_in(const Json& object) {
  if (!object.is_object()) refuse("'onto' is a node and its port");
  return {text_in(object, "node"), text_in(object, "port"), index_of(object)};
}

std::optional<Vec2> place_in(const Json& value) {
  if (value.type == Json::Type::null) return std::nullopt;
  if (!value.is_array() || value.items.size() != 2 || !value.items[0].is_number() || !value.items[1].is_number())
    refuse("a place is [x, y]");
  return Vec2{value.items[0].number, value.items[1].number};
}

std::vector<Place> places_in(const Json& at) {
  if (!at.is_object() || at.members.size() > most_places) refuse("places are given by node");
  std::vector<Place> places;
  for (const JsonMember& member : at.members) places.emplace_back(member.key, place_in(member.value));
  return places;
}

std::vector<std::pair<std::string, std::vector<std::string>>> inputs_in(const Json& object) {
  if (!object.is_object()) refuse("'inputs' names nodes by port");
  std::vector<std::pair<std::string, std::vector<std::string>>> inputs;
  for (const JsonMember& member : object.members) {
    const Json& value = member.value;
    if (!value.is_array()) {
      inputs.push_back({member.key, {name_in(value, "inputs")}});
      continue;
    }
    if (value.items.size() > most_wires) refuse(fmt::format("a port takes at most {} inputs at once", most_wires));
    inputs.push_back({member.key, {}});
    for (const Json& item : value.items) inputs.back().second.push_back(name_in(item, "inputs"));
  }
  return inputs;
}

}  // namespace

std::optional<Server::Answer> Server::add(Peer, const Request& request) {
  NewNode node{request.text("op"), request.text_or_none("name")};
  if (const Json* inputs = request.body.find("inputs")) node.inputs = inputs_in(*inputs);
  if (const Json* at = request.body.find("at")) node.at = place_in(*at);
  if (const Json* places = request.body.find("places")) node.places = places_in(*places);
  if (const Json* onto = request.body.find("onto"); onto != nullptr && onto->type != Json::Type::null)
    node.onto = end_in(*onto);
  MadeNodes made = added(document_.source(), node);
  document_.replace("add " + made.nodes.front(), std::move(made.text));
  edited();
  return Ordered{{"node", made.nodes.front()}};
}

std::optional<Server::Answer> Server::insert(Peer, const Request& request) {
  const std::string node = request.text("node");
  document_.replace("insert " + node, inserted(document_.source(), node, end_in(request.member("onto"))));
  return edited();
}

std::optional<Server::Answer> Server::connect(Peer, const Request& request) {
  const WireEnd end{request.text("node"), request.text("port"), index_of(request.body)};
  const Json& from = request.member("from");
  const bool none = from.type == Json::Type::null;
  document_.replace(fmt::format("{} {}.{}", none ? "disconnect" : "connect", end.node, end.port),
                    connected(document_.source(), end, none ? std::nullopt : std::optional(request.text("from"))));
  return edited();
}

std::optional<Server::Answer> Server::remove(Peer, const Request& request) {
  const std::vector<std::string> nodes = nodes_of(request);
  if (nodes.empty()) refuse("'nodes' names none");
  const Source& source = document_.source();
  std::string text = removed(source, nodes);
  if (std::ranges::find(nodes, shown_) != nodes.end()) {
    const std::string other = stand_in(parse_json(source), shown_, nodes);
    shown_ = other.substr(0, other.find_first_of(".@"));
    layer_.clear();
  }
  const std::string label = nodes.size() == 1 ? nodes.front() : fmt::format("{} nodes", nodes.size());
  document_.replace("remove " + label, std::move(text));
  return edited();
}

std::optional<Server::Answer> Server::duplicate(Peer, const Request& request) {
  const std::vector<std::string> nodes = nodes_of(request);
  if (nodes.empty()) refuse("'nodes' names none");
  MadeNodes made = duplicated(document_.source(), nodes);
  const std::string label = nodes.size() == 1 ? nodes.front() : fmt::format("{} nodes", nodes.size());
  document_.replace("duplicate " + label, std::move(made.text));
  edited();
  return Ordered{{"nodes", made.nodes}};
}

std::optional<Server::Answer> Server::rename(Peer, const Request& request) {
  const std::string node = request.text("node"), name = request.text("name");
  require_node(parse_json(document_.source()), node);
  require_node_name(name);
  if (name == node) return Ordered::object();
  document_.replace(fmt::format("rename {} to {}", node, name),
                    spliced(document_.text(), rename_node(document_.source(), node, name)));
  if (shown_ == node) shown_ = name;
  return edited();
}

std::optional<Server::Answer> Server::group(Peer, const Request& request) {
  const NodeGroup group{request.text("name"), nodes_of(request), request.text_or_none("colour"),
                        request.text_or_none("was")};
  document_.replace("group " + group.name, grouped(document_.source(), group));
  return edited();
}

std::optional<Server::Answer> Server::place(Peer, const Request& request) {
  const bool hold = request.flag("hold");
  document_.replace("place", placed(document_.source(), places_in(request.member("at"))), hold);
  if (hold) save_at_.reset();
  return edited();
}

}  // namespace tepui::studio

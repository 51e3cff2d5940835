#include "apps/studio/graph_ui.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/studio/graph_wires.h"
#include "tepui/core/error.h"

namespace tepui::studio {

namespace {

constexpr double farthest = 1e6;
constexpr size_t longest_name = 64, most_groups = 256;

std::string quoted(const std::string& text) { return json_text(json_string(text, {})); }

const Json* part_of_ui(const Json& document, const char* key) {
  const Json* ui = document.find("ui");
  return ui != nullptr ? ui->find(key) : nullptr;
}

bool is_place(const Json& value) {
  return value.is_array() && value.items.size() == 2 && std::ranges::all_of(value.items, [](const Json& item) {
           return item.is_number() && std::abs(item.number) <= farthest;
         });
}

bool is_colour(const std::string& text) {
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

std::string text_or_none(const Json& object, const char* key) {
  const Json* value = object.find(key);
  return value != nullptr && value->is_string() ? value->text : std::string();
}

bool has_node(const Json& document, const std::string& name) {
  const Json* nodes = document.find("nodes");
  return nodes != nullptr && nodes->find(name) != nullptr;
}

std::vector<std::string> nodes_of_group(const Json& group) {
  std::vector<std::string> names;
  if (const Json* nodes = group.find("nodes"))
    for (const Json& node : nodes->items)
      if (node.is_string()) names.push_back(node.text);
  return names;
}

std::string list_text(const std::vector<std::string>& names) {
  std::vector<std::string> words;
  for (const std::string& name : names) words.push_back(quoted(name));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string group_text(const NodeGroup& group) {
  const std::string colour = group.colour.empty() ? "" : fmt::format(", \"colour\": {}", quoted(group.colour));
  return fmt::format("{{ \"name\": {}, \"nodes\": {}{} }}", quoted(group.name), list_text(group.nodes), colour);
}

std::string place_text(const Vec2& at) { return fmt::format("[{}, {}]", std::lround(at.x), std::lround(at.y)); }

/// The groups of a recipe that are groups; null where the recipe has no list of them.
const Json* groups_of(const Json& document) {
  const Json* groups = part_of_ui(document, "groups");
  if (groups != nullptr && !groups->is_array())
    refuse_at(groups->at, "\"groups\" of \"ui\" is no list", "take it out or make it one");
  return groups;
}

/// The text in which the nodes are in no group but that of this name.
std::string taken_out(Source source, const std::vector<std::string>& nodes, const std::string& but) {
  const Json document = parse_json(source);
  const Json* groups = groups_of(document);
  for (size_t i = groups != nullptr ? groups->items.size() : 0; i-- > 0;) {
    const Json& group = groups->items[i];
    if (text_or_none(group, "name") == but) continue;
    std::vector<std::string> kept = nodes_of_group(group);
    const size_t had = kept.size();
    std::erase_if(kept, [&](const std::string& node) { return std::ranges::find(nodes, node) != nodes.end(); });
    if (kept.size() == had) continue;
    const JsonPath path{"ui", "groups", std::to_string(i)};
    const JsonPath list{"ui", "groups", std::to_string(i), "nodes"};
    source.text =
        spliced(source.text, kept.empty() ? remove_value(source, path) : set_value(source, list, list_text(kept)));
  }
  return source.text;
}

}  // namespace

std::optional<Vec2> place_of(const Json& document, const std::string& node) {
  const Json* at = part_of_ui(document, "at");
  const Json* place = at != nullptr ? at->find(node) : nullptr;
  if (place == nullptr || !is_place(*place)) return std::nullopt;
  return Vec2{place->items[0].number, place->items[1].number};
}

Ordered ui_json(const Json& document) {
  Ordered at = Ordered::object(), groups = Ordered::array();
  if (const Json* places = part_of_ui(document, "at"))
    for (const JsonMember& member : places->members)
      if (has_node(document, member.key) && is_place(member.value))
        at[member.key] = {member.value.items[0].number, member.value.items[1].number};
  if (const Json* list = part_of_ui(document, "groups"))
    for (const Json& group : list->items) {
      std::vector<std::string> nodes = nodes_of_group(group);
      std::erase_if(nodes, [&](const std::string& node) { return !has_node(document, node); });
      const std::string name = text_or_none(group, "name"), colour = text_or_none(group, "colour");
      if (nodes.empty() || name.empty() || groups.size() >= most_groups) continue;
      groups.push_back({{"name", name}, {"nodes", nodes}, {"colour", is_colour(colour) ? Ordered(colour) : Ordered()}});
    }
  return {{"at", at}, {"groups", groups}};
}

std::string placed(const Source& source, const std::vector<Place>& places) {
  const Json document = parse_json(source);
  const Json* at = part_of_ui(document, "at");
  std::vector<Splice> changed;
  std::vector<NamedText> added;
  std::vector<std::string> gone;
  for (const auto& [node, where] : places) {
    require_node(document, node);
    if (where && !(std::abs(where->x) <= farthest && std::abs(where->y) <= farthest))
      refuse(fmt::format("the place of '{}' is too far away", node));
    const Json* now = at != nullptr ? at->find(node) : nullptr;
    if (now != nullptr && !where) gone.push_back(node);
    if (now != nullptr && where) changed.push_back({now->at.begin, now->at.end, place_text(*where)});
    if (now == nullptr && where) added.push_back({node, place_text(*where)});
  }
  std::ranges::sort(changed, {}, &Splice::begin);
  Source result{source.name, spliced(source.text, changed)};
  for (const std::string& node : gone) result.text = spliced(result.text, remove_value(result, {"ui", "at", node}));
  if (added.empty()) return result.text;
  if (at != nullptr) return spliced(result.text, add_members(result, {"ui", "at"}, added));
  std::vector<std::string> lines;
  for (const NamedText& place : added) lines.push_back(fmt::format("\n      {}: {}", quoted(place.key), place.value));
  const std::string whole = fmt::format("{{{}\n    }}", fmt::join(lines, ","));
  return spliced(result.text, set_value(result, {"ui", "at"}, whole));
}

std::string grouped(const Source& source, const NodeGroup& group) {
  if (group.name.empty() || group.name.size() > longest_name)
    refuse(fmt::format("a group's name has 1 to {} characters", longest_name));
  if (!group.colour.empty() && !is_colour(group.colour))
    refuse(fmt::format("'{}' is no colour", group.colour), "write it as #rrggbb");
  const Json document = parse_json(source);
  const std::string& name = group.was.empty() ? group.name : group.was;
  NodeGroup whole{group.name, {}, group.colour};
  for (const std::string& node : group.nodes) {
    require_node(document, node);
    if (std::ranges::find(whole.nodes, node) == whole.nodes.end()) whole.nodes.push_back(node);
  }
  Source result{source.name, taken_out(source, whole.nodes, name)};
  const Json changed = parse_json(result);
  const Json* groups = groups_of(changed);
  const size_t count = groups != nullptr ? groups->items.size() : 0;
  const auto find = [&](const std::string& wanted) {
    size_t index = 0;
    while (index < count && text_or_none(groups->items[index], "name") != wanted) ++index;
    return index;
  };
  const size_t index = find(name);
  if (index == count && (whole.nodes.empty() || !group.was.empty()))
    refuse(fmt::format("there is no group '{}'", name));
  if (name != group.name && find(group.name) < count) refuse(fmt::format("there is already a group '{}'", group.name));
  if (index == count && count >= most_groups) refuse(fmt::format("a recipe has at most {} groups", most_groups));
  const JsonPath path{"ui", "groups", std::to_string(index)};
  if (whole.nodes.empty()) return spliced(result.text, remove_value(result, path));
  if (whole.colour.empty() && index < count) whole.colour = text_or_none(groups->items[index], "colour");
  if (groups == nullptr)
    return spliced(result.text, set_value(result, {"ui", "groups"}, "[" + group_text(whole) + "]"));
  return spliced(result.text, set_value(result, path, group_text(whole)));
}

std::string without_places(const Source& source, const std::vector<std::string>& nodes) {
  const Json document = parse_json(source);
  const Json* at = part_of_ui(document, "at");
  Source result = source;
  for (const std::string& node : nodes)
    if (at != nullptr && at->find(node) != nullptr)
      result.text = spliced(result.text, remove_value(result, {"ui", "at", node}));
  const Json* groups = part_of_ui(document, "groups");
  return groups != nullptr && groups->is_array() ? taken_out(result, nodes, "") : result.text;
}

}  // namespace tepui::studio

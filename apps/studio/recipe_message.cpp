#include "apps/studio/recipe_message.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "apps/studio/graph_ui.h"
#include "apps/studio/stroke_edits.h"
#include "tepui/output/look.h"
#include "tepui/output/recipe_look.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/references.h"

namespace tepui::studio {

namespace {

/// What is known of a variable from the parameters that take it.
struct Use {
  const Field* field = nullptr;
  Range range{}, slider{};
};

void narrow(Range& range, const Range& other) {
  range.low = std::max(range.low, other.low);
  range.high = std::min(range.high, other.high);
}

using Uses = std::map<std::string, Use>;

void note_use(const Json& value, const Field& field, Uses& uses) {
  if (value.is_string() && value.text.size() > 1 && value.text.front() == '$') {
    Use& use = uses[value.text.substr(1)];
    if (use.field == nullptr) use = {&field, field.range, field.slider};
    // One value for several parameters has to suit them all.
    if (use.field->type == field.type) {
      narrow(use.range, field.range);
      narrow(use.slider, field.slider);
    }
  }
  for (const Json& item : value.items) note_use(item, field, uses);
}

void note_uses(const Json& object, const ParamTable& table, Uses& uses) {
  if (!object.is_object()) return;
  for (const JsonMember& member : object.members)
    if (const int index = table.find(member.key); index >= 0)
      note_use(member.value, table.fields[static_cast<size_t>(index)], uses);
}

Uses uses_of(const Json& document) {
  Uses uses;
  if (const Json* nodes = document.find("nodes"))
    for (const JsonMember& node : nodes->members)
      if (const Operator* op = operator_of_node(node.value)) note_uses(node.value, op->params, uses);
  const ParamTable& picture = fields_of<PictureParams>().table();
  if (const Json* look = document.find("look")) note_uses(*look, picture, uses);
  if (const Json* outputs = document.find("outputs"))
    for (const JsonMember& output : outputs->members)
      if (const Json* render = output.value.find("render")) note_uses(*render, picture, uses);
  return uses;
}

Ordered bound(double value) { return std::isfinite(value) ? Ordered(value) : Ordered(); }

Ordered variables(const Json& document, const std::string& first) {
  Ordered list = Ordered::array();
  const Json* vars = document.find("vars");
  if (vars == nullptr || !vars->is_object()) return list;
  const Uses uses = uses_of(document);
  std::optional<Json> began;
  try {
    began = parse_json({"first", first});
  } catch (const Error&) {
    // What was opened need not have been a recipe.
  }
  const Json* defaults = began ? began->find("vars") : nullptr;
  for (const JsonMember& member : vars->members) {
    const Json* fallback = defaults != nullptr ? defaults->find(member.key) : nullptr;
    Ordered var{{"name", member.key},
                {"value", ordered(member.value)},
                {"default", ordered(fallback != nullptr ? *fallback : member.value)}};
    if (const auto use = uses.find(member.key); use != uses.end()) {
      const Field& field = *use->second.field;
      var["type"] = param_type_name(field.type);
      var["min"] = bound(use->second.range.low);
      var["max"] = bound(use->second.range.high);
      var["slider"] = {bound(use->second.slider.low), bound(use->second.slider.high)};
      var["unit"] = field.unit;
      var["doc"] = field.doc;
      var["choices"] = field.choices;
    }
    list.push_back(std::move(var));
  }
  return list;
}

Ordered inputs_of(const Json& node, const Operator& op) {
  Ordered list = Ordered::array();
  for (const Port& port : op.inputs)
    if (const Json* given = node.find(port.name)) {
      const auto add = [&](const Json& from) {
        if (from.is_string()) list.push_back({{"port", port.name}, {"from", from.text}});
      };
      add(*given);
      for (const Json& item : given->items) add(item);
    }
  return list;
}

Ordered node_json(const JsonMember& member, const Plan* plan) {
  Ordered node{{"name", member.key}};
  const Json* written = member.value.find("op");
  node["op"] = written != nullptr ? written->text : "";
  const int index = plan != nullptr ? plan->find_node(member.key) : -1;
  const Operator* op = index >= 0 ? plan->node(index).op : operator_of_node(member.value);
  node["brush"] = is_brush(member.value);
  node["inputs"] = Ordered::array();
  node["given"] = node["values"] = Ordered::object();
  node["kind"] = op != nullptr ? Ordered(op->output->name) : Ordered();
  if (op == nullptr) return node;
  node["operator"] = op->name;
  node["inputs"] = inputs_of(member.value, *op);
  for (const JsonMember& given : member.value.members)
    if (op->params.find(given.key) >= 0) node["given"][given.key] = ordered(given.value);
  if (index >= 0)
    for (size_t i = 0; i < op->params.fields.size(); ++i)
      node["values"][op->params.fields[i].name] =
          ordered(param_to_json(op->params.fields[i], plan->node(index).params[i]));
  return node;
}

}  // namespace

Ordered ordered(const Json& value) {
  switch (value.type) {
    case Json::Type::null:
      return nullptr;
    case Json::Type::boolean:
      return value.boolean;
    case Json::Type::integer:
      return value.integer;
    case Json::Type::number:
      return value.number;
    case Json::Type::string:
      return value.text;
    case Json::Type::array: {
      Ordered list = Ordered::array();
      for (const Json& item : value.items) list.push_back(ordered(item));
      return list;
    }
    case Json::Type::object: {
      Ordered object = Ordered::object();
      for (const JsonMember& member : value.members) object[member.key] = ordered(member.value);
      return object;
    }
  }
  return nullptr;
}

Ordered problems_json(const std::vector<Error>& problems) {
  Ordered list = Ordered::array();
  for (const Error& problem : problems) {
    Ordered entry = error_json(problem);
    entry["line"] = problem.place().line;
    entry["column"] = problem.place().column;
    list.push_back(std::move(entry));
  }
  return list;
}

Ordered recipe_parts(const Source& source, const std::string& first, const Plan* plan, const std::string& shown) {
  Ordered parts{{"title", ""},
                {"seed", 0},
                {"world", Ordered::object()},
                {"vars", Ordered::array()},
                {"nodes", Ordered::array()},
                {"ui", {{"at", Ordered::object()}, {"groups", Ordered::array()}}},
                {"look", Ordered::object()},
                {"outputs", Ordered::array()}};
  Json document;
  try {
    document = parse_json(source);
  } catch (const Error&) {
    return parts;
  }
  const auto text_of = [&](const char* key) {
    const Json* value = document.find(key);
    return value != nullptr ? value->text : std::string();
  };
  parts["title"] = text_of("title");
  if (const Json* seed = document.find("seed")) parts["seed"] = ordered(*seed);
  if (const Json* world = document.find("world")) parts["world"] = ordered(*world);
  if (plan != nullptr) {
    const World& world = plan->world;
    parts["world"]["size"] = {world.size.x, world.size.y};
    parts["world"]["resolution"] = world.resolution;
    parts["world"]["sea_level"] = world.sea_level ? Ordered(*world.sea_level) : Ordered();
  }
  parts["vars"] = variables(document, first);
  std::map<std::string, std::vector<std::string>> written;
  for (const ReferencePlace& place : references_of(document))
    if (place.path.front() == "outputs") written[std::string(referred_node(place.text))].push_back(place.path[1]);
  if (const Json* nodes = document.find("nodes"))
    for (const JsonMember& node : nodes->members) {
      parts["nodes"].push_back(node_json(node, plan));
      parts["nodes"].back()["outputs"] = written[node.key];
    }
  parts["ui"] = ui_json(document);
  if (const Json* outputs = document.find("outputs"))
    for (const JsonMember& output : outputs->members) parts["outputs"].push_back(output.key);
  if (plan == nullptr) return parts;
  try {
    const Json look = look_of(*plan, shown);
    const PictureParams picture = picture_from_json(json_object({}), look);
    parts["look"] = {{"sun", {picture.sun_azimuth.degrees, picture.sun_elevation.degrees}}, {"haze", picture.haze}};
  } catch (const Error&) {
    // The recipe's problems say so.
  }
  return parts;
}

}  // namespace tepui::studio

#include "tepui/output/schema.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tepui/io/raster/output_params.h"
#include "tepui/output/example.h"
#include "tepui/output/figure_json.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/stages.h"
#include "tepui/render/picture/picture.h"

namespace tepui {

namespace {

using Ordered = nlohmann::ordered_json;

Ordered plain(const Json& value) { return Ordered::parse(json_text(value)); }

Ordered fallback_of(const Field& field) { return plain(param_to_json(field, field.fallback)); }

void add_bounds(Ordered& schema, const Field& field) {
  const bool open = field.range.open;
  if (std::isfinite(field.range.low)) schema[open ? "exclusiveMinimum" : "minimum"] = field.range.low;
  if (std::isfinite(field.range.high)) schema[open ? "exclusiveMaximum" : "maximum"] = field.range.high;
}

Ordered number_schema(const Field& field, const char* type) {
  Ordered schema = {{"type", type}};
  add_bounds(schema, field);
  return schema;
}

Ordered length_schema(const Field& field) {
  return {
      {"anyOf", {number_schema(field, "number"), {{"type", "string"}, {"pattern", "^[-+0-9.eE]+ *(m|km|cm|mm|%)?$"}}}}};
}

Ordered array_schema(const Ordered& items, int count) {
  return {{"type", "array"}, {"items", items}, {"minItems", count}, {"maxItems", count}};
}

Ordered field_schema(const Field& field);

/// Objects, or the same as text: "sandstone:40,shale:20".
Ordered records_schema(const Field& field) {
  Ordered properties = Ordered::object();
  for (const Field& column : field.record->fields) properties[column.name] = field_schema(column);
  const Ordered text = {{"type", "string"}};
  const Ordered object = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  Ordered list = {{"type", "array"}, {"items", {{"anyOf", {object, text}}}}};
  if (std::isfinite(field.range.low)) list["minItems"] = static_cast<int64_t>(field.range.low);
  if (std::isfinite(field.range.high)) list["maxItems"] = static_cast<int64_t>(field.range.high);
  return {{"anyOf", {list, text}}};
}

Ordered type_schema(const Field& field) {
  switch (field.type) {
    case ParamType::boolean:
      return {{"type", "boolean"}};
    case ParamType::integer:
    case ParamType::seed:
      return number_schema(field, "integer");
    case ParamType::number:
    case ParamType::angle:
      return number_schema(field, "number");
    case ParamType::length:
      return length_schema(field);
    case ParamType::interval:
      return {
          {"anyOf",
           {number_schema(field, "number"), array_schema(number_schema(field, "number"), 2), {{"type", "string"}}}}};
    case ParamType::length_interval:
      return {
          {"anyOf",
           {length_schema(field), array_schema(length_schema(field), 2), {{"type", "string"}, {"pattern", "\\.\\."}}}}};
    case ParamType::choice:
      return {{"enum", field.choices}};
    case ParamType::vec2:
      return array_schema(number_schema(field, "number"), 2);
    case ParamType::vec3:
      return array_schema(number_schema(field, "number"), 3);
    case ParamType::list:
      return {{"type", "array"}, {"items", number_schema(field, "number")}};
    case ParamType::curve:
      return {{"type", "array"}, {"items", array_schema({{"type", "number"}}, 2)}};
    case ParamType::colour:
      return {{"type", "string"}, {"pattern", "^#[0-9a-fA-F]{6}$"}};
    case ParamType::text:
    case ParamType::file:
      return {{"type", "string"}};
    case ParamType::records:
      return records_schema(field);
  }
  return {};
}

/// A parameter's own type, a variable, or "auto" where it may be left to Tepui.
Ordered field_schema(const Field& field) {
  Ordered schema = {{"anyOf", {type_schema(field), {{"$ref", "#/$defs/variable"}}}}};
  if (field.automatic) schema["anyOf"].push_back({{"const", automatic_text}});
  schema["description"] = field.unit.empty() ? field.doc : field.doc + " [" + field.unit + "]";
  schema["default"] = fallback_of(field);
  return schema;
}

Ordered node_schema(const Operator& op) {
  Ordered properties = {
      {"op", {{"enum", {op.name, op.name + "@" + std::to_string(op.version)}}, {"description", op.params.about}}},
      {"title", {{"type", "string"}}},
      {"doc", true},
      {"ui", true}};
  Ordered required = {"op"};
  for (const Port& port : op.inputs) {
    properties[port.name] =
        port.list ? Ordered{{"type", "array"}, {"items", {{"type", "string"}}}} : Ordered{{"type", "string"}};
    if (!port.optional) required.push_back(port.name);
  }
  for (const Field& field : op.params.fields) properties[field.name] = field_schema(field);
  if (has_ages(op))
    properties[every_key] = {
        {"anyOf", {{{"type", "number"}, {"exclusiveMinimum", 0}}, {{"type", "string"}}, {{"type", "array"}}}},
        {"description", every_doc}};
  return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

template <class P>
void add_fields(Ordered& properties) {
  const Fields<P>& fields = fields_of<P>();
  for (const Field& field : fields.table().fields) properties[field.name] = field_schema(field);
}

/// One form for the turntable, one for the other kinds.
Ordered figure_schema() {
  Ordered still = Ordered::object(), turning = {{"kind", {{"const", "turntable"}}}};
  add_fields<FigureParams>(still);
  add_fields<PictureParams>(turning);
  add_fields<TurntableParams>(turning);
  Ordered forms = Ordered::array();
  for (const Ordered& properties : {still, turning})
    forms.push_back(
        {{"type", "object"}, {"properties", properties}, {"required", {"kind"}}, {"additionalProperties", false}});
  return {{"anyOf", forms}};
}

/// The name of a node, or a list of names.
Ordered nodes_schema() {
  const Ordered text = {{"type", "string"}};
  return {{"anyOf", {text, {{"type", "array"}, {"items", text}, {"minItems", 1}}}}};
}

Ordered sheet_schema(const Ordered& picture) {
  const Ordered text = {{"type", "string"}};
  const Ordered panel = {{"type", "object"},
                         {"properties",
                          {{"from", text},
                           {"caption", text},
                           {"rock", text},
                           {"rivers", text},
                           {"along", text},
                           {"scatter", nodes_schema()},
                           {"render", picture},
                           {"figure", figure_schema()}}},
                         {"required", {"from"}},
                         {"additionalProperties", false}};
  const Ordered sheet = {{"type", "object"},
                         {"properties",
                          {{"title", text},
                           {"columns", {{"type", {"integer", "string"}}, {"minimum", 1}}},
                           {"panels", {{"type", "array"}, {"items", panel}, {"minItems", 1}}}}},
                         {"required", {"panels"}},
                         {"additionalProperties", false}};
  return {{"type", "object"},
          {"properties", {{"sheet", sheet}, {"doc", true}}},
          {"required", {"sheet"}},
          {"additionalProperties", false}};
}

Ordered timelapse_schema() {
  Ordered fields = Ordered::object();
  add_fields<PictureParams>(fields);
  add_fields<TimelapseParams>(fields);
  const Ordered pictures = {{"type", "object"}, {"properties", fields}, {"additionalProperties", false}};
  return {{"type", "object"},
          {"properties",
           {{"timelapse", {{"type", "string"}}}, {"rock", {{"type", "string"}}}, {"render", pictures}, {"doc", true}}},
          {"required", {"timelapse"}},
          {"additionalProperties", false}};
}

Ordered output_schema() {
  Ordered fields = Ordered::object();
  add_fields<PictureParams>(fields);
  const Ordered picture = {{"type", "object"}, {"properties", fields}, {"additionalProperties", false}};
  const Ordered text = {{"type", "string"}};
  Ordered properties = {{"layer", text},
                        {"layers", {{"type", "array"}, {"items", text}}},
                        {"doc", true},
                        {"rock", text},
                        {"rivers", text},
                        {"along", text},
                        {"scatter", nodes_schema()},
                        {"render", picture},
                        {"figure", figure_schema()}};
  add_fields<OutputParams>(properties);
  Ordered forms = {text, sheet_schema(picture), timelapse_schema()};
  // Of one node, or a file for each of its stages.
  for (const char* source : {"from", "frames"}) {
    Ordered own = properties;
    own[source] = text;
    forms.push_back({{"type", "object"}, {"properties", own}, {"required", {source}}, {"additionalProperties", false}});
  }
  return {{"anyOf", forms}};
}

/// What the pictures of a recipe have in common.
Ordered look_schema() {
  Ordered fields = Ordered::object();
  add_fields<PictureParams>(fields);
  return {{"type", "object"}, {"properties", fields}, {"additionalProperties", false}};
}

Ordered world_schema() {
  const Ordered length = {{"type", {"number", "string"}}};
  return {
      {"type", "object"},
      {"properties",
       {{"size", {{"anyOf", {length, array_schema(length, 2)}}}},
        {"resolution", {{"type", {"integer", "string"}}, {"description", "samples on the longer side"}}},
        {"origin", {{"anyOf", {array_schema({{"type", {"number", "string"}}}, 2), {{"$ref", "#/$defs/variable"}}}}}},
        {"from", {{"type", "string"}, {"description", "node whose grid (extent and samples) becomes the world"}}},
        {"sea_level", {{"type", {"number", "string"}}, {"description", "sea level in metres; none if left out"}}}}},
      {"additionalProperties", false}};
}

Ordered range_bound(double bound) { return std::isfinite(bound) ? Ordered(bound) : Ordered(nullptr); }

Ordered describe_field(const Field& field) {
  Ordered json = {{"name", field.name},
                  {"type", param_type_name(field.type)},
                  {"default", fallback_of(field)},
                  {"min", range_bound(field.range.low)},
                  {"max", range_bound(field.range.high)},
                  {"slider", {range_bound(field.slider.low), range_bound(field.slider.high)}},
                  {"unit", field.unit},
                  {"doc", field.doc}};
  if (!field.choices.empty()) json["choices"] = field.choices;
  if (!field.sweep.empty()) json["sweep"] = field.sweep;
  if (field.automatic) json["automatic"] = true;
  if (field.age != AgeRole::none) json["age"] = field.age == AgeRole::end ? "end" : "start";
  if (field.record != nullptr)
    for (const Field& column : field.record->fields) json["record"].push_back(describe_field(column));
  return json;
}

Ordered describe_operator(const Operator& op) {
  Ordered inputs = Ordered::array(), params = Ordered::array();
  for (const Port& port : op.inputs)
    inputs.push_back(
        {{"name", port.name}, {"type", port.kind->name}, {"optional", port.optional}, {"list", port.list}});
  for (const Field& field : op.params.fields) params.push_back(describe_field(field));
  return {{"name", op.name},
          {"version", op.version},
          {"module", op.module},
          {"doc", op.params.about},
          {"example", example_line(op)},
          {"citation", op.citation},
          {"reach", reach_name(op.params.reach)},
          {"reach_radius", op.params.reach_radius},
          {"reach_else", op.params.reach_else},
          {"world", op.takes_world},
          {"stages", has_ages(op)},
          {"inputs", inputs},
          {"output", op.output->name},
          {"params", params}};
}

}  // namespace

std::string recipe_schema() {
  Ordered cases = Ordered::array(), other_cases = Ordered::array();
  Ordered names = Ordered::array();
  for (const Operator& op : operators()) {
    const Ordered named = {{"pattern", "^" + op.name + "(@[0-9]+)?$"}};
    const std::vector<std::string> ways = ways_of(op.name);
    Ordered plain = node_schema(op);
    Ordered condition = {{"properties", {{"op", named}}}};
    names.push_back(op.name);
    if (ways.size() > 1) {
      // "as" makes it another operator.
      plain["properties"][as_key] = {{"enum", ways}};
      condition["properties"][as_key] = {{"const", plain_as}};
    }
    cases.push_back({{"if", condition}, {"then", plain}});
    for (const std::string& way : ways) {
      if (way == plain_as || ways.size() == 1) continue;
      const Operator& other = *find_operator(operator_name(op.name, way));
      Ordered schema = node_schema(other);
      schema["properties"]["op"] = named;
      schema["properties"][as_key] = {{"const", way}};
      other_cases.push_back(
          {{"if", {{"properties", {{"op", named}, {as_key, {{"const", way}}}}}, {"required", {as_key}}}},
           {"then", schema}});
    }
  }
  for (Ordered& other : other_cases) cases.push_back(std::move(other));
  const Ordered schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Tepui recipe"},
      {"type", "object"},
      {"properties",
       {{"tepui", {{"const", 1}}},
        {"$schema", {{"type", "string"}}},
        {"title", {{"type", "string"}}},
        {"doc", true},
        {"ui", true},
        {"seed", {{"type", "integer"}, {"minimum", 0}}},
        {"world", world_schema()},
        {"look", look_schema()},
        {"vars", {{"type", "object"}}},
        {"nodes",
         {{"type", "object"},
          {"additionalProperties",
           {{"type", "object"},
            {"required", {"op"}},
            {"properties", {{"op", {{"anyOf", {{{"enum", names}}, {{"type", "string"}, {"pattern", "@[0-9]+$"}}}}}}}},
            {"allOf", cases}}}}},
        {"outputs", {{"type", "object"}, {"additionalProperties", output_schema()}}},
        {"test",
         {{"type", "object"},
          {"properties", {{"resolution", {{"type", "integer"}}}, {"set", {{"type", "object"}}}}},
          {"additionalProperties", false}}}}},
      {"required", {"tepui", "nodes"}},
      {"additionalProperties", false},
      {"$defs", {{"variable", {{"type", "string"}, {"pattern", "^\\$"}}}, {"rules", Ordered::parse(rules_schema())}}}};
  return schema.dump(2);
}

std::string operators_json(std::string_view name) {
  Ordered list = Ordered::array();
  for (const Operator& op : operators())
    if (name.empty() || op.name == name) list.push_back(describe_operator(op));
  return Ordered{{"operators", list}}.dump(2);
}

}  // namespace tepui

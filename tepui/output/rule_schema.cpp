#include <nlohmann/json.hpp>

#include "tepui/landforms/rule_set.h"
#include "tepui/output/schema.h"

namespace tepui {

namespace {

using Ordered = nlohmann::ordered_json;

Ordered part_schema(RulePart part);

Ordered list_of(const Ordered& items) { return {{"type", "array"}, {"items", items}}; }

/// Names of the user's own, each with what it stands for.
Ordered named(const Ordered& what) {
  return {{"type", "object"}, {"additionalProperties", what}, {"minProperties", 1}};
}

Ordered either(const Ordered& one, const Ordered& other) { return {{"anyOf", Ordered::array({one, other})}}; }

Ordered key_schema(RuleKeyType type) {
  const Ordered number = {{"type", "number"}}, text = {{"type", "string"}};
  switch (type) {
    case RuleKeyType::text:
      return text;
    case RuleKeyType::number:
      return number;
    case RuleKeyType::whole_number:
      return {{"type", "integer"}};
    case RuleKeyType::interval: {
      Ordered pair = list_of(number);
      pair["minItems"] = pair["maxItems"] = 2;
      return either(number, pair);
    }
    case RuleKeyType::rock_number:
      return either(number, part_schema(RulePart::number));
    case RuleKeyType::limits:
      return part_schema(RulePart::limits);
    case RuleKeyType::items: {
      Ordered item = part_schema(RulePart::item);
      item["required"] = {"grow"};
      return list_of(either(text, item));
    }
    case RuleKeyType::symbols: {
      Ordered alternative = part_schema(RulePart::symbol);
      alternative["required"] = {"then"};
      Ordered alternatives = list_of(alternative);
      alternatives["minItems"] = 1;
      return named(alternatives);
    }
    case RuleKeyType::shapes:
      break;
  }
  return named(part_schema(RulePart::shape));
}

Ordered part_schema(RulePart part) {
  Ordered properties = Ordered::object();
  for (const RuleKey& key : rule_keys(part)) {
    Ordered schema = key_schema(key.type);
    schema["description"] = key.doc;
    properties[std::string(key.name)] = schema;
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

}  // namespace

std::string rules_schema() {
  Ordered schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", "Rules by which hoodoos grow"}};
  schema.update(part_schema(RulePart::set));
  schema["required"] = {"axiom", "symbols", "shapes"};
  return schema.dump(2);
}

}  // namespace tepui

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tepui/recipe/operator.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/recipe.h"
#include "tepui/recipe/schema.h"
#include "tests/support/support.h"

namespace tepui::registry_test {

TEST(Registry, EveryOperatorIsDescribedInFull) {
  std::set<std::string> names;
  for (const Operator& op : operators()) {
    SCOPED_TRACE(op.name);
    EXPECT_TRUE(names.insert(op.name).second);
    EXPECT_FALSE(op.params.about.empty());
    EXPECT_GE(op.version, 1);
    EXPECT_TRUE(op.params.reach_radius.empty() || op.params.find(op.params.reach_radius) >= 0);
    EXPECT_NO_THROW(citation_text(op.citation));
    std::set<std::string> keys{"op", "doc", "title", "ui"};
    for (const Port& port : op.inputs) EXPECT_TRUE(keys.insert(port.name).second) << port.name;
    for (const Field& field : op.params.fields) {
      SCOPED_TRACE(field.name);
      EXPECT_TRUE(keys.insert(field.name).second);
      EXPECT_FALSE(field.doc.empty());
      EXPECT_TRUE(field.when.empty() || op.params.find(field.when.substr(0, field.when.find('='))) >= 0);
      EXPECT_NO_THROW(check_range(field, field.fallback));
      EXPECT_GE(field.slider.low, field.range.low);
      EXPECT_LE(field.slider.high, field.range.high);
      EXPECT_TRUE(field.type != ParamType::choice || field.choices.size() >= 2);
    }
  }
}

TEST(Registry, EveryDefaultReadsBackFromItsJsonAndItsText) {
  for (const Operator& op : operators())
    for (const Field& field : op.params.fields) {
      SCOPED_TRACE(op.name + "." + field.name);
      if (field.type == ParamType::file) continue;  // has no default: a file must be named
      EXPECT_EQ(param_from_json(field, param_to_json(field, field.fallback)), field.fallback);
      if (field.type == ParamType::curve ||
          (field.type == ParamType::list && std::get<std::vector<double>>(field.fallback).empty()))
        continue;
      std::string text = param_text(field, field.fallback);
      const bool plain = field.type != ParamType::text && field.type != ParamType::records;
      std::erase_if(text, [&](char c) { return plain && (c == '[' || c == ']'); });
      EXPECT_EQ(param_from_json(field, json_string(text, {})), field.fallback) << text;
    }
}

TEST(Registry, JsonHasTheContractsKeys) {
  const auto object = nlohmann::json::parse(operators_json());
  ASSERT_FALSE(object["operators"].empty());
  for (const auto& op : object["operators"]) {
    for (const char* key :
         {"name", "version", "module", "doc", "example", "citation", "reach", "inputs", "output", "params"})
      EXPECT_TRUE(op.contains(key)) << key;
    for (const auto& param : op["params"])
      for (const char* key : {"name", "type", "default", "min", "max", "unit", "doc"})
        EXPECT_TRUE(param.contains(key)) << key;
  }
}

TEST(Registry, SchemaNamesEveryOperatorAndParameter) {
  const auto schema = nlohmann::json::parse(recipe_schema());
  const auto& cases = schema["properties"]["nodes"]["additionalProperties"]["allOf"];
  ASSERT_EQ(cases.size(), operators().size());
  for (size_t i = 0; i < cases.size(); ++i)
    for (const Field& field : operators()[i].params.fields)
      EXPECT_TRUE(cases[i]["then"]["properties"].contains(field.name)) << operators()[i].name << "." << field.name;
}

TEST(Presets, AreAtLeastFourAndAllValid) {
  EXPECT_GE(presets().size(), 4u);
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_FALSE(preset.title.empty());
    const Recipe recipe = parse_recipe({"recipes/" + preset.name + ".json", preset.text});
    EXPECT_FALSE(recipe.outputs.empty());
    EXPECT_TRUE(recipe.warnings.empty());
  }
}

}  // namespace tepui::registry_test

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tepui/core/error.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/landforms/rule_set.h"
#include "tepui/output/plan.h"
#include "tepui/output/schema.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/param_words.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/recipe.h"
#include "tepui/render/ground/bake.h"
#include "tepui/render/page/figure_params.h"
#include "tepui/render/picture/animation.h"
#include "tepui/render/picture/picture_params.h"
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
    // Who looks around says how far.
    EXPECT_TRUE(op.params.reach != Reach::window || op.halo || (op.framing && op.framing->source));
    EXPECT_EQ(op.framing.has_value(), op.name == "amplify" || op.name == "crop" || op.name == "resample");
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

TEST(Registry, ReachFollowsFromTheParametersAndIsCountedInCells) {
  const Frame frame = make_world({1000, 500}, 101);  // cells of 10 m
  const auto params = [](const Operator& op, const std::vector<std::string>& words) {
    return params_from_words(op.params, words, op.name);
  };
  const auto reach = [&](const char* name, const std::vector<std::string>& words) {
    const Operator& op = require_operator(name);
    return op.reach(params(op, words));
  };
  const auto halo = [&](const char* name, const std::vector<std::string>& words) {
    const Operator& op = require_operator(name);
    return op.halo(params(op, words), frame);
  };
  for (const char* name : {"noise", "brownian", "circular_faults", "linear_faults", "uplift", "diamond_square"}) {
    EXPECT_EQ(reach(name, {}), Reach::point) << name;
    EXPECT_EQ(reach(name, {"normalise=samples"}), Reach::whole) << name;
  }
  EXPECT_EQ(reach("mask", {"by=height"}), Reach::point);
  EXPECT_EQ(reach("mask", {"by=slope"}), Reach::window);
  EXPECT_EQ(halo("mask", {"by=slope"}), (Halo{1, 1}));
  EXPECT_EQ(halo("mask", {"by=curvature", "scale=52"}), (Halo{10, 10}));
  EXPECT_EQ(halo("mask", {"by=curvature", "scale=300"}), (Halo{60, 50}));  // the land is no larger
  EXPECT_EQ(halo("levelling", {"radius=44"}), (Halo{4, 4}));
  EXPECT_EQ(halo("levelling", {"radius=10%"}), (Halo{5, 5}));
  EXPECT_EQ(halo("table_mountain", {"levelling=44"}), (Halo{4, 4}));
  EXPECT_EQ(halo("implicitize", {}), (Halo{2, 2}));
  EXPECT_EQ(reach("take", {}), Reach::whole);
  EXPECT_EQ(reach_text(require_operator("noise").params), "point; whole with normalise=samples");
  EXPECT_EQ(reach_text(require_operator("levelling").params), "window of 'radius'");
}

TEST(Registry, EveryDefaultReadsBackFromItsJsonAndItsText) {
  for (const Operator& op : operators())
    for (const Field& field : op.params.fields) {
      SCOPED_TRACE(op.name + "." + field.name);
      if (field.type == ParamType::file && !field.automatic) continue;  // has no default: a file must be named
      EXPECT_EQ(param_from_json(field, param_to_json(field, field.fallback)), field.fallback);
      if (field.type == ParamType::curve || field.fallback == ParamValue(std::vector<double>())) continue;
      std::string text = param_text(field, field.fallback);
      const bool plain = field.type != ParamType::text && field.type != ParamType::records;
      std::erase_if(text, [&](char c) { return plain && (c == '[' || c == ']'); });
      EXPECT_EQ(param_from_json(field, json_string(text, {})), field.fallback) << text;
    }
}

/// Of everything that users set parameters of, by name.
std::vector<std::pair<std::string, ParamTable>> all_tables() {
  std::vector<std::pair<std::string, ParamTable>> tables;
  for (const Operator& op : operators()) tables.emplace_back(op.name, op.params);
  const auto add = [&]<class P>(const char* name, Fields<P> fields) {
    describe(fields);
    tables.emplace_back(name, fields.table());
  };
  add("output", Fields<OutputParams>());
  add("render", Fields<PictureParams>());
  add("figure", Fields<FigureParams>());
  add("turntable", Fields<TurntableParams>());
  add("timelapse", Fields<TimelapseParams>());
  add("bake", Fields<BakeParams>());
  return tables;
}

TEST(Registry, WhatMayBeAutoIsAutoAndSaysWhatThatMeans) {
  const Json word = json_string("auto", {});
  int found = 0;
  for (const auto& [name, table] : all_tables())
    for (const Field& field : table.fields) {
      SCOPED_TRACE(name + "." + field.name);
      EXPECT_EQ(field.automatic, field.doc.find("auto") != std::string::npos) << field.doc;
      for (const char* stand_in : {"empty:", "equal ends", "0..0", "by default", "0, 0:"})
        EXPECT_EQ(field.doc.find(stand_in), std::string::npos) << field.doc;
      if (!field.automatic) continue;
      ++found;
      EXPECT_EQ(field.fallback, ParamValue(Automatic{}));
      EXPECT_EQ(param_text(field, field.fallback), "auto");
      EXPECT_EQ(param_from_json(field, word), field.fallback);
      EXPECT_EQ(json_text(param_to_json(field, field.fallback)), "\"auto\"");
      EXPECT_EQ(param_from_json(field, param_to_json(field, field.fallback)), field.fallback);
      EXPECT_EQ(std::ranges::find(field.choices, "auto"), field.choices.end());
    }
  EXPECT_GE(found, 30);
}

TEST(Registry, OnlyWhatMayBeAutoTakesIt) {
  const Json word = json_string("auto", {});
  for (const auto& [name, table] : all_tables())
    for (const Field& field : table.fields) {
      SCOPED_TRACE(name + "." + field.name);
      // To a text, a file or a record it is a word like others.
      if (field.automatic || field.type == ParamType::text || field.type == ParamType::file || field.record) continue;
      EXPECT_THROW(param_from_json(field, word), Error);
    }
}

TEST(Registry, SchemaTakesAutoWhereTheParserDoes) {
  const auto schema = nlohmann::json::parse(recipe_schema());
  const auto& cases = schema["properties"]["nodes"]["additionalProperties"]["allOf"];
  const nlohmann::json word = {{"const", "auto"}};
  for (size_t i = 0; i < operators().size(); ++i)
    for (const Field& field : operators()[i].params.fields) {
      SCOPED_TRACE(operators()[i].name + "." + field.name);
      const auto& property = cases[i]["then"]["properties"][field.name];
      EXPECT_EQ(std::ranges::find(property["anyOf"], word) != property["anyOf"].end(), field.automatic);
      EXPECT_EQ(property["default"] == "auto", field.automatic);
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
  // Those that "as" makes of others follow.
  ASSERT_GE(cases.size(), operators().size());
  for (size_t i = 0; i < operators().size(); ++i)
    for (const Field& field : operators()[i].params.fields)
      EXPECT_TRUE(cases[i]["then"]["properties"].contains(field.name)) << operators()[i].name << "." << field.name;
}

TEST(Registry, SchemaKnowsFilesOfRules) {
  const auto schema = nlohmann::json::parse(recipe_schema());
  const auto& rules = schema["$defs"]["rules"];
  EXPECT_EQ(rules, nlohmann::json::parse(rules_schema()));
  for (const RuleKey& key : rule_keys(RulePart::set))
    EXPECT_EQ(rules["properties"][std::string(key.name)]["description"], key.doc);
  EXPECT_EQ(rules["required"], nlohmann::json({"axiom", "symbols", "shapes"}));
  EXPECT_EQ(rules["additionalProperties"], false);
}

TEST(Presets, AreAtLeastFourAndAllValid) {
  EXPECT_GE(presets().size(), 4u);
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_FALSE(preset.title.empty());
    const Plan recipe = plan(parse_recipe({"recipes/" + preset.name + ".json", preset.text}));
    EXPECT_FALSE(recipe.outputs.empty());
    EXPECT_TRUE(recipe.warnings.empty());
  }
}

}  // namespace tepui::registry_test

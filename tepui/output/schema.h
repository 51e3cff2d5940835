#pragma once

#include <string>
#include <string_view>

namespace tepui {

/// A JSON Schema (draft 2020-12) of recipes, from the registry: editors complete and check with it.
std::string recipe_schema();

/// The same of the files of rules that 'hoodoos' reads (landforms/rule_set.h); recipe_schema() has it as $defs/rules.
std::string rules_schema();

/// {"operators": [...]}: the registry as JSON; only the named operator if `name` is not empty.
std::string operators_json(std::string_view name = {});

}  // namespace tepui

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tepui/landforms/rule_set.h"

namespace tepui {

/// A set of rules that comes with Tepui.
struct ShippedRules {
  std::string name;
  std::string_view text;  ///< as a user may copy and change it
};
/// In the order of their names; "paper" is that of `form=paper`.
const std::vector<ShippedRules>& shipped_rules();

/// Read once; refuses a name that is none.
const RuleSet& shipped_rule_set(std::string_view name);

}  // namespace tepui

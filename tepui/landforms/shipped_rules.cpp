#include "tepui/landforms/shipped_rules.h"

#include <fmt/format.h>

#include <map>

#include "tepui/core/error.h"
#include "tepui/landforms/embedded_rules.h"
#include "tepui/landforms/rule_file.h"

namespace tepui {

const std::vector<ShippedRules>& shipped_rules() {
  static const std::vector<ShippedRules> all = [] {
    constexpr std::string_view folder = "tepui/landforms/rules/", ending = ".json";
    std::vector<ShippedRules> list;
    for (const EmbeddedFile& file : embedded_rules())
      list.push_back({file.name.substr(folder.size(), file.name.size() - folder.size() - ending.size()), file.bytes});
    return list;
  }();
  return all;
}

const RuleSet& shipped_rule_set(std::string_view name) {
  static const std::map<std::string, RuleSet, std::less<>> sets = [] {
    std::map<std::string, RuleSet, std::less<>> map;
    for (const ShippedRules& rules : shipped_rules()) map.emplace(rules.name, parse_rules(rules.text, rules.name));
    return map;
  }();
  const auto found = sets.find(name);
  if (found == sets.end()) {
    std::vector<std::string> names;
    for (const ShippedRules& rules : shipped_rules()) names.push_back(rules.name);
    refuse(fmt::format("there are no rules '{}'", name), suggest_name(name, names));
  }
  return found->second;
}

}  // namespace tepui

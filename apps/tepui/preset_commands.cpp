// presets, new, rules: recipes and rules that come with the program.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/landforms/shipped_rules.h"
#include "tepui/output/schema.h"
#include "tepui/recipe/presets.h"

namespace tepui::app {

void list_presets(const Invocation& call) {
  Ordered list = Ordered::array();
  for (const Preset& preset : presets()) {
    list.push_back({{"name", preset.name}, {"title", preset.title}});
    if (!call.json) fmt::print("{:<14} {}\n", preset.name, preset.title);
  }
  if (call.json)
    print_json(Ordered{{"presets", list}});
  else
    fmt::print("\n'{0} run NAME' makes one; '{0} new NAME -o my.json' copies it for you to change.\n", call.program);
}

void new_recipe(const std::string& name, const std::string& path, bool force, const Invocation& call) {
  namespace fs = std::filesystem;
  const Preset& preset = require_preset(name);
  if (fs::exists(path) && !force)
    refuse(fmt::format("'{}' already exists", path), "choose another name, or add --force");
  write_file(path, preset.text);
  std::vector<std::string> written{path};
  for (const PresetFile& file : preset.files) {
    const fs::path target = fs::path(path).parent_path() / file.name;
    if (fs::exists(target)) continue;
    if (target.has_parent_path()) fs::create_directories(target.parent_path());
    write_file(target.string(), file.bytes);
    written.push_back(target.string());
  }
  if (call.json)
    print_json(Ordered{{"written", written}});
  else
    report(call, fmt::format("wrote {}\nto run it: {} run {}\n", readable(fmt::format("{}", fmt::join(written, ", "))),
                             call.program, shell_word(path)));
}

void rules(const std::string& name, bool schema, const Invocation& call) {
  if (schema) {
    if (!name.empty()) refuse("rules have one schema for all", "leave out the name, or --schema");
    fmt::print("{}\n", rules_schema());
    return;
  }
  if (!name.empty()) {
    shipped_rule_set(name);  // refuses a name that is none
    for (const ShippedRules& set : shipped_rules())
      if (set.name == name) fmt::print("{}", set.text);
    return;
  }
  Ordered list = Ordered::array();
  for (const ShippedRules& set : shipped_rules()) {
    const std::string& about = shipped_rule_set(set.name).about;
    list.push_back({{"name", set.name}, {"about", about}});
    if (!call.json) fmt::print("{:<14} {}\n", set.name, about);
  }
  if (call.json)
    print_json(Ordered{{"rules", list}});
  else
    fmt::print(
        "\n'{0} rules NAME > my_rules.json' copies one to change; then \"file\": \"my_rules.json\" in 'hoodoos'.\n",
        call.program);
}

}  // namespace tepui::app

// presets, new: recipes that come with the program.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
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

}  // namespace tepui::app

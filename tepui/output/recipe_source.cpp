#include "tepui/output/recipe_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/core/params.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/scratch_folder.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/recipe.h"

namespace tepui {

namespace fs = std::filesystem;

namespace {

Source preset_source(const Preset& preset) {
  if (preset.files.empty()) return {preset.name + ".json", preset.text};
  // Holds the files that presets read while the program runs.
  static const ScratchFolder scratch;
  for (const PresetFile& file : preset.files) {
    ensure_folder(fs::path(scratch / file.name).parent_path().string());
    write_file(scratch / file.name, file.bytes);
  }
  return {scratch / (preset.name + ".json"), preset.text};
}

}  // namespace

Source recipe_source(const std::string& name) {
  if (fs::is_regular_file(name)) return read_recipe(name);
  if (const Preset* preset = find_preset(name)) return preset_source(*preset);
  std::vector<std::string> known;
  for (const Preset& preset : presets()) known.push_back(preset.name);
  const std::string near = nearest_name(name, known);
  if (!near.empty() && !fs::exists(name))
    refuse(fmt::format("there is no recipe or preset '{}'", name), fmt::format("did you mean '{}'?", near));
  return read_recipe(name);
}

}  // namespace tepui

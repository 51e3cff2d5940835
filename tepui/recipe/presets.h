#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tepui {

/// A file that a preset reads.
struct PresetFile {
  std::string name;  ///< relative to the recipe
  std::string bytes;
};

/// A recipe of recipes/ that is built into the program.
struct Preset {
  std::string name;
  std::string title;
  std::string text;
  std::vector<PresetFile> files;
};

/// Sorted by name.
const std::vector<Preset>& presets();
/// nullptr if there is none.
const Preset* find_preset(std::string_view name);
/// Throws with a suggestion.
const Preset& require_preset(std::string_view name);

/// "Warszawski et al. 2019, Procedural Method for ..., Applied Sciences" for each key of docs/references.bib; refuses
/// an unknown key.
std::string citation_text(const std::string& keys);

}  // namespace tepui

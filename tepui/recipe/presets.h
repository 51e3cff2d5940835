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

/// A work of docs/references.bib.
struct Citation {
  std::string author, year, title;
  std::string in;  ///< journal, book or institution
  std::string doi, url;
};

/// Of keys that are separated by spaces; refuses an unknown key.
std::vector<Citation> citations(const std::string& keys);

/// "Warszawski, Korneliusz K. and ... (2019): Procedural Method for .... Applied Sciences. 10.3390/...", a line each.
std::string citation_text(const std::string& keys);

}  // namespace tepui

#include "tepui/recipe/presets.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/params.h"
#include "tepui/recipe/embedded.h"
#include "tepui/recipe/json.h"

namespace tepui {

namespace {

/// Every string in a recipe that names an embedded file.
void collect_files(const Json& value, std::vector<PresetFile>& files) {
  if (value.is_string())
    for (const EmbeddedFile& file : embedded_files())
      if (file.name == "recipes/" + value.text) files.push_back({value.text, std::string(file.bytes)});
  for (const Json& item : value.items) collect_files(item, files);
  for (const JsonMember& member : value.members) collect_files(member.value, files);
}

std::vector<Preset> load_presets() {
  std::vector<Preset> list;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.name.starts_with("recipes/") || !file.name.ends_with(".json")) continue;
    Preset preset;
    preset.name = file.name.substr(8, file.name.size() - 13);
    preset.text = file.bytes;
    const Source source{preset.name, preset.text};
    const Json document = parse_json(source);
    if (const Json* title = document.find("title")) preset.title = title->text;
    collect_files(document, preset.files);
    list.push_back(std::move(preset));
  }
  std::ranges::sort(list, {}, &Preset::name);
  return list;
}

/// The value of the line `field = {...},` in one entry of a .bib file, without inner braces.
std::string bib_field(std::string_view entry, std::string_view field) {
  for (size_t start = entry.find('\n'); start != std::string_view::npos; start = entry.find('\n', start + 1)) {
    const std::string_view line = entry.substr(start + 1, entry.find('\n', start + 1) - start - 1);
    const size_t name = std::min(line.find_first_not_of(' '), line.size());
    const size_t open = line.find('{');
    if (open == std::string_view::npos || line.substr(name, field.size()) != field) continue;
    if (line.find_first_not_of(" =", name + field.size()) != open) continue;
    std::string value(line.substr(open + 1, line.rfind('}') - open - 1));
    std::erase_if(value, [](char c) { return c == '{' || c == '}'; });
    return value;
  }
  return {};
}

std::string one_citation(const std::string& key) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name != "docs/references.bib") continue;
    const size_t at = file.bytes.find("{" + key + ",");
    if (at == std::string_view::npos) break;
    const std::string_view entry = file.bytes.substr(at, file.bytes.find("\n}", at) - at);
    std::string text =
        fmt::format("{} ({}): {}", bib_field(entry, "author"), bib_field(entry, "year"), bib_field(entry, "title"));
    for (const char* field : {"journal", "booktitle", "institution", "doi"})
      if (const std::string value = bib_field(entry, field); !value.empty()) text += fmt::format(". {}", value);
    return text;
  }
  refuse(fmt::format("docs/references.bib has no entry '{}'", key));
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = load_presets();
  return all;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  return found == presets().end() ? nullptr : &*found;
}

const Preset& require_preset(std::string_view name) {
  if (const Preset* preset = find_preset(name)) return *preset;
  std::vector<std::string> known;
  for (const Preset& preset : presets()) known.push_back(preset.name);
  refuse(fmt::format("there is no preset '{}'", name), suggest_name(name, known));
}

std::string citation_text(const std::string& keys) {
  std::vector<std::string> parts;
  size_t start = 0;
  while (start < keys.size()) {
    const size_t space = std::min(keys.find(' ', start), keys.size());
    parts.push_back(one_citation(keys.substr(start, space - start)));
    start = space + 1;
  }
  return fmt::format("{}", fmt::join(parts, "\n      "));
}

}  // namespace tepui

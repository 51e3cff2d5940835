#include "tepui/recipe/presets.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/json.h"
#include "tepui/core/params.h"
#include "tepui/recipe/embedded.h"

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

/// The value of the line `field = {...},` in one entry of a .bib file, which may go on over the next lines; without
/// inner braces and escapes.
std::string bib_field(std::string_view entry, std::string_view field) {
  for (size_t start = entry.find('\n'); start != std::string_view::npos; start = entry.find('\n', start + 1)) {
    const std::string_view rest = entry.substr(start + 1);
    const size_t name = std::min(rest.find_first_not_of(' '), rest.size());
    const size_t open = rest.find('{');
    if (open == std::string_view::npos || rest.substr(name, field.size()) != field) continue;
    if (rest.find_first_not_of(" =", name + field.size()) != open) continue;
    std::string value;
    int depth = 0;
    for (const char c : rest.substr(open)) {
      if (c == '{') ++depth;
      if (c == '}' && --depth == 0) break;
      const bool blank = c == ' ' || c == '\n';
      if (c == '{' || c == '}' || c == '\\' || (blank && value.ends_with(' '))) continue;
      value += blank ? ' ' : c;
    }
    return value;
  }
  return {};
}

Citation one_citation(const std::string& key) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name != "docs/references.bib") continue;
    const size_t at = file.bytes.find("{" + key + ",");
    if (at == std::string_view::npos) break;
    const std::string_view entry = file.bytes.substr(at, file.bytes.find("\n}", at) - at);
    Citation citation{bib_field(entry, "author"), bib_field(entry, "year"), bib_field(entry, "title"), {},
                      bib_field(entry, "doi"),    bib_field(entry, "url")};
    for (const char* field : {"journal", "booktitle", "institution"})
      if (citation.in.empty()) citation.in = bib_field(entry, field);
    return citation;
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

std::vector<Citation> citations(const std::string& keys) {
  std::vector<Citation> list;
  for (size_t start = 0; start < keys.size();) {
    const size_t space = std::min(keys.find(' ', start), keys.size());
    list.push_back(one_citation(keys.substr(start, space - start)));
    start = space + 1;
  }
  return list;
}

std::string citation_text(const std::string& keys) {
  std::vector<std::string> parts;
  for (const Citation& citation : citations(keys)) {
    parts.push_back(fmt::format("{} ({}): {}", citation.author, citation.year, citation.title));
    for (const std::string& more : {citation.in, citation.doi.empty() ? citation.url : citation.doi})
      if (!more.empty()) parts.back() += ". " + more;
  }
  return fmt::format("{}", fmt::join(parts, "\n      "));
}

}  // namespace tepui

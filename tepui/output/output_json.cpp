#include "tepui/output/output_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/formats.h"
#include "tepui/io/tiles.h"
#include "tepui/output/output_kind.h"
#include "tepui/recipe/param_json.h"

namespace tepui {

namespace {

const Fields<OutputParams>& fields() { return fields_of<OutputParams>(); }

/// What the description of a single option cannot say.
void check_option(const std::string& name, const OutputParams& options, const std::string& file) {
  if (name == "tiles") check_tiling(file, options.tiles);
}

}  // namespace

const std::vector<std::string>& output_option_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Field& field : fields().table().fields) list.push_back(field.name);
    return list;
  }();
  return names;
}

std::string output_source_key(const JsonMember& output) {
  std::string found;
  for (const char* key : {"from", "frames", "timelapse"}) {
    const Json* given = output.value.find(key);
    if (given == nullptr) continue;
    if (!found.empty())
      refuse_at(given->at, fmt::format("output '{}' has both \"{}\" and \"{}\"", output.key, found, key),
                "leave one out");
    found = key;
  }
  if (found.empty()) refuse_at(output.at, fmt::format("output '{}' needs \"from\", the node it shows", output.key));
  return found;
}

OutputParams output_options(const Json& output, const std::string& file, const Kind& kind) {
  const ParamTable& table = fields().table();
  std::vector<ParamValue> values;
  for (const Field& field : table.fields) values.push_back(field.fallback);
  for (const JsonMember& member : output.members) {
    const int index = table.find(member.key);
    if (index < 0) continue;
    try {
      require_option(kind, file, member.key);
      values[static_cast<size_t>(index)] = param_from_json(table.fields[static_cast<size_t>(index)], member.value);
      check_option(member.key, fields().make(values), file);
    } catch (const Error& error) {
      throw error.at(member.at.place());
    }
  }
  return fields().make(values);
}

OutputParams output_options(const std::vector<std::string>& words, const std::string& file, const Kind& kind) {
  return output_options(output_words(words, "--out"), file, kind);
}

Json output_words(const std::vector<std::string>& words, const std::string& option) {
  Json object = json_object({});
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      refuse(fmt::format("'{} {}' is not name=value", option, word), "for example: " + option + " range=0..2000");
    const std::string name = word.substr(0, equals);
    if (std::ranges::find(output_option_names(), name) == output_option_names().end())
      refuse(fmt::format("there is no output option '{}'", name), suggest_name(name, output_option_names()));
    if (object.find(name) != nullptr) refuse(fmt::format("'{} {}' is given twice", option, name));
    object.members.push_back({name, {}, parse_word(word.substr(equals + 1), {})});
  }
  return object;
}

}  // namespace tepui

#include "tepui/recipe/param_words.h"

#include <fmt/format.h>

namespace tepui {

Json object_from_words(const std::vector<std::string>& words) {
  Json object = json_object({});
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) refuse(fmt::format("'{}' is not name=value", word));
    const std::string value = word.substr(equals + 1);
    object.members.push_back(
        {word.substr(0, equals), {}, value.starts_with('[') ? parse_word(value, {}) : json_string(value, {})});
  }
  return object;
}

std::vector<ParamValue> params_from_words(const ParamTable& table, const std::vector<std::string>& words,
                                          const std::string& what) {
  return params_from_json(table, object_from_words(words), what);
}

}  // namespace tepui

#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tepui/recipe/param_json.h"

namespace tepui::app {

/// "640x360" as the word that parameters take, "size=640,360".
inline std::string size_word(std::string size) {
  if (const size_t cross = size.find('x'); cross != std::string::npos) size[cross] = ',';
  return "size=" + size;
}

/// "name=value" words as the object that a recipe would hold; a list may stand in brackets.
inline Json object_from_words(const std::vector<std::string>& words) {
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

/// The parameters P from such words; `what` names them in messages.
template <class P>
P params_from_words(const std::vector<std::string>& words, const std::string& what) {
  Fields<P> fields;
  describe(fields);
  return fields.make(params_from_json(fields.table(), object_from_words(words), what));
}

}  // namespace tepui::app

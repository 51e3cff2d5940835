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

/// The parameters P from "name=value" words, as a recipe's object would hold them; `what` names them in messages.
template <class P>
P params_from_words(const std::vector<std::string>& words, const std::string& what) {
  Json object = json_object({});
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) refuse(fmt::format("'{}' is not name=value", word));
    object.members.push_back({word.substr(0, equals), {}, json_string(word.substr(equals + 1), {})});
  }
  Fields<P> fields;
  describe(fields);
  return fields.make(params_from_json(fields.table(), object, what));
}

}  // namespace tepui::app

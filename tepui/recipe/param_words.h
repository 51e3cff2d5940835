#pragma once

#include <string>
#include <vector>

#include "tepui/recipe/param_json.h"

// Parameters as the command line gives them: "name=value" words.

namespace tepui {

/// The object that a recipe would hold; a list may stand in brackets.
Json object_from_words(const std::vector<std::string>& words);

/// One value per field; `what` names the parameters in messages.
std::vector<ParamValue> params_from_words(const ParamTable& table, const std::vector<std::string>& words,
                                          const std::string& what);

/// The parameters P.
template <class P>
P params_from_words(const std::vector<std::string>& words, const std::string& what) {
  const Fields<P>& fields = fields_of<P>();
  return fields.make(params_from_words(fields.table(), words, what));
}

}  // namespace tepui

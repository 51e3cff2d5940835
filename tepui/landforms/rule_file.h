#pragma once  // internal

#include <string>
#include <string_view>

#include "tepui/landforms/rule_set.h"

namespace tepui {

/// Rules from a text in JSON; `name` is what errors call it. Refused, with the place in the text: unknown names and
/// keys; symbols and shapes that the axiom never leads to, and alternatives that are never chosen; a symbol that can
/// never end; symbols that lead around to themselves and place nothing that rises; and rules that may grow more than
/// `most_points`.
RuleSet parse_rules(std::string_view text, const std::string& name);

/// The same from a file.
RuleSet read_rules(const std::string& path);

}  // namespace tepui

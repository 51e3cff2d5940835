#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tepui/graph/operator.h"

namespace tepui {

/// The operators that have to do with a word, the nearest first, at most so many: by their names, by what they say they
/// do, by their parameters, and by other words for the same thing ("water" leads to the sea, "erosion" to weathering).
std::vector<const Operator*> operators_about(const std::string& word, size_t most = 8);

/// Whether a text has the word in it, or another for the same thing.
bool concerns(const std::string& word, std::string_view text);

/// What to say to somebody who has asked for an operator of this name: those that have to
/// do with it, or the one that is nearest in spelling.
std::string suggest_operator(const std::string& name);

/// The operator of this name; refused with such a suggestion where there is none.
const Operator& require_operator(const std::string& name);

}  // namespace tepui

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/core/problems.h"

// What a reader of a recipe's text asks of a value; each refuses anything else, `what` being the words for it.

namespace tepui {

void require_object(const Json& value, std::string_view what);
void allow_keys(const Json& object, const std::vector<std::string>& known, std::string_view where);
/// The same, each unknown key a problem of its own.
void allow_keys(const Json& object, const std::vector<std::string>& known, std::string_view where, Problems& problems);
double plain_number(const Json& value, std::string_view what);
std::string plain_text(const Json& value, std::string_view what);

}  // namespace tepui

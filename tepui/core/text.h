#pragma once

#include <string>
#include <string_view>

namespace tepui {

/// Its letters A to Z made small, in every locale; all other bytes stay.
std::string lower_case(std::string_view text);

}  // namespace tepui

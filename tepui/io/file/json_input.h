#pragma once  // internal

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace tepui {

/// JSON from a file nobody vouches for; nothing if it is damaged or nested deeper than anything we write.
std::optional<nlohmann::json> parse_untrusted_json(std::string_view text);

}  // namespace tepui

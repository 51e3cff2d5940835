#include "tepui/core/json_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/params.h"

namespace tepui {

void require_object(const Json& value, std::string_view what) {
  if (!value.is_object()) refuse_at(value.at, fmt::format("{} must be an object, not {}", what, value.type_name()));
}

void allow_keys(const Json& object, const std::vector<std::string>& known, std::string_view where) {
  Problems first;
  allow_keys(object, known, where, first);
}

void allow_keys(const Json& object, const std::vector<std::string>& known, std::string_view where, Problems& problems) {
  for (const JsonMember& member : object.members)
    if (std::ranges::find(known, member.key) == known.end())
      problems.attempt([&] {
        refuse_at(member.at, fmt::format("{} has no key '{}'", where, member.key), suggest_name(member.key, known));
      });
}

double plain_number(const Json& value, std::string_view what) {
  if (!value.is_number() || !std::isfinite(value.number))
    refuse_at(value.at, fmt::format("{} must be a number, not {}", what, value.type_name()));
  return value.number;
}

std::string plain_text(const Json& value, std::string_view what) {
  if (!value.is_string()) refuse_at(value.at, fmt::format("{} must be text, not {}", what, value.type_name()));
  return value.text;
}

}  // namespace tepui

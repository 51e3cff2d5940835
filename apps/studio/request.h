#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tepui/core/json.h"

namespace tepui::studio {

/// What a page asks for.
struct Request {
  std::string verb;
  std::optional<int64_t> id{};  ///< of what is to be answered
  Source source;
  Json body;

  // Members by name; refused where they are missing or something else.
  const Json& member(std::string_view key) const;
  std::string text(std::string_view key) const;
  /// Empty where there is none, or null.
  std::string text_or_none(std::string_view key) const;
  double number(std::string_view key) const;
  int64_t integer(std::string_view key, int64_t low, int64_t high) const;
  bool flag(std::string_view key) const;
  /// The bytes of a member's value as they were sent.
  std::string raw(std::string_view key) const;
};

/// Texts nest no deeper.
inline constexpr int deepest_request = 32;

/// Reads a text frame; refuses what is no request.
Request parse_request(std::string text);

}  // namespace tepui::studio

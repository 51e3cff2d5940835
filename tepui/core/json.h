#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/hash.h"
#include "tepui/core/position.h"

// JSON that remembers where each value stood, so that every error can say file:line:column.

namespace tepui {

struct JsonMember;

struct Json {
  enum class Type { null, boolean, integer, number, string, array, object };

  Type type = Type::null;
  bool boolean = false;
  int64_t integer = 0;
  double number = 0;  ///< also set for integers
  std::string text;
  std::vector<Json> items;
  std::vector<JsonMember> members;
  Position at;  ///< all of it, brackets and quotes included

  bool is_number() const { return type == Type::integer || type == Type::number; }
  bool is_string() const { return type == Type::string; }
  bool is_array() const { return type == Type::array; }
  bool is_object() const { return type == Type::object; }
  /// nullptr if this is no object or has no such member.
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  /// "a number", "text", ... for messages.
  std::string_view type_name() const;
  /// The same value said to stand elsewhere.
  Json placed_at(Position position) const;
};

struct JsonMember {
  std::string key;
  Position at;
  Json value;
};

Json json_string(std::string text, Position at);
Json json_integer(int64_t value, Position at = {});
Json json_boolean(bool value, Position at = {});
Json json_list(std::vector<Json> items, Position at = {});
/// Without members.
Json json_object(Position at);

/// Parses JSON with // and /* */ comments. Duplicate keys, NaN, numbers beyond double, nesting deeper than 64, more
/// than a million values and UTF-16 are errors.
Json parse_json(const Source& source);

/// A word of the command line: JSON where it is JSON, text otherwise.
Json parse_word(const std::string& word, Position at);

/// The value in JSON form, indented by two spaces; objects that hold only plain values stay on one line while they fit.
std::string json_text(const Json& value);

/// Adds the value to a hash, without its layout and its own members named in `except`.
void hash_json(Hasher& hasher, const Json& value, const std::vector<std::string_view>& except = {});

}  // namespace tepui

#include "apps/studio/request.h"

#include <fmt/format.h>

#include <cmath>

#include "tepui/core/error.h"

namespace tepui::studio {

namespace {

/// Brackets inside brackets, whatever else the text is.
int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

[[noreturn]] void refuse_member(std::string_view key, const char* what) {
  refuse(fmt::format("'{}' must be {}", key, what));
}

}  // namespace

const Json& Request::member(std::string_view key) const {
  const Json* found = body.find(key);
  if (found == nullptr) refuse(fmt::format("'{}' needs '{}'", verb, key));
  return *found;
}

std::string Request::text(std::string_view key) const {
  const Json& value = member(key);
  if (!value.is_string()) refuse_member(key, "text");
  return value.text;
}

std::string Request::text_or_none(std::string_view key) const {
  const Json* value = body.find(key);
  return value == nullptr || value->type == Json::Type::null ? std::string() : text(key);
}

double Request::number(std::string_view key) const {
  const Json& value = member(key);
  if (!value.is_number() || !std::isfinite(value.number)) refuse_member(key, "a number");
  return value.number;
}

int64_t Request::integer(std::string_view key, int64_t low, int64_t high) const {
  const Json& value = member(key);
  if (value.type != Json::Type::integer) refuse_member(key, "a whole number");
  if (value.integer < low || value.integer > high) refuse(fmt::format("'{}' is from {} to {}", key, low, high));
  return value.integer;
}

bool Request::flag(std::string_view key) const {
  const Json* value = body.find(key);
  if (value == nullptr) return false;
  if (value->type != Json::Type::boolean) refuse_member(key, "true or false");
  return value->boolean;
}

std::string Request::raw(std::string_view key) const {
  const Position& at = member(key).at;
  return source.text.substr(at.begin, at.end - at.begin);
}

Request parse_request(std::string text) {
  Request request;
  request.source = {"request", std::move(text)};
  if (depth_of(request.source.text) > deepest_request)
    refuse(fmt::format("a request nests at most {} deep", deepest_request));
  request.body = parse_json(request.source);
  if (!request.body.is_object()) refuse("a request is an object");
  request.verb = request.text("do");
  if (request.body.find("id") != nullptr) request.id = request.integer("id", 0, int64_t{1} << 53);
  return request;
}

}  // namespace tepui::studio

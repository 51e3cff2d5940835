#include "tepui/recipe/json_path.h"

#include <fmt/format.h>

#include <utility>

namespace tepui {

namespace {

bool stands_at(const Position& at, const Place& place) {
  if (at.source == nullptr || at.source->name != place.file) return false;
  // A word of the command line is one place.
  return place.line == 0 || (at.line == place.line && at.column == place.column);
}

bool find(const Json& value, const Place& place, JsonPath& path) {
  if (stands_at(value.at, place)) return true;
  for (const JsonMember& member : value.members) {
    path.push_back(member.key);
    if (stands_at(member.at, place) || find(member.value, place, path)) return true;
    path.pop_back();
  }
  for (size_t i = 0; i < value.items.size(); ++i) {
    path.push_back(std::to_string(i));
    if (find(value.items[i], place, path)) return true;
    path.pop_back();
  }
  return false;
}

}  // namespace

const Json* find_value(const Json& document, const JsonPath& path) {
  const Json* at = &document;
  for (const std::string& key : path) {
    const Json* next = at->find(key);
    if (at->is_array())
      for (size_t i = 0; i < at->items.size(); ++i)
        if (std::to_string(i) == key) next = &at->items[i];
    if (next == nullptr) return nullptr;
    at = next;
  }
  return at;
}

std::optional<JsonPath> path_at(const Json& document, const Place& place) {
  JsonPath path;
  if (!place.is_known() || !find(document, place, path)) return std::nullopt;
  return path;
}

Error concerning(const Error& error, const Json& document, const JsonPath& above) {
  std::optional<JsonPath> path = path_at(document, error.place());
  if (!path) return error;
  path->insert(path->begin(), above.begin(), above.end());
  std::string node;
  if (path->size() > 1 && path->front() == "nodes") {
    node = (*path)[1];
    path->erase(path->begin(), path->begin() + 2);
  }
  return error.concerning(std::move(node), fmt::format("{}", fmt::join(*path, ".")));
}

}  // namespace tepui

#include "tepui/graph/value.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"

namespace tepui {

const Kind& kind_named(std::string_view name) {
  const auto found = std::ranges::find(kinds(), name, &Kind::name);
  if (found == kinds().end()) fail(fmt::format("there is no row for the kind '{}' in graph/kinds.cpp", name));
  return *found;
}

size_t Value::bytes() const { return empty() ? 0 : kind_->bytes(object_.get()); }

Hash Value::hash() const { return empty() ? Hash() : kind_->hash(object_.get()); }

void refuse_kind(const Value& value, std::string_view what, const Kind& wanted) {
  refuse(fmt::format("{} is {}, not {}", what, value.empty() ? "nothing" : value.kind().name, wanted.noun));
}

}  // namespace tepui

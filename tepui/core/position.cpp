#include "tepui/core/position.h"

#include <fmt/format.h>

namespace tepui {

std::string Position::text() const {
  if (source == nullptr) return {};
  return source->name.starts_with("--") ? source->name : fmt::format("{}:{}:{}", source->name, line, column);
}

void refuse_at(const Position& at, std::string message, std::string hint) {
  throw Error(ErrorKind::request, std::move(message), std::move(hint), at.text());
}

}  // namespace tepui

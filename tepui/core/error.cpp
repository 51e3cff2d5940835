#include "tepui/core/error.h"

#include <fmt/format.h>

#include <utility>

namespace tepui {

std::string Place::text() const { return line == 0 ? file : fmt::format("{}:{}:{}", file, line, column); }

Error::Error(ErrorKind kind, std::string message, std::string hint, Place place)
    : kind_(kind), message_(std::move(message)), hint_(std::move(hint)), place_(std::move(place)) {}

Error Error::at(Place place) const {
  if (place_.is_known()) return *this;
  // What is known of it without a place is kept.
  if (place.node.empty()) place.node = place_.node;
  if (place.field.empty()) place.field = place_.field;
  return {kind_, message_, hint_, std::move(place)};
}

Error Error::concerning(std::string node, std::string field) const {
  Error named = *this;
  if (place_.node.empty() && place_.field.empty()) {
    named.place_.node = std::move(node);
    named.place_.field = std::move(field);
  }
  return named;
}

void refuse(std::string message, std::string hint) {
  throw Error(ErrorKind::request, std::move(message), std::move(hint));
}

void fail(std::string message, std::string hint) {
  throw Error(ErrorKind::failure, std::move(message), std::move(hint));
}

}  // namespace tepui

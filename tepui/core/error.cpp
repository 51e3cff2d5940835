#include "tepui/core/error.h"

#include <utility>

namespace tepui {

Error::Error(ErrorKind kind, std::string message, std::string hint, std::string where)
    : kind_(kind), message_(std::move(message)), hint_(std::move(hint)), where_(std::move(where)) {}

Error Error::at(std::string where) const {
  if (!where_.empty()) return *this;
  return {kind_, message_, hint_, std::move(where)};
}

void refuse(std::string message, std::string hint) {
  throw Error(ErrorKind::request, std::move(message), std::move(hint));
}

void fail(std::string message, std::string hint) {
  throw Error(ErrorKind::failure, std::move(message), std::move(hint));
}

}  // namespace tepui

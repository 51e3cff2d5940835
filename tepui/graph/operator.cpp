#include "tepui/graph/operator.h"

#include <fmt/format.h>

namespace tepui {

std::string port_text(const Port& port) {
  return fmt::format("{}{}{}", port.kind->name, port.list ? ", several" : "", port.optional ? ", optional" : "");
}

}  // namespace tepui

#include "tepui/graph/node_report.h"

#include <fmt/format.h>

namespace tepui {

Error error_at(const Error& error, const Node& node) {
  // An output is told by its place alone.
  const bool named = error.kind() != ErrorKind::cancelled && !node.name.empty();
  return Error(error.kind(), named ? fmt::format("node '{}': {}", node.name, error.message()) : error.message(),
               error.hint(), error.place())
      .at(node.at.place())
      .concerning(node.name, "");
}

Value select(const Value& value, const Reference& reference) {
  if (reference.layer.empty()) return value;
  try {
    if (!value.kind().has_layers()) refuse(fmt::format("{} has no layers", value.kind().noun));
    return value.kind().layer(value, reference.layer);
  } catch (const Error& error) {
    throw error.at(reference.at.place());
  }
}

}  // namespace tepui

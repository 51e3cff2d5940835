#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/recipe/recipe.h"

namespace tepui {

/// What `tepui make` is given beside the line itself.
struct OneLinerOptions {
  std::string size = {};  ///< "2048", "2km", "4km x 2km"; empty for the default
  std::optional<int64_t> resolution = {};
  int64_t seed = 0;
};

/// How a line of operators could feed the port: "pipe land into 'levelling': noise | levelling".
std::string pipe_hint(const Port& port, const Operator& op);

/// The kind of value that the line's last operator gives; land where there is no such operator.
const Kind& line_kind(const Source& line);

/// Turns 'op a=1 b=2 | op ...' into the document of the equivalent recipe, without outputs. Values keep their place in
/// the line, so that errors can point at them. An operator's first port of each kind takes the latest value of that
/// kind, unless the line names the port; a stage before the last whose value nothing takes is refused.
Json parse_one_liner(const Source& line, const OneLinerOptions& options);

}  // namespace tepui

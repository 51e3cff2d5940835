#pragma once

#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/graph/value.h"

// Values from files, whatever their kind: `info`, `convert`, `compare`, `render` and `figure` read through these.

namespace tepui {

/// The kind of value that a file holds, by its ending; an ending that is not known is refused with those that are.
const Kind& kind_of_file(const std::string& path);

/// The value that a file holds. `how` says what the file does not, "name=value" of the parameters of the kind's reader.
Value read_value(const std::string& path, const std::vector<std::string>& how, const Context& context);

/// What `info` says of a file, an object as JSON text: as stored, or as it is read where the caller says how.
std::string file_info(const std::string& path, const std::vector<std::string>& how, const Context& context);

}  // namespace tepui

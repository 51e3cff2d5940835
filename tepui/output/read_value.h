#pragma once

#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/graph/value.h"

// The formats that values are read from, whatever their kind: `info`, `convert`, `compare`, `render` and `figure` go by
// this one table. What they are written to is told by the rows of output_kind.cpp.

namespace tepui {

struct ReadFormat {
  std::vector<std::string> endings{};  ///< in small letters, with the dot
  const Kind* kind = nullptr;
  /// `how` tells what the file does not say, "name=value" of the parameters of the kind's reader.
  Value (*read)(const std::string& path, const std::vector<std::string>& how, const Context& context) = nullptr;
  /// What `info` tells of the file as it is stored, as JSON text; none where it is read for that.
  std::string (*info)(const std::string& path, const Context& context) = nullptr;
};

const std::vector<ReadFormat>& read_formats();

/// The format of a file's ending; an ending that is not known is refused with those that are.
const ReadFormat& read_format(const std::string& path);

/// The value that a file holds.
Value read_value(const std::string& path, const std::vector<std::string>& how, const Context& context);

/// What `info` tells of a file, an object as JSON text: as stored, or as it is read where the caller says how.
std::string file_info(const std::string& path, const std::vector<std::string>& how, const Context& context);

}  // namespace tepui

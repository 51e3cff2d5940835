#pragma once  // internal

#include <string>

#include "tepui/core/context.h"
#include "tepui/core/hash.h"
#include "tepui/graph/value.h"

// A part of a value as a file of the cache: the bytes as they lie in memory, then a foot.

namespace tepui {

/// Of a file with a part of so many bytes.
size_t part_file_bytes(size_t bytes);

/// Writes a new file; 0, or what went wrong.
int write_part(const std::string& path, PartBytes part);

/// Reads the part into memory that has room for it; whether the file holds so many bytes, whole and with that content.
bool read_part(const std::string& path, const Hash& content, void* to, size_t bytes, const Context& context);

}  // namespace tepui

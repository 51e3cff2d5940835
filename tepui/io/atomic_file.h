#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tepui {

/// Lets `write` make a file under a temporary name in the same folder, then flushes it to disk, checks the close and
/// renames it to `path`: the old file or the new one, never half. The temporary file is removed on any error, which
/// names `path`.
void write_atomically(const std::string& path, const std::function<void(const std::string& temporary)>& write);

/// The same for bytes already in memory.
void write_file(const std::string& path, std::string_view bytes);

/// The whole file; refuses one larger than `limit`.
std::string read_file(const std::string& path, size_t limit);

}  // namespace tepui

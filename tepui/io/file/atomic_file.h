#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "tepui/core/file.h"

namespace tepui {

/// Lets `write` make a file under a temporary name in the same folder, then flushes it to disk, checks the close and
/// renames it to `path`: the old file or the new one, never half. The temporary file is removed on any error, which
/// names `path`. Makes no folders.
void write_atomically(const std::string& path, const std::function<void(const std::string& temporary)>& write);

/// The same for bytes already in memory.
void write_file(const std::string& path, std::string_view bytes);

/// Refuses a file that could not be written now, as these do: for work that takes long before it gets there.
void check_writable(const std::string& path);

/// Refuses a file below `folder` whose way leads out of it by a link: what names it may not be what chose the folder.
void require_inside(const std::string& folder, const std::string& path);

/// Makes the folder and those above it where they are missing.
void ensure_folder(const std::string& path);

/// A file being written, every byte of it checked; errors name `shown`, the file's final name.
class OutputFile {
 public:
  OutputFile(const std::string& path, std::string shown);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, size_t bytes);
  /// The next byte goes there.
  void seek(uint64_t offset);
  /// Without it the file counts as abandoned.
  void close();

 private:
  std::FILE* file_;
  std::string shown_;
};

}  // namespace tepui

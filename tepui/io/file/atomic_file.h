#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tepui/core/byte_hasher.h"
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

/// Takes the bytes of a file one after the other.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(const void* data, size_t bytes) = 0;
  /// The next byte goes there.
  virtual void seek(uint64_t offset) = 0;
  /// Leaves nothing behind in buffers, so that what can go wrong with it goes wrong now.
  virtual void flush() {}
};

/// A file being written, every byte of it checked; errors name `shown`, the file's final name.
class OutputFile : public ByteSink {
 public:
  OutputFile(const std::string& path, std::string shown);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, size_t bytes) override;
  void seek(uint64_t offset) override;
  void flush() override;
  /// Without it the file counts as abandoned.
  void close();

  /// How many bytes were written and their hash, as long as they came in order; none after going back.
  uint64_t size() const { return at_; }
  std::optional<Hash> hash() const;

 private:
  std::FILE* file_;
  std::string shown_;
  uint64_t at_ = 0;
  bool in_order_ = true;
  ByteHasher hasher_;
};

}  // namespace tepui

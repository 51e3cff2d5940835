#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tepui/core/hash.h"
#include "tepui/io/file/atomic_file.h"

namespace tepui {

/// What was written: how many bytes, and their hash (XXH3, 128 bits).
struct StoredFile {
  uint64_t bytes = 0;
  Hash hash;
};

/// Files by name that lie in memory, for programs that hand them on instead of keeping them.
using MemoryFiles = std::map<std::string, std::string>;

/// The place of one file that is going to be written: a path on disk, or a name in memory. Every writer takes one, and
/// a plain path where it gets one. Copies stand for the same file.
class FileTarget {
 public:
  /// A file on disk. It is written atomically (write_atomically); its folder must exist.
  FileTarget(std::string path);
  FileTarget(const char* path) : FileTarget(std::string(path)) {}
  /// An entry of `files`, which must outlive the writing. One thread at a time may write to the same files.
  FileTarget(std::string name, MemoryFiles& files);

  /// The path or the name, for messages and endings.
  const std::string& path() const { return path_; }

  /// Another file at the same kind of place: the header beside samples, the next of several tiles.
  FileTarget beside(std::string path) const;

  /// Writes the file with what `fill` gives it. The bytes are hashed on the way, unless `fill` goes back in the file.
  void write(const std::function<void(ByteSink& file)>& fill) const;
  void write(std::string_view bytes) const;

  /// The same for libraries that want a name of a file to write to.
  void write_by_name(const std::function<void(const std::string& path)>& fill) const;

  /// Refuses a place that could not be written now (check_writable): for work that takes long before it gets there.
  void check() const;

  /// Removes the file, where there is one.
  void remove() const;

  /// What was written. Only for a target that was written to.
  const StoredFile& stored() const;

 private:
  std::string path_;
  MemoryFiles* files_ = nullptr;
  std::shared_ptr<std::optional<StoredFile>> stored_;
};

/// The hash of a file's bytes.
Hash hash_file(const std::string& path);

}  // namespace tepui

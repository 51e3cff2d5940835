#pragma once  // internal

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tepui {

/// Bytes at positions: a file, or a file inside an archive. Reading is from one thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  /// Refuses to read past the end, and what turns out to be damaged.
  virtual void read(uint64_t offset, void* to, size_t bytes) = 0;
};

/// A regular file; anything else is refused.
class FileSource : public ByteSource {
 public:
  explicit FileSource(std::string path);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  const std::string& path() const { return path_; }
  uint64_t size() const override { return size_; }
  void read(uint64_t offset, void* to, size_t bytes) override;

 private:
  std::string path_;
  uint64_t size_ = 0;
  int file_ = -1;
};

/// The same bytes from memory, which takes all of them at the first read.
std::unique_ptr<ByteSource> in_memory(std::unique_ptr<ByteSource> source);

/// Names as a file has them, for a message: quoted, without control characters, at most a dozen.
std::string listed(const std::vector<std::string>& names);

}  // namespace tepui

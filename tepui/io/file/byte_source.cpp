#include "tepui/io/file/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"

namespace tepui {

namespace {

/// Memory that is touched only as the bytes arrive.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::unique_ptr<ByteSource> source) : source_(std::move(source)), size_(source_->size()) {}

  uint64_t size() const override { return size_; }

  void read(uint64_t offset, void* to, size_t bytes) override {
    if (source_ != nullptr) load();
    if (offset > size_ || bytes > size_ - offset) refuse("the file ends too early");
    std::memcpy(to, bytes_.get() + offset, bytes);
  }

 private:
  void load() {
    constexpr uint64_t piece = 1 << 20;
    bytes_.reset(new char[size_]);
    for (uint64_t at = 0; at < size_; at += piece)
      source_->read(at, bytes_.get() + at, static_cast<size_t>(std::min(piece, size_ - at)));
    source_.reset();
  }

  std::unique_ptr<ByteSource> source_;
  uint64_t size_;
  std::unique_ptr<char[]> bytes_;
};

}  // namespace

FileSource::FileSource(std::string path) : path_(std::move(path)), size_(file_size(path_)) {
  file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) refuse(fmt::format("cannot read '{}': {}", path_, std::generic_category().message(errno)));
}

FileSource::~FileSource() { ::close(file_); }

void FileSource::read(uint64_t offset, void* to, size_t bytes) {
  if (offset > size_ || bytes > size_ - offset) refuse(fmt::format("'{}' ends too early", path_));
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(file_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(fmt::format("cannot read '{}': {}", path_, std::generic_category().message(errno)));
    if (got == 0) fail(fmt::format("cannot read '{}': it became shorter during the read", path_));
    at += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
}

std::unique_ptr<ByteSource> in_memory(std::unique_ptr<ByteSource> source) {
  return std::make_unique<MemorySource>(std::move(source));
}

std::string listed(const std::vector<std::string>& names) {
  constexpr size_t most = 12, longest = 80;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), most); ++i) {
    std::string name = names[i].substr(0, longest);
    for (char& c : name)
      if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
    text += fmt::format("{}'{}'", i > 0 ? ", " : "", name);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace tepui

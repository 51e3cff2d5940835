#pragma once  // internal

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// Files of the cache: nothing that goes wrong with them is an error, so none of this throws.

namespace tepui {

/// An open file that closes itself; negative where it could not be opened.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : file_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return file_; }
  /// 0, or what went wrong.
  int close() { return ::close(std::exchange(file_, -1)) == 0 ? 0 : errno; }

 private:
  int file_;
};

/// For reading an entry: links are not followed, and a pipe does not keep anyone waiting.
constexpr int read_entry = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/// Bytes of an open regular file.
inline std::optional<size_t> size_of(int file) {
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<size_t>(status.st_size);
}

inline bool read_fully(int file, void* to, size_t bytes, size_t at) {
  auto* next = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(file, next, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    at += static_cast<size_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

/// 0, or what went wrong.
inline int write_fully(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), std::min<size_t>(bytes.size(), 1 << 24));
    if (put < 0 && errno != EINTR) return errno;
    if (put > 0) bytes.remove_prefix(static_cast<size_t>(put));
  }
  return 0;
}

/// Last use is the time of last change: it survives file systems that do not note reads.
inline void touch(int file) { futimens(file, nullptr); }

}  // namespace tepui

#include "tepui/io/file/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <vector>

#include "tepui/core/error.h"

namespace tepui {

namespace {

std::string reason(int code) { return std::generic_category().message(code); }

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A place that cannot be written is the request's fault; a full disk is not.
[[noreturn]] void throw_write_error(const std::string& path, int code) {
  const std::string message = fmt::format("cannot write '{}': {}", path, reason(code));
  switch (code) {
    case ENOENT:
      refuse(fmt::format("cannot write '{}': its folder does not exist", path),
             fmt::format("create it first: mkdir -p '{}'", folder_of(path)));
    case EACCES:
    case EPERM:
    case EROFS:
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
      refuse(message);
    default:
      fail(message);
  }
}

constexpr std::string_view temporary_start = ".tepui-", temporary_end = ".tmp";

/// ".tepui-123-4.tmp", and nothing longer: a library may put files of its own beside it.
bool is_temporary(const std::string& name) {
  if (!name.starts_with(temporary_start) || !name.ends_with(temporary_end)) return false;
  const size_t from = temporary_start.size(), end = name.size() - temporary_end.size();
  return from < end && name.find_first_not_of("0123456789-", from) == end;
}

/// Removes what killed programs left in a folder, once: temporary files that nobody holds the lock of any more, with
/// what libraries put beside them.
void sweep(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> swept;
  {
    const std::lock_guard lock(mutex);
    if (!swept.insert(folder).second) return;
  }
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (std::string name = entry->path().filename().string(); name.starts_with(temporary_start))
      names.push_back(std::move(name));
  for (const std::string& name : names) {
    if (!is_temporary(name)) continue;
    const int file = open((folder + "/" + name).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
      for (const std::string& other : names)
        if (other == name || other.starts_with(name + ".")) unlink((folder + "/" + other).c_str());
    ::close(file);
  }
}

/// A new file beside `path`, its name taken by creating it: unique among threads, processes and what a crash left.
/// Locked while this program lives, so that others can tell it from what a crash left.
class Temporary {
 public:
  explicit Temporary(const std::string& path) {
    static std::atomic<uint64_t> counter{0};
    const std::string folder = folder_of(path);
    sweep(folder);
    for (;;) {
      name_ = fmt::format("{}/{}{}-{}{}", folder, temporary_start, getpid(), counter++, temporary_end);
      lock_ = open(name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
      if (lock_ < 0) {
        if (errno == EEXIST) continue;
        throw_write_error(path, errno);
      }
      flock(lock_, LOCK_EX | LOCK_NB);
      // Another program may have swept it away in between.
      struct stat status {};
      if (fstat(lock_, &status) != 0 || status.st_nlink > 0) return;
      ::close(lock_);
    }
  }
  ~Temporary() {
    if (!name_.empty()) unlink(name_.c_str());
    ::close(lock_);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::string& name() const { return name_; }

  void flush(const std::string& path) const {
    const int file = open(name_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) throw_write_error(path, errno);
    const int flushed = fsync(file) == 0 ? 0 : errno;
    const int closed = ::close(file) == 0 ? 0 : errno;
    if (flushed != 0 || closed != 0) throw_write_error(path, flushed != 0 ? flushed : closed);
  }

  void become(const std::string& path) {
    if (rename(name_.c_str(), path.c_str()) != 0) throw_write_error(path, errno);
    name_.clear();
  }

 private:
  std::string name_;
  int lock_ = -1;
};

/// The rename reaches the disk with its folder. Not every file system can do it, and the file itself is whole either
/// way, so that a failure is none of ours.
void flush_folder(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  ::close(file);
}

void check_target(const std::string& path) {
  if (file_name(path).empty()) refuse(fmt::format("cannot write '{}': that is not the name of a file", path));
  struct stat existing {};
  if (stat(path.c_str(), &existing) != 0) return;
  // Renaming over a device would replace it.
  if (S_ISDIR(existing.st_mode)) throw_write_error(path, EISDIR);
  if (!S_ISREG(existing.st_mode)) refuse(fmt::format("cannot write '{}': it is not a regular file", path));
}

}  // namespace

void check_writable(const std::string& path) {
  check_target(path);
  const Temporary temporary(path);
}

void write_atomically(const std::string& path, const std::function<void(const std::string& temporary)>& write) {
  check_target(path);
  Temporary temporary(path);
  write(temporary.name());
  temporary.flush(path);
  temporary.become(path);
  flush_folder(folder_of(path));
}

void write_file(const std::string& path, std::string_view bytes) {
  write_atomically(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    file.write(bytes.data(), bytes.size());
    file.close();
  });
}

void require_inside(const std::string& folder, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder, error);
  if (error) return;
  const fs::path parent = fs::weakly_canonical(fs::path(path).parent_path(), error);
  const auto [in_root, in_parent] = std::mismatch(root.begin(), root.end(), parent.begin(), parent.end());
  if (error || in_root != root.end())
    refuse(fmt::format("cannot write '{}': a symbolic link leads out of '{}'", path, folder),
           "remove the link, or choose the folder that it points to");
}

void ensure_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path, error))
    refuse(fmt::format("cannot create the folder '{}': {}", path, error ? error.message() : reason(ENOTDIR)));
}

OutputFile::OutputFile(const std::string& path, std::string shown)
    : file_(std::fopen(path.c_str(), "wbe")), shown_(std::move(shown)) {
  if (file_ == nullptr) throw_write_error(shown_, errno);
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void OutputFile::write(const void* data, size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) throw_write_error(shown_, errno);
  if (in_order_) hasher_.add(data, bytes);
  at_ += bytes;
}

void OutputFile::seek(uint64_t offset) {
  if (fseeko(file_, static_cast<off_t>(offset), SEEK_SET) != 0) throw_write_error(shown_, errno);
  in_order_ = in_order_ && offset == at_;
  at_ = offset;
}

void OutputFile::flush() {
  if (std::fflush(file_) != 0) throw_write_error(shown_, errno);
}

std::optional<Hash> OutputFile::hash() const {
  return in_order_ ? std::optional<Hash>(hasher_.finish()) : std::nullopt;
}

void OutputFile::close() {
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) throw_write_error(shown_, errno);
}

}  // namespace tepui

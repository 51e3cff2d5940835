#include "apps/studio/own_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/core/number.h"
#include "tepui/io/file/atomic_file.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

constexpr size_t largest_file = size_t{64} << 20;

/// A name of a file and nothing else: no folder, not hidden, with this ending.
void require_bare_name(const std::string& name, const std::string& ending) {
  const bool bare = !name.empty() && name.size() <= 200 && name.find('/') == std::string::npos && name.front() != '.' &&
                    name.front() != '-' && name.ends_with(ending) && !has_control_characters(name);
  if (!bare)
    refuse(fmt::format("'{}' is not the name of a {}", name, ending == ".json" ? "recipe" : "file of strokes"),
           fmt::format("a name that ends in {}, without a folder", ending));
}

}  // namespace

FileStamp stamp_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

void require_new_file(const std::string& folder, const std::string& name, const std::string& ending) {
  require_bare_name(name, ending);
  std::error_code error;
  if (fs::symlink_status(fs::path(folder) / name, error).type() != fs::file_type::not_found)
    refuse(fmt::format("'{}' is there already", name), "choose another name");
}

OwnFile::OwnFile(const std::string& path, std::string text) : shown_(path), text_(std::move(text)) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  path_ = error ? fs::absolute(path).lexically_normal().string() : real.string();
  stamp_ = stamp_of(path_);
}

OwnFile OwnFile::create(const std::string& folder, const std::string& name, const std::string& ending,
                        const std::string& text) {
  require_bare_name(name, ending);
  const std::string path = (fs::path(folder) / name).string();
  const int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) {
    if (errno == EEXIST) refuse(fmt::format("'{}' is there already", name), "choose another name");
    refuse(fmt::format("cannot write '{}': {}", name, std::generic_category().message(errno)));
  }
  ::close(file);
  OwnFile made(path, "");
  made.shown_ = name;
  made.save(text);
  return made;
}

void OwnFile::require_own() const {
  struct stat status {};
  if (lstat(path_.c_str(), &status) != 0) return;
  if (!S_ISREG(status.st_mode))
    refuse(fmt::format("'{}' is not the file any more that it was", shown_),
           "somebody has put something else in its place; it is not saved there");
}

std::optional<std::string> OwnFile::changed_text() {
  require_own();
  const FileStamp now = stamp_of(path_);
  if (now == stamp_ || now == FileStamp()) return std::nullopt;
  std::string text = read_file(path_, largest_file);
  stamp_ = now;
  if (text == text_) return std::nullopt;
  text_ = text;
  return text;
}

void OwnFile::save(const std::string& text) {
  require_own();
  struct stat status {};
  const bool there = stat(path_.c_str(), &status) == 0;
  write_atomically(path_, [&](const std::string& temporary) {
    OutputFile file(temporary, shown_);
    file.write(text.data(), text.size());
    file.close();
    if (there && chmod(temporary.c_str(), status.st_mode & 07777) != 0)
      fail(fmt::format("cannot keep the mode of '{}': {}", shown_, std::generic_category().message(errno)));
  });
  text_ = text;
  stamp_ = stamp_of(path_);
}

}  // namespace tepui::studio

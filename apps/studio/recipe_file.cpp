#include "apps/studio/recipe_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/recipe/recipe.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

/// A name of a file and nothing else: no folder, not hidden, for a recipe.
void require_bare_name(const std::string& name) {
  const bool bare = !name.empty() && name.size() <= 200 && name.find('/') == std::string::npos && name.front() != '.' &&
                    name.front() != '-' && name.ends_with(".json") && !has_control_characters(name);
  if (!bare)
    refuse(fmt::format("'{}' is not the name of a recipe", name), "a name that ends in .json, without a folder");
}

}  // namespace

FileStamp stamp_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

RecipeFile::RecipeFile(const std::string& path, std::string text) : shown_(path), text_(std::move(text)) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  path_ = error ? fs::absolute(path).lexically_normal().string() : real.string();
  stamp_ = stamp_of(path_);
}

RecipeFile RecipeFile::create(const std::string& folder, const std::string& name, const std::string& text) {
  require_bare_name(name);
  const std::string path = (fs::path(folder) / name).string();
  const int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) {
    if (errno == EEXIST) refuse(fmt::format("'{}' is there already", name), "choose another name");
    refuse(fmt::format("cannot write '{}': {}", name, std::generic_category().message(errno)));
  }
  ::close(file);
  RecipeFile made(path, "");
  made.shown_ = name;
  made.save(text);
  return made;
}

void RecipeFile::require_own() const {
  struct stat status {};
  if (lstat(path_.c_str(), &status) != 0) return;
  if (!S_ISREG(status.st_mode))
    refuse(fmt::format("'{}' is not the file any more that it was", shown_),
           "somebody has put something else in its place; it is not saved there");
}

std::optional<std::string> RecipeFile::changed_text() {
  require_own();
  const FileStamp now = stamp_of(path_);
  if (now == stamp_ || now == FileStamp()) return std::nullopt;
  std::string text = read_recipe(path_).text;
  stamp_ = now;
  if (text == text_) return std::nullopt;
  text_ = text;
  return text;
}

void RecipeFile::save(const std::string& text) {
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

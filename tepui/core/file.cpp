#include "tepui/core/file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/core/text.h"

namespace tepui {

namespace {

std::string reason(int code) { return std::generic_category().message(code); }

}  // namespace

size_t file_size(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) refuse(fmt::format("cannot read '{}': {}", path, reason(errno)));
  if (S_ISDIR(status.st_mode)) refuse(fmt::format("cannot read '{}': {}", path, reason(EISDIR)));
  if (!S_ISREG(status.st_mode)) refuse(fmt::format("cannot read '{}': it is not a regular file", path));
  return static_cast<size_t>(status.st_size);
}

std::string read_file(const std::string& path, size_t limit) {
  const size_t bytes = file_size(path);
  if (bytes > limit)
    refuse(fmt::format("'{}' has {}; at most {} are read", path, bytes_text(static_cast<double>(bytes)),
                       bytes_text(static_cast<double>(limit))));
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) refuse(fmt::format("cannot read '{}': {}", path, reason(errno)));
  std::string text(bytes, '\0');
  const size_t got = std::fread(text.data(), 1, bytes, file);
  const bool broken = std::ferror(file) != 0;
  const int code = errno;
  std::fclose(file);
  if (broken) fail(fmt::format("cannot read '{}': {}", path, reason(code)));
  text.resize(got);
  return text;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string file_ending(const std::string& path) {
  const std::string name = file_name(path);
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string ending = lower_case(name.substr(dot));
  // What lies in the archive says more than the archive.
  const size_t inner = ending == ".zip" && dot > 0 ? name.rfind('.', dot - 1) : std::string::npos;
  return inner == std::string::npos ? ending : lower_case(name.substr(inner));
}

}  // namespace tepui

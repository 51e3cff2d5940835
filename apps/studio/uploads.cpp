#include "apps/studio/uploads.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/core/number.h"
#include "tepui/core/params.h"
#include "tepui/io/inspect.h"
#include "tepui/io/read.h"
#include "tepui/output/read_value.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

constexpr int64_t most_bytes = int64_t{2} << 30;
constexpr size_t most_files = 16;

void require_name(const std::string& name) {
  const bool bare = !name.empty() && name.size() <= 200 && name.find('/') == std::string::npos &&
                    name.find('\\') == std::string::npos && name.front() != '.' && name.front() != '-' &&
                    !has_control_characters(name);
  if (!bare) refuse("this is not the name of a file");
  const std::vector<std::string> known{".tif", ".tiff", ".png", ".asc", ".hgt", ".exr", ".npy",
                                       ".r16", ".raw",  ".bil", ".flt", ".nc",  ".vti", ".zip"};
  const std::string ending = file_ending(name);
  if (std::ranges::none_of(known, [&](const std::string& one) { return ending.ends_with(one); }))
    refuse(fmt::format("'{}' is no file of heights", name), fmt::format("{}", fmt::join(known, ", ")));
}

}  // namespace

Uploads::~Uploads() {
  for (const auto& [number, file] : files_)
    if (file.got < file.bytes) unlink((fs::path(folder_) / file.name).c_str());
}

int64_t Uploads::begin(const std::string& name, int64_t bytes) {
  require_name(name);
  if (bytes < 1 || bytes > most_bytes) refuse(fmt::format("files have at most {} bytes", most_bytes));
  if (files_.size() >= most_files) refuse("too many files at once");
  // Never over one that is there.
  const fs::path path(name);
  for (int copy = 1; copy < 1000; ++copy) {
    const std::string own =
        copy == 1 ? name : fmt::format("{}-{}{}", path.stem().string(), copy, path.extension().string());
    const int file =
        open((fs::path(folder_) / own).c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) refuse(fmt::format("cannot write '{}': {}", own, std::generic_category().message(errno)));
    close(file);
    files_[++last_] = {own, bytes, 0};
    return last_;
  }
  refuse(fmt::format("there are too many files called '{}'", name));
}

void Uploads::add(int64_t number, int64_t offset, std::string_view bytes) {
  const auto found = files_.find(number);
  if (found == files_.end()) refuse("there is no such file");
  File& file = found->second;
  if (offset != file.got || std::ssize(bytes) > file.bytes - file.got) refuse("these bytes do not follow the last");
  const int out = open((fs::path(folder_) / file.name).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
  if (out < 0) fail(fmt::format("cannot write '{}': {}", file.name, std::generic_category().message(errno)));
  while (!bytes.empty()) {
    const ssize_t wrote = write(out, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const int code = errno;
      close(out);
      fail(fmt::format("cannot write '{}': {}", file.name, std::generic_category().message(code)));
    }
    bytes.remove_prefix(static_cast<size_t>(wrote));
    file.got += wrote;
  }
  close(out);
}

std::string Uploads::name_of(int64_t number) const {
  const auto found = files_.find(number);
  if (found == files_.end()) refuse("there is no such file");
  if (found->second.got < found->second.bytes) refuse("the file is not here in whole");
  return found->second.name;
}

Ordered questions_about(const std::string& path, const std::vector<std::string>& words, const Context& context) {
  read_value(path, words, context);
  const std::optional<TerrainInfo> info = inspect(path, context).terrain;
  const auto given = [&](std::string_view name) {
    return std::ranges::any_of(
        words, [&](const std::string& word) { return word.starts_with(name) && word.substr(name.size(), 1) == "="; });
  };
  Ordered asks = Ordered::array();
  const auto ask = [&](std::string_view name) {
    const ParamTable& table = fields_of<ReadParams>().table();
    const Field& field = table.fields[static_cast<size_t>(table.find(name))];
    asks.push_back({{"name", field.name}, {"label", field.doc}, {"unit", field.unit}});
  };
  if (info && !info->cell && !given("cell")) ask("cell");
  // Whole numbers that nothing is said of may be anything.
  const bool says_heights = info && (info->scaling || !info->unit.empty() || !info->type.starts_with("UInt"));
  if (info && !says_heights && !given("range") && !given("scale")) ask("range");
  return asks;
}

}  // namespace tepui::studio

#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/file/atomic_file.h"

namespace tepui::test {

/// The folder shared/data beside or above the working folder, if this machine has it.
inline std::optional<std::string> shared_data() {
  namespace fs = std::filesystem;
  for (fs::path folder = fs::current_path(); !folder.empty(); folder = folder.parent_path()) {
    if (fs::is_directory(folder / "shared/data")) return (folder / "shared/data").string();
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

inline std::string bytes_of(const std::string& path) { return read_file(path, size_t{1} << 30); }

/// Temporary folders in memory, where there is room for them: every atomic write waits for the disk otherwise.
inline const bool in_memory = access("/dev/shm", W_OK) == 0 && setenv("TMPDIR", "/dev/shm", 0) == 0;

/// Without our own writer, which is on trial.
inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// Keeps the warnings.
class WarningSink : public ProgressSink {
 public:
  void progress(int, std::string_view, double) override {}
  void warn(std::string_view message) override { warnings.emplace_back(message); }
  Context context() { return {this, nullptr}; }

  std::vector<std::string> warnings;
};

}  // namespace tepui::test

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/studio/frames.h"
#include "tepui/core/context.h"

namespace tepui::studio {

/// Files that pages drop, in the folder of the recipe, under names of their own.
class Uploads {
 public:
  explicit Uploads(std::string folder) : folder_(std::move(folder)) {}
  /// Removes what has not come in whole.
  ~Uploads();
  Uploads(const Uploads&) = delete;
  Uploads& operator=(const Uploads&) = delete;

  /// Makes room for a file; refuses names that are no name of a raster, and more than is sensible. Returns its number.
  int64_t begin(const std::string& name, int64_t bytes);
  /// Its next bytes; refuses those that do not follow the last.
  void add(int64_t file, int64_t offset, std::string_view bytes);
  /// The name of a file that is there in whole, relative to the folder.
  std::string name_of(int64_t file) const;
  void forget(int64_t file) { files_.erase(file); }

 private:
  struct File {
    std::string name;
    int64_t bytes = 0, got = 0;
  };
  std::string folder_;
  std::map<int64_t, File> files_;
  int64_t last_ = 0;
};

/// What has to be known of a raster beside what its file says, as [{name, label, unit}]; empty where it can be read
/// with these words ("name=value"). Refuses a file that cannot be read at all.
Ordered questions_about(const std::string& path, const std::vector<std::string>& words, const Context& context);

}  // namespace tepui::studio

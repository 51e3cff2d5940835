#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "apps/studio/document.h"
#include "apps/studio/own_file.h"
#include "tepui/core/context.h"
#include "tepui/core/error.h"

namespace tepui::studio {

/// Files of strokes on disk: those of a recipe's folder that may be drawn into, and what has been saved of them.
class StrokeDisk {
 public:
  explicit StrokeDisk(std::string folder) : folder_(std::move(folder)) {}

  /// The strokes of a file that is there; `path` is where plans find it. Refuses a file outside of `folder`, and one
  /// that read_lines reads otherwise. What is known of a file is kept until the file changes.
  std::shared_ptr<const StrokeFile> look_at(const std::string& folder, const std::string& path, const Context& context);

  bool owns(const std::string& name) const { return own_.contains(name); }
  /// From now on a file of the recipe's folder, with the strokes that are in it, may be written.
  void own(const std::string& name, const std::string& path, std::shared_ptr<const StrokeFile> strokes);
  /// Whether a new file could have the name.
  bool is_free(const std::string& name) const;

  /// Whether all of these are on disk.
  bool holds(const StrokeFiles& files) const;
  /// Writes those that are not, each whole or not at all; a new one never over one that is there.
  void save(const StrokeFiles& files);
  /// Takes files away that were begun here and are undone.
  void tidy(const StrokeFiles& files);

  /// What others have made of files: theirs and ours together. Of one that cannot be read, `problem` says why, once.
  StrokeFiles changed_outside(const StrokeFiles& files, std::optional<Error>& problem);

 private:
  struct Own {
    OwnFile file;
    std::shared_ptr<const StrokeFile> strokes;  ///< that are on disk
    bool begun = false;                         ///< the studio made it
    bool lost = false;                          ///< what somebody made of it cannot be read
  };
  struct Seen {
    FileStamp stamp;
    std::shared_ptr<const StrokeFile> strokes;  ///< none where it is refused
    std::string message, hint;
  };
  void save(const std::string& name, const std::shared_ptr<const StrokeFile>& strokes);

  std::string folder_;
  std::map<std::string, Own> own_;
  std::map<std::string, Seen> seen_;
};

}  // namespace tepui::studio

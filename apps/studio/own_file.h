#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tepui::studio {

/// Enough of a file to see that it is another one now; zeros where there is none.
struct FileStamp {
  uint64_t inode = 0;
  int64_t bytes = 0, seconds = 0, nanoseconds = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
FileStamp stamp_of(const std::string& path);

/// Refuses what is no bare name with this ending, and what is in the folder already.
void require_new_file(const std::string& folder, const std::string& name, const std::string& ending);

/// A file that the studio writes, a recipe or strokes. Whoever opened it by a link finds the link again; what is
/// swapped for a link, a pipe or a device meanwhile is not written.
class OwnFile {
 public:
  /// Of a file that is there, with the text that was read from it.
  OwnFile(const std::string& path, std::string text);
  /// A new file of this name in the folder; refuses what is no bare name with this ending and what is there already.
  static OwnFile create(const std::string& folder, const std::string& name, const std::string& ending,
                        const std::string& text);

  const std::string& shown() const { return shown_; }
  /// Where it lies, links followed.
  const std::string& path() const { return path_; }
  /// The text that it had when it was last read or written.
  const std::string& text() const { return text_; }

  /// Whether it looks as it did then.
  bool is_untouched() const { return stamp_of(path_) == stamp_; }
  /// What somebody else has made of it; none where it has our text.
  std::optional<std::string> changed_text();

  /// Atomically, with the mode that it has.
  void save(const std::string& text);

 private:
  void require_own() const;

  std::string shown_, path_, text_;
  FileStamp stamp_;
};

}  // namespace tepui::studio

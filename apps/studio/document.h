#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/studio/stroke_file.h"
#include "tepui/recipe/edit.h"

namespace tepui::studio {

/// Files of strokes by their names, as they are counted from the recipe's folder; none where there is no such file yet.
using StrokeFiles = std::map<std::string, std::shared_ptr<const StrokeFile>>;

/// What a step of the history leads to.
struct DocumentState {
  std::string text;
  StrokeFiles strokes{};
};

/// A recipe's text and its files of strokes while they are edited, with all that was done to them.
class Document {
 public:
  explicit Document(Source source) : source_(std::move(source)), first_{source_.text} {}

  const Source& source() const { return source_; }
  const std::string& text() const { return source_.text; }
  /// Those that have been drawn into.
  const StrokeFiles& strokes() const { return strokes_; }
  /// As it was opened.
  const std::string& first_text() const { return first_.text; }
  const StrokeFiles& first_strokes() const { return first_.strokes; }

  /// Changes the value at a name of the recipe, or takes its key out, as a step of the history. As long as the hand
  /// holds (`hold`), the changes of one name are one step.
  void set(const std::string& name, const std::string& value, bool hold);
  void reset(const std::string& name);
  /// Another text, as a step of this name; as long as the hand holds, those of one name are one step.
  void replace(const std::string& label, std::string text, bool hold = false);
  /// Both together, as a step of this name. What is held is what one hand does, until it leaves.
  void change(const std::string& hand, DocumentState state, bool hold, const std::string& label);
  /// What a change of this hand that is held goes on from: the state before the hand began, or that of now.
  DocumentState under_hand(const std::string& hand) const;
  /// A file that is there, as it was before all steps.
  void keep(const std::string& file, const std::shared_ptr<const StrokeFile>& strokes);
  /// The hand has left: what comes next is a step of its own.
  void release() { held_.reset(); }
  bool is_held() const { return held_.has_value(); }

  /// Whether there was something to undo.
  bool undo() { return go_to(at_ - 1); }
  bool redo() { return go_to(at_ + 1); }
  /// Any step; 0 is the text as it was opened. Whether there is such a step.
  bool go_to(int64_t step);

  /// What the steps are called, from the first on.
  std::vector<std::string> labels() const;
  /// How many of them have been done.
  int64_t at() const { return at_; }

  /// The file's name, from now on.
  void rename(std::string name) { source_.name = std::move(name); }

 private:
  struct StrokeStep {
    std::string file;
    StrokeSplice forth, back;
    bool begins = false;  ///< there was no such file before
  };
  struct Step {
    std::string label;
    Splice forth, back;
    std::vector<StrokeStep> strokes{};
  };
  struct Held {
    std::string hand;
    DocumentState before;  ///< that the step began with
  };
  static std::vector<StrokeStep> stroke_steps(const StrokeFiles& before, const StrokeFiles& after);
  void forget_first();

  Source source_;
  StrokeFiles strokes_;
  DocumentState first_;
  std::vector<Step> steps_;
  int64_t at_ = 0;
  std::optional<Held> held_;
};

/// The one splice that makes `after` of `before`, as short as it can be.
Splice difference(std::string_view before, std::string_view after);

/// The text of the value at these keys; none where there is none.
std::optional<std::string> text_at(const Source& source, const JsonPath& path);

/// A place that two people have changed.
struct Clash {
  JsonPath path;
  std::string mine, theirs;  ///< empty: taken out
};

/// What two texts that began as one make together.
struct Merge {
  std::string text;            ///< theirs, with what is mine alone put in
  std::vector<Clash> clashes;  ///< where both changed the same: then `text` has theirs
};

/// Both texts are JSON, and so is what they began as. Comments are theirs.
Merge merge(const std::string& base, const std::string& mine, const std::string& theirs);

}  // namespace tepui::studio

#pragma once

#include <map>
#include <memory>
#include <string>

#include "apps/studio/document.h"
#include "tepui/output/plan.h"

// Recipes whose files of strokes are still in the making.

namespace tepui::studio {

/// Lines that a node reads in place of its file's, and their hash.
struct HeldLines {
  Lines lines;
  Hash hash;
};
/// By the file, as plans name it.
using HeldFiles = std::map<std::string, HeldLines>;

Hash hash_of(const HeldFiles& files);

/// The name of a node's file as it is counted from the recipe's folder, and back.
std::string stroke_file_name(const std::string& recipe, const std::string& path);
std::string stroke_file_path(const std::string& recipe, const std::string& name);

/// Makes lines of files of strokes, and keeps them as long as the files stay the same.
class StrokeLines {
 public:
  HeldFiles of(const std::string& recipe, const StrokeFiles& files);

 private:
  struct Kept {
    std::shared_ptr<const StrokeFile> file;
    HeldLines lines;
  };
  std::map<std::string, Kept> kept_;
};

/// The file that a node of the graph reads lines from; empty where it does something else.
std::string lines_file_of(const Node& node);

/// The plan with these lines in place of those of the files. A node's value has the same hash as when it reads the file
/// that the strokes are saved to.
std::shared_ptr<const Plan> with_held_lines(Plan plan, const HeldFiles& files);

}  // namespace tepui::studio

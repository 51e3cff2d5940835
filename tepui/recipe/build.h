#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/io/export.h"
#include "tepui/io/raster/png.h"
#include "tepui/recipe/evaluate.h"

namespace tepui {

/// What a build wrote.
struct BuiltFile {
  std::string path;
  FileRecord record;
  bool kept = false;  ///< it was there already, with the bytes it should have
};

struct BuildOptions {
  std::vector<std::string> only{};  ///< outputs to make; empty: all
  bool keep = true;                 ///< leave files alone that are there already
  bool values = false;              ///< the caller reads the outputs' values
};

struct Build {
  std::vector<NodeReport> nodes;
  std::vector<Value> values;     ///< of the outputs, in order; an empty land where the build did not need it
  std::vector<BuiltFile> files;  ///< the outputs, then the manifest
  double seconds = 0;
};

/// Evaluates the recipe's outputs (or only those named) and writes them below `folder`, with a manifest beside them. A
/// file that an earlier build wrote from the same values with the same options, and that still has the bytes it had
/// then, is left alone; for that the cache notes what was written. Progress: tasks 0, 1, ... are the nodes, those after
/// them the outputs, as in build_tasks.
Build build(const Recipe& recipe, const std::string& folder, const BuildOptions& options, ValueCache& cache,
            const Context& context);

/// The names of a build's tasks, for a progress sink.
std::vector<std::string> build_tasks(const Recipe& recipe);

/// What a PNG of a recipe's value carries as text.
PngText png_text(const Recipe& recipe, const Hash& value, ValueType type = ValueType::terrain);

}  // namespace tepui

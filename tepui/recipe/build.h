#pragma once

#include <string>
#include <vector>

#include "tepui/io/export.h"
#include "tepui/recipe/evaluate.h"

namespace tepui {

/// What a build wrote.
struct BuiltFile {
  std::string path;
  FileRecord record;
};

struct Build {
  std::vector<NodeReport> nodes;
  std::vector<Value> values;     ///< of the outputs, in order
  std::vector<BuiltFile> files;  ///< the outputs, then the manifest
  double seconds = 0;
};

/// Evaluates the recipe's outputs (or only those named) and writes them below `folder`, with a manifest beside them.
/// Progress: tasks 0, 1, ... are the nodes, those after them the outputs, as in build_tasks.
Build build(const Recipe& recipe, const std::string& folder, const std::vector<std::string>& only, ValueCache& cache,
            const Context& context);

/// The names of a build's tasks, for a progress sink.
std::vector<std::string> build_tasks(const Recipe& recipe);

}  // namespace tepui

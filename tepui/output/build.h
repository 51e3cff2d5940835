#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/graph/evaluate.h"
#include "tepui/io/export.h"
#include "tepui/output/plan.h"
#include "tepui/output/window_bounds.h"

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
  /// Write only this part of the land: of an output in tiles, those that lie in it. All outputs are files of land then.
  std::optional<WindowBounds> window{};
};

struct Build {
  std::vector<NodeReport> nodes;  ///< of the recipe
  std::vector<Value> values;      ///< of the outputs, in order, where the caller reads them
  std::vector<BuiltFile> files;   ///< the outputs, then the manifest
  double seconds = 0;
};

/// Evaluates the recipe's outputs (or only those named), which writes them below `folder`, and puts a manifest beside
/// them. A file that an earlier build wrote from the same values with the same options, and that still has the bytes it
/// had then, is left alone. Land in tiles is computed window by window, as far as its operators can and nothing else
/// needs all of it. Progress: tasks 0, 1, ... are the nodes, those after them the outputs, as in build_tasks.
Build build(const Plan& plan, const std::string& folder, const BuildOptions& options, ValueCache& cache,
            const Context& context);

/// How the nodes of a build are computed, for a caller that does so in its own way; what the graph needs lives as long
/// as the graph is held.
using Evaluator = std::function<Evaluation(const SharedGraph& graph, const std::vector<int>& wanted,
                                           const Context& context, const ValueNeed& need)>;
Build build(std::shared_ptr<const Plan> plan, const std::string& folder, const BuildOptions& options, ValueCache& cache,
            const Context& context, const Evaluator& evaluator);

/// The names of a build's tasks, for a progress sink.
std::vector<std::string> build_tasks(const Plan& plan);

}  // namespace tepui

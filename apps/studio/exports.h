#pragma once

#include <string>
#include <vector>

#include "apps/studio/frames.h"
#include "apps/studio/stroke_graph.h"
#include "tepui/core/json.h"
#include "tepui/graph/cache.h"

namespace tepui::studio {

/// The programs that a land can be exported for, and the sizes that they take.
Ordered export_targets();

/// What is exported.
struct ExportJob {
  Source recipe;
  std::string node;
  std::string target;  ///< one of export_targets
  int64_t size = 0;    ///< samples on the longer side; the nearest that the program takes is made
  std::string folder;  ///< of the recipe: files go below it, into exports/TARGET
  HeldFiles strokes;   ///< that need not have been saved
};

/// The files, where they are, and the numbers to type. Refuses a folder that leads elsewhere by a link.
Ordered export_land(const ExportJob& job, ValueCache& cache, const Context& context);

/// The recipe as one line for a shell; refused where it needs more than a line holds.
std::string one_liner(const Source& recipe, const std::string& node);

}  // namespace tepui::studio

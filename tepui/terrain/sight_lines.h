#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/frame.h"
#include "tepui/core/params.h"

namespace tepui {

/// Where a line of sight looks at the land: `rest` of the way from the sample at (x, y), counted from the viewer, to
/// the next one along the axis that the line follows less.
struct SightStep {
  int64_t x = 0, y = 0;
  float rest = 0;
  float per_distance = 0;  ///< 1/m; never more than that of the step before
};

/// The steps of a line of sight, one for each row or column that it crosses, whichever are more.
struct SightLine {
  bool along_x = true;  ///< it crosses columns, and is between rows
  std::vector<SightStep> steps;
};

/// Lines of sight that reach `radius` metres, at least to the next samples, evenly around from north on, clockwise.
std::vector<SightLine> sight_lines(const Frame& frame, double radius, int directions);

/// The samples on each side that they may look at.
Halo sight_halo(const Frame& frame, double radius);

}  // namespace tepui

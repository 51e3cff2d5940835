#pragma once  // internal

#include <vector>

#include "tepui/terrain/lines.h"

namespace tepui {

/// Where the passages of a network lie in its extended elevation: how far, on the level and along the passages, from
/// where one goes in.
struct CaveCourse {
  std::vector<double> distance;  ///< Of every vertex, metres; those of points, too.
  double longest = 0;
};

/// Passages are joined where they have a vertex in common. One goes in at points whose `kind` is "sink", else, or where
/// no such point leads, at the highest vertex.
CaveCourse cave_course(const Lines& lines);

}  // namespace tepui

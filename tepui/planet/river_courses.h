#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tepui {

/// A river from its head or a meeting down to the next meeting or its mouth.
struct RiverCourse {
  std::vector<int32_t> vertices;  ///< downstream; the last is that of the meeting, or the first of the sea
  int order = 1;                  ///< Strahler 1957
  int32_t river = 0;              ///< of those that are one river, counted from 0; the one that carries most first
  int32_t basin = 0;              ///< the river that reaches the sea there
};

/// The courses in which at least so much water runs. At a meeting the river that brings more goes on.
std::vector<RiverCourse> river_courses(std::span<const int32_t> receiver, std::span<const int64_t> discharge,
                                       int64_t least);

}  // namespace tepui

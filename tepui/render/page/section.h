#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/vec.h"
#include "tepui/render/page/figure_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// What a line through the land cuts at one place.
struct SectionSample {
  double distance = 0;         ///< metres from the line's start
  Vec2 at;                     ///< metres, in the world
  std::vector<double> values;  ///< of every layer of the land, in their order
};

/// The layers at `count` places from `from` to `to`, both included, at even distances: bilinear between samples, of
/// classes the nearest sample's. A line that leaves the land is refused.
std::vector<SectionSample> sample_section(const Terrain& land, Vec2 from, Vec2 to, int64_t count,
                                          const Context& context);

/// The line of a section: given, or through the middle of the land.
struct SectionLine {
  Vec2 from, to;
  double length = 0;
};
SectionLine section_line(const Frame& frame, const FigureParams& params);
/// "(0, 1024) to (2048, 1024) m".
std::string line_text(const SectionLine& line);

}  // namespace tepui

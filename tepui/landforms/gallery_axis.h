#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/terrain/lines.h"
#include "tepui/volume/placing.h"

namespace tepui {

/// A line or ring as it is carved: a smooth curve (Catmull and Rom 1974) in pieces of half a radius or less.
struct GalleryCourse {
  std::vector<Vec3> at;
  std::vector<double> radius;
  std::vector<uint8_t> open;  ///< 1 where the passage comes to the open air.
};

/// A place on the axis of a passage.
struct AxisPoint {
  Vec3 at;
  Vec3 along;  ///< Of unit length.
  double radius = 0;
  double step = 0;  ///< Metres of the passage that it stands for.
};

/// How far apart, in radii.
inline constexpr double axis_step = 0.35;

struct AxisRule {
  double radius = 3;  ///< Of lines that do not say.
  double width = 1;   ///< Factor of all radii.
  double raise = 0;   ///< Metres, of all heights.
};

/// All lines and rings; points are left out, and lines of one vertex. Refuses radii that are not above 0.
std::vector<GalleryCourse> gallery_courses(const Lines& lines, const Placing& placing, const AxisRule& rule);

/// Their axes, one after the other. Refuses more than 20 million places.
std::vector<AxisPoint> gallery_axes(const std::vector<GalleryCourse>& courses);

/// Every vertex of the lines once, with its radius.
std::vector<AxisPoint> gallery_vertices(const Lines& lines, const Placing& placing, const AxisRule& rule);

}  // namespace tepui

#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/render/page/drawing.h"
#include "tepui/render/page/legend.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// A river as a map shows it: a smooth line from its head to its mouth, ever wider.
struct RiverStroke {
  std::vector<Vec2> points;    ///< on the page
  std::vector<double> widths;  ///< pixels, at every point
  double order = 1;            ///< 1 for a stream that no other feeds
  double size = 0;             ///< what rivers are ranked by
  std::string name;
};

struct RiverStyle {
  double scale = 1;                             ///< of widths and letters
  uint32_t small = 0x6f9fc4, large = 0x245a8c;  ///< colours of the lowest and the highest order
  uint32_t paper = 0xf7f4ec;                    ///< around letters
};

/// Lines (points and polygons are left out) on the page, the small ones first. Their widths follow from `order`, or
/// are `width` to scale where that is wider; of lines that tell neither all are alike. What lies beyond the area is
/// left out. Where lines meet they stay together.
std::vector<RiverStroke> river_strokes(const Lines& rivers, const PlotArea& area, const RiverStyle& style);

/// How wide a river of an order is drawn where the highest order is `last`.
double river_width(double order, double last, const RiverStyle& style);
uint32_t river_rgb(double order, double last, const RiverStyle& style);

void draw_rivers(Drawing& drawing, const std::vector<RiverStroke>& rivers, const RiverStyle& style);

/// Names of at most `most` of the largest rivers along their course, where there is room.
void draw_river_names(Drawing& drawing, const std::vector<RiverStroke>& rivers, int most, const RiverStyle& style);

}  // namespace tepui

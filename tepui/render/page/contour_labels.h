#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/render/page/drawing.h"

namespace tepui {

/// A contour on the page.
struct MapContour {
  std::vector<Vec2> points;
  bool main = false;  ///< drawn heavier, and labelled where there is room
  std::string label;
};

/// Draws contours, leaving out specks; labels of main ones stand in gaps of their lines, where these are straight,
/// within the rectangle and apart from each other.
void draw_labelled_contours(Drawing& drawing, Vec2 corner, Vec2 size, const std::vector<MapContour>& lines);

}  // namespace tepui

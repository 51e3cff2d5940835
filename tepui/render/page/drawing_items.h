#pragma once  // internal

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "tepui/core/image.h"
#include "tepui/core/vec.h"
#include "tepui/render/page/drawing_styles.h"

// What a drawing is made of, for those that turn it into a file.

namespace tepui {

struct LineShape {
  std::vector<Vec2> points;
  Stroke stroke;
};

struct AreaShape {
  std::vector<std::vector<Vec2>> rings;  ///< what lies inside an odd number of them
  uint32_t rgb = 0;
  double opacity = 1;
  std::vector<GradientStop> stops{};  ///< instead of the one colour
};

/// The colour of a gradient at a height of the page; beyond its ends it stays.
uint32_t gradient_colour(const std::vector<GradientStop>& stops, double y);

/// `text` is shown_text() already.
struct TextLine {
  Vec2 at;
  std::string text;
  TextStyle style;
};

struct PictureShape {
  Vec2 corner, size;
  Image image;
  bool smooth = true;
};

using Shape = std::variant<LineShape, AreaShape, TextLine, PictureShape>;

/// A shape, moved. Drawings that are placed in others share their shapes.
struct DrawingItem {
  Vec2 move;
  std::shared_ptr<const Shape> shape;
};

/// Pixels of a dash and of the gap after it.
inline constexpr double dash_on = 4, dash_off = 3;

}  // namespace tepui

#pragma once

#include <cstdint>

namespace tepui {

struct Stroke {
  uint32_t rgb = 0x000000;  ///< 0xRRGGBB, sRGB
  double width = 1;         ///< pixels
  bool dashed = false;
  bool round = false;  ///< ends are round rather than cut off
};

/// A colour at a height of the page, pixels from the top.
struct GradientStop {
  double y = 0;
  uint32_t rgb = 0;
};

enum class Anchor { left, middle, right };

struct TextStyle {
  double size = 12;  ///< pixels of an em
  uint32_t rgb = 0x222222;
  Anchor anchor = Anchor::left;
  bool bold = false;
  double turn = 0;  ///< degrees, counter-clockwise, around the anchor
};

}  // namespace tepui

#pragma once  // internal

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/embedded.h"
#include "tepui/core/vec.h"

// The letters of figures: DejaVu Sans and its bold, built into the library and used without hinting, so that text has
// the same shapes and widths at every size and on every machine.

namespace tepui {

/// The two font files, plain and bold.
const std::vector<EmbeddedFile>& embedded_fonts();

/// The text as valid UTF-8 that may be shown: line breaks and tabs become spaces, other control and formatting
/// characters and broken bytes the replacement character.
std::string shown_text(std::string_view text);

/// How wide a text will be, pixels; any text, which is shown as shown_text() has it.
double text_width(const std::string& text, double size, bool bold = false);

/// A closed curve of quadratic arcs, as TrueType has them: every second of two points off the curve has one on the
/// curve halfway between.
struct GlyphContour {
  std::vector<Vec2> points;
  std::vector<bool> on_curve;
};

/// A line of text that starts at (0, 0) on the baseline, y down: the contours of one letter after another.
struct TextShape {
  std::vector<std::vector<GlyphContour>> letters;
  double width = 0;
};

/// The outlines of `text`, which is shown_text().
TextShape shape_text(const std::string& text, double size, bool bold);

}  // namespace tepui

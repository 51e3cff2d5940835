#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/render/page/drawing.h"

namespace tepui {

/// The characters of a text, each a text of its own.
std::vector<std::string> characters_of(const std::string& text);

/// A text with room between its letters; `style.anchor` and `style.turn` as ever. Returns its width.
double draw_spaced(Drawing& drawing, Vec2 at, const std::string& text, TextStyle style, double spacing);
double spaced_width(const std::string& text, const TextStyle& style, double spacing);

}  // namespace tepui

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tepui/core/image.h"
#include "tepui/render/page/drawing.h"

namespace tepui {

struct SheetCell {
  Image image;
  std::string caption;  ///< below it; may be empty
};

struct SheetLayout {
  std::string title;
  int columns = 0;                          ///< 0: as many as fit the pictures' shape
  std::vector<std::string> rows, headings;  ///< of a table's rows and columns, instead of captions; both or neither
};

/// How many columns make a sheet of `count` pictures, `aspect` times as wide as high, pleasant to look at: one row up
/// to three, else a landscape page with few empty places.
int sheet_columns(size_t count, double aspect);

/// Refuses a sheet of so many pictures of this size that it would be too large: before all of them are drawn.
void check_sheet(size_t count, int width, int height, const SheetLayout& layout);

/// A contact sheet: pictures pixel for pixel in equal places, row by row, each in the middle of its own.
Drawing draw_sheet(const std::vector<SheetCell>& cells, const SheetLayout& layout);

/// The text, or as much of its beginning as fits with an ellipsis after it.
std::string fitted_text(const std::string& text, double size, double width);

}  // namespace tepui

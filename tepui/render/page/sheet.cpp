#include "tepui/render/page/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/page/font.h"

namespace tepui {

namespace {

constexpr double margin = 24, gap = 16;
constexpr double title_size = 20, caption_size = 13;
constexpr double title_height = 44, caption_height = 26, heading_height = 28;
constexpr double heading_gap = 14, widest_heading = 240;
constexpr uint32_t ink = 0x1a1a1a, soft_ink = 0x4a4a4a;
constexpr double largest_side = 16384, largest_area = 1.0e8;

/// What there is to arrange.
struct Content {
  size_t count = 0;
  double width = 0, height = 0;  ///< of the largest picture
  bool captions = false;
};

Content content_of(const std::vector<SheetCell>& cells) {
  Content content{cells.size(), 0, 0, false};
  for (const SheetCell& cell : cells) {
    content.width = std::max(content.width, static_cast<double>(cell.image.width));
    content.height = std::max(content.height, static_cast<double>(cell.image.height));
    content.captions = content.captions || !cell.caption.empty();
  }
  return content;
}

/// Where everything goes, in pixels.
struct Places {
  size_t columns = 1;
  double width = 0, height = 0;            ///< of the sheet
  double cell_width = 0, cell_height = 0;  ///< of a picture's place, without its caption
  double left = 0, top = 0;                ///< of the first picture
  double step_x = 0, step_y = 0;           ///< to the next column, the next row
};

Places arrange(const Content& content, const SheetLayout& layout) {
  const bool table = !layout.headings.empty();
  Places p;
  p.columns = table                ? layout.headings.size()
              : layout.columns > 0 ? std::min(static_cast<size_t>(layout.columns), content.count)
                                   : static_cast<size_t>(sheet_columns(content.count, content.width / content.height));
  p.cell_width = content.width;
  p.cell_height = content.height;
  double row_width = 0;
  for (const std::string& row : layout.rows) row_width = std::max(row_width, text_width(row, caption_size));
  p.left = margin + (table ? std::ceil(std::min(row_width, widest_heading)) + heading_gap : 0);
  p.top = margin + (layout.title.empty() ? 0 : title_height) + (table ? heading_height : 0);
  p.step_x = p.cell_width + gap;
  p.step_y = p.cell_height + (content.captions && !table ? caption_height : 0) + gap;
  const auto rows = static_cast<double>((content.count + p.columns - 1) / p.columns);
  p.width = p.left + static_cast<double>(p.columns) * p.step_x - gap + margin;
  p.height = p.top + rows * p.step_y - gap + margin;
  if (p.width > largest_side || p.height > largest_side || p.width * p.height > largest_area)
    refuse(fmt::format("a sheet of {:.0f} x {:.0f} pixels is too large", p.width, p.height),
           fmt::format("sides up to {:.0f} and up to {:.0f} million pixels: ask for smaller pictures, or for fewer",
                       largest_side, largest_area / 1e6));
  return p;
}

void check(const std::vector<SheetCell>& cells, const SheetLayout& layout) {
  if (cells.empty()) refuse("a sheet needs at least one picture");
  for (const SheetCell& cell : cells)
    if (cell.image.width < 1 || cell.image.height < 1) fail("a sheet cannot show an empty picture");
  if (layout.columns < 0) refuse(fmt::format("a sheet cannot have {} columns", layout.columns), "1 or more");
  if (layout.rows.size() * layout.headings.size() != (layout.headings.empty() ? 0 : cells.size()) ||
      layout.rows.empty() != layout.headings.empty())
    fail(fmt::format("a table of {} x {} cannot have {} pictures", layout.rows.size(), layout.headings.size(),
                     cells.size()));
}

void draw_headings(Drawing& sheet, const Places& p, const SheetLayout& layout) {
  for (size_t column = 0; column < layout.headings.size(); ++column)
    sheet.text({p.left + static_cast<double>(column) * p.step_x + p.cell_width / 2, p.top - 11},
               fitted_text(layout.headings[column], caption_size, p.cell_width),
               {.size = caption_size, .rgb = soft_ink, .anchor = Anchor::middle});
  for (size_t row = 0; row < layout.rows.size(); ++row)
    sheet.text(
        {p.left - heading_gap, p.top + static_cast<double>(row) * p.step_y + p.cell_height / 2 + caption_size / 3},
        fitted_text(layout.rows[row], caption_size, widest_heading),
        {.size = caption_size, .rgb = soft_ink, .anchor = Anchor::right});
}

}  // namespace

std::string fitted_text(const std::string& text, double size, double width) {
  if (text_width(text, size) <= width) return text;
  const std::string ellipsis = "\u2026";
  // Up to a byte, without a character of UTF-8 that it would cut, and without spaces at the end.
  const auto beginning = [&](size_t end) {
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    while (end > 0 && text[end - 1] == ' ') --end;
    return text.substr(0, end);
  };
  size_t fits = 0;
  for (size_t too_long = text.size(); too_long - fits > 1;) {
    const size_t half = (fits + too_long) / 2;
    (text_width(beginning(half) + ellipsis, size) <= width ? fits : too_long) = half;
  }
  const std::string shown = beginning(fits);
  return shown.empty() ? std::string() : shown + ellipsis;
}

int sheet_columns(size_t count, double aspect) {
  if (count <= 3) return static_cast<int>(std::max<size_t>(count, 1));
  constexpr double page = 1.6;
  size_t best = 1;
  double best_cost = 1e30;
  for (size_t columns = 1; columns <= count; ++columns) {
    const size_t rows = (count + columns - 1) / columns;
    const double shape = aspect * static_cast<double>(columns) / static_cast<double>(rows);
    const double empty = static_cast<double>(rows * columns - count) / static_cast<double>(rows * columns);
    const double cost = std::max(shape / page, page / shape) + 4 * empty;
    if (cost < best_cost) {
      best = columns;
      best_cost = cost;
    }
  }
  return static_cast<int>(best);
}

void check_sheet(size_t count, int width, int height, const SheetLayout& layout) {
  arrange({count, static_cast<double>(width), static_cast<double>(height), true}, layout);
}

Drawing draw_sheet(const std::vector<SheetCell>& cells, const SheetLayout& layout) {
  check(cells, layout);
  const Places p = arrange(content_of(cells), layout);
  Drawing sheet(p.width, p.height);
  if (!layout.title.empty())
    sheet.text({margin, margin + title_size}, fitted_text(layout.title, title_size, p.width - 2 * margin),
               {.size = title_size, .rgb = ink});
  draw_headings(sheet, p, layout);
  for (size_t i = 0; i < cells.size(); ++i) {
    const Image& image = cells[i].image;
    const Vec2 corner{p.left + static_cast<double>(i % p.columns) * p.step_x,
                      p.top + static_cast<double>(i / p.columns) * p.step_y};
    const Vec2 inset{std::floor((p.cell_width - image.width) / 2), std::floor((p.cell_height - image.height) / 2)};
    sheet.picture(corner + inset, {static_cast<double>(image.width), static_cast<double>(image.height)}, image);
    if (layout.headings.empty())
      sheet.text({corner.x, corner.y + p.cell_height + 18}, fitted_text(cells[i].caption, caption_size, p.cell_width),
                 {.size = caption_size, .rgb = soft_ink});
  }
  return sheet;
}

}  // namespace tepui

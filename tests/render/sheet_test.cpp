#include "tepui/render/page/sheet.h"
#include "tepui/render/page/font.h"

#include <algorithm>

#include "tests/support/support.h"

namespace tepui::sheet_test {
namespace {

using test::error_of;

Image plain(int width, int height, uint8_t value) {
  Image image(width, height, 3);
  std::ranges::fill(image.pixels, value);
  return image;
}

/// How many pixels of the picture have this value in all channels.
int64_t count(const Image& image, uint8_t value) {
  int64_t found = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const uint8_t* p = image.at(x, y);
      found += p[0] == value && p[1] == value && p[2] == value;
    }
  return found;
}

RC_GTEST_PROP(Sheet, ColumnsLeaveNoRowEmpty, ()) {
  const auto pictures = static_cast<size_t>(*rc::gen::inRange(1, 200));
  const auto columns = static_cast<size_t>(sheet_columns(pictures, *rc::gen::inRange(1, 40) / 10.0));
  const size_t rows = (pictures + columns - 1) / columns;
  RC_ASSERT(columns >= 1u);
  RC_ASSERT(columns <= pictures);
  RC_ASSERT(rows * columns - pictures < columns);
}

TEST(Sheet, ColumnsSuitThePictures) {
  EXPECT_EQ(sheet_columns(3, 16.0 / 9), 3);
  EXPECT_EQ(sheet_columns(4, 16.0 / 9), 2);
  EXPECT_EQ(sheet_columns(16, 16.0 / 9), 4);
  EXPECT_EQ(sheet_columns(16, 1), 4);
  EXPECT_EQ(sheet_columns(9, 1.5), 3);
  EXPECT_GT(sheet_columns(12, 0.3), sheet_columns(12, 3));
}

/// Every pixel of every picture is on the sheet, whatever their sizes, and none is covered.
RC_GTEST_PROP(Sheet, PicturesAreShownPixelForPixel, ()) {
  const int pictures = *rc::gen::inRange(1, 9);
  std::vector<SheetCell> cells;
  for (int i = 0; i < pictures; ++i)
    cells.push_back({plain(*rc::gen::inRange(1, 40), *rc::gen::inRange(1, 40), static_cast<uint8_t>(100 + 5 * i)), ""});
  SheetLayout layout;
  layout.columns = *rc::gen::inRange(0, 5);
  const Image image = draw_sheet(cells, layout).raster();
  for (int i = 0; i < pictures; ++i) {
    const Image& shown = cells[static_cast<size_t>(i)].image;
    RC_ASSERT(count(image, static_cast<uint8_t>(100 + 5 * i)) == int64_t{shown.width} * shown.height);
  }
}

TEST(Sheet, TextTakesItsOwnPlace) {
  std::vector<SheetCell> cells;
  for (int i = 0; i < 6; ++i) cells.push_back({plain(90, 50, static_cast<uint8_t>(100 + 5 * i)), ""});
  const Drawing bare = draw_sheet(cells, {});
  SheetLayout titled;
  titled.title = "Mesas";
  for (SheetCell& cell : cells) cell.caption = "count = 3";
  const Drawing full = draw_sheet(cells, titled);
  EXPECT_EQ(full.width(), bare.width());
  EXPECT_GT(full.height(), bare.height());
  const std::string svg = full.svg();
  EXPECT_NE(svg.find("Mesas"), std::string::npos);
  const Image image = full.raster();
  for (int i = 0; i < 6; ++i) EXPECT_GE(count(image, static_cast<uint8_t>(100 + 5 * i)), 90 * 50);
}

TEST(Sheet, TableHasHeadingsInsteadOfCaptions) {
  std::vector<SheetCell> cells;
  for (int i = 0; i < 6; ++i) cells.push_back({plain(70, 30, static_cast<uint8_t>(100 + 5 * i)), "Zebra"});
  SheetLayout layout;
  layout.rows = {"beds = 3", "beds = 5"};
  layout.headings = {"seed = 1", "seed = 2", "seed = 3"};
  layout.columns = 5;  // a table has its own
  const Drawing table = draw_sheet(cells, layout);
  const Drawing list = draw_sheet(cells, {});
  EXPECT_GT(table.width(), 3 * 70);
  EXPECT_EQ(table.svg().find("Zebra"), std::string::npos);
  EXPECT_NE(list.svg().find("Zebra"), std::string::npos);
  // The second row begins below the first.
  const Image image = table.raster();
  int first = -1, fourth = -1;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      if (image.at(x, y)[0] == 100 && image.at(x, y)[1] == 100 && x > image.width / 4) first = y;
      if (image.at(x, y)[0] == 115 && image.at(x, y)[1] == 115 && fourth < 0 && y > image.height / 2) fourth = y;
    }
  EXPECT_GT(fourth, first);
}

TEST(Sheet, LongTextEndsInAnEllipsis) {
  const std::string text = "Größe der Höhen über dem Meer";
  EXPECT_EQ(fitted_text(text, 12, 1000), text);
  std::string last = text;
  for (double width = text_width(text, 12) - 1; width > 0; width -= 7) {
    const std::string fitted = fitted_text(text, 12, width);
    EXPECT_LE(text_width(fitted, 12), width);
    EXPECT_TRUE(fitted.empty() || fitted.ends_with("\u2026"));
    EXPECT_LE(fitted.size(), last.size() + 3);
    last = fitted;
  }
  EXPECT_EQ(fitted_text(text, 12, 0), "");
  // Soon done, however long it is.
  EXPECT_LE(text_width(fitted_text(std::string(100'000, 'i') + "\u00e9", 12, 300), 12), 300);
}

TEST(Sheet, RefusesWhatCannotBeDrawn) {
  EXPECT_NE(error_of([] { draw_sheet({}, {}); }).find("at least one"), std::string::npos);
  SheetLayout layout;
  layout.columns = -1;
  EXPECT_NE(error_of([&] { draw_sheet({{plain(4, 4, 9), ""}}, layout); }).find("-1 columns"), std::string::npos);
  layout = {};
  layout.headings = {"a", "b"};
  layout.rows = {"c"};
  EXPECT_NE(error_of([&] { draw_sheet({{plain(4, 4, 9), ""}}, layout); }).find("1 x 2"), std::string::npos);
  const std::vector<SheetCell> wide{{plain(16000, 1, 9), ""}, {plain(1, 16000, 9), ""}};
  EXPECT_NE(error_of([&] { draw_sheet(wide, {}); }).find("million pixels"), std::string::npos);
  EXPECT_NO_THROW(check_sheet(400, 480, 270, {}));
  EXPECT_NE(error_of([&] { check_sheet(400, 1280, 720, {}); }).find("million pixels"), std::string::npos);
  layout = {};
  layout.columns = 1;
  EXPECT_NE(error_of([&] { check_sheet(400, 480, 270, layout); }).find("sides up to"), std::string::npos);
}

}  // namespace
}  // namespace tepui::sheet_test

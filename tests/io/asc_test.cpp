#include <cmath>

#include "tepui/core/error.h"
#include "tepui/io/export.h"
#include "tepui/io/inspect.h"
#include "tepui/io/raster_open.h"
#include "tepui/io/read.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

// What stands where a value should: nothing is ever taken for a number that is none.

namespace tepui::asc_test {
namespace {

using test::put_bytes;
using test::TemporaryFolder;
using test::WarningSink;

const std::string head = "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 10\n";

Terrain land_of(const TemporaryFolder& folder, const std::string& text, const Context& context = {}) {
  put_bytes(folder / "a.asc", text);
  ReadParams p;
  p.file.path = folder / "a.asc";
  return read(p, context);
}

/// The whole message with its hint.
std::string refusal(const TemporaryFolder& folder, const std::string& text) {
  try {
    land_of(folder, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request) << error.what();
    return error.message() + "; " + error.hint();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(AscValues, WordIsRefusedWithLineAndColumn) {
  const TemporaryFolder folder;
  for (const char* word : {"abc", "5x", "1.2.3", "1,2,3", "--5", "0x10", "1e", "*", "1e5.5", "+-3", "5,", "5.5,5"}) {
    const std::string message = refusal(folder, head + "1 2 3\n4 " + word + " 6\n");
    EXPECT_EQ(says(message, "line 7, column 3"), std::string_view(word) != "5,") << word << ": " << message;
  }
  // In `info` as well.
  put_bytes(folder / "a.asc", head + "1 2 3\n4 x 6\n");
  EXPECT_TRUE(says(test::error_of([&] { inspect(folder / "a.asc", Context()); }), "line 7, column 3: 'x'"));
}

TEST(AscValues, MissingAndSurplusValuesAreRefused) {
  const TemporaryFolder folder;
  const std::string missing = refusal(folder, head + "1 3\n4 5 6\n");
  EXPECT_TRUE(says(missing, "ends after 5 of 6 values; line 6 has 2 values, but a row has 3")) << missing;
  const std::string last = refusal(folder, head + "1 2 3\n4 5");
  EXPECT_TRUE(says(last, "ends after 5 of 6 values")) << last;
  const std::string surplus = refusal(folder, head + "1 2 3 9\n4 5 6\n");
  EXPECT_TRUE(says(surplus, "line 7, column 5: '6' is one value too many")) << surplus;
  EXPECT_TRUE(says(surplus, "line 6 has 4 values")) << surplus;
  EXPECT_TRUE(says(refusal(folder, head + "1 2 3\n4 5 6\n# by hand\n"), "line 8, column 1: '#'"));
  // Rows may be broken anywhere, and blanks may follow.
  EXPECT_EQ(land_of(folder, head + "1 2\n3 4 5\n\n\t6  \r\n\n").height()(2, 0), 6);
}

TEST(AscValues, NumbersOfEveryKindAreRead) {
  const TemporaryFolder folder;
  const Terrain land = land_of(folder, head + "+1 -2.5e1 .5\n1,25 1e-400 007\n");
  EXPECT_EQ(land.height()(0, 1), 1);
  EXPECT_EQ(land.height()(1, 1), -25);
  EXPECT_EQ(land.height()(2, 1), 0.5f);
  EXPECT_EQ(land.height()(0, 0), 1.25f);
  EXPECT_EQ(land.height()(1, 0), 0);
  EXPECT_EQ(land.height()(2, 0), 7);
  EXPECT_EQ(land.find("void"), nullptr);
}

TEST(AscValues, FirstCellMayBeNan) {
  const TemporaryFolder folder;
  for (const char* none : {"nan", "NaN", "-nan", "inf", "-1.#IND", "1.#QNAN", "1e999"}) {
    const Terrain land = land_of(folder, head + none + " 2 3\n4 5 6\n");
    EXPECT_EQ(land.layer("void").grid()(0, 1), 1) << none;
    EXPECT_EQ(void_cells(land), 1) << none;
    EXPECT_EQ(land.relief(), (Relief{2, 6})) << none;
  }
}

TEST(AscValues, NodataMayBeAWord) {
  const TemporaryFolder folder;
  const Terrain land = land_of(folder, head + "NODATA_value null\n1 NULL 3\n4 5 6\n");
  EXPECT_EQ(land.layer("void").grid()(1, 1), 1);
  EXPECT_TRUE(says(refusal(folder, head + "1 null 3\n4 5 6\n"), "'null' is not a number"));
  EXPECT_EQ(void_cells(land_of(folder, head + "nodata_value nan\n1 nan 3\n4 5 6\n")), 1);
}

TEST(AscHeader, CornersCentresAndUnequalCellsArePlaced) {
  const TemporaryFolder folder;
  const std::string values = "1 2 3\n4 5 6\n";
  const Terrain mixed =
      land_of(folder, "NROWS 2\nNCOLS 3\nXLLCENTER 100\nYLLCORNER 200\nDX 10\nDY 4\nnodata -1\n" + values);
  EXPECT_EQ(mixed.frame().origin, (Vec2{100, 202}));
  EXPECT_EQ(mixed.frame().cell, (Vec2{10, 4}));
  EXPECT_EQ(land_of(folder, "\xef\xbb\xbf" + head + values).frame().origin, (Vec2{105, 205}));
  WarningSink sink;
  const Terrain nowhere = land_of(folder, "ncols 3\nnrows 2\ncellsize 10\n" + values, sink.context());
  EXPECT_EQ(nowhere.frame().origin, (Vec2{5, 5}));
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_TRUE(says(sink.warnings[0], "where it lies"));
}

TEST(AscHeader, SensibleNumbersAreAskedFor) {
  const TemporaryFolder folder;
  const std::string values = "1 2 3\n4 5 6\n";
  for (const auto& [text, part] : {std::pair<std::string, const char*>{"ncols 3\n", "no 'nrows'"},
                                   {"ncols 3\nnrows 2\n" + values, "no 'cellsize'"},
                                   {"north: 5\n", "no 'ncols'"},
                                   {"ncols x\n", "line 1, column 7: 'x'"},
                                   {"ncols 3\nncols 3\n", "line 2, column 1: 'ncols' appears twice"},
                                   {"ncols 3.5\nnrows 2\ncellsize 1\n" + values, "'ncols' is 3.5"},
                                   {"ncols -3\nnrows 2\ncellsize 1\n" + values, "'ncols' is -3"},
                                   {"ncols 3\nnrows 2\ncellsize 0\n" + values, "cells are 0 wide"},
                                   {"ncols 3\nnrows 2\ncellsize nan\n" + values, "cells are nan wide"},
                                   {"ncols 3\nnrows 2\nxllcorner inf\nyllcorner 0\ncellsize 1\n" + values, "inf"},
                                   {std::string(500, 'n'), "too long for a number"}})
    EXPECT_TRUE(says(refusal(folder, text), part)) << text << ": " << refusal(folder, text);
}

TEST(AscHeader, PrjThatIsNoneIsSaidToBeLeftOut) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.prj", "PROJCS[nonsense");
  WarningSink sink;
  const Terrain land = land_of(folder, head + "1 2 3\n4 5 6\n", sink.context());
  EXPECT_EQ(land.frame().geo, nullptr);
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_TRUE(says(sink.warnings[0], "a.prj"));
}

TEST(AscValues, RowsCanBeReadAgain) {
  const TemporaryFolder folder;
  std::string text = "ncols 40\nnrows 3000\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
  for (int y = 0; y < 3000; ++y)
    for (int x = 0; x < 40; ++x) text += std::to_string(y * 40 + x) + (x == 39 ? "\n" : " ");
  put_bytes(folder / "a.asc", text);
  const std::unique_ptr<Raster> raster = open_raster(folder / "a.asc", {});
  std::vector<double> values(40 * 7);
  std::vector<uint8_t> valid(values.size());
  for (const int64_t first : {2990, 0, 1, 2000, 2000, 7})
    for (size_t i = (raster->read_rows(0, first, 7, values.data(), valid.data()), 0); i < values.size(); ++i)
      ASSERT_EQ(values[i], static_cast<double>(first * 40) + static_cast<double>(i));
}

}  // namespace
}  // namespace tepui::asc_test

#include "tepui/io/table/lines_csv.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/terrain/lines_builder.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::lines_csv_test {

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// As RFC 4180 has it.
Rows rows_of(const std::string& text) {
  Rows rows(1);
  rows.back().emplace_back();
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string& cell = rows.back().back();
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      cell += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      rows.back().emplace_back();
    } else if (!quoted && text[i] == '\n') {
      rows.push_back({""});
    } else {
      cell += text[i];
    }
  }
  EXPECT_FALSE(quoted);
  rows.pop_back();
  return rows;
}

std::string csv_of(const Lines& lines) {
  const test::TemporaryFolder folder;
  write_lines_csv(folder / "a.csv", lines, {});
  EXPECT_EQ(test::names_in(folder.path()), std::vector<std::string>{"a.csv"});
  return test::bytes_of(folder / "a.csv");
}

double any_number() {
  return *rc::gen::element(0.0, -0.0, 0.1, 1.0 / 3, -2.5e-300, 1e300, 123456789.125, 5e-324, 1e21, 65535.0);
}

}  // namespace

TEST(LinesCsv, HasARowForEveryPointUnderAHeader) {
  const Lines lines({{"ridge", {{0, 1, 2.5}, {10, 1, 3}}, false, {{"flow", "m3/s", {1, 2}}}},
                     {"", {{5, 6, 7}}, false, {{"order", "", {3}}}}});
  EXPECT_EQ(csv_of(lines),
            "line,x,y,z,flow (m3/s),order\n"
            "ridge,0,1,2.5,1,\n"
            "ridge,10,1,3,2,\n"
            "2,5,6,7,,3\n");
  EXPECT_EQ(csv_of(Lines()), "line,x,y,z\n");
}

TEST(LinesCsv, AClosedLineEndsWhereItBegan) {
  EXPECT_EQ(csv_of(Lines({{"a", {{1, 2, 3}, {4, 5, 6}}, true, {}}, {"b", {}, true, {}}})),
            "line,x,y,z\na,1,2,3\na,4,5,6\na,1,2,3\n");
}

TEST(LinesCsv, TellsShapesAndPartsWhereTheyAreMoreThanLines) {
  LinesBuilder builder;
  const NumberColumn level = builder.number("level", "m");
  const TextColumnId kind = builder.text("kind");
  builder.begin(FeatureShape::point, "wood");
  builder.part(std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}});
  builder.set(kind, "oak, elm");
  builder.begin(FeatureShape::polygon);
  builder.part(std::vector<Vec3>{{0, 0, 0}, {9, 0, 0}, {0, 9, 0}});
  builder.part(std::vector<Vec3>{{1, 1, 0}, {1, 2, 0}, {2, 1, 0}});
  builder.set(level, 7.5);
  EXPECT_EQ(csv_of(std::move(builder).build()),
            "line,x,y,z,shape,part,level (m),kind\n"
            "wood,1,2,3,point,1,,\"oak, elm\"\nwood,4,5,6,point,1,,\"oak, elm\"\n"
            "2,0,0,0,polygon,1,7.5,\n2,9,0,0,polygon,1,7.5,\n2,0,9,0,polygon,1,7.5,\n2,0,0,0,polygon,1,7.5,\n"
            "2,1,1,0,polygon,2,7.5,\n2,1,2,0,polygon,2,7.5,\n2,2,1,0,polygon,2,7.5,\n2,1,1,0,polygon,2,7.5,\n");
}

RC_GTEST_PROP(LinesCsv, GivesBackWhatWasWritten, ()) {
  std::vector<Polyline> list;
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    Polyline line;
    line.name = "n" + *rc::gen::container<std::string>(rc::gen::elementOf(std::string("a,\"\n\r 'é;")));
    for (int p = *rc::gen::inRange(0, 5); p > 0; --p) line.points.push_back({any_number(), any_number(), any_number()});
    line.attributes.push_back({"w", "m", {}});
    for (size_t p = 0; p < line.points.size(); ++p) line.attributes[0].values.push_back(any_number());
    list.push_back(line);
  }
  const Rows rows = rows_of(csv_of(Lines(list)));
  size_t row = 0;
  RC_ASSERT(rows[row++].size() == (list.empty() ? 4u : 5u));
  for (const Polyline& line : list)
    for (size_t p = 0; p < line.points.size(); ++p, ++row) {
      RC_ASSERT(rows.at(row)[0] == line.name);
      const double numbers[] = {line.points[p].x, line.points[p].y, line.points[p].z, line.attributes[0].values[p]};
      for (size_t c = 0; c < 4; ++c) {
        const auto read = parse_number(rows[row][c + 1]);
        RC_ASSERT(read.has_value() && *read == numbers[c] && std::signbit(*read) == std::signbit(numbers[c]));
      }
    }
  RC_ASSERT(row == rows.size());
}

TEST(LinesCsv, StopsWhenCancelledAndLeavesNothing) {
  const test::TemporaryFolder folder;
  const CancelFlag stop{true};
  EXPECT_THROW(write_lines_csv(folder / "a.csv", Lines({{"a", {{}}, false, {}}}), Context(nullptr, &stop)), Error);
  EXPECT_TRUE(test::names_in(folder.path()).empty());
  EXPECT_NE(test::error_of([&] { write_lines_csv(folder / "no/a.csv", Lines(), {}); }).find("no/a.csv"),
            std::string::npos);
}

}  // namespace tepui::lines_csv_test

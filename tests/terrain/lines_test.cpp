#include "tepui/terrain/lines.h"

#include <cmath>

#include "tests/support/support.h"

namespace tepui::lines_test {

TEST(Lines, TellTheirExtent) {
  const Lines lines({{"a", {{0, 0, 0}, {3, 4, 0}, {3, 4, 12}}, false, {}}, {"b", {{-1, 0, 5}, {-1, 2, 5}}, true, {}}});
  const LinesExtent extent = extent_of(lines);
  EXPECT_EQ(extent.points, 5u);
  EXPECT_EQ(extent.length, 5 + 12 + 2 + 2);
  EXPECT_EQ(extent.low, (Vec3{-1, 0, 0}));
  EXPECT_EQ(extent.high, (Vec3{3, 4, 12}));
  EXPECT_EQ(extent_of(Lines()).points, 0u);
  EXPECT_EQ(extent_of(Lines()).high, Vec3{});
}

TEST(Lines, TellTheRangeOfEveryAttribute) {
  const Lines lines({{"a", {{}, {}}, false, {{"flow", "m3/s", {2, 1}}, {"order", "", {1, 1}}}},
                     {"b", {{}}, false, {{"flow", "m3/s", {7}}, {"flow", "", {0}}}},
                     {"c", {}, false, {{"width", "m", {}}}}});
  const std::vector<AttributeRange> ranges = attribute_ranges(lines);
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].name + " " + ranges[0].unit, "flow m3/s");
  EXPECT_EQ(ranges[0].low, 1);
  EXPECT_EQ(ranges[0].high, 7);
  EXPECT_EQ(ranges[1].name, "order");
  EXPECT_EQ(ranges[2].unit, "");
}

TEST(Lines, RefuseWhatIsNoNumberAndAttributesThatDoNotFit) {
  EXPECT_NE(test::error_of([] { Lines({{"a", {{NAN, 0, 0}}, false, {}}}); }).find("'a'"), std::string::npos);
  EXPECT_NE(test::error_of([] {
              Lines({{"a", {{}}, false, {{"w", "m", {1, 2}}}}});
            }).find("2 numbers"),
            std::string::npos);
  EXPECT_NE(test::error_of([] {
              Lines({{"a", {{}}, false, {{"w", "m", {INFINITY}}}}});
            }).find("'w'"),
            std::string::npos);
}

RC_GTEST_PROP(Lines, HashTellsAnyChange, ()) {
  const auto build = [](const std::string& name, double z, bool closed, const std::string& unit, double value) {
    return Lines({{name, {{1, 2, z}}, closed, {{"w", unit, {value}}}}}).hash();
  };
  const double z = *rc::gen::inRange(-100, 100), v = *rc::gen::inRange(-100, 100);
  const Hash hash = build("a", z, false, "m", v);
  RC_ASSERT(hash == build("a", z, false, "m", v));
  for (const Hash& other : {build("b", z, false, "m", v), build("a", z + 1, false, "m", v), build("a", z, true, "m", v),
                            build("a", z, false, "", v), build("a", z, false, "m", v + 1)})
    RC_ASSERT(hash != other);
}

}  // namespace tepui::lines_test

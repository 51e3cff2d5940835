#include "tepui/terrain/lines.h"

#include <cmath>

#include "tepui/terrain/lines_builder.h"
#include "tests/support/support.h"

namespace tepui::lines_test {

namespace {

Lines old_lines() {
  return Lines({{"river",
                 {{0, 0, 10}, {3.5, -4, 9}, {7, 1, 8.25}},
                 false,
                 {{"flow", "m3/s", {1, 2.5, 4}}, {"order", "", {1, 1, 2}}}},
                {"", {{5, 6, 7}}, false, {{"order", "", {3}}}},
                {"lake", {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, true, {}},
                {"none", {}, true, {}}});
}

/// A wood, a river of two arms and a lake with an island, which has attributes of all kinds.
Lines map_lines() {
  LinesBuilder builder;
  const NumberColumn level = builder.number("level", "m");
  const TextColumnId kind = builder.text("kind");
  const VertexColumn flow = builder.vertex_number("flow", "m3/s");
  builder.begin(FeatureShape::point, "wood");
  builder.part(std::vector<Vec3>{{1, 1, 0}, {2, 1, 0}, {5, 5, 1}});
  builder.set(kind, "oak");
  builder.begin(FeatureShape::line, "river");
  builder.part(std::vector<Vec3>{{0, 0, 5}, {3, 4, 5}});
  builder.set(flow, std::vector<double>{1, 2});
  builder.part(std::vector<Vec3>{{3, 4, 5}, {3, 10, 5}, {3, 4, 5}});
  builder.begin(FeatureShape::polygon, "lake");
  builder.part(std::vector<Vec3>{{0, 0, 2}, {0, 10, 2}, {10, 10, 2}, {10, 0, 2}});  // clockwise
  builder.set(flow, std::vector<double>{7, 8, 9, 10});
  builder.part(std::vector<Vec3>{{4, 4, 2}, {6, 4, 2}, {5, 6, 2}});  // counter-clockwise
  builder.set(level, 2);
  return std::move(builder).build();
}

std::string refusal(const std::function<void(LinesColumns&)>& change) {
  LinesColumns columns = map_lines().columns();
  change(columns);
  return test::error_of([&] { Lines lines(columns); });
}

}  // namespace

TEST(Lines, ThoseThatWereThereBeforeHaveTheirOldHash) {
  EXPECT_EQ(old_lines().hash().text(), "16cefc70556efb8ea4741cfb7cd7b178");
  EXPECT_EQ(Lines().hash().text(), "f76def77652e08a450b2f46262f4f6b9");
}

TEST(Lines, GiveBackTheListTheyWereMadeOf) {
  const std::vector<Polyline> list = old_lines().polylines();
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].name, "river");
  EXPECT_EQ(list[0].points[1], (Vec3{3.5, -4, 9}));
  ASSERT_EQ(list[0].attributes.size(), 2u);
  EXPECT_EQ(list[0].attributes[1].values, (std::vector<double>{1, 1, 2}));
  ASSERT_EQ(list[1].attributes.size(), 1u);
  EXPECT_EQ(list[1].attributes[0].name, "order");
  EXPECT_TRUE(list[2].closed && list[2].attributes.empty());
  EXPECT_TRUE(list[3].points.empty());
  EXPECT_EQ(Lines(list).hash(), old_lines().hash());
}

TEST(Lines, HoldPointsLinesAndPolygons) {
  const Lines lines = map_lines();
  ASSERT_EQ(lines.features(), 3u);
  ASSERT_EQ(lines.parts(), 5u);
  EXPECT_EQ(lines.feature(0).shape, FeatureShape::point);
  EXPECT_EQ(lines.feature(1).name, "river");
  EXPECT_EQ(lines.feature(1).end_part - lines.feature(1).first_part, 2u);
  EXPECT_EQ(lines.vertices().size(), 3u + 2 + 3 + 4 + 3);
  EXPECT_FALSE(lines.part(lines.feature(1), 2).closed);
  EXPECT_TRUE(lines.part(lines.feature(2), 3).closed);
  ASSERT_NE(lines.number("level"), nullptr);
  EXPECT_TRUE(std::isnan(lines.number("level")->values[1]));
  EXPECT_EQ(lines.number("level")->values[2], 2);
  ASSERT_NE(lines.text("kind"), nullptr);
  EXPECT_EQ(lines.text("kind")->values[0], "oak");
  EXPECT_EQ(lines.text("kind")->present, (std::vector<uint8_t>{1, 0, 0}));
  EXPECT_EQ(lines.number("flow"), nullptr);
  ASSERT_NE(lines.vertex_number("flow"), nullptr);
  EXPECT_EQ(lines.vertex_number("flow")->values[3], 1);
  EXPECT_TRUE(std::isnan(lines.vertex_number("flow")->values[5]));
}

TEST(Lines, RingsAreTurnedTheRightWayWithTheirNumbers) {
  const Lines lines = map_lines();
  const LinePart outline = lines.part(lines.feature(2), 3), hole = lines.part(lines.feature(2), 4);
  EXPECT_EQ(twice_signed_area(outline.points), 200);
  EXPECT_LT(twice_signed_area(hole.points), 0);
  EXPECT_EQ(outline.points[1], (Vec3{10, 0, 2}));
  const std::span<const double> flow = lines.vertex_number("flow")->values;
  EXPECT_EQ(flow[8], 7);
  EXPECT_EQ(flow[9], 10);
  EXPECT_EQ(flow[11], 8);
}

TEST(Lines, PointsHaveNoLength) {
  const LinesExtent extent = extent_of(map_lines());
  EXPECT_EQ(extent.points, 15u);
  EXPECT_NEAR(extent.length, 5 + 12 + 40 + 2 + 2 * std::sqrt(5.0), 1e-12);
  size_t curves = 0;
  for_each_curve(map_lines(), [&](const LinePart& part) { curves += part.points.empty() ? 0 : 1; });
  EXPECT_EQ(curves, 3u + 2 + 2);
}

TEST(Lines, ColumnsMakeTheSameLinesAgain) {
  for (const Lines& lines : {Lines(), old_lines(), map_lines()}) {
    const Lines again(lines.columns());
    EXPECT_EQ(again.hash(), lines.hash());
    EXPECT_EQ(again.bytes(), lines.bytes());
  }
}

TEST(Lines, RefuseColumnsThatDoNotFitTogether) {
  const auto has = [](const std::string& text, const char* word) {
    EXPECT_NE(text.find(word), std::string::npos) << text;
  };
  has(refusal([](auto& c) { c.part_starts.back() += 1; }), "parts");
  has(refusal([](auto& c) { c.part_starts = {}; }), "parts");
  has(refusal([](auto& c) { std::swap(c.part_starts[1], c.part_starts[2]); }), "parts");
  has(refusal([](auto& c) { c.feature_starts.push_back(5); }), "features");
  has(refusal([](auto& c) { c.feature_starts[1] = 0; }), "no parts");
  has(refusal([](auto& c) { c.names.starts.pop_back(); }), "names");
  has(refusal([](auto& c) { c.shapes[0] = static_cast<FeatureShape>(7); }), "neither");
  has(refusal([](auto& c) { c.shapes[1] = FeatureShape::point; }), "points");
  has(refusal([](auto& c) { c.part_closed[0] = 1; }), "points");
  has(refusal([](auto& c) { c.part_closed[3] = 0; }), "not closed");
  has(refusal([](auto& c) { c.part_closed[1] = 9; }), "neither open nor closed");
  has(refusal([](auto& c) { c.vertices[4].z = NAN; }), "'river' has a point that is not a number");
  has(refusal([](auto& c) { std::swap(c.vertices[9], c.vertices[11]); }), "outline that runs clockwise");
  has(refusal([](auto& c) { std::swap(c.vertices[13], c.vertices[14]); }), "hole that runs counter-clockwise");
  has(refusal([](auto& c) { c.numbers[0].values.pop_back(); }), "2 numbers of 'level'");
  has(refusal([](auto& c) { c.numbers[0].values[0] = INFINITY; }), "'level' that is not a number");
  has(refusal([](auto& c) { c.numbers.push_back(c.numbers[0]); }), "two attributes 'level'");
  has(refusal([](auto& c) { c.vertex_numbers[0].values.pop_back(); }), "14 numbers of 'flow'");
  has(refusal([](auto& c) { c.texts[0].present[0] = 0; }), "'kind'");
  has(refusal([](auto& c) { c.texts[0].present.pop_back(); }), "2 texts of 'kind'");
  has(refusal([](auto& c) { c.geo = Georeference{"", {}, {1, 1}}; }), "no reference system");
  has(refusal([](auto& c) { c.geo = Georeference{"EPSG:4326", {}, {0, 1}}; }), "not a number");
  LinesBuilder builder;
  builder.begin(FeatureShape::polygon, "thin");
  builder.part(std::vector<Vec3>{{0, 0, 0}, {1, 1, 1}});
  has(test::error_of([&] { std::move(builder).build(); }), "ring of 2 points");
}

TEST(Lines, EveryNewColumnCountsInTheHash) {
  const Hash hash = map_lines().hash();
  const std::function<void(LinesColumns&)> changes[] = {
      [](LinesColumns& c) { c.numbers[0].values[0] = 0; },
      [](LinesColumns& c) { c.numbers[0].unit = "ft"; },
      [](LinesColumns& c) { c.texts[0].present[1] = 1; },
      [](LinesColumns& c) { c.texts[0].values.text = "elm"; },
      [](LinesColumns& c) { c.vertex_numbers[0].name = "width"; },
      [](LinesColumns& c) { c.part_closed[2] = 1; },
      [](LinesColumns& c) { c.names.text[0] = 'f'; },
      [](LinesColumns& c) { c.vertices[0].x = 7; },
      [](LinesColumns& c) {
        c.geo = Georeference{"EPSG:32612", {}, {1, 1}};
      },
  };
  for (const auto& change : changes) {
    LinesColumns columns = map_lines().columns();
    change(columns);
    EXPECT_NE(Lines(columns).hash(), hash);
  }
  // Also of what holds nothing but lines of one part.
  LinesColumns columns = old_lines().columns();
  columns.geo = Georeference{"EPSG:32612", {}, {1, 1}};
  EXPECT_NE(Lines(columns).hash(), old_lines().hash());
  columns = old_lines().columns();
  std::swap(columns.vertex_numbers[0], columns.vertex_numbers[1]);
  EXPECT_NE(Lines(columns).hash(), old_lines().hash());
}

TEST(Lines, AFramesPlaceIsThatOfItsMetres) {
  Frame frame = make_world({640, 320}, 65, {500000, 4100000});
  EXPECT_FALSE(lines_geo(frame).has_value());
  frame.geo = std::make_shared<const Georeference>(Georeference{"EPSG:32612", {500000, 4100000}, {10, 10}});
  ASSERT_TRUE(lines_geo(frame).has_value());
  EXPECT_EQ(lines_geo(frame)->origin, (Vec2{0, 0}));
  EXPECT_EQ(lines_geo(frame)->step, (Vec2{1, 1}));
  frame.origin = {0, 0};
  frame.geo = std::make_shared<const Georeference>(Georeference{"EPSG:4326", {-111, 36}, {1e-4, 2e-4}});
  EXPECT_EQ(lines_geo(frame)->origin, (Vec2{-111, 36}));
  EXPECT_DOUBLE_EQ(lines_geo(frame)->step.y, 2e-5);
}

TEST(Lines, AMillionPointsAreAFewBlocks) {
  constexpr size_t count = 1'000'000;
  LinesBuilder builder;
  const NumberColumn height = builder.number("height", "m");
  for (size_t i = 0; i < count; ++i) {
    const Vec3 at{static_cast<double>(i % 1000), static_cast<double>(i / 1000), 0};
    builder.begin(FeatureShape::point);
    builder.part({&at, 1});
    builder.set(height, static_cast<double>(i));
  }
  const Lines trees = std::move(builder).build();
  EXPECT_EQ(trees.features(), count);
  EXPECT_EQ(extent_of(trees).points, count);
  EXPECT_EQ(attribute_ranges(trees).at(0).high, static_cast<double>(count - 1));
  // A vertex, a number, three offsets and two bytes.
  EXPECT_LE(trees.bytes(), count * (sizeof(Vec3) + sizeof(double) + 3 * sizeof(uint64_t) + 2) + 1000);
  EXPECT_EQ(Lines(trees.columns()).hash(), trees.hash());
}

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

// Maps with lakes, rivers and watersheds.
#include <cmath>

#include "tepui/render/page/class_borders.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/page/map_water.h"
#include "tepui/render/page/river_strokes.h"
#include "tests/render/scenes.h"
#include "tests/render/well_formed.h"

namespace tepui::river_map_test {

namespace {

double area_of(const WaterArea& area) {
  double sum = 0;
  for (size_t r = 0; r < area.rings.size(); ++r) {
    const std::vector<Vec2>& ring = area.rings[r];
    double twice = 0;
    for (size_t i = 0; i + 1 < ring.size(); ++i) twice += ring[i].x * ring[i + 1].y - ring[i + 1].x * ring[i].y;
    sum += (r == 0 ? 0.5 : -0.5) * std::abs(twice);
  }
  return sum;
}

/// A river of each order, from west to east, the first in the south.
Lines orders(int count, bool downhill = true) {
  LinesColumns columns;
  LineAttribute order{"order", "", {}};
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k <= 20; ++k)
      columns.vertices.push_back({k * 40.0, 100.0 + 100 * i, downhill ? 100.0 - k : 100.0 + k});
    columns.part_starts.push_back(columns.vertices.size());
    columns.part_closed.push_back(0);
    columns.feature_starts.push_back(columns.part_closed.size());
    columns.shapes.push_back(FeatureShape::line);
    columns.names.add(i + 1 == count ? "Great River" : "");
    order.values.push_back(i + 1);
  }
  columns.numbers.push_back(order);
  return Lines(std::move(columns));
}

PlotArea page() {
  PlotArea area;
  area.size = {800, 600};
  area.x_high = 800;
  area.y_high = 600;
  return area;
}

Terrain land_with_lake() {
  return test::land_of(81, 61,
                       [](int64_t x, int64_t y) {
                         return 100 + std::hypot(static_cast<double>(x - 40), static_cast<double>(y - 30));
                       })
      .with(make_layer("water_level", "m", LayerKind::continuous, Grid<float>(81, 61, 112.0f)));
}

Terrain with_watersheds(const Terrain& land) {
  Grid<float> classes(land.frame().width, land.frame().height);
  for (int64_t y = 0; y < classes.height(); ++y)
    for (int64_t x = 0; x < classes.width(); ++x) classes(x, y) = static_cast<float>(x / 20 + 10 * (y / 25));
  return land.with(make_layer("watershed", "", LayerKind::category, std::move(classes)));
}

uint32_t pixel(const Image& image, int x, int y) {
  const uint8_t* p = image.at(x, y);
  return static_cast<uint32_t>(p[0]) << 16 | static_cast<uint32_t>(p[1]) << 8 | p[2];
}

}  // namespace

TEST(WaterAreas, AreRingsWithIslands) {
  // A round lake of radius 20 with an island of radius 8, and one that the border cuts in half.
  Grid<float> over(100, 60);
  for (int64_t y = 0; y < 60; ++y)
    for (int64_t x = 0; x < 100; ++x) {
      const auto from = [&](double cx, double cy) {
        return std::hypot(static_cast<double>(x) - cx, static_cast<double>(y) - cy);
      };
      const double ring = std::min(20 - from(30, 30), from(30, 30) - 8), half = 10 - from(99.5, 30);
      over(x, y) = static_cast<float>(std::max(ring, half));
    }
  const std::vector<WaterArea> areas = areas_above_zero(over, Context());
  ASSERT_EQ(areas.size(), 2u);
  ASSERT_EQ(areas[0].rings.size(), 2u);
  EXPECT_NEAR(area_of(areas[0]), 3.14159 * (400 - 64), 12);
  ASSERT_EQ(areas[1].rings.size(), 1u);
  EXPECT_NEAR(area_of(areas[1]), 3.14159 * 50, 4);
}

RC_GTEST_PROP(ClassBorders, LieBetweenDifferentClassesAndCoverAllOfThem, (uint64_t seed)) {
  const int64_t w = *rc::gen::inRange(1, 20), h = *rc::gen::inRange(1, 20);
  const Stream stream(seed);
  Grid<float> classes(w, h);
  for (int64_t i = 0; i < classes.size(); ++i)
    classes.data()[i] = static_cast<float>(std::floor(3 * stream.uniform(static_cast<uint64_t>(i))));
  size_t sides = 0, steps = 0;
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      if (x > 0 && classes(x, y) != classes(x - 1, y)) ++sides;
      if (y > 0 && classes(x, y) != classes(x, y - 1)) ++sides;
    }
  for (const std::vector<Vec2>& line : class_borders(classes)) {
    RC_ASSERT(line.size() >= 2u);
    steps += line.size() - 1;
  }
  RC_ASSERT(steps == sides);
}

RC_GTEST_PROP(ClassBorders, NeighboursHaveDifferentColours, (uint64_t seed)) {
  // Squares of a board need two colours, and find enough among eight whatever their numbers are.
  const Stream stream(seed);
  Grid<float> classes(40, 40);
  for (int64_t y = 0; y < 40; ++y)
    for (int64_t x = 0; x < 40; ++x)
      classes(x, y) = static_cast<float>(std::floor(1e6 * stream.uniform(static_cast<uint64_t>(x / 8 + 5 * (y / 8)))));
  const Grid<float> numbered = numbered_classes(classes);
  const std::vector<int> colours = colours_of_neighbours(numbered, 8);
  const auto colour = [&](int64_t x, int64_t y) { return colours[static_cast<size_t>(numbered(x, y))]; };
  for (int64_t y = 0; y < 40; ++y)
    for (int64_t x = 1; x < 40; ++x) {
      if (classes(x, y) != classes(x - 1, y)) RC_ASSERT(colour(x, y) != colour(x - 1, y));
      if (classes(y, x) != classes(y, x - 1)) RC_ASSERT(colour(y, x) != colour(y, x - 1));
    }
}

TEST(Rivers, AreWiderWithTheirOrderAndTowardsTheirMouth) {
  for (const bool downhill : {true, false}) {
    const std::vector<RiverStroke> strokes = river_strokes(orders(4, downhill), page(), {});
    ASSERT_EQ(strokes.size(), 4u);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_TRUE(std::ranges::is_sorted(strokes[i].widths));
      EXPECT_LT(strokes[i].widths.front(), strokes[i].widths.back());
      if (i > 0) {
        EXPECT_GT(strokes[i].widths.back(), strokes[i - 1].widths.back());
      }
      // Its mouth is where it is lowest, whichever way it was drawn.
      EXPECT_EQ(strokes[i].points.back().x, downhill ? 800 : 0);
    }
    EXPECT_EQ(strokes[3].name, "Great River");
  }
}

TEST(Rivers, AreToScaleWhereTheyAreWide) {
  LinesColumns columns = orders(1).columns();
  columns.numbers.push_back({"width", "m", {35}});
  const std::vector<RiverStroke> strokes = river_strokes(Lines(std::move(columns)), page(), {});
  ASSERT_EQ(strokes.size(), 1u);
  EXPECT_NEAR(strokes[0].widths.back(), 35, 1e-9);
}

TEST(Rivers, MeetWhereTheyMetBeforeTheyWereSmoothed) {
  // A tributary ends in the middle of a river that bends there.
  const Polyline river{"", {{0, 300, 9}, {100, 300, 8}, {200, 400, 7}, {300, 300, 6}, {400, 300, 5}}, false, {}};
  const Polyline side{"", {{200, 500, 9}, {210, 450, 8}, {200, 400, 7}}, false, {}};
  const std::vector<RiverStroke> strokes = river_strokes(Lines({river, side}), page(), {});
  ASSERT_EQ(strokes.size(), 2u);
  EXPECT_EQ(std::ranges::count(strokes[0].points, Vec2{200, 200}), 1);
  EXPECT_EQ(strokes[1].points.back(), (Vec2{200, 200}));
}

TEST(RiverMap, ShowsLakesAndRiversOverTheLayer) {
  const Terrain land = land_with_lake();
  const Lines rivers = orders(3);
  FigureParams params;
  params.axes = false;
  params.size = Vec2{810, 610};
  const Image plain = draw_figure(land.without("water_level"), params, Context()).raster(),
              wet = draw_figure(land, params, Context(), {}, nullptr, &rivers).raster();
  // Samples are 10 pixels wide; the lake has a radius of 12.
  EXPECT_EQ(pixel(wet, 405, 305), WaterStyle().fill);
  EXPECT_EQ(pixel(wet, 50, 50), pixel(plain, 50, 50));
  EXPECT_NE(pixel(wet, 405, 305 - 119), pixel(plain, 405, 305 - 119));
  EXPECT_EQ(pixel(wet, 405, 305 - 126), pixel(plain, 405, 305 - 126));
  int blue = 0;
  for (int y = 0; y < wet.height; ++y)
    if (pixel(wet, 700, y) != pixel(plain, 700, y)) ++blue;
  EXPECT_GE(blue, 5);
}

TEST(Atlas, IsDrawnOfEveryLand) {
  for (const auto& [w, h] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 9}, {30, 1}, {2, 2}, {60, 41}})
    for (const bool classes : {false, true}) {
      Terrain land = test::sample_land(w, h, 4);
      land = land.with(make_layer("water_level", "m", LayerKind::continuous, Grid<float>(w, h, 250.0f)));
      if (classes) land = with_watersheds(land);
      const Lines rivers = orders(4);
      FigureParams params;
      params.kind = FigureKind::atlas;
      params.title = "Rivers & Lakes";
      params.size = Vec2{300, 300};
      const Drawing drawing = draw_figure(land, params, Context(), 150.0, nullptr, &rivers);
      EXPECT_EQ(test::xml_fault(drawing.svg()), "");
      EXPECT_GT(drawing.raster().width, 1);
    }
}

TEST(Atlas, SameBytesForAnyThreads) {
  const Terrain land = with_watersheds(land_with_lake());
  const Lines rivers = orders(4);
  FigureParams params;
  params.kind = FigureKind::atlas;
  params.size = Vec2{240, 0};
  test::expect_same_bits([&] {
    const Image image = draw_figure(land, params, Context(), 105.0, nullptr, &rivers).raster();
    return hash_bytes(image.pixels.data(), image.pixels.size());
  });
}

TEST(Atlas, RefusesTintsThatAreNoClasses) {
  FigureParams params;
  params.kind = FigureKind::atlas;
  params.tints = "height";
  EXPECT_NE(test::error_of([&] { draw_figure(land_with_lake(), params, Context()); }).find("no layer of classes"),
            std::string::npos);
}

TEST(LineMap, ShowsLinesPolygonsAndPoints) {
  FigureParams params;
  params.title = "Lines";
  const Drawing drawing = draw_figure(orders(3), params, Context());
  EXPECT_EQ(test::xml_fault(drawing.svg()), "");
  EXPECT_NE(drawing.svg().find("stroke-linecap"), std::string::npos);
  EXPECT_FALSE(test::error_of([&] { draw_figure(Lines(), params, Context()); }).empty());
}

}  // namespace tepui::river_map_test

#include "tepui/render/page/figure.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/core/hash.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/render/ground/covers.h"
#include "tepui/render/page/figure_parts.h"
#include "tepui/render/page/section.h"
#include "tests/render/well_formed.h"
#include "tests/support/support.h"

namespace tepui::figure_test {

namespace {

constexpr FigureKind kinds[] = {FigureKind::map,        FigureKind::section,      FigureKind::wireframe,
                                FigureKind::profile,    FigureKind::histogram,    FigureKind::hypsometry,
                                FigureKind::slope_area, FigureKind::long_profile, FigureKind::chi,
                                FigureKind::atlas};

uint32_t pixel(const Image& image, double x, double y) {
  const uint8_t* p = image.at(static_cast<int>(x), static_cast<int>(y));
  return static_cast<uint32_t>(p[0]) << 16 | static_cast<uint32_t>(p[1]) << 8 | p[2];
}

FigureParams of_kind(FigureKind kind) {
  FigureParams params;
  params.kind = kind;
  return params;
}

Terrain with_classes(const Terrain& land, int count) {
  Grid<float> classes(land.frame().width, land.frame().height);
  for (int64_t i = 0; i < classes.size(); ++i) classes.data()[i] = static_cast<float>((i * 2654435761 >> 7) % count);
  return land.with(make_layer("material", "", LayerKind::category, std::move(classes)));
}

Terrain flat(int64_t width, int64_t height, float z) {
  return test::sample_land(width, height, 1).with_height(Grid<float>(width, height, z));
}

bool is_blank(const Image& image) {
  return std::ranges::all_of(image.pixels, [](uint8_t v) { return v == 255; });
}

/// Where the map begins at the right of its axis, `height` pixels high.
double map_left(const Terrain& land, double height) {
  const Frame& frame = land.frame();
  return figure_margin +
         y_axis_room(frame.y(0) - 0.5 * frame.cell.y, frame.y(frame.height - 1) + 0.5 * frame.cell.y, height);
}

FigureParams without_grid() {
  FigureParams params;
  params.grid = false;
  return params;
}

}  // namespace

RC_GTEST_PROP(MapFigure, ColoursAreTheValues, ()) {
  const int64_t w = *rc::gen::inRange(1, 60), h = *rc::gen::inRange(1, 60);
  const Terrain land = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>());
  FigureParams params = without_grid();
  params.colour_map = static_cast<ColourMap>(*rc::gen::inRange(0, 5));
  if (*rc::gen::arbitrary<bool>()) params.title = "Title";
  if (*rc::gen::arbitrary<bool>()) params.range = {200, 380};
  const Image image = draw_figure(land, params, Context()).raster();
  const ColourScale scale = layer_scale(land.layer("height"), params, Context());
  const double k = std::floor(512.0 / static_cast<double>(std::max(w, h)));
  const double left = map_left(land, k * static_cast<double>(h)), top = figure_margin + heading_room(params.title, "");
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const uint32_t rgb = scale.colour(static_cast<double>(land.height()(x, y)));
      // All of the sample's pixels, north at the top.
      const double x0 = left + static_cast<double>(x) * k, y0 = top + static_cast<double>(h - 1 - y) * k;
      RC_ASSERT(pixel(image, x0, y0) == rgb);
      RC_ASSERT(pixel(image, x0 + k - 1, y0 + k - 1) == rgb);
    }
}

TEST(MapFigure, OneSampleIsOnePixelWhereThatFits) {
  const Terrain land = test::sample_land(701, 300, 3);
  const Image image = draw_figure(land, without_grid(), Context()).raster();
  const ColourScale scale = layer_scale(land.layer("height"), {}, Context());
  const double left = map_left(land, 300);
  for (int64_t y = 0; y < 300; ++y)
    for (int64_t x = 0; x < 701; ++x)
      ASSERT_EQ(pixel(image, left + static_cast<double>(x), figure_margin + static_cast<double>(299 - y)),
                scale.colour(static_cast<double>(land.height()(x, y))));
}

TEST(MapFigure, ReducedSamplesAreTheMeanOfTheirBlock) {
  const Terrain land = with_classes(test::sample_land(120, 80, 3), 3);
  FigureParams params = without_grid();
  params.size = {30, 0};
  const Image image = draw_figure(land, params, Context()).raster();
  const ColourScale scale = layer_scale(land.layer("height"), params, Context());
  for (int64_t y = 0; y < 20; ++y)
    for (int64_t x = 0; x < 30; ++x) {
      double sum = 0;
      for (int64_t j = 0; j < 4; ++j)
        for (int64_t i = 0; i < 4; ++i) sum += static_cast<double>(land.height()(4 * x + i, 4 * y + j));
      EXPECT_EQ(pixel(image, map_left(land, 20) + static_cast<double>(x), figure_margin + static_cast<double>(19 - y)),
                scale.colour(static_cast<double>(static_cast<float>(sum / 16))));
    }
}

TEST(MapFigure, ClassesKeepTheirColours) {
  const Terrain land = with_classes(test::sample_land(32, 20, 3), 7);
  FigureParams params = without_grid();
  params.layer = "material";
  const Drawing drawing = draw_figure(land, params, Context());
  const Image image = drawing.raster();
  for (int64_t y = 0; y < 20; ++y)
    for (int64_t x = 0; x < 32; ++x)
      EXPECT_EQ(pixel(image, map_left(land, 320) + 16.0 * static_cast<double>(x) + 3,
                      figure_margin + 16.0 * static_cast<double>(19 - y) + 5),
                class_rgb(static_cast<int64_t>(land.layer("material").grid()(x, y))));
  EXPECT_NE(drawing.svg().find(">6  ("), std::string::npos);
}

TEST(MapFigure, CoordinatesAreThoseOfTheWorldAndTheGridLiesOnThem) {
  // 101 samples, 10 m apart, from (2000, -300): ticks are multiples of a round step of the world's metres.
  Frame frame = make_world({1000, 1000}, 101, {2000, -300});
  Grid<float> height(101, 101, 5.0f);
  const Terrain land(frame, Relief{0, 10}, std::move(height));
  FigureParams params;
  params.size = {505, 505};
  const Drawing drawing = draw_figure(land, params, Context());
  const std::string svg = drawing.svg();
  for (const char* text : {">2200<", ">2800<", ">600<", ">x (m)<", ">y (m)<", ">N<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  const Image with = drawing.raster();
  params.grid = false;
  const Image plain = draw_figure(land, params, Context()).raster();
  ASSERT_EQ(with.width, plain.width);
  // The line of x = 2400: 5 pixels a sample, samples in the middle of their pixels.
  const double left = map_left(land, 505), x = left + (40 + 0.5) * 5, y = figure_margin + 13;
  EXPECT_NE(pixel(with, x, y), pixel(plain, x, y));
  EXPECT_EQ(pixel(with, x + 4, y), pixel(plain, x + 4, y));
}

TEST(MapFigure, BareAndGreyItIsTheClassesAlone) {
  const Terrain land = with_classes(test::sample_land(32, 20, 3), 5);
  FigureParams params;
  params.layer = "material";
  params.colour_map = ColourMap::grey;
  params.axes = false;
  params.size = {32, 20};
  const Image image = draw_figure(land, params, Context()).raster();
  ASSERT_EQ(image.width, 32);
  ASSERT_EQ(image.height, 20);
  for (int64_t y = 0; y < 20; ++y)
    for (int64_t x = 0; x < 32; ++x) {
      const double share = static_cast<double>(land.layer("material").grid()(x, y)) / 4;
      EXPECT_EQ(pixel(image, static_cast<double>(x), static_cast<double>(19 - y)), colour_at(ColourMap::grey, share));
    }
}

TEST(MapFigure, DifferencesHaveZeroInTheMiddle) {
  const Terrain land = test::sample_land(20, 20, 3, 10, {-30, 10});
  FigureParams params;
  params.colour_map = ColourMap::difference;
  const ColourScale scale = layer_scale(land.layer("height"), params, Context());
  EXPECT_EQ(scale.low, -scale.high);
  EXPECT_EQ(scale.colour(0), colour_at(ColourMap::difference, 0.5));
}

TEST(MapFigure, HillshadeLeavesLevelGroundAlone) {
  FigureParams params, shaded;
  shaded.hillshade = 1;
  const Terrain level = flat(30, 20, 5), land = test::sample_land(30, 20, 5);
  EXPECT_EQ(draw_figure(level, params, Context()).raster().pixels,
            draw_figure(level, shaded, Context()).raster().pixels);
  EXPECT_NE(draw_figure(land, params, Context()).raster().pixels, draw_figure(land, shaded, Context()).raster().pixels);
}

RC_GTEST_PROP(Section, EqualsTheSamplesItCuts, ()) {
  const int64_t w = *rc::gen::inRange(2, 40), h = *rc::gen::inRange(1, 40), row = *rc::gen::inRange<int64_t>(0, h);
  const Terrain land = with_classes(test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>()), 5);
  const Frame& frame = land.frame();
  const auto samples = sample_section(land, {frame.x(0), frame.y(row)}, {frame.x(w - 1), frame.y(row)}, w, Context());
  for (int64_t x = 0; x < w; ++x) {
    const SectionSample& s = samples[static_cast<size_t>(x)];
    RC_ASSERT(s.values.size() == 2u);
    RC_ASSERT(std::abs(s.values[0] - static_cast<double>(land.height()(x, row))) < 1e-3);
    RC_ASSERT(s.values[1] == static_cast<double>(land.layer("material").grid()(x, row)));
    RC_ASSERT(std::abs(s.distance - static_cast<double>(x) * frame.cell.x) < 1e-6);
  }
}

RC_GTEST_PROP(Section, IsBilinearBetweenSamples, ()) {
  const int64_t w = *rc::gen::inRange(2, 20), h = *rc::gen::inRange(2, 20);
  const Terrain land = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>());
  const auto place = [&] {
    return Vec2{*rc::gen::inRange(0, 1001) / 1000.0 * 10 * static_cast<double>(w - 1),
                *rc::gen::inRange(0, 1001) / 1000.0 * 10 * static_cast<double>(h - 1)};
  };
  const Vec2 from = place(), to = place();
  for (const SectionSample& s : sample_section(land, from, to, 33, Context())) {
    const double u = std::min(s.at.x / 10, static_cast<double>(w - 1)),
                 v = std::min(s.at.y / 10, static_cast<double>(h - 1));
    const int64_t i = std::min(static_cast<int64_t>(u), w - 2), j = std::min(static_cast<int64_t>(v), h - 2);
    const double a = u - static_cast<double>(i), b = v - static_cast<double>(j);
    const auto z = [&](int64_t x, int64_t y) { return static_cast<double>(land.height()(x, y)); };
    const double expected =
        (z(i, j) * (1 - a) + z(i + 1, j) * a) * (1 - b) + (z(i, j + 1) * (1 - a) + z(i + 1, j + 1) * a) * b;
    RC_ASSERT(std::abs(s.values[0] - expected) < 1e-6);
  }
}

TEST(Section, RefusesALineThatLeavesTheLand) {
  const Terrain land = test::sample_land(11, 11, 3);
  const std::string error = test::error_of([&] { sample_section(land, {0, 0}, {101, 50}, 10, Context()); });
  EXPECT_NE(error.find("end (101, 50) lies outside"), std::string::npos) << error;
  EXPECT_NE(error.find("0 to 100"), std::string::npos) << error;
  EXPECT_NE(test::error_of([&] { sample_section(land, {0, 0}, {1, 1}, 1, Context()); }), "");
}

TEST(SectionFigure, GroundIsWhereItsHeightSays) {
  // A ramp of 100 m over 200 m, at a pixel a metre and heights times 2.
  Grid<float> z(21, 3);
  for (int64_t y = 0; y < 3; ++y)
    for (int64_t x = 0; x < 21; ++x) z(x, y) = static_cast<float>(5 * x);
  FigureParams params = of_kind(FigureKind::section);
  params.size = {200, 300};
  params.exaggeration = 2;
  const Drawing drawing = draw_figure(test::sample_land(21, 3, 1).with_height(std::move(z)), params, Context());
  EXPECT_NE(drawing.svg().find("heights × 2<"), std::string::npos);
  const Image image = drawing.raster();
  // The dark line in two columns of the plot is as far apart as the heights are.
  const double right = drawing.width() - figure_margin - 8;
  const auto ground = [&](int x) {
    for (int y = 60; y < image.height; ++y)
      if (image.at(x, y)[0] < 150) return y;
    return -1;
  };
  const int a = ground(static_cast<int>(right) - 180), b = ground(static_cast<int>(right) - 20);
  EXPECT_NEAR(a - b, 160 * 0.5 * 2, 2);
}

TEST(SectionFigure, ShowsWhatLiesOnTheRock) {
  Terrain land = test::sample_land(40, 40, 5);
  land = land.with(make_layer("soil", "m", LayerKind::continuous, Grid<float>(40, 40, 30.0f)));
  land = land.with(make_layer("snow", "m", LayerKind::continuous, Grid<float>(40, 40, 20.0f)));
  const Drawing drawing = draw_figure(with_classes(land, 4), of_kind(FigureKind::section), Context(), 250.0);
  for (const char* text : {">soil<", ">snow<", ">rock<", ">sea<", ">material 3<", ">height (m)<", ">distance (m)<"})
    EXPECT_NE(drawing.svg().find(text), std::string::npos) << text;
}

TEST(SectionFigure, RockEndsWhereDebrisBegins) {
  // 100 m of rock under 60 m of debris, as thick in pixels as the axis says.
  const Terrain land =
      flat(40, 40, 160).with(make_layer("sediment", "m", LayerKind::continuous, Grid<float>(40, 40, 60.0f)));
  FigureParams params = of_kind(FigureKind::section);
  params.exaggeration = 2;
  const Drawing drawing = draw_figure(land, params, Context());
  EXPECT_NE(drawing.svg().find(">sediment<"), std::string::npos);
  const Image image = drawing.raster(1);
  const int x = image.width / 2;
  int thick = 0, below = 0;
  for (int y = 0; y < image.height; ++y) {
    if (pixel(image, x, y) == cover_rows()[1].rgb) {
      ++thick;
      EXPECT_EQ(below, 0);
    }
    if (pixel(image, x, y) == bare_rock_rgb) ++below;
  }
  const double per_metre = 760 / (39 * land.frame().cell.x) * 2;
  EXPECT_NEAR(thick, 60 * per_metre, 3);
  EXPECT_GT(below, 2);
}

TEST(SectionFigure, RefusesHeightsThatDoNotFit) {
  FigureParams params = of_kind(FigureKind::section);
  params.size = {400, 100};
  params.exaggeration = 500;
  EXPECT_NE(test::error_of([&] { draw_figure(test::sample_land(40, 40, 5), params, Context()); }).find("do not fit"),
            std::string::npos);
}

TEST(WireframeFigure, HidesWhatIsBehind) {
  // From the south, a wall in front of two lands that differ only behind it.
  const auto land = [](float behind) {
    Grid<float> z(40, 40, 0.0f);
    for (int64_t x = 0; x < 40; ++x)
      for (int64_t y = 4; y < 7; ++y) z(x, y) = 300;
    for (int64_t x = 15; x < 25; ++x)
      for (int64_t y = 10; y < 16; ++y) z(x, y) = behind * static_cast<float>((x + y) % 3);
    return test::sample_land(40, 40, 1).with_height(std::move(z));
  };
  FigureParams params = of_kind(FigureKind::wireframe);
  params.view_azimuth = {180};
  params.view_elevation = {15};
  params.exaggeration = 1;
  params.lines = 40;
  const Image low = draw_figure(land(0), params, Context()).raster(),
              high = draw_figure(land(50), params, Context()).raster();
  int worst = 0;
  for (size_t i = 0; i < low.pixels.size(); ++i)
    worst = std::max(worst, std::abs(int{low.pixels[i]} - int{high.pixels[i]}));
  EXPECT_LE(worst, 40);
  params.view_azimuth = {0};
  EXPECT_NE(draw_figure(land(0), params, Context()).raster().pixels,
            draw_figure(land(50), params, Context()).raster().pixels);
}

TEST(WireframeFigure, OfAMeshHidesWhatIsBehind) {
  const auto seen = [](float height_of_small) {
    MeshData data;
    data.positions = {{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}};
    for (const MeshPoint p : {MeshPoint{-1, -1, 0}, MeshPoint{1, -1, 0}, MeshPoint{0, 1, 0}})
      data.positions.push_back({p[0], p[1], height_of_small});
    data.triangles = {{0, 1, 2}, {3, 4, 5}};
    FigureParams params = of_kind(FigureKind::wireframe);
    params.view_azimuth = {180};
    params.view_elevation = {85};
    params.size = {300, 0};
    return draw_figure(Mesh(std::move(data)), params, Context()).raster().pixels;
  };
  EXPECT_EQ(seen(-1), seen(-1.5f));
  EXPECT_NE(seen(-1), seen(1));
}

TEST(HistogramFigure, BarsAreAsHighAsTheirShares) {
  const Terrain land = test::sample_land(70, 50, 5);
  FigureParams params = of_kind(FigureKind::histogram);
  params.bins = 10;
  params.size = {600, 300};
  params.range = {100, 500};
  std::vector<double> shares(10);
  for (const float v : land.height().cells())
    shares[std::min<size_t>(static_cast<size_t>((static_cast<double>(v) - 100) / 40), 9)] += 100.0 / (70 * 50);
  const double tallest = *std::ranges::max_element(shares);
  const Drawing drawing = draw_figure(land, params, Context());
  const Image image = drawing.raster();
  const double left = drawing.width() - figure_margin - 8 - 600;
  for (size_t i = 0; i < 10; ++i) {
    // Off the middle, so that neither mean nor median is likely to cross it.
    const int x = static_cast<int>(left + 60.0 * static_cast<double>(i) + 7);
    int high = 0;
    for (int y = 0; y < image.height; ++y) high += pixel(image, x, y) == 0x9db4c8 ? 1 : 0;
    // Less a part of its upper edge and of the axis.
    EXPECT_NEAR(high, shares[i] / (1.06 * tallest) * 300 - 1, 1.01) << i;
  }
}

TEST(Figures, PlotsTellTheNumbersThatTheyShow) {
  const Terrain land = test::sample_land(70, 50, 5);
  for (const FigureKind kind : kinds) {
    const PlotNumbers numbers = draw_figure(land, of_kind(kind), Context()).numbers();
    EXPECT_EQ(has_numbers(kind), !numbers.empty());
    for (const std::vector<double>& row : numbers.rows) EXPECT_EQ(row.size(), numbers.columns.size());
  }
  FigureParams params = of_kind(FigureKind::histogram);
  params.bins = 4;
  double shares = 0;
  const PlotNumbers bars = draw_figure(land, params, Context()).numbers();
  for (const std::vector<double>& row : bars.rows) shares += row[2];
  EXPECT_NEAR(shares, 100, 1e-9);
  EXPECT_EQ((PlotNumbers{{"a", "b"}, {{1, 0.5}, {1e-12, -3}}}.csv()), "a,b\n1,0.5\n1e-12,-3\n");
}

TEST(Figures, EveryLandIsDrawnOrRefusedWithAReason) {
  std::vector<Terrain> lands;
  for (const auto& [w, h] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 200}, {64, 17}}) {
    lands.push_back(test::sample_land(w, h, 7));
    lands.push_back(flat(w, h, 0));
    lands.push_back(flat(w, h, -1e30f));
    lands.push_back(with_classes(test::sample_land(w, h, 7), 40).only("material"));
    lands.push_back(test::sample_land(w, h, 7, 1e-3, {-1e-4, 1e-4}));
    lands.push_back(test::sample_land(w, h, 7, 1e6, {0, 9000}));
    lands.push_back(test::sample_land(w, h, 7, 1, {-1e7, 1e7}));
  }
  lands.push_back(Terrain());
  int drawn = 0;
  for (const Terrain& land : lands)
    for (const FigureKind kind : kinds) {
      FigureParams params = of_kind(kind);
      params.title = "T";
      if (kind == FigureKind::map) params.contours = land.find("height") != nullptr;
      try {
        const Drawing drawing = draw_figure(land, params, Context(), 0.0);
        EXPECT_FALSE(is_blank(drawing.raster()));
        EXPECT_EQ(test::xml_fault(drawing.svg()), "");
        ++drawn;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::request) << error.message();
        EXPECT_FALSE(error.hint().empty()) << error.message();
        const Frame& frame = land.frame();
        EXPECT_TRUE(land.find("height") == nullptr || frame.width == 1 || frame.height == 1)
            << static_cast<int>(kind) << ": " << error.message();
      }
    }
  EXPECT_GT(drawn, 120);
}

TEST(Figures, SameBytesForAnyThreads) {
  const Terrain land = with_classes(test::sample_land(90, 61, 5), 6);
  for (const FigureKind kind : kinds) {
    FigureParams params = of_kind(kind);
    params.contours = true;
    params.hillshade = 0.5;
    test::expect_same_bits([&] {
      const Drawing drawing = draw_figure(land, params, Context(), 220.0);
      const Image image = drawing.raster();
      const std::string svg = drawing.svg();
      Hasher hasher;
      hasher.add(hash_bytes(image.pixels.data(), image.pixels.size()));
      hasher.add(hash_bytes(svg.data(), svg.size()));
      return hasher.finish();
    });
  }
}

TEST(Figures, RefuseParametersOutOfRange) {
  const Terrain land = test::sample_land(20, 20, 5);
  const auto refused = [&](auto change) {
    FigureParams params;
    change(params);
    return test::error_of([&] { draw_figure(land, params, Context()); });
  };
  EXPECT_NE(refused([](FigureParams& p) { p.bins = 0; }).find("bins"), std::string::npos);
  EXPECT_NE(refused([](FigureParams& p) { p.lines = 1; }).find("lines"), std::string::npos);
  EXPECT_NE(refused([](FigureParams& p) { p.hillshade = 2; }).find("hillshade"), std::string::npos);
  EXPECT_NE(refused([](FigureParams& p) { p.size = {-4, 0}; }).find("size"), std::string::npos);
  EXPECT_NE(refused([](FigureParams& p) { p.exaggeration = NAN; }).find("exaggeration"), std::string::npos);
  EXPECT_NE(refused([](FigureParams& p) { p.layer = "heigth"; }).find("height"), std::string::npos);
  EXPECT_NE(refused([](FigureParams& p) {
              p.contours = true;
              p.contour_step = 1e-6;
            }).find("contour_step"),
            std::string::npos);
}

TEST(Figures, AreWrittenByTheirEnding) {
  const test::TemporaryFolder folder;
  const Drawing drawing = draw_figure(test::sample_land(9, 9, 5), {}, Context());
  write_figure(folder / "a.png", drawing, {{"Recipe", "mesa"}});
  write_figure(folder / "a.svg", drawing, {{"Recipe", "me<sa"}});
  const std::string png = read_file(folder / "a.png", 1 << 24), svg = read_file(folder / "a.svg", 1 << 24);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_NE(png.find("mesa"), std::string::npos);
  EXPECT_EQ(test::xml_fault(svg), "");
  EXPECT_NE(svg.find("Recipe: me&lt;sa"), std::string::npos);
  EXPECT_NE(test::error_of([&] { write_figure(folder / "a.pdf", drawing); }).find(".png, .webp or .svg"),
            std::string::npos);
  EXPECT_NE(test::error_of([&] { write_figure(folder / "no/a.svg", drawing); }).find("no/a.svg"), std::string::npos);
}

}  // namespace tepui::figure_test

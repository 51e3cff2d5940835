#include "tepui/terrain/paint.h"

#include <cmath>
#include <limits>

#include "reference/paint.h"
#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/lines_builder.h"
#include "tests/support/support.h"

namespace tepui::paint_test {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// A stroke as a test writes it; what is not given is left to the parameters.
struct Drawn {
  FeatureShape shape = FeatureShape::line;
  std::vector<Vec3> points;
  std::string tool{};
  double radius = missing, hardness = missing, strength = missing, amount = missing, target = missing;
  std::vector<double> pressure{};
  std::string layer{};
  double value = missing;
};

Lines lines_of(const std::vector<Drawn>& strokes) {
  LinesBuilder builder;
  const auto tool = builder.text("tool"), layer = builder.text("layer");
  const auto radius = builder.number("radius", "m"), hardness = builder.number("hardness");
  const auto strength = builder.number("strength"), amount = builder.number("amount", "m");
  const auto target = builder.number("target", "m"), value = builder.number("value");
  const auto pressure = builder.vertex_number("pressure");
  for (const Drawn& drawn : strokes) {
    builder.begin(drawn.shape, "a stroke");
    builder.part(drawn.points, drawn.shape == FeatureShape::polygon);
    if (!drawn.tool.empty()) builder.set(tool, drawn.tool);
    if (!drawn.layer.empty()) builder.set(layer, drawn.layer);
    builder.set(radius, drawn.radius);
    builder.set(hardness, drawn.hardness);
    builder.set(strength, drawn.strength);
    builder.set(amount, drawn.amount);
    builder.set(target, drawn.target);
    builder.set(value, drawn.value);
    if (!drawn.pressure.empty()) builder.set(pressure, drawn.pressure);
  }
  return std::move(builder).build();
}

double any_share() { return *rc::gen::inRange(0, 101) / 100.0; }

Vec3 any_point() {
  return {*rc::gen::inRange(-100, 500) * 1.0, *rc::gen::inRange(-100, 500) * 1.0, *rc::gen::inRange(0, 600) * 1.0};
}

Drawn any_stroke() {
  Drawn s;
  s.shape = *rc::gen::element(FeatureShape::line, FeatureShape::line, FeatureShape::point, FeatureShape::polygon);
  const int count = s.shape == FeatureShape::point ? 1 : s.shape == FeatureShape::polygon ? 5 : *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) s.points.push_back(any_point());
  if (s.shape == FeatureShape::line && count == 1) s.points.push_back(s.points.front());
  s.tool = *rc::gen::element<std::string>("raise", "lower", "level", "set", "smooth", "layer", "");
  s.radius = *rc::gen::element(3.0, 25.0, 80.0, 300.0);
  s.hardness = *rc::gen::element(0.0, 0.5, 1.0);
  s.strength = any_share();
  if (*rc::gen::inRange(0, 2) == 1) s.target = *rc::gen::inRange(-100, 900);
  if (s.shape == FeatureShape::line && *rc::gen::inRange(0, 2) == 1)
    for (size_t i = 0; i < s.points.size(); ++i) s.pressure.push_back(any_share());
  s.layer = *rc::gen::element<std::string>("", "wet");
  s.value = any_share();
  return s;
}

std::vector<Drawn> any_strokes(int most) {
  std::vector<Drawn> strokes;
  for (int i = *rc::gen::inRange(0, most); i > 0; --i) strokes.push_back(any_stroke());
  return strokes;
}

Terrain any_land(uint64_t seed) {
  return test::sample_land(*rc::gen::inRange<int64_t>(1, 40), *rc::gen::inRange<int64_t>(1, 40), seed);
}

Terrain painted(const Terrain& land, const std::vector<Drawn>& strokes, const PaintParams& params = {}) {
  return paint(land, lines_of(strokes), params, Context());
}

double largest_difference(const Grid<float>& a, const Grid<float>& b) {
  double most = 0;
  for (int64_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])));
  return most;
}

}  // namespace

RC_GTEST_PROP(Paint, IsItsPlainTwin, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  const Lines lines = lines_of(any_strokes(6));
  const Terrain fast = paint(land, lines, {}, Context()), plain = reference::paint(land, lines, {});
  RC_ASSERT(fast.layers().size() == plain.layers().size());
  for (const Layer& layer : plain.layers())
    RC_ASSERT(largest_difference(layer.grid(), fast.layer(layer.name).grid()) < 1e-3);
}

RC_GTEST_PROP(Paint, ThreadsDoNotShow, (uint64_t seed)) {
  const Terrain land = test::sample_land(200, 150, seed, 3);
  const Lines lines = lines_of(any_strokes(8));
  Terrain one, many;
  with_threads(1, [&] { one = paint(land, lines, {}, Context()); });
  with_threads(3, [&] { many = paint(land, lines, {}, Context()); });
  RC_ASSERT(one.hash() == many.hash());
}

RC_GTEST_PROP(Paint, OneAfterTheOtherIsAllAtOnce, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  const std::vector<Drawn> first = any_strokes(4), second = any_strokes(4);
  std::vector<Drawn> both = first;
  both.insert(both.end(), second.begin(), second.end());
  RC_ASSERT(painted(painted(land, first), second).hash() == painted(land, both).hash());
}

namespace {

/// Land with classes, of which strokes may paint higher ones.
Terrain land_of_rocks(uint64_t seed) {
  const Terrain land = any_land(seed);
  Layer rock = make_layer("rock", "", LayerKind::category, Grid<float>(land.frame().width, land.frame().height, 1.0f));
  rock.classes = 2;
  return land.with(std::move(rock));
}

Drawn any_dab() {
  Drawn s = any_stroke();
  if (*rc::gen::inRange(0, 3) == 0) {
    s.tool = "layer";
    s.layer = *rc::gen::element<std::string>("rock", "wet", "mask");
    s.value = *rc::gen::inRange(0, 9);
  }
  return s;
}

/// Many strokes that cost little.
std::vector<Drawn> dabs(size_t count) {
  std::vector<Drawn> strokes(count);
  for (size_t i = 0; i < count; ++i) {
    const auto n = static_cast<double>(i);
    strokes[i].points = {{std::fmod(37 * n, 100), std::fmod(53 * n, 100), 0}};
    strokes[i].shape = FeatureShape::point;
    strokes[i].tool = i % 7 == 3 ? "smooth" : i % 5 == 1 ? "level" : "raise";
    strokes[i].radius = 10 + std::fmod(n, 30);
    strokes[i].amount = 1 + n / 100;
  }
  return strokes;
}

int64_t painted_again(const Terrain& land, const std::vector<Drawn>& strokes, KeptPainting& kept) {
  int64_t count = 0;
  const Terrain again = paint_again(land, lines_of(strokes), {}, kept, count, Context());
  EXPECT_EQ(again.hash(), painted(land, strokes).hash());
  return count;
}

}  // namespace

RC_GTEST_PROP(Paint, WhatIsKeptDoesNotShow, (uint64_t seed)) {
  Terrain land = land_of_rocks(seed);
  std::vector<Drawn> strokes = *rc::gen::element(std::vector<Drawn>(), dabs(60), dabs(130));
  const auto kept = begin_painting();
  for (int edit = 0; edit < 12; ++edit) {
    const auto at = static_cast<ptrdiff_t>(*rc::gen::inRange<size_t>(0, strokes.size() + 1));
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        if (at < std::ssize(strokes)) strokes.erase(strokes.begin() + at);
        break;
      case 1:
        strokes.insert(strokes.begin() + at, any_dab());
        break;
      case 2:
        if (at < std::ssize(strokes)) strokes[static_cast<size_t>(at)] = any_dab();
        break;
      case 3:
        strokes.resize(static_cast<size_t>(at));
        break;
      case 4:
        land = land_of_rocks(seed + *rc::gen::inRange<uint64_t>(0, 3));
        break;
      default:
        strokes.push_back(any_dab());
    }
    int64_t count = 0;
    PaintParams params;
    params.hardness = edit < 8 ? 0 : 0.5;
    const Terrain again = paint_again(land, lines_of(strokes), params, *kept, count, Context());
    RC_ASSERT(again.hash() == painted(land, strokes, params).hash());
    RC_ASSERT(count <= std::ssize(strokes));
  }
}

TEST(Paint, OneMoreOfManyStrokesPaintsTwo) {
  const Terrain land = test::sample_land(12, 9, 5);
  const std::vector<Drawn> all = dabs(3300);
  const auto kept = begin_painting();
  std::vector<Drawn> strokes(all.begin(), all.begin() + 3000);
  EXPECT_EQ(painted_again(land, strokes, *kept), 3000);
  EXPECT_EQ(painted_again(land, strokes, *kept), 1);
  for (size_t i = 3000; i < 3010; ++i) {
    strokes.push_back(all[i]);
    EXPECT_EQ(painted_again(land, strokes, *kept), 2);
    // The same hand still drawing.
    strokes.back().amount *= 2;
    EXPECT_EQ(painted_again(land, strokes, *kept), 1);
  }
  // Steps back through the history, and a stroke in the middle.
  for (int i = 0; i < 200; ++i) {
    strokes.pop_back();
    int64_t count = 0;
    paint_again(land, lines_of(strokes), {}, *kept, count, Context());
    EXPECT_LE(count, 65);
  }
  strokes[2100].amount += 1;
  EXPECT_LE(painted_again(land, strokes, *kept), std::ssize(strokes) - 2048);
}

TEST(Paint, WhatWasStoppedGoesOnFromWhereItWas) {
  const Terrain land = test::sample_land(12, 9, 5);
  const std::vector<Drawn> strokes = dabs(2000);
  const auto kept = begin_painting();
  int64_t count = 0;
  struct Stopping : ProgressSink {
    explicit Stopping(const int64_t& done) : done_(done) {}
    void progress(int, std::string_view, double) override { stop = done_ > 1300; }
    void warn(std::string_view) override {}
    CancelFlag stop{false};
    const int64_t& done_;
  } sink(count);
  try {
    paint_again(land, lines_of(strokes), {}, *kept, count, Context(&sink, &sink.stop));
    FAIL() << "it was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_GT(count, 1300);
  EXPECT_EQ(count + painted_again(land, strokes, *kept), 2000);
}

RC_GTEST_PROP(Paint, NothingBeyondTheBrushMoves, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  Drawn stroke = any_stroke();
  stroke.shape = FeatureShape::line;
  stroke.tool = *rc::gen::element<std::string>("raise", "lower", "level", "set", "smooth");
  if (stroke.points.size() < 2) stroke.points.push_back(any_point());
  stroke.pressure.clear();
  const Terrain out = painted(land, {stroke});
  for (int64_t y = 0; y < land.frame().height; ++y)
    for (int64_t x = 0; x < land.frame().width; ++x) {
      double nearest = 1e30;
      for (size_t i = 1; i < stroke.points.size(); ++i)
        for (int k = 0; k <= 50; ++k) {
          const Vec3 p = stroke.points[i - 1] + (stroke.points[i] - stroke.points[i - 1]) * (k / 50.0);
          nearest = std::min(nearest, std::hypot(p.x - land.frame().x(x), p.y - land.frame().y(y)));
        }
      // The points that were tried lie at most 20 m apart.
      if (nearest > stroke.radius + 20) RC_ASSERT(out.height()(x, y) == land.height()(x, y));
    }
}

RC_GTEST_PROP(Paint, MorePointsOnTheSameLineChangeNothing, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  Drawn few = any_stroke();
  few.shape = FeatureShape::line;
  few.points = {any_point(), any_point()};
  few.pressure.clear();
  Drawn many = few;
  many.points = {few.points[0], few.points[0] + (few.points[1] - few.points[0]) * 0.25,
                 few.points[0] + (few.points[1] - few.points[0]) * 0.5, few.points[1]};
  const Terrain a = painted(land, {few}), b = painted(land, {many});
  for (const Layer& layer : a.layers()) RC_ASSERT(largest_difference(layer.grid(), b.layer(layer.name).grid()) < 1e-2);
}

RC_GTEST_PROP(Paint, LevelAndSetStayBetweenTheLandAndTheirTarget, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  Drawn stroke = any_stroke();
  stroke.tool = *rc::gen::element<std::string>("level", "set");
  stroke.target = 1000;
  const Terrain out = painted(land, {stroke});
  for (int64_t i = 0; i < land.height().size(); ++i)
    RC_ASSERT(out.height().data()[i] >= land.height().data()[i] && out.height().data()[i] <= 1000);
}

RC_GTEST_PROP(Paint, SmoothStaysWithinTheHeights, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  Drawn stroke = any_stroke();
  stroke.tool = "smooth";
  const auto cells = land.height().cells();
  const auto [low, high] = std::ranges::minmax(cells);
  for (const float z : painted(land, {stroke}).height().cells()) RC_ASSERT(z >= low - 1e-3f && z <= high + 1e-3f);
}

RC_GTEST_PROP(Paint, RaisingAndLoweringAsMuchIsTheLandAgain, (uint64_t seed)) {
  const Terrain land = any_land(seed);
  Drawn up = any_stroke(), down;
  up.tool = "raise";
  up.amount = *rc::gen::inRange(0, 200);
  down = up;
  down.tool = "lower";
  RC_ASSERT(largest_difference(painted(land, {up, down}).height(), land.height()) < 1e-3);
}

TEST(Paint, HasTheSameShapeAtAnyResolution) {
  const auto flat = [](int64_t side) {
    const Frame frame = make_world({1000, 1000}, side);
    return Terrain(frame, {0, 100}, Grid<float>(side, side, 20.0f));
  };
  Drawn hill;
  hill.points = {{200, 300, 0}, {700, 650, 0}};
  hill.radius = 180;
  hill.amount = 70;
  Drawn soft = hill;
  soft.tool = "smooth";
  soft.radius = 240;
  const Grid<float> coarse = painted(flat(101), {hill, soft}).height().clone();
  const Grid<float> fine = painted(flat(401), {hill, soft}).height().clone();
  double most = 0;
  for (int64_t y = 0; y < 101; ++y)
    for (int64_t x = 0; x < 101; ++x)
      most = std::max(most, std::abs(static_cast<double>(coarse(x, y)) - static_cast<double>(fine(4 * x, 4 * y))));
  EXPECT_LT(most, 0.5);
}

TEST(Paint, FillsAPolygonAndLeavesItsHole) {
  const Terrain land(make_world({100, 100}, 101), {0, 1}, Grid<float>(101, 101, 0.0f));
  LinesBuilder builder;
  builder.begin(FeatureShape::polygon, "lake");
  builder.part(std::vector<Vec3>{{20, 20, 0}, {80, 20, 0}, {80, 80, 0}, {20, 80, 0}}, true);
  builder.part(std::vector<Vec3>{{40, 40, 0}, {60, 40, 0}, {60, 60, 0}, {40, 60, 0}}, true);
  PaintParams params;
  params.tool = PaintTool::layer;
  params.radius = metres(5);
  const Terrain out = paint(land, std::move(builder).build(), params, Context());
  const Layer& mask = out.layer("mask");
  EXPECT_EQ(mask.kind, LayerKind::mask);
  EXPECT_EQ(mask.grid()(30, 30), 1.0f);
  EXPECT_EQ(mask.grid()(50, 50), 0.0f);
  EXPECT_EQ(mask.grid()(5, 5), 0.0f);
  EXPECT_GT(mask.grid()(18, 50), 0.0f);
  EXPECT_LT(mask.grid()(18, 50), 1.0f);
}

TEST(Paint, SetFollowsTheStrokesOwnHeights) {
  const Terrain land(make_world({100, 100}, 101), {0, 1}, Grid<float>(101, 101, 0.0f));
  Drawn ramp;
  ramp.points = {{10, 50, 5}, {90, 50, 45}};
  ramp.tool = "set";
  ramp.radius = 10;
  ramp.hardness = 0.5;
  const Terrain out = painted(land, {ramp});
  EXPECT_NEAR(out.height()(10, 50), 5, 1e-5);
  EXPECT_NEAR(out.height()(50, 53), 25, 1e-5);
  EXPECT_NEAR(out.height()(90, 50), 45, 1e-5);
}

TEST(Paint, LevelTakesTheHeightWhereTheStrokeBegan) {
  const Terrain land = test::sample_land(41, 41, 3);
  Drawn stroke;
  stroke.points = {{100, 100, 0}, {300, 250, 0}};
  stroke.tool = "level";
  stroke.radius = 60;
  stroke.hardness = 1;
  const Terrain out = painted(land, {stroke});
  EXPECT_FLOAT_EQ(out.height()(10, 10), land.height()(10, 10));
  EXPECT_FLOAT_EQ(out.height()(30, 25), land.height()(10, 10));
}

TEST(Paint, ClassesArePaintedWhole) {
  const Terrain land(make_world({100, 100}, 11), {0, 1}, Grid<float>(11, 11, 0.0f));
  Layer rock = make_layer("rock", "", LayerKind::category, Grid<float>(11, 11, 1.0f));
  rock.classes = 2;
  Drawn stroke;
  stroke.points = {{50, 50, 0}, {50, 50, 0}};
  stroke.tool = "layer";
  stroke.layer = "rock";
  stroke.radius = 30;
  stroke.value = 4;
  const Layer out = painted(land.with(rock), {stroke}).layer("rock");
  EXPECT_EQ(out.grid()(5, 5), 4.0f);
  EXPECT_EQ(out.grid()(7, 5), 1.0f);
  EXPECT_EQ(out.classes, 5);
}

TEST(Paint, RefusesWhatNoBrushCanDo) {
  const Terrain land = test::sample_land(5, 5, 1);
  Drawn stroke;
  stroke.points = {{0, 0, 0}, {10, 10, 0}};
  const auto refused = [&](auto change) {
    Drawn wrong = stroke;
    change(wrong);
    try {
      painted(land, {stroke, wrong});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused([](Drawn& s) { s.tool = "dig"; }), "stroke 2 ('a stroke') has the tool 'dig', which there is not");
  EXPECT_EQ(refused([](Drawn& s) { s.radius = 0; }), "stroke 2 ('a stroke') has the radius 0");
  EXPECT_EQ(refused([](Drawn& s) { s.strength = 1.5; }), "stroke 2 ('a stroke') has the strength 1.5");
  EXPECT_EQ(refused([](Drawn& s) { s.tool = "layer", s.layer = "height"; }),
            "stroke 2 ('a stroke') paints the layer 'height'");
}

TEST(Paint, OneSampleAndNoStrokesAreLand) {
  const Terrain one = test::sample_land(1, 1, 1);
  EXPECT_EQ(paint(one, Lines(), {}, Context()).hash(), one.hash());
  Drawn stroke;
  stroke.shape = FeatureShape::point;
  stroke.points = {{0, 0, 0}};
  for (const char* tool : {"raise", "level", "smooth"}) {
    stroke.tool = tool;
    stroke.amount = 5;
    EXPECT_FLOAT_EQ(painted(one, {stroke}).height()(0, 0), one.height()(0, 0) + (stroke.tool == "raise" ? 5.0f : 0.0f));
  }
}

TEST(Paint, StopsWhenCancelled) {
  CancelFlag flag{true};
  EXPECT_THROW(paint(test::sample_land(5, 5, 1), lines_of({{FeatureShape::line, {{0, 0, 0}, {9, 9, 0}}}}), {},
                     Context(nullptr, &flag)),
               Error);
}

}  // namespace tepui::paint_test

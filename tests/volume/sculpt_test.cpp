#include "tepui/volume/sculpt.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::sculpt_test {

namespace {

const Context quiet;
const Frame world = make_world({200, 100}, 3, {-100, -50});
constexpr double T = Volume::usual_threshold;

SculptParams with(std::vector<SculptStroke> strokes) {
  SculptParams p;
  p.strokes = std::move(strokes);
  p.positions = Positions::metres;
  return p;
}

SculptStroke ball_at(Vec3 at, double energy) {
  SculptStroke s;
  s.shape = PrimitiveShape::sphere;
  s.at = at;
  s.radius = metres(4);
  s.falloff = metres(4);
  s.energy = energy;
  return s;
}

double ground(const Volume& land, double x, double y) {
  double h = 0;
  land.root().sketch().sheet->heights(&x, &y, 1, &h);
  return h;
}

}  // namespace

TEST(Sculpt, AddsAndTakesRockCountedFromTheGround) {
  const Volume land(test::hills(), T, test::wavy_rock());
  const Volume made =
      sculpt(world, &land, nullptr, with({ball_at({30, 10, 4}, 20), ball_at({-40, 20, 0}, -20)}), quiet);
  EXPECT_TRUE(made.inside({30, 10, ground(land, 30, 10) + 6}));
  EXPECT_FALSE(made.inside({-40, 20, ground(land, -40, 20) - 3}));
  EXPECT_EQ(made.rock().hash(), land.rock().hash());
  EXPECT_NE(made.root().sketch().sheet, nullptr);
  SculptParams sea = with({ball_at({30, 10, 25}, 20)});
  sea.heights = Heights::sea_level;
  EXPECT_TRUE(sculpt(world, &land, nullptr, sea, quiet).inside({30, 10, 25}));
}

TEST(Sculpt, DefaultsBridgeAHollow) {
  const Volume land(test::hills(), T);
  const Volume made = sculpt(world, &land, nullptr, {}, quiet);
  const double h = ground(land, 0, 0);
  EXPECT_TRUE(made.inside({0, 0, h + 6}));
  EXPECT_FALSE(made.inside({0, 0, h - 2}));
  EXPECT_FALSE(made.inside({0, 0, h + 12}));
}

TEST(Sculpt, BeginsInEmptySpace) {
  const Volume made = sculpt(world, nullptr, nullptr, with({ball_at({1, 2, 3}, 20)}), quiet);
  EXPECT_TRUE(made.inside({1, 2, 3}));
  EXPECT_FALSE(made.inside({1, 2, 12}));
  EXPECT_TRUE(sculpt(world, nullptr, nullptr, with({}), quiet).support().empty());
  SculptParams other = with({});
  other.threshold = 2;
  EXPECT_EQ(sculpt(world, nullptr, nullptr, other, quiet).threshold(), 2);
}

TEST(Sculpt, PercentAreOfTheWorldsSides) {
  SculptParams p = with({ball_at({75, 50, 10}, 20)});
  p.positions = Positions::percent;
  const Volume made = sculpt(world, nullptr, nullptr, p, quiet);
  EXPECT_TRUE(made.inside({50, 0, 10}));  // z of the shorter side
}

TEST(Sculpt, EveryShapeDoesSomething) {
  const Volume land(test::hills(), T);
  for (int shape = 0; shape < 8; ++shape) {
    SculptStroke s;
    s.shape = static_cast<PrimitiveShape>(shape);
    s.at = {-10, 0, 8};
    s.to = {10, 5, 8};
    s.points =
        s.shape == PrimitiveShape::curve ? std::vector<double>{-10, 0, 8, 0, 4, 8, 10, 5, 8} : std::vector<double>{};
    s.radius = metres(3);
    s.end_radius = metres(1);
    s.half = {3, 4, 2};
    s.falloff = metres(5);
    s.energy = 20;
    const Volume made = sculpt(world, &land, nullptr, with({s}), quiet);
    const double h = s.shape == PrimitiveShape::curve ? ground(land, 0, 4) : ground(land, -10, 0);
    EXPECT_TRUE(made.inside(
        {s.shape == PrimitiveShape::curve ? 0.0 : -10.0, s.shape == PrimitiveShape::curve ? 4.0 : 0.0, h + 8}))
        << shape;
    EXPECT_NE(made.hash(), land.hash());
  }
}

TEST(Sculpt, CurvesWithoutPointsRunAlongTheLines) {
  Polyline line;
  line.points = {{-20, 0, 0}, {20, 0, 0}, {20, 20, 0}};
  line.closed = true;
  const Lines lines({line});
  SculptStroke s;
  s.shape = PrimitiveShape::curve;
  s.falloff = metres(3);
  s.energy = 20;
  const Volume made = sculpt(world, nullptr, &lines, with({s}), quiet);
  EXPECT_TRUE(made.inside({0, 0, 0}));
  EXPECT_TRUE(made.inside({20, 10, 0}));
  EXPECT_TRUE(made.inside({0, 10, 0}));  // back to the first
  EXPECT_NE(test::error_of([&] { sculpt(world, nullptr, nullptr, with({s}), quiet); }).find("strokes[0].points"),
            std::string::npos);
  EXPECT_NE(test::error_of([&] {
              sculpt(world, nullptr, &lines, with({ball_at({0, 0, 0}, 1)}), quiet);
            }).find("curve"),
            std::string::npos);
  s.points = {1, 2, 3, 4};
  EXPECT_NE(test::error_of([&] { sculpt(world, nullptr, nullptr, with({s}), quiet); }).find("4 numbers"),
            std::string::npos);
}

TEST(Sculpt, LinesBringTheirOwnBrushes) {
  LinesColumns columns = Lines({{"", {{-20, 0, 0}, {20, 0, 0}}, false, {}},
                                {"", {{-20, 30, 0}, {20, 30, 0}}, false, {}},
                                {"", {{0, -30, 5}}, false, {}},
                                {"", {{7, -30, 5}, {7, -30, 5}, {7, -30, 5}}, false, {}}})
                             .columns();
  const double none = std::nan("");
  columns.numbers = {{"falloff", "m", {9, none, 4, 4}},
                     {"energy", "", {none, 40, 30, 30}},
                     {"noise", "m", {none, none, none, 2}},
                     {"noise_scale", "m", {none, none, none, 3}}};
  const Lines lines(columns);
  SculptStroke s;
  s.shape = PrimitiveShape::curve;
  s.falloff = metres(3);
  s.energy = 20;
  SculptParams params = with({s});
  params.strength = 0.5;
  const Volume made = sculpt(world, nullptr, &lines, params, quiet);
  EXPECT_EQ(primitives_in(made.root()), 4);
  EXPECT_EQ(made.value({0, 0, 0}), static_cast<float>(10 - T));
  EXPECT_GT(made.value({0, 8.9, 0}), static_cast<float>(-T));
  EXPECT_EQ(made.value({0, 30, 0}), static_cast<float>(20 - T));
  EXPECT_EQ(made.value({0, 33.1, 0}), static_cast<float>(-T));
  // A point, and a line without length, are dabs.
  EXPECT_EQ(made.value({0, -30, 5}), static_cast<float>(15 - T));
  EXPECT_EQ(made.value({0, -30, 9.1}), static_cast<float>(-T));
  EXPECT_TRUE(made.inside({7, -30, 5}));
}

TEST(Sculpt, DabsFollowTheLines) {
  Polyline line;
  line.points = {{-20, 0, 0}, {0, 0, 0}, {0, 13, 0}};
  SculptStroke dab = ball_at({0, 0, 0}, 3);
  dab.shape = PrimitiveShape::point;
  dab.spacing = metres(5);
  const auto dabs = [&](const Lines& lines) {
    return primitives_in(sculpt(world, nullptr, &lines, with({dab}), quiet).root());
  };
  // At 0, 5, ..., 30 m of 33.
  EXPECT_EQ(dabs(Lines({line})), 7);
  line.closed = true;
  EXPECT_EQ(dabs(Lines({line})), 1 + static_cast<int64_t>((33 + std::hypot(20, 13)) / 5));
  // The same as the points one by one.
  line.closed = false;
  std::vector<SculptStroke> single;
  for (const Vec3 at : {Vec3{-20, 0, 0}, Vec3{-15, 0, 0}, Vec3{-10, 0, 0}, Vec3{-5, 0, 0}, Vec3{0, 0, 0}, Vec3{0, 5, 0},
                        Vec3{0, 10, 0}}) {
    SculptStroke one = dab;
    one.at = at;
    one.spacing.reset();
    single.push_back(one);
  }
  const Lines lines({line});
  const Volume along = sculpt(world, nullptr, &lines, with({dab}), quiet),
               by_hand = sculpt(world, nullptr, nullptr, with(single), quiet);
  for (double x = -24; x < 4; x += 1.3) EXPECT_EQ(along.value({x, 0.7, 0.2}), by_hand.value({x, 0.7, 0.2}));
  // A line's own brush goes first.
  LinesColumns columns = lines.columns();
  columns.numbers = {{"falloff", "", {9}}, {"energy", "", {std::nan("")}}};
  const Lines own((LinesColumns(columns)));
  const Volume wide = sculpt(world, nullptr, &own, with({dab}), quiet);
  EXPECT_EQ(along.value({-20, 6, 0}), static_cast<float>(-T));
  EXPECT_GT(wide.value({-20, 6, 0}), static_cast<float>(-T));
  EXPECT_EQ(wide.value({-20, 9.5, 0}), static_cast<float>(-T));
  const auto error = [&](const Lines* given) {
    return test::error_of([&] { sculpt(world, nullptr, given, with({dab}), quiet); });
  };
  EXPECT_NE(error(nullptr).find("strokes[0].spacing"), std::string::npos);
  dab.shape = PrimitiveShape::box;
  EXPECT_NE(error(&lines).find("points and spheres"), std::string::npos);
}

TEST(Sculpt, NoNumbersAndNoSizesAreRefused) {
  const auto refused = [&](auto change) {
    SculptStroke s = ball_at({0, 0, 0}, 10);
    change(s);
    return !test::error_of([&] { sculpt(world, nullptr, nullptr, with({s}), quiet); }).empty();
  };
  EXPECT_TRUE(refused([](SculptStroke& s) { s.at.x = std::nan(""); }));
  EXPECT_TRUE(refused([](SculptStroke& s) { s.radius = metres(std::nan("")); }));
  EXPECT_TRUE(refused([](SculptStroke& s) { s.falloff = metres(0); }));
  EXPECT_TRUE(refused([](SculptStroke& s) { s.energy = std::nan(""); }));
}

TEST(Sculpt, StrokeByStrokeIsAllAtOnceAndCheap) {
  const Volume land(test::hills(), T);
  std::vector<SculptStroke> strokes;
  Volume slowly = land;
  for (int i = 0; i < 100; ++i) {
    strokes.push_back(ball_at({i * 1.5 - 75, 3, 0}, i % 2 == 0 ? 10 : -10));
    slowly = sculpt(world, &slowly, nullptr, with({strokes.back()}), quiet);
  }
  const Volume at_once = sculpt(world, &land, nullptr, with(strokes), quiet);
  EXPECT_LE(slowly.root().children().size(), 1u);
  for (int i = 0; i < 300; ++i) {
    const Vec3 at{i * 0.5 - 75, 1, i % 30 - 15.0};
    EXPECT_EQ(slowly.value(at), at_once.value(at));
  }
}

}  // namespace tepui::sculpt_test

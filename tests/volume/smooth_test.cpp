#include "tepui/volume/smooth.h"

#include <cmath>

#include "reference/smooth.h"
#include "tepui/core/error.h"
#include "tepui/volume/primitive.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::smooth_test {

namespace {

using test::Dice;

const Context quiet;
const Frame world = make_world({200, 200}, 3);
constexpr double T = Volume::usual_threshold;

Lines strokes_of(std::vector<Polyline> list, std::vector<double> radius, std::vector<double> strength) {
  LinesColumns columns = Lines(std::move(list)).columns();
  columns.numbers = {{"radius", "m", std::move(radius)}, {"strength", "", std::move(strength)}};
  return Lines(std::move(columns));
}

struct AnyStrokes {
  std::vector<Polyline> list;
  std::vector<double> radius, strength;

  explicit AnyStrokes(Dice& dice, int most = 5) {
    const int count = 1 + dice.below(most);
    for (int i = 0; i < count; ++i) {
      const Vec3 from{dice.real(-70, 70), dice.real(-70, 70), dice.real(-20, 20)};
      list.push_back({"", {from}, false, {}});
      if (dice.coin()) list.back().points.push_back(from + Vec3{dice.real(-20, 20), dice.real(-20, 20), 0});
      radius.push_back(dice.real(4, 25));
      strength.push_back(dice.real(0, 1.4));
    }
  }
  Lines lines(size_t count) const {
    const auto some = [&](const auto& all) {
      return std::vector(all.begin(), all.begin() + static_cast<int64_t>(count));
    };
    return strokes_of(some(list), some(radius), some(strength));
  }
  Lines lines() const { return lines(list.size()); }
};

/// A block of rock with sharp edges.
Volume block() {
  Primitive p;
  p.shape = PrimitiveShape::box;
  p.skeleton = {{0, 0, 0}};
  p.half = {30, 30, 20};
  p.falloff = 1;
  p.energy = 3 * T;
  return Volume(with_primitives(empty_solid(T), {p}, T), T);
}

}  // namespace

RC_GTEST_PROP(Smooth, EqualsItsPlainTwin, ()) {
  Dice dice;
  const test::Grown in = test::any_volume(dice, 1);
  if (in.volume.support().empty()) return;
  const double radius = dice.real(8, 31);
  std::vector<Polyline> list;
  std::vector<reference::SmoothStroke> plain;
  std::vector<double> strengths;
  const Vec3 middle{dice.real(-50, 50), dice.real(-50, 50), dice.real(-10, 10)};
  for (int i = 0; i < 2; ++i) {
    const Vec3 from = middle + Vec3{dice.real(-9, 9), dice.real(-9, 9), dice.real(-9, 9)};
    strengths.push_back(dice.real(0, 1.3));
    list.push_back({"", {from, from + Vec3{dice.real(-9, 9), 0, dice.real(-9, 9)}}, false, {}});
    plain.push_back({list.back().points, radius, strengths.back()});
  }
  const Lines lines = strokes_of(list, {radius, radius}, strengths);
  const Volume out = smooth(world, in.volume, &lines, {}, quiet);
  const reference::Field twin =
      reference::smooth(in.field, reference::smoothing_along(plain), std::exp2(std::floor(std::log2(radius / 2))), T);
  for (int i = 0; i < 6; ++i) {
    const Vec3 at = middle + Vec3{dice.real(-30, 30), dice.real(-30, 30), dice.real(-30, 30)};
    const double wanted = twin(at);
    RC_ASSERT(std::abs(static_cast<double>(out.value(at)) - wanted) <= 1e-4 * (10 + std::abs(wanted)));
  }
}

RC_GTEST_PROP(Smooth, ChangesNoBitOutsideItsStrokes, ()) {
  Dice dice;
  const Volume in = test::any_volume(dice, 2).volume;
  const AnyStrokes strokes(dice);
  const Lines lines = strokes.lines();
  const Volume out = smooth(world, in, &lines, {}, quiet);
  for (int i = 0; i < 60; ++i) {
    const Vec3 at = dice.place();
    bool within = false;
    for (size_t s = 0; s < strokes.list.size(); ++s) {
      const std::vector<Vec3>& p = strokes.list[s].points;
      Box3 box;
      for (const Vec3 q : p) box = box.with(q);
      within = within || box.grown(strokes.radius[s]).holds(at);
    }
    if (!within) RC_ASSERT(out.value(at) == in.value(at));
  }
}

RC_GTEST_PROP(Smooth, OneMoreStrokeChangesWhatIsAroundIt, ()) {
  Dice dice;
  const Volume in = test::any_volume(dice, 1).volume;
  const AnyStrokes strokes(dice);
  const size_t all = strokes.list.size();
  const Lines fewer = strokes.lines(all - 1), more = strokes.lines();
  if (fewer.empty()) return;
  const Volume before = smooth(world, in, &fewer, {}, quiet), after = smooth(world, in, &more, {}, quiet);
  const Box3 box = after.root().difference_from(before.root());
  for (int i = 0; i < 80; ++i) {
    const Vec3 at = dice.place();
    if (!box.holds(at)) RC_ASSERT(before.value(at) == after.value(at));
  }
}

TEST(Smooth, RoundsEdgesAndFillsCrevicesAndLeavesWallsWhereTheyAre) {
  const Volume in = block();
  const Vec3 edge{30, 0, 20};
  const Lines at_edge = strokes_of({{"", {edge}, false, {}}}, {8}, {1});
  const Volume out = smooth(world, in, &at_edge, {}, quiet);
  EXPECT_TRUE(in.inside(edge - Vec3{0.2, 0, 0.2}));
  EXPECT_FALSE(out.inside(edge - Vec3{0.2, 0, 0.2}));
  EXPECT_TRUE(out.inside(edge - Vec3{4, 0, 4}));
  const double wall = *in.cast({100, 0, 0}, {-1, 0, 0}, 100, 0.05);
  const Lines at_wall = strokes_of({{"", {{30, 0, 0}}, false, {}}}, {8}, {1});
  EXPECT_NEAR(*smooth(world, in, &at_wall, {}, quiet).cast({100, 0, 0}, {-1, 0, 0}, 100, 0.05), wall,
              1);  // a quarter of the lattice's cell
  Primitive crack;
  crack.shape = PrimitiveShape::segment;
  crack.skeleton = {{0, -40, 20.5}, {0, 40, 20.5}};
  crack.falloff = 1.5;
  crack.energy = -100;
  const Volume cracked = in.with_root(with_primitives(in.share(), {crack}, T));
  const Vec3 in_crack{0, 0, 19.8};
  const Lines at_crack = strokes_of({{"", {{0, 0, 20}}, false, {}}}, {16}, {1});
  EXPECT_FALSE(cracked.inside(in_crack));
  EXPECT_TRUE(smooth(world, cracked, &at_crack, {}, quiet).inside(in_crack - Vec3{0, 0, 1}));
}

TEST(Smooth, MoreStrokesRoundMore) {
  const Volume in = block();
  const Vec3 edge{30, 0, 20};
  double before = 0;
  for (const int count : {1, 3, 8}) {
    const auto n = static_cast<size_t>(count);
    const Lines lines = strokes_of(std::vector<Polyline>(n, {"", {edge}, false, {}}), std::vector<double>(n, 12),
                                   std::vector<double>(n, 1));
    const Volume out = smooth(world, in, &lines, {}, quiet);
    const double s = std::sqrt(0.5);
    const double gone = *out.cast(edge + Vec3{s, 0, s} * 10, {-s, 0, -s}, 40, 0.02) - 10;
    EXPECT_GT(gone, before + 0.05) << count;
    before = gone;
  }
}

TEST(Smooth, ManyNodesUponEachOtherCostWhatTheyAdd) {
  // With a look at 64 places for each of the nodes below, forty would never end.
  Volume out = block();
  for (int i = 0; i < 40; ++i) {
    const Lines lines = strokes_of({{"", {{30, i * 0.1, 20}}, false, {}}}, {8}, {0.3});
    out = smooth(world, out, &lines, {}, quiet);
  }
  EXPECT_FALSE(out.inside({29.8, 0, 19.8}));
}

TEST(Smooth, NothingToDoIsNothingDoneAndWrongNumbersAreRefused) {
  const Volume in = block();
  const Lines none, empty_line({{"", {}, false, {}}});
  EXPECT_EQ(smooth(world, in, &none, {}, quiet).share(), in.share());
  EXPECT_EQ(smooth(world, in, &empty_line, {}, quiet).share(), in.share());
  EXPECT_TRUE(smooth(world, Volume(), nullptr, {}, quiet).support().empty());
  SmoothParams p;
  p.strength = 0;
  EXPECT_EQ(smooth(world, in, nullptr, p, quiet).share(), in.share());
  const auto error = [&](double radius, double strength) {
    const Lines lines = strokes_of({{"", {{0, 0, 0}}, false, {}}}, {radius}, {strength});
    return test::error_of([&] { smooth(world, in, &lines, {}, quiet); });
  };
  EXPECT_NE(error(0, 1).find("radius"), std::string::npos);
  EXPECT_NE(error(-2, 1).find("radius"), std::string::npos);
  EXPECT_NE(error(2, -1).find("strength"), std::string::npos);
  EXPECT_NE(error(2, 9).find("strength"), std::string::npos);
}

}  // namespace tepui::smooth_test

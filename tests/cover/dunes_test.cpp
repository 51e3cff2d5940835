#include "tepui/cover/dunes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/dunes.h"
#include "tepui/core/math.h"
#include "tepui/cover/sand_rest.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::dunes_test {

namespace {

const Context quiet;

Frame small_frame(int64_t width, int64_t height, double cell = 5) {
  Frame frame;
  frame.size = {cell * static_cast<double>(std::max<int64_t>(width - 1, 1)),
                cell * static_cast<double>(std::max<int64_t>(height - 1, 1))};
  frame.cell = {cell, cell};
  frame.width = width, frame.height = height;
  return frame;
}

/// Rough rock with a block on it.
Terrain any_ground(const Frame& frame) {
  const double rough = *rc::gen::element(0.0, 2.0, 40.0);
  const double block = *rc::gen::element(0.0, 30.0);
  const Stream draws(*rc::gen::inRange<uint64_t>(0, 1000));
  Grid<float> z(frame.width, frame.height);
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x) {
      const bool inside = x > frame.width / 3 && x < frame.width / 2 && y > frame.height / 3;
      const double noise = rough * draws.uniform(static_cast<uint64_t>(y * frame.width + x));
      z(x, y) = static_cast<float>(noise + (inside ? block : 0.0));
    }
  return Terrain(frame, {0, 100}, std::move(z));
}

DunesParams any_dunes() {
  DunesParams p;
  p.sand = *rc::gen::element(0.0, 0.5, 4.0, 12.0);
  p.wind = *rc::gen::element(std::vector<double>{270}, std::vector<double>{13, 133, 253}, std::vector<double>{200, 340},
                             std::vector<double>{90, 0, 45});
  p.spread = {*rc::gen::element(0.0, 20.0)};
  p.size = metres(*rc::gen::element(100.0, 240.0, 900.0));
  p.years = *rc::gen::element(0.0, 5.0, 40.0);
  p.heaps = *rc::gen::element(0.0, 0.7);
  p.repose = {*rc::gen::element(20.0, 33.0)};
  p.border = *rc::gen::element(DuneBorder::returns, DuneBorder::repeats, DuneBorder::open);
  p.seed.node = *rc::gen::inRange<int64_t>(0, 100);
  return p;
}

double sum_of(const Grid<float>& map) {
  double sum = 0;
  for (const float v : map.cells()) sum += static_cast<double>(v);
  return sum;
}

/// By how much sand stands higher above a neighbour than it may; 0 where it nowhere does.
double too_steep(const Terrain& land, double degrees) {
  const Grid<float>&z = land.height(), &sand = land.layer("sand").grid();
  const double tangent = math::tan(math::radians(degrees)), cell = land.frame().cell.x;
  double worst = 0;
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x)
      for (int64_t v = std::max<int64_t>(0, y - 1); v <= std::min(y + 1, z.height() - 1); ++v)
        for (int64_t u = std::max<int64_t>(0, x - 1); u <= std::min(x + 1, z.width() - 1); ++u) {
          if (!(sand(x, y) > 0)) continue;
          const double way = cell * std::sqrt(static_cast<double>((u - x) * (u - x) + (v - y) * (v - y)));
          const double fall = static_cast<double>(z(x, y)) - static_cast<double>(z(u, v));
          worst = std::max(worst, fall - tangent * way);
        }
  return worst;
}

DuneGround any_field(int64_t w, int64_t h) {
  const Stream draws(*rc::gen::inRange<uint64_t>(0, 1000));
  const int rock = *rc::gen::element(0, 300, 60000), sand = *rc::gen::element(0, 500, 20000);
  const bool masked = *rc::gen::element(false, true);
  DuneGround ground{Grid<int32_t>(w, h), Grid<int32_t>(w, h), Grid<int32_t>(w, h), {}, 0};
  if (masked) ground.share = Grid<float>(w, h);
  for (int64_t i = 0; i < w * h; ++i) {
    const auto n = static_cast<uint64_t>(i);
    ground.rock.data()[i] = draws.uniform(n, 1) < 0.1 ? rock : 0;
    ground.sand.data()[i] = static_cast<int32_t>(sand * draws.uniform(n, 2));
    ground.air.data()[i] = static_cast<int32_t>(100 * draws.uniform(n, 3));
    if (masked) ground.share.data()[i] = static_cast<float>(std::max(0.0, draws.uniform(n, 4, -0.3, 1)));
  }
  return ground;
}
DuneGround copy_of(const DuneGround& g) {
  return {g.rock.clone(), g.sand.clone(), g.air.clone(), g.share.clone(), g.left};
}
int64_t mass_of(const DuneGround& g) {
  int64_t sum = g.left;
  for (int64_t i = 0; i < g.sand.size(); ++i) sum += int64_t{g.sand.data()[i]} + g.air.data()[i];
  return sum;
}
DuneRule any_rule() {
  DuneRule rule;
  rule.cell = {*rc::gen::element(1.0, 1.1), 1.0};
  rule.border = *rc::gen::element(DuneBorder::returns, DuneBorder::repeats, DuneBorder::open);
  return rule;
}
WindSpell any_spell() {
  const double a = math::radians(*rc::gen::element(0.0, 30.0, 45.0, 90.0, 140.0, 200.0, 270.0, 300.0));
  return {{math::cos(a), math::sin(a)}, *rc::gen::inRange<int64_t>(0, 99), 5, *rc::gen::element(false, false, true)};
}

}  // namespace

RC_GTEST_PROP(Dunes, TheFieldIsItsTwinsToTheBit, ()) {
  const auto w = *rc::gen::element<int64_t>(1, 2, 17, 40, 130), h = *rc::gen::element<int64_t>(1, 3, 33, 110);
  DuneGround twin = any_field(w, h);
  const DuneRule rule = any_rule();
  DuneField field(copy_of(twin), rule);
  for (int i = 0; i < 3; ++i) {
    const WindSpell spell = any_spell();
    field.blow(spell, quiet);
    reference::blow(twin, rule, spell);
  }
  const DuneGround fast = field.finish();
  RC_ASSERT(fast.left == twin.left);
  for (int64_t i = 0; i < twin.sand.size(); ++i)
    RC_ASSERT(fast.sand.data()[i] == twin.sand.data()[i] + twin.air.data()[i]);
}

RC_GTEST_PROP(Dunes, TheFieldKeepsItsSandToTheQuantumAndNoCellHasLessThanNone, ()) {
  const auto w = *rc::gen::inRange<int64_t>(1, 60), h = *rc::gen::inRange<int64_t>(1, 60);
  DuneGround start = any_field(w, h);
  const int64_t mass = mass_of(start);
  const Grid<float> share = start.share.clone();
  const Grid<int32_t> sand = start.sand.clone(), air = start.air.clone();
  const DuneRule rule = any_rule();
  DuneField field(std::move(start), rule);
  for (int i = 0; i < 4; ++i) field.blow(any_spell(), quiet);
  field.slide(3, quiet);
  const DuneGround end = field.finish();
  RC_ASSERT(mass_of(end) == mass);
  if (rule.border != DuneBorder::open) RC_ASSERT(end.left == 0);
  for (int64_t i = 0; i < end.sand.size(); ++i) {
    RC_ASSERT(end.sand.data()[i] >= 0);
    // Where there is no wind nothing is taken.
    if (!share.empty() && share.data()[i] == 0) RC_ASSERT(end.sand.data()[i] >= sand.data()[i]);
  }
}

RC_GTEST_PROP(Dunes, KeepAllSandAndNoSlopeIsTooSteep, ()) {
  const Frame frame = small_frame(*rc::gen::element<int64_t>(1, 2, 9, 50), *rc::gen::element<int64_t>(1, 3, 41));
  const Terrain ground = any_ground(frame);
  const DunesParams p = any_dunes();
  const Terrain land = dunes(ground, nullptr, p, quiet);
  const Grid<float>& sand = land.layer("sand").grid();
  const double start = *p.sand * static_cast<double>(sand.size());
  for (int64_t i = 0; i < sand.size(); ++i) {
    RC_ASSERT(sand.data()[i] >= 0);
    const double under = static_cast<double>(ground.height().data()[i]) + static_cast<double>(sand.data()[i]);
    RC_ASSERT(std::abs(static_cast<double>(land.height().data()[i]) - under) < 1e-4);
  }
  if (p.border == DuneBorder::open)
    RC_ASSERT(sum_of(sand) <= start);
  else
    RC_ASSERT(sum_of(sand) == start);
  RC_ASSERT(too_steep(land, p.repose.degrees) < 0.01);
  // And what lies there already is the start of the next wind.
  DunesParams again = p;
  again.sand = std::nullopt;
  again.border = DuneBorder::returns;
  RC_ASSERT(sum_of(dunes(land, nullptr, again, quiet).layer("sand").grid()) == sum_of(sand));
}

RC_GTEST_PROP(Dunes, NothingChangesWhereTheMaskIsZero, ()) {
  const Frame frame = small_frame(40, 21);
  const Terrain ground = any_ground(frame);
  const Stream draws(7);
  Grid<float> share(40, 21);
  for (int64_t i = 0; i < share.size(); ++i)
    share.data()[i] = i % 40 < 15 ? 0.0f : static_cast<float>(draws.uniform(static_cast<uint64_t>(i)));
  const Terrain masked = Terrain(frame, {0, 1}).with(make_layer("mask", "", LayerKind::mask, share.clone()));
  DunesParams p = any_dunes();
  p.years = 5, p.size = metres(240);
  const Terrain first = dunes(ground, nullptr, p, quiet);
  p.sand = 1;
  p.border = DuneBorder::returns;
  const Terrain land = dunes(first, &masked, p, quiet);
  for (int64_t i = 0; i < share.size(); ++i) {
    if (share.data()[i] > 0) continue;
    RC_ASSERT(land.height().data()[i] == first.height().data()[i]);
    RC_ASSERT(land.layer("sand").grid().data()[i] == first.layer("sand").grid().data()[i]);
  }
}

RC_GTEST_PROP(Dunes, SandComesToRestAndStays, ()) {
  const auto w = *rc::gen::inRange<int64_t>(1, 30), h = *rc::gen::inRange<int64_t>(1, 30);
  const Stream draws(*rc::gen::inRange<uint64_t>(0, 1000));
  Grid<int32_t> rock(w, h), sand(w, h);
  int64_t mass = 0;
  for (int64_t i = 0; i < w * h; ++i) {
    rock.data()[i] = static_cast<int32_t>(3000 * draws.uniform(static_cast<uint64_t>(i), 0));
    mass += sand.data()[i] = static_cast<int32_t>(2000 * draws.uniform(static_cast<uint64_t>(i), 1));
  }
  rest_sand(rock, sand, {}, {100, 100}, 0.6, quiet);
  int64_t now = 0;
  for (const int32_t s : sand.cells()) now += s;
  RC_ASSERT(now == mass);
  const Grid<int32_t> once = sand.clone();
  rest_sand(rock, sand, {}, {100, 100}, 0.6, quiet);
  RC_ASSERT(std::ranges::equal(once.cells(), sand.cells()));
}

RC_GTEST_PROP(Dunes, SharedQuantaAddUp, ()) {
  const auto n = *rc::gen::inRange<int64_t>(1, 200);
  const auto total = *rc::gen::element<int64_t>(0, 1, 7, 1000, 12345678);
  const Stream draws(*rc::gen::inRange<uint64_t>(0, 1000));
  Grid<float> weights(n, 1);
  for (int64_t i = 0; i < n; ++i)
    weights.data()[i] = static_cast<float>(std::max(0.0, draws.uniform(static_cast<uint64_t>(i), 0, -1, 1)));
  int64_t sum = 0;
  for (const int32_t q : shared_quanta(weights, {}, total).cells()) sum += q;
  RC_ASSERT(sum == total);
}

TEST(Dunes, BareFlatsLieBetweenDunesThatFaceDownwind) {
  const Terrain ground(small_frame(161, 161), {0, 1}, Grid<float>(161, 161, 0.0f));
  DunesParams p;
  p.size = metres(250), p.sand = 4, p.spread = {0};
  const Terrain land = dunes(ground, nullptr, p, quiet);
  const Grid<float>& z = land.height();
  int64_t bare = 0, up = 0, down = 0;
  for (int64_t y = 0; y < 161; ++y)
    for (int64_t x = 0; x + 1 < 161; ++x) {
      bare += z(x, y) < 0.5f;
      const double slope = static_cast<double>(z(x + 1, y) - z(x, y)) / 5;
      up += slope > 0.45, down += slope < -0.45;
    }
  EXPECT_GT(bare, 161 * 160 / 4);
  EXPECT_GT(std::ranges::max(z.cells()), 12.0f);
  EXPECT_GT(down, 300);
  EXPECT_GT(down, 3 * up) << "wind from the west makes slip faces to the east";
}

TEST(Dunes, LandOfAnyResolutionHasTheSameDunes) {
  DunesParams p;
  p.size = metres(300), p.sand = 6, p.years = 150;
  const auto on = [&](int64_t samples) {
    const Terrain ground(make_world({900, 900}, samples), {0, 1}, Grid<float>(samples, samples, 0.0f));
    return dunes(ground, nullptr, p, quiet);
  };
  const Terrain fine = on(181), coarse = on(61);
  double apart = 0, high = 0;
  for (int64_t y = 0; y < 61; ++y)
    for (int64_t x = 0; x < 61; ++x) {
      apart += std::abs(static_cast<double>(fine.height()(3 * x, 3 * y)) - static_cast<double>(coarse.height()(x, y)));
      high += static_cast<double>(coarse.height()(x, y));
    }
  EXPECT_LT(apart, 0.2 * high);
}

TEST(Dunes, SameBitsOnAnyMachine) {
  DunesParams p;
  p.size = metres(200), p.years = 30, p.wind = {250, 20};
  const Terrain land = test::sample_land(150, 90, 4, 5, {0, 30});
  test::expect_same_bits([&] { return dunes(land, nullptr, p, quiet).hash(); });
}

TEST(Dunes, BadRequestsAreRefused) {
  const Terrain land(small_frame(9, 9), {0, 1}, Grid<float>(9, 9, 0.0f));
  const auto error = [&](const DunesParams& p) { return test::error_of([&] { dunes(land, nullptr, p, quiet); }); };
  DunesParams p;
  p.wind = {};
  EXPECT_CONTAINS(error(p), "no wind");
  p.wind = {10, 20}, p.strengths = std::vector<double>{1};
  EXPECT_CONTAINS(error(p), "2 winds and 1 strengths");
  p.strengths = std::vector<double>{0, 0};
  EXPECT_CONTAINS(error(p), "no wind has any strength");
  p.strengths.reset(), p.size = metres(0.01);
  EXPECT_CONTAINS(error(p), "'size' must be at least");
}

TEST(Dunes, StopWhenCancelled) {
  CancelFlag flag{true};
  const Terrain land(small_frame(9, 9), {0, 1}, Grid<float>(9, 9, 0.0f));
  EXPECT_CONTAINS(test::error_of([&] { dunes(land, nullptr, {}, Context(nullptr, &flag)); }), "cancelled");
}

TEST(Dunes, WernersSlabsKeepTheirSandAndMakeDunes) {
  Grid<int32_t> sand(96, 48, 1364);
  reference::WernerRule rule;
  reference::werner(sand, rule, 96 * 48 * 60, Stream(5));
  int64_t sum = 0;
  for (const int32_t s : sand.cells()) sum += s;
  EXPECT_EQ(sum, 96 * 48 * 1364);
  EXPECT_GT(std::ranges::max(sand.cells()), 2 * 1364);
}

}  // namespace tepui::dunes_test

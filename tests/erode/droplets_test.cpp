#include "tepui/erode/droplets.h"

#include <cmath>
#include <cstring>

#include "reference/droplets.h"
#include "tepui/erode/stream_power.h"
#include "tepui/generate/noise.h"
#include "tepui/hydrology/breach.h"
#include "tepui/hydrology/pits.h"
#include "tests/erode/any_land.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::droplets_test {
namespace {

Terrain hills(int64_t resolution, uint64_t seed) {
  NoiseParams params;
  params.height = metres(300);
  params.seed.recipe = seed;
  return noise(make_world({1200, 900}, resolution), params, Context());
}

/// Land that drains.
Terrain valleys(int64_t resolution, uint64_t seed) {
  return stream_power(hills(resolution, seed), nullptr, nullptr, nullptr, nullptr, nullptr, {}, Context());
}
Terrain drained(int64_t resolution, uint64_t seed) { return breach(hills(resolution, seed), {}, Context()); }

Geology all_of(float resistance) {
  return Geology(std::make_shared<const test::Beds>(std::vector<NamedRock>{{"rock", resistance}}, 50));
}

DropletsParams any_params() {
  DropletsParams params;
  params.amount = *rc::gen::element(0.1, 0.3, 2.0);
  params.strength = *rc::gen::element(0.2, 1.0, 5.0);
  params.steps = *rc::gen::element(1, 16, 64);
  params.inertia = *rc::gen::element(0.0, 0.15, 0.9);
  params.capacity = *rc::gen::element(0.5, 4.0, 20.0);
  params.seed.recipe = *rc::gen::arbitrary<uint64_t>();
  return params;
}

/// Any ground in quanta, with what stops droplets, rock and mask, or without.
DropletGround any_ground(int64_t w, int64_t h) {
  const Stream stream(*rc::gen::arbitrary<uint64_t>());
  const auto grid = [&](uint64_t channel, auto value) {
    Grid<float> out(w, h);
    for (int64_t i = 0; i < out.size(); ++i)
      out.data()[i] = static_cast<float>(value(stream.uniform(static_cast<uint64_t>(i), channel)));
    return out;
  };
  DropletGround ground;
  const double rough = *rc::gen::element(0.0, 300.0, 20000.0);
  ground.height = grid(1, [&](double u) { return std::floor(500000 + rough * u); });
  const double slope = *rc::gen::element(0.0, 2000.0);
  for (int64_t i = 0; i < ground.height.size(); ++i)
    ground.height.data()[i] += static_cast<float>(std::floor(slope * static_cast<double>(i % w + i / w)));
  const auto some = [](double u) { return u < 0.3 ? 0.0 : u < 0.6 ? 1.0 : u; };
  if (*rc::gen::arbitrary<bool>()) ground.softness = grid(2, some);
  if (*rc::gen::arbitrary<bool>()) ground.share = grid(3, some);
  if (*rc::gen::arbitrary<bool>()) {
    ground.takes_all = Grid<uint8_t>(w, h);
    for (int64_t i = 0; i < w * h; ++i) ground.takes_all.data()[i] = stream.uniform(static_cast<uint64_t>(i), 4) < 0.02;
  }
  return ground;
}

DropletGround copy(const DropletGround& ground) {
  return {ground.height.clone(), ground.softness.clone(), ground.share.clone(), ground.takes_all.clone()};
}

DropletRule any_rule() {
  DropletRule rule;
  rule.amount = *rc::gen::element(0.1, 1.0, 10.0);
  rule.steps = *rc::gen::element(1, 7, 64);
  rule.inertia = *rc::gen::element(0.0f, 0.15f, 0.9f);
  rule.capacity = *rc::gen::element(0.5f, 4.0f, 20.0f);
  rule.bite = *rc::gen::element(0.01f, 0.04f, 0.5f);
  rule.quanta_a_cell = *rc::gen::element(100.0f, 8192.0f);
  rule.draws = Stream(*rc::gen::arbitrary<uint64_t>());
  return rule;
}

int64_t mass(const Grid<float>& height) {
  int64_t sum = 0;
  for (float z : height.cells()) sum += static_cast<int64_t>(z);
  return sum;
}

RC_GTEST_PROP(Droplets, AreThePlainOnesToTheBit, ()) {
  DropletGround ground = any_ground(*rc::gen::inRange<int64_t>(1, 30), *rc::gen::inRange<int64_t>(1, 30));
  const DropletRule rule = any_rule();
  DropletGround plain = copy(ground);
  const int64_t left = run_droplets(
      ground, rule, [](DropletGround&) {}, Context());
  RC_ASSERT(left == reference::run_droplets(plain, rule));
  RC_ASSERT(std::ranges::equal(ground.height.cells(), plain.height.cells()));
}

RC_GTEST_PROP(Droplets, LoseNoGrain, ()) {
  DropletGround ground = any_ground(*rc::gen::inRange<int64_t>(1, 40), *rc::gen::inRange<int64_t>(1, 40));
  const DropletGround before = copy(ground);
  const int64_t left = run_droplets(
      ground, any_rule(), [](DropletGround&) {}, Context());
  RC_ASSERT(mass(before.height) == mass(ground.height) + left);
  RC_ASSERT(left >= 0);
  for (int64_t i = 0; i < ground.height.size(); ++i) {
    const float change = ground.height.data()[i] - before.height.data()[i];
    if (!ground.softness.empty() && ground.softness.data()[i] == 0) RC_ASSERT(change >= 0);
    if (!ground.share.empty() && ground.share.data()[i] == 0) RC_ASSERT(change == 0);
  }
}

RC_GTEST_PROP(Droplets, ChangeIsDepositsLessWear, ()) {
  const Terrain land = drained(*rc::gen::inRange<int64_t>(5, 40), *rc::gen::inRange<uint64_t>(0, 99));
  const Terrain out = droplets(land, nullptr, nullptr, any_params(), Context());
  const double quantum = 1200.0 * 0x1p-22;  // at most, for land of a few hundred metres
  for (int64_t i = 0; i < out.height().size(); ++i) {
    const auto at = [&](const char* layer) { return static_cast<double>(out.layer(layer).grid().data()[i]); };
    const double change = at("height") - static_cast<double>(land.height().data()[i]);
    RC_ASSERT(std::abs(change - (at("deposits") - at("wear"))) <= quantum);
    RC_ASSERT(at("bedrock") + at("sediment") == at("height"));
    RC_ASSERT(at("sediment") >= 0);
    RC_ASSERT(at("wear") >= 0);
  }
}

RC_GTEST_PROP(Droplets, LeaveNoPitsBehind, ()) {
  const Terrain land = drained(*rc::gen::inRange<int64_t>(5, 40), *rc::gen::inRange<uint64_t>(0, 99));
  RC_ASSERT(pits(droplets(land, nullptr, nullptr, any_params(), Context()), {}, Context()).empty());
}

TEST(Droplets, DigGulliesAndLayAprons) {
  const Terrain land = valleys(129, 4);
  DropletsParams params;
  const Terrain out = droplets(land, nullptr, nullptr, params, Context());
  double wear = 0, deposits = 0;
  for (float v : out.layer("wear").grid().cells()) wear += static_cast<double>(v);
  for (float v : out.layer("deposits").grid().cells()) deposits += std::max(0.0, static_cast<double>(v));
  EXPECT_GT(wear / static_cast<double>(out.height().size()), 0.02);
  EXPECT_GT(deposits, 0.05 * wear);
}

TEST(Droplets, PitsOfTheLandStay) {
  const Terrain land = hills(129, 2);
  const size_t before = pits(land, {}, Context()).features();
  ASSERT_GT(before, 3u);
  DropletsParams params;
  params.strength = 0;
  const Terrain same = droplets(land, nullptr, nullptr, params, Context());
  EXPECT_EQ(pits(same, {}, Context()).features(), before);
}

TEST(Droplets, TheHardestRockNeverWearsAndTheMaskedLandStays) {
  const Terrain land = valleys(100, 5);
  const Geology rock = all_of(1);
  const Terrain hard = droplets(land, &rock, nullptr, {}, Context());
  for (float v : hard.layer("wear").grid().cells()) ASSERT_EQ(v, 0.0f);
  Grid<float> share(land.frame().width, land.frame().height, 1.0f);
  for (int64_t i = 0; i < share.size(); i += 2) share.data()[i] = 0;
  const Terrain mask =
      Terrain(land.frame(), land.relief()).with(make_layer("mask", "", LayerKind::mask, share.clone()));
  const Terrain out = droplets(land, nullptr, &mask, {}, Context());
  int64_t changed = 0;
  for (int64_t i = 0; i < share.size(); ++i) {
    const float moved = out.layer("wear").grid().data()[i] + std::abs(out.layer("deposits").grid().data()[i]);
    if (share.data()[i] == 0) {
      ASSERT_EQ(moved, 0.0f);
    }
    changed += moved != 0 ? 1 : 0;
  }
  EXPECT_GT(changed, share.size() / 10);
}

TEST(Droplets, LandsOfOtherResolutionsGetTheSameGullies) {
  DropletsParams params;
  params.scale = metres(1200.0 / 128);
  const Terrain land = valleys(257, 6);
  Grid<float> half(129, (land.frame().height + 1) / 2);
  for (int64_t y = 0; y < half.height(); ++y)
    for (int64_t x = 0; x < half.width(); ++x) half(x, y) = land.height()(2 * x, 2 * y);
  Frame frame = make_world({1200, 900}, 129);
  const Terrain coarse(frame, land.relief(), half.clone());
  const Terrain a = droplets(coarse, nullptr, nullptr, params, Context());
  const Terrain b = droplets(land, nullptr, nullptr, params, Context());
  double off = 0, change = 0;
  for (int64_t y = 1; y + 1 < half.height(); ++y)
    for (int64_t x = 1; x + 1 < half.width(); ++x) {
      const double of_a = static_cast<double>(a.height()(x, y)) - static_cast<double>(half(x, y));
      const double of_b = static_cast<double>(b.height()(2 * x, 2 * y)) - static_cast<double>(half(x, y));
      off += std::abs(of_a - of_b), change += std::abs(of_a);
    }
  EXPECT_LT(off, 0.1 * change);
}

RC_GTEST_PROP(Droplets, AnyLandIsDefined, ()) {
  const Frame frame = test::any_frame();
  Grid<float> z = test::any_heights(frame);
  const Terrain land(frame, {0, 1}, std::move(z));
  const Terrain out = droplets(land, nullptr, nullptr, any_params(), Context());
  RC_ASSERT(out.frame() == frame);
  for (float v : out.height().cells()) RC_ASSERT(std::isfinite(v));
}

TEST(Droplets, SameBitsForAnyThreadCountAndLevel) {
  const Terrain land = valleys(150, 7);
  const Geology rock = all_of(0.3f);
  test::expect_same_bits([&] { return droplets(land, &rock, nullptr, {}, Context()).hash(); });
}

}  // namespace
}  // namespace tepui::droplets_test

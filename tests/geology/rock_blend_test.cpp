#include "tepui/geology/rock_blend.h"

#include "tests/geology/any_rock.h"
#include "tests/support/beds.h"

namespace tepui::rock_blend_test {

using namespace test;

namespace {

Terrain any_mask(const Frame& world, std::optional<float> constant = {}) {
  Grid<float> cells(world.width, world.height);
  const Stream stream(*rc::gen::arbitrary<uint64_t>());
  for (int64_t i = 0; i < cells.size(); ++i)
    cells.data()[i] = constant.value_or(static_cast<float>(stream.uniform(static_cast<uint64_t>(i))));
  return Terrain(world, {0, 1}).with(make_layer("mask", "", LayerKind::mask, std::move(cells)));
}

RockBlendMode any_mode() { return static_cast<RockBlendMode>(*rc::gen::inRange(0, 5)); }

}  // namespace

RC_GTEST_PROP(RockBlend, EqualsItsPlainTwin, ()) {
  const Frame world = any_world();
  const RockBlendParams p{any_mode(), *rc::gen::inRange(0, 11) / 10.0};
  const Twins in = any_ramp(world);
  const int count = p.mode == RockBlendMode::mix ? 1 : *rc::gen::inRange(0, 4);
  std::vector<Geology> with;
  std::vector<reference::Resistance> plain_with;
  for (int i = 0; i < count; ++i) {
    const Twins other = any_ramp(world);
    with.push_back(other.rock);
    plain_with.push_back(other.plain);
  }
  const Terrain mask = any_mask(world);
  const Terrain* masked = *rc::gen::arbitrary<bool>() ? &mask : nullptr;
  const Geology rock = rock_blend(in.rock, with, masked, p, quiet);
  const auto plain = reference::rock_blend(in.plain, plain_with, masked, p);
  for (int i = 0; i < 10; ++i) {
    const Vec3 at = any_point(world);
    RC_ASSERT(std::abs(static_cast<double>(raw(rock, at)) - plain(at)) < 1e-4);
  }
}

RC_GTEST_PROP(RockBlend, DoesNotAskForTheOrderOfTwo, ()) {
  const Frame world = any_world();
  const Geology a = any_rock(world, 2), b = any_rock(world, 2);
  const RockBlendParams p{
      *rc::gen::element(RockBlendMode::sum, RockBlendMode::mean, RockBlendMode::max, RockBlendMode::min)};
  const Vec3 at = any_point(world);
  RC_ASSERT(raw(rock_blend(a, {b}, nullptr, p, quiet), at) == raw(rock_blend(b, {a}, nullptr, p, quiet), at));
}

RC_GTEST_PROP(RockBlend, OfARockWithItselfIsTheRock, ()) {
  const Frame world = any_world();
  const Geology a = any_rock(world, 2);
  const RockBlendParams p{
      *rc::gen::element(RockBlendMode::mean, RockBlendMode::max, RockBlendMode::min, RockBlendMode::mix)};
  const Vec3 at = any_point(world);
  RC_ASSERT(raw(rock_blend(a, {a}, nullptr, p, quiet), at) == raw(a, at));
}

RC_GTEST_PROP(RockBlend, AMaskOfZeroIsTheFirstAndOfOneTheBlend, ()) {
  const Frame world = any_world();
  const Geology a = any_rock(world, 1), b = any_rock(world, 1);
  const RockBlendParams p{any_mode(), 1};
  const Terrain none = any_mask(world, 0.0f), all = any_mask(world, 1.0f);
  const Vec3 at = any_point(world);
  RC_ASSERT(raw(rock_blend(a, {b}, &none, p, quiet), at) == raw(a, at));
  RC_ASSERT(raw(rock_blend(a, {b}, &all, p, quiet), at) == raw(rock_blend(a, {b}, nullptr, p, quiet), at));
}

TEST(RockBlend, NamesWhatDecides) {
  const Frame world = make_world({100, 100}, 2);
  const Geology beds = sample_rock();
  const Geology other(std::make_shared<const Beds>(std::vector<NamedRock>{{"basalt", 0.8f}, {"tuff", 0.1f}}, 10));
  const double x[3] = {}, y[3] = {}, z[] = {-5, 5, 60};
  const auto names = [&](const Geology& a, const Geology& b, RockBlendMode mode, double amount = 1) {
    const Geology rock = rock_blend(a, {b}, nullptr, {mode, amount}, quiet);
    int32_t which[3];
    rock.root().rocks({x, y, z, 3}, which);
    std::vector<std::string> list;
    for (const int32_t i : which) list.push_back(i < 0 ? "" : rock.root().names()[static_cast<size_t>(i)].name);
    return list;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(beds, other, RockBlendMode::sum), (Names{"granite", "shale", "sandstone"}));
  EXPECT_EQ(names(Geology(), other, RockBlendMode::sum), (Names{"basalt", "tuff", "tuff"}));
  EXPECT_EQ(names(beds, other, RockBlendMode::min), (Names{"basalt", "tuff", "tuff"}));
  EXPECT_EQ(names(beds, other, RockBlendMode::max), (Names{"granite", "shale", "sandstone"}));
  EXPECT_EQ(names(beds, other, RockBlendMode::mix, 0.4), (Names{"granite", "shale", "sandstone"}));
  EXPECT_EQ(names(beds, other, RockBlendMode::mix, 0.6), (Names{"basalt", "tuff", "tuff"}));
  EXPECT_EQ(names(beds, turbulence(world, {}, quiet), RockBlendMode::sum), (Names{"granite", "shale", "sandstone"}));
}

TEST(RockBlend, EveryNumberEntersTheHash) {
  const Frame world = make_world({1000, 1000}, 11);
  using P = RockBlendParams;
  Geology in = sample_rock();
  std::vector<Geology> with{Geology()};
  std::optional<Terrain> mask;
  Grid<float> cells(11, 11);
  std::fill_n(cells.data(), cells.size(), 0.25f);
  const Terrain layer = Terrain(world, {0, 1}).with(make_layer("mask", "", LayerKind::mask, std::move(cells)));
  expect_hashes_differ<P>(
      {}, [&](const P& p) { return rock_blend(in, with, mask ? &*mask : nullptr, p, quiet); },
      {[](P& p) { p.mode = RockBlendMode::mean; }, [](P& p) { p.mode = RockBlendMode::max; },
       [](P& p) { p.mode = RockBlendMode::mix; }, [](P& p) { p.mode = RockBlendMode::mix, p.amount = 0.1; },
       [&](P&) { mask = layer; }, [&](P&) { with.push_back(in); }, [&](P&) { in = Geology(); }});
}

TEST(RockBlend, RefusesAMixOfMany) {
  const RockBlendParams p{RockBlendMode::mix, 0.5};
  EXPECT_NE(error_of([&] { rock_blend(Geology(), {}, nullptr, p, quiet); }).find("two rocks"), std::string::npos);
  EXPECT_NE(error_of([&] {
              rock_blend(Geology(), {Geology(), Geology()}, nullptr, p, quiet);
            }).find("has 2"),
            std::string::npos);
}

}  // namespace tepui::rock_blend_test

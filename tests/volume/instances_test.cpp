#include "tepui/volume/instances.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/union.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::instances_test {

namespace {

using test::Dice;

const Context quiet;
const Frame world = make_world({200, 200}, 3, {-100, -100});
constexpr double T = Volume::usual_threshold;

InstancesParams in_metres(std::vector<Copy> copies) {
  InstancesParams p;
  p.copies = std::move(copies);
  p.positions = Positions::metres;
  p.about = Pivot::middle;
  return p;
}

}  // namespace

RC_GTEST_PROP(Instances, AreAUnionOfTransformedVolumes, ()) {
  Dice dice;
  const Volume in = test::any_volume(dice, 1).volume;
  InstancesParams p = in_metres({});
  std::vector<Volume> apart;
  for (int i = 1 + dice.below(6); i > 0; --i) {
    const Copy copy{dice.place(), {dice.real(-360, 360)}, dice.real(0.2, 2)};
    p.copies.push_back(copy);
    TransformParams one;
    one.turn = copy.turn;
    one.scale = copy.scale;
    one.move = copy.at - pivot_of(in, Pivot::middle);
    apart.push_back(transform(world, in, one, quiet));
  }
  const Volume all = instances(world, in, nullptr, nullptr, p, quiet),
               wanted = unite(world, Volume(empty_solid(T), T), apart, {}, quiet);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    // A wall that is sudden may be on either side.
    if (std::abs(all.value(at) - wanted.value(at)) > 1e-3f)
      RC_ASSERT(std::abs(all.value(at + Vec3{1e-6, 1e-6, 1e-6}) - wanted.value(at)) < 1e-3f ||
                std::abs(all.value(at - Vec3{1e-6, 1e-6, 1e-6}) - wanted.value(at)) < 1e-3f);
  }
}

TEST(Instances, CostAPlaceEach) {
  const Volume in(test::ball({0, 0, 0}, 5, 20), T);
  std::vector<Placement> places;
  for (int i = 0; i < 100'000; ++i) places.push_back({{i % 300 * 4.0, i / 300 * 4.0, 0}, 0.1 * i, 1});
  const SolidPointer many = copies_of(in.share(), {}, places, CopyJoin::unite, T);
  EXPECT_LT(many->bytes(), 100'000 * 110 + 1000);
  const Volume set(many, T);
  for (int i = 0; i < 100'000; i += 997) EXPECT_TRUE(set.inside(places[static_cast<size_t>(i)].at));
  EXPECT_FALSE(set.inside({10, 10, 8}));
  EXPECT_EQ(set.root().children().size(), 1u);
}

TEST(Instances, StandOnTheGroundAndAreOneWithIt) {
  const Volume stone(test::ball({0, 0, 0}, 5, 40), T), land(test::hills(), T, test::wavy_rock());
  const InstancesParams p = in_metres({{{20, 10, 2}, {0}, 1}, {{-50, 40, 2}, {0}, 1}});
  const Volume all = instances(world, stone, &land, nullptr, p, quiet);
  for (const Vec2 at : {Vec2{20, 10}, Vec2{-50, 40}}) {
    double h = 0;
    land.root().sketch().sheet->heights(&at.x, &at.y, 1, &h);
    EXPECT_TRUE(all.inside({at.x, at.y, h + 2}));
    EXPECT_TRUE(all.inside({at.x, at.y, h - 20}));
    EXPECT_FALSE(all.inside({at.x, at.y, h + 8}));
  }
  EXPECT_EQ(all.rock().hash(), land.rock().hash());
  EXPECT_NE(all.root().sketch().sheet, nullptr);
  EXPECT_NE(test::error_of([&] {
              instances(world, stone, &land, nullptr, in_metres({{{500, 0, 0}, {0}, 1}}), quiet);
            }).find("no ground at (500, 0)"),
            std::string::npos);
}

TEST(Instances, GoAlongLines) {
  const Volume stone(test::ball({0, 0, 0}, 5, 40), T);
  Polyline line;
  line.points = {{0, 0, 0}, {20, 0, 5}, {40, 10, 5}};
  const Lines lines({line});
  const Volume all = instances(world, stone, nullptr, &lines, in_metres({}), quiet);
  for (const Vec3& at : line.points) EXPECT_TRUE(all.inside(at));
  EXPECT_FALSE(all.inside({10, 0, 0}));
  InstancesParams varied = in_metres({});
  varied.turned = true;
  varied.scales = {0.5, 1.5};
  InstancesParams again = varied;
  again.seed.node = 1;
  EXPECT_NE(instances(world, stone, nullptr, &lines, varied, quiet).hash(),
            instances(world, stone, nullptr, &lines, again, quiet).hash());
}

TEST(Instances, OfNothingAndNowhereAreEmptyAndNoNumbersAreRefused) {
  const Volume stone(test::ball({0, 0, 0}, 5, 40), T);
  EXPECT_TRUE(instances(world, stone, nullptr, nullptr, in_metres({}), quiet).support().empty());
  EXPECT_TRUE(instances(world, Volume(), nullptr, nullptr, InstancesParams{}, quiet).support().empty());
  for (const Copy& copy :
       {Copy{{std::nan(""), 0, 0}, {0}, 1}, Copy{{0, 0, 0}, {0}, 0}, Copy{{0, 0, 0}, {0}, std::nan("")}})
    EXPECT_FALSE(test::error_of([&] { instances(world, stone, nullptr, nullptr, in_metres({copy}), quiet); }).empty());
  const Volume other(test::ball({0, 0, 0}, 5, 40, 3), 3);
  EXPECT_NE(test::error_of([&] { instances(world, stone, &other, nullptr, {}, quiet); }).find("thresholds"),
            std::string::npos);
}

TEST(Instances, SameBitsOnAnyMachine) {
  const Volume stone(test::ball({0, 0, 0}, 9, 40), T);
  test::expect_same_bits([&] {
    const Volume all =
        instances(world, stone, nullptr, nullptr, in_metres({{{0, 0, 0}, {33}, 1.3}, {{5, 3, 1}, {9}, 0.7}}), quiet);
    Hasher hasher;
    for (int i = 0; i < 200; ++i) hasher.add(static_cast<double>(all.value({i * 0.07 - 6, 3 - i * 0.02, i % 8 - 3.0})));
    return hasher.finish();
  });
}

}  // namespace tepui::instances_test

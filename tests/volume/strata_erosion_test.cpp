#include "tepui/volume/strata_erosion.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/primitive.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

namespace tepui::strata_erosion_test {

namespace {

using test::Dice;

const Context quiet;
const Frame world = make_world({200, 200}, 3);
constexpr double T = Volume::usual_threshold;

/// The same everywhere.
class EvenRock : public Rock {
 public:
  explicit EvenRock(float rho) : rho_(rho) {}
  void resistance(const RockPoints& at, float* rho) const override { std::fill_n(rho, at.count, rho_); }
  void hash(Hasher& hasher) const override { hasher.add("even").add(static_cast<double>(rho_)); }
  size_t bytes() const override { return sizeof *this; }

 private:
  float rho_;
};
Geology even_rock(double rho) { return Geology(std::make_shared<EvenRock>(static_cast<float>(rho))); }

/// How far the surface sank at a place.
double sunk(const Volume& land, double x, double y) {
  const SurfaceSketch sketch = land.root().sketch();
  double h = 0;
  sketch.sheet->heights(&x, &y, 1, &h);
  return land.cast({x, y, h + 1e-3}, {0, 0, -1}, 60, 0.05).value_or(60);
}

StrataErosionParams of_depth(double depth, ErosionForm form = ErosionForm::metres) {
  StrataErosionParams p;
  p.depth = metres(depth);
  p.form = form;
  return p;
}

/// Hard from one height up to another, weak elsewhere.
class BeddedRock : public Rock {
 public:
  BeddedRock(double low, double high, float weak, float hard) : low_(low), high_(high), weak_(weak), hard_(hard) {}
  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i) rho[i] = at.z[i] >= low_ && at.z[i] <= high_ ? hard_ : weak_;
  }
  void hash(Hasher& hasher) const override { hasher.add("bedded").add(low_).add(high_); }
  size_t bytes() const override { return sizeof *this; }

 private:
  double low_, high_;
  float weak_, hard_;
};
Geology bedded_rock(double low, double high, double weak, double hard) {
  return Geology(std::make_shared<BeddedRock>(low, high, static_cast<float>(weak), static_cast<float>(hard)));
}

/// One stroke of rock; `energy` such that the surface lies `outside` metres from the skeleton or body.
Volume stroke(PrimitiveShape shape, std::vector<Vec3> skeleton, double outside, double falloff, double body = 0) {
  Primitive p;
  p.shape = shape;
  p.skeleton = std::move(skeleton);
  p.radius = body;
  p.half = {body, body, body};
  p.falloff = falloff;
  const double u = 1 - outside / falloff * (outside / falloff);
  p.energy = T / (u * u * u);
  return Volume(with_primitives(empty_solid(T), {p}, T), T);
}

/// Metres from a place outside to the rock.
double gap(const Volume& volume, Vec3 from, Vec3 direction) {
  return volume.cast(from, direction, 200, 0.02).value_or(200);
}

/// Metres that a volume has lost where a ray meets it.
double lost(const Volume& in, const Volume& worn, Vec3 from, Vec3 direction) {
  return gap(worn, from, direction) - gap(in, from, direction);
}

Vec3 any_direction(Dice& dice) {
  for (;;) {
    const Vec3 u{dice.real(-1, 1), dice.real(-1, 1), dice.real(-1, 1)};
    if (const double size = length(u); size > 0.1 && size <= 1) return u * (1 / size);
  }
}

}  // namespace

RC_GTEST_PROP(StrataErosion, OnlyTakes, ()) {
  Dice dice;
  const Volume in = test::any_volume(dice, 2).volume;
  const Geology rock = even_rock(dice.real(0, 1));
  const ErosionForm form = dice.coin() ? ErosionForm::metres : ErosionForm::paper;
  const Volume worn =
      strata_erosion(world, in, dice.coin() ? &rock : nullptr, nullptr, of_depth(dice.real(0, 14.9), form), quiet);
  for (int i = 0; i < 40; ++i) {
    const Vec3 at = dice.place();
    RC_ASSERT(worn.value(at) <= in.value(at));
  }
}

RC_GTEST_PROP(StrataErosion, LeavesTheHardestRockAndTakesMoreOfSofter, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  const StrataErosionParams p = of_depth(dice.real(0.5, 14.9), dice.coin() ? ErosionForm::metres : ErosionForm::paper);
  const Geology hard = even_rock(1), firm = even_rock(dice.real(0.5, 0.9)), soft = even_rock(dice.real(0, 0.4));
  const Volume by_hard = strata_erosion(world, land, &hard, nullptr, p, quiet),
               by_firm = strata_erosion(world, land, &firm, nullptr, p, quiet),
               by_soft = strata_erosion(world, land, &soft, nullptr, p, quiet);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    RC_ASSERT(by_hard.value(at) == land.value(at));
    RC_ASSERT(by_firm.value(at) > 0 || !(by_soft.value(at) > 0));
  }
  const double x = dice.real(-90, 90), y = dice.real(-90, 90);
  RC_ASSERT(sunk(by_soft, x, y) > sunk(by_firm, x, y));
}

RC_GTEST_PROP(StrataErosion, InThePapersFormReachesItsDepthStraightDown, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  const double depth = dice.real(0.5, 14.5);
  const Geology soft = even_rock(0);
  const Volume worn = strata_erosion(world, land, &soft, nullptr, of_depth(depth, ErosionForm::paper), quiet);
  RC_ASSERT(std::abs(sunk(worn, dice.real(-90, 90), dice.real(-90, 90)) - depth) < 0.01);
  RC_ASSERT(worn.root().sketch().sheet != nullptr);
}

TEST(StrataErosion, WorksWithinItsRegion) {
  const Volume land(test::hills(), T);
  StrataErosionParams p = of_depth(8, ErosionForm::paper);
  p.within = RegionShape::sphere;
  p.positions = Positions::metres;
  p.at = {20, 10, 0};
  p.radius = metres(15);
  p.falloff = metres(10);
  const Geology soft = even_rock(0);
  const Volume worn = strata_erosion(world, land, &soft, nullptr, p, quiet);
  EXPECT_NEAR(sunk(worn, 20, 10), 8, 0.01);
  EXPECT_LT(sunk(worn, 40, 10), 7);
  EXPECT_NEAR(sunk(worn, 60, 10), 0, 0.01);
  ASSERT_EQ(worn.root().sketch().bands.size(), 1u);
}

TEST(StrataErosion, WearsAroundTheLinesOfItsRegion) {
  const Volume land(test::hills(), T);
  const Geology soft = even_rock(0);
  const double far = 40;
  const auto ground = [&](double x, double y) {
    const SurfaceSketch sketch = land.root().sketch();
    double h = 0;
    sketch.sheet->heights(&x, &y, 1, &h);
    return h;
  };
  LinesColumns columns = Lines({{"", {{-20, 0, ground(-20, 0)}, {20, 0, ground(20, 0)}}, false, {}},
                                {"", {{0, far, ground(0, far)}}, false, {}}})
                             .columns();
  columns.numbers = {{"radius", "m", {12, 10}}, {"depth", "m", {std::nan(""), 2}}};
  const Lines lines(columns);
  for (const ErosionForm form : {ErosionForm::metres, ErosionForm::paper}) {
    const Volume worn = strata_erosion(world, land, &soft, &lines, of_depth(4, form), quiet);
    EXPECT_GT(sunk(worn, 20, 0), 2.5);
    EXPECT_GT(sunk(worn, 0, far), 1);
    EXPECT_LT(sunk(worn, 0, far), 2.2);
    EXPECT_NE(worn.root().sketch().sheet, nullptr);
    // Beyond all radii the bits are the same.
    EXPECT_EQ(worn.value({60, 5, ground(60, 5)}), land.value({60, 5, ground(60, 5)}));
    EXPECT_EQ(worn.value({20, 0, ground(20, 0) - 13}), land.value({20, 0, ground(20, 0) - 13}));
  }
  const Lines nothing;
  EXPECT_EQ(strata_erosion(world, land, &soft, &nothing, of_depth(4), quiet).share(), land.share());
  const Lines open({{"", {{0, 0, 0}, {5, 0, 0}}, false, {}}});
  EXPECT_NE(test::error_of([&] { strata_erosion(world, land, &soft, &open, of_depth(4), quiet); }).find("radius"),
            std::string::npos);
}

RC_GTEST_PROP(StrataErosion, OneMoreStrokeChangesWhatIsAroundIt, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  const Geology soft = even_rock(dice.real(0, 0.5));
  LinesColumns all;
  std::vector<Polyline> list;
  LineAttribute radius{"radius", "m", {}};
  const int count = 1 + dice.below(4);
  for (int i = 0; i < count; ++i) {
    list.push_back({"", {dice.place() * 0.5, dice.place() * 0.5}, false, {}});
    radius.values.push_back(dice.real(3, 15));
  }
  const auto worn = [&](size_t strokes) {
    LinesColumns columns = Lines({list.begin(), list.begin() + static_cast<int64_t>(strokes)}).columns();
    columns.numbers = {
        {radius.name, "m", {radius.values.begin(), radius.values.begin() + static_cast<int64_t>(strokes)}}};
    const Lines lines(columns);
    return strata_erosion(world, land, &soft, &lines, of_depth(3), quiet);
  };
  const Volume before = worn(list.size() - 1 + (list.size() == 1 ? 1 : 0)), after = worn(list.size());
  const Box3 box = after.root().difference_from(before.root());
  if (list.size() > 1) RC_ASSERT(box.longest_side() < 130 + 2 * radius.values.back() + 2);
  for (int i = 0; i < 60; ++i) {
    const Vec3 at = dice.place() * 0.5;
    if (!box.holds(at)) RC_ASSERT(before.value(at) == after.value(at));
  }
}

TEST(StrataErosion, GoesByTheRockThatIsGivenAndKeepsTheVolumes) {
  const Volume land(test::hills(), T, test::wavy_rock());
  const Geology soft = even_rock(0);
  EXPECT_NE(strata_erosion(world, land, nullptr, nullptr, of_depth(6), quiet).hash(),
            strata_erosion(world, land, &soft, nullptr, of_depth(6), quiet).hash());
  EXPECT_EQ(strata_erosion(world, land, &soft, nullptr, of_depth(6), quiet).rock().hash(), land.rock().hash());
  EXPECT_EQ(strata_erosion(world, land, nullptr, nullptr, of_depth(0), quiet).share(), land.share());
  EXPECT_TRUE(strata_erosion(world, Volume(), nullptr, nullptr, of_depth(6), quiet).support().empty());
}

TEST(StrataErosion, SaysHowDeepItMayGo) {
  const Volume land(test::hills(), T);
  const auto error = [&](double depth, ErosionForm form) {
    return test::error_of([&] { strata_erosion(world, land, nullptr, nullptr, of_depth(depth, form), quiet); });
  };
  EXPECT_NE(error(15, ErosionForm::paper).find("less than 15 m"), std::string::npos);
  EXPECT_FALSE(error(std::nan(""), ErosionForm::paper).empty());
  EXPECT_FALSE(error(std::nan(""), ErosionForm::metres).empty());
  EXPECT_LT(strata_erosion(world, land, nullptr, nullptr, of_depth(40), quiet).value({0, 0, -30}), 0);
}

RC_GTEST_PROP(StrataErosion, TakesTheSameMetresWhateverTheFalloff, ()) {
  Dice dice;
  const double radius = dice.real(2, 12), falloff = radius * dice.real(1.1, 4);
  const double depth = dice.real(0.2, 0.6) * radius, rho = dice.real(0, 0.8), wanted = depth * (1 - rho);
  const Geology rock = even_rock(rho);
  // A ball, and a pillar.
  const Volume ball = stroke(PrimitiveShape::point, {{0, 0, 0}}, radius, falloff),
               pillar = stroke(PrimitiveShape::segment, {{0, 0, -60}, {0, 0, 60}}, radius, falloff);
  const Vec3 out = any_direction(dice), level = Vec3{out.x, out.y, 0} * (1 / std::hypot(out.x, out.y));
  const double of_ball =
      lost(ball, strata_erosion(world, ball, &rock, nullptr, of_depth(depth), quiet), out * 100, out * -1);
  const double of_pillar =
      lost(pillar, strata_erosion(world, pillar, &rock, nullptr, of_depth(depth), quiet), level * 100, level * -1);
  RC_ASSERT(std::abs(of_ball / wanted - 1) < 0.15);
  RC_ASSERT(std::abs(of_pillar / wanted - 1) < 0.15);
}

RC_GTEST_PROP(StrataErosion, TakesTheSameMetresOfBodiesWhoseFieldIsLevelWithin, ()) {
  Dice dice;
  const double body = dice.real(8, 20), falloff = dice.real(0.2, 6), depth = dice.real(1, 4), rho = dice.real(0, 0.7);
  const double wanted = depth * (1 - rho);
  const Geology rock = even_rock(rho);
  const Volume ball = stroke(PrimitiveShape::sphere, {{0, 0, 0}}, 0.454 * falloff, falloff, body),
               block = stroke(PrimitiveShape::box, {{0, 0, 0}}, 0.454 * falloff, falloff, body);
  const Vec3 out = any_direction(dice);
  const double of_ball =
      lost(ball, strata_erosion(world, ball, &rock, nullptr, of_depth(depth), quiet), out * 100, out * -1);
  RC_ASSERT(std::abs(of_ball / wanted - 1) < 0.2);
  // Of its walls, its floor and its roof.
  const Volume worn = strata_erosion(world, block, &rock, nullptr, of_depth(depth), quiet);
  const double across = dice.real(-0.4, 0.4) * body;
  for (const Vec3 way : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    const Vec3 from = way * 100 + Vec3{way.y + way.z, way.x, 0} * across;
    RC_ASSERT(std::abs(lost(block, worn, from, way * -1) / wanted - 1) < 0.1);
  }
}

RC_GTEST_PROP(StrataErosion, WearsLandAtRightAnglesToItsSlope, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  const double depth = dice.real(0.5, 6);
  const Geology soft = even_rock(0);
  const Volume worn = strata_erosion(world, land, &soft, nullptr, of_depth(depth), quiet);
  const double x = dice.real(-80, 80), y = dice.real(-80, 80);
  const SurfaceSketch sketch = land.root().sketch();
  double h = 0;
  sketch.sheet->heights(&x, &y, 1, &h);
  const Vec3 slope = land.gradient({x, y, h}), in = slope * (1 / length(slope));
  RC_ASSERT(std::abs(lost(land, worn, Vec3{x, y, h} - in * 0.5, in) / depth - 1) < 0.15);
  RC_ASSERT(sketch.sheet != nullptr && worn.root().sketch().bands.size() == 1);
}

RC_GTEST_PROP(StrataErosion, AHardBedKeepsTheWeakRockBeneath, ()) {
  Dice dice;
  const double body = 20, falloff = dice.real(0.5, 8), top = body + 0.454 * falloff;
  const double depth = dice.real(2, 8), thick = dice.real(0.3, 1) * depth, under = dice.real(0, 0.5) * depth;
  const Volume block = stroke(PrimitiveShape::box, {{0, 0, 0}}, 0.454 * falloff, falloff, body);
  // The bed lies at the top, or weak rock lies upon it, which goes.
  const Geology rock = bedded_rock(top - under - thick, top - under, 0, 1);
  const Volume worn = strata_erosion(world, block, &rock, nullptr, of_depth(depth), quiet);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at{dice.real(-8, 8), dice.real(-8, 8), dice.real(-5, top - under - 0.01)};
    RC_ASSERT(worn.inside(at));
  }
  RC_ASSERT(std::abs(lost(block, worn, {dice.real(-8, 8), dice.real(-8, 8), 100}, {0, 0, -1}) - under) <
            0.05 + 0.1 * under);
  // From its side the weak rock is worn back below the bed.
  const double z = top - under - thick - dice.real(0.1, 0.5) * depth;
  const double back = lost(block, worn, {100, dice.real(-8, 8), z}, {-1, 0, 0});
  RC_ASSERT(std::abs(back / depth - 1) < 0.1);
}

RC_GTEST_PROP(StrataErosion, TakesMoreWithMoreDepth, ()) {
  Dice dice;
  const Volume in =
      dice.coin() ? Volume(test::hills(), T) : stroke(PrimitiveShape::sphere, {{0, 0, 0}}, 1, 3, dice.real(5, 30));
  const Geology rock = dice.coin() ? test::wavy_rock() : even_rock(dice.real(0, 0.9));
  const double depth = dice.real(0.3, 8);
  const Volume little = strata_erosion(world, in, &rock, nullptr, of_depth(depth), quiet),
               much = strata_erosion(world, in, &rock, nullptr, of_depth(depth * dice.real(1.3, 2)), quiet);
  for (int i = 0; i < 100; ++i) {
    const Vec3 at = dice.place() * 0.4;
    RC_ASSERT(little.inside(at) || !much.inside(at));
  }
}

RC_GTEST_PROP(StrataErosion, LeavesNoPlatesAlongCracks, ()) {
  Dice dice;
  const double half = dice.real(0.3, 1.5), depth = dice.real(2, 6);
  const Volume block = stroke(PrimitiveShape::box, {{0, 0, 0}}, 0.454 * 4, 4, 30);
  Primitive crack;
  crack.shape = PrimitiveShape::box;
  crack.skeleton = {{0, 0, 0}};
  crack.half = {half, 60, 60};
  crack.falloff = 3;
  crack.energy = -30;
  const Volume cracked = block.with_root(with_primitives(block.share(), {crack}, T));
  const Geology soft = even_rock(0);
  const Volume worn = strata_erosion(world, cracked, &soft, nullptr, of_depth(depth), quiet);
  const double wall = gap(cracked, {0, 0, 0}, {1, 0, 0});
  for (int i = 0; i < 40; ++i)
    RC_ASSERT(!worn.inside({wall + dice.real(0, 0.85) * depth, dice.real(-10, 10), dice.real(-10, 10)}));
  RC_ASSERT(worn.inside({wall + 1.1 * depth, 0, 0}));
}

RC_GTEST_PROP(StrataErosion, BordersOfLandAreNoCliffs, ()) {
  Dice dice;
  const Volume land(test::hills(), T);
  const Geology soft = even_rock(0);
  const double depth = dice.real(1, 10);
  const Volume worn = strata_erosion(world, land, &soft, nullptr, of_depth(depth), quiet);
  RC_ASSERT(worn.inside({dice.coin() ? -99.9 : 99.9, dice.real(-90, 90), -14 - 1.01 * depth}));
  RC_ASSERT(worn.inside({dice.real(-90, 90), dice.real(-90, 90), -79.9}));
}

RC_GTEST_PROP(StrataErosion, EqualsItsPlainTwin, ()) {
  Dice dice;
  const test::Grown in = test::any_volume(dice, 1);
  if (in.volume.root().sketch().sheet != nullptr) return;
  const double depth = dice.real(0.1, 14.9);
  const Geology rock = test::wavy_rock();
  const Volume worn = strata_erosion(world, in.volume, &rock, nullptr, of_depth(depth), quiet);
  const reference::Field twin = reference::exposed_erosion(
      in.field, [&](Vec3) { return 1.0; }, test::wavy_resistance, depth, T);
  int differ = 0, asked = 0;
  for (int i = 0; i < 60; ++i) {
    const Vec3 at = dice.place() * 0.7;
    const double wanted = twin(at), got = static_cast<double>(worn.value(at));
    ++asked;
    // Which air is met first does not matter.
    const bool air = wanted <= 0 && got <= 0 && in.field(at) > 0;
    if (!air && std::abs(got - wanted) > 1e-3 * (10 + std::abs(wanted))) ++differ;
  }
  // Where the field is level rounding chooses the way.
  RC_ASSERT(differ <= asked / 20);
}

}  // namespace tepui::strata_erosion_test

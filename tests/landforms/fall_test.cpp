#include "tepui/landforms/fall.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tepui/mesh/checks.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/primitive.h"
#include "tests/support/support.h"

namespace tepui::fall_test {

namespace {

const Context quiet;
constexpr double T = Volume::usual_threshold;
const Frame world = make_world({64, 64}, 17);

/// Level land at 0 m, with a floor 10 m below it.
Volume plain() {
  Grid<float> height(world.width, world.height);
  std::ranges::fill(height.cells(), 0.0f);
  return implicitize(Terrain(world, {0, 1}, std::move(height)), nullptr, nullptr, {.floor = metres(10)}, quiet);
}

/// Rock whose surface lies 0.454 falloff around a body.
Primitive body(PrimitiveShape shape, std::vector<Vec3> skeleton, double radius, double falloff = 1) {
  Primitive p;
  p.shape = shape;
  p.skeleton = std::move(skeleton);
  p.radius = p.end_radius = radius;
  p.half = {radius, radius, radius};
  p.falloff = falloff;
  p.energy = 2 * T;
  return p;
}

Volume with(const Volume& in, const std::vector<Primitive>& all) {
  return in.with_root(with_primitives(in.share(), all, T));
}

int64_t pieces_of(const Volume& volume, double cell) {
  PolygonizeParams p;
  p.cell = metres(cell);
  p.normals = false;
  return check_mesh(polygonize_volume(volume, p, quiet), quiet).components;
}

FallParams by(double cell, double thinnest = 0) {
  FallParams p;
  p.cell = metres(cell);
  p.thinnest = metres(thinnest);
  return p;
}

double uniform(double low, double high) { return low + (high - low) * (*rc::gen::inRange(0, 10001)) / 10000.0; }

/// What an operator tells of its work.
struct Told : ProgressSink {
  std::map<std::string, double> numbers;
  Volume out;

  void progress(int, std::string_view, double) override {}
  void warn(std::string_view) override {}
  void told(int, std::string_view name, double value, std::string_view) override { numbers[std::string(name)] = value; }
};
Told fallen(const Volume& in, const FallParams& params) {
  Told told;
  told.out = fall(world, in, params, Context(&told, nullptr));
  return told;
}

}  // namespace

RC_GTEST_PROP(Fall, LeavesOnePieceAndNothingElseChanges, ()) {
  const double cell = uniform(0.8, 2);
  std::vector<Primitive> balls;
  std::vector<Box3> loose;
  const int count = *rc::gen::inRange(0, 7);
  for (int i = 0; i < count; ++i) {
    const double radius = uniform(0.1, 4);
    const Vec3 at{uniform(8, 56), uniform(8, 56), uniform(-3, 20)};
    balls.push_back(body(PrimitiveShape::sphere, {at}, radius));
    loose.push_back(Box3{at, at}.grown(radius + 1 + 2 * cell));
  }
  const Volume in = with(plain(), balls), out = fall(world, in, by(cell), quiet);
  RC_ASSERT(pieces_of(out, cell) == 1);
  for (int i = 0; i < 60; ++i) {
    const Vec3 at{uniform(0, 64), uniform(0, 64), uniform(-10, 22)};
    bool near = false;
    for (const Box3& box : loose) near = near || box.holds(at);
    if (!near) RC_ASSERT(out.value(at) == in.value(at));
    RC_ASSERT(out.value(at) <= in.value(at));
  }
  // What falls once has fallen.
  RC_ASSERT(fall(world, out, by(cell), quiet).share() == out.share());
}

RC_GTEST_PROP(Fall, TakesAFlakeOfAPointAndKeepsWhatItHangsBeside, ()) {
  const double cell = 1;
  // A flake around a point of the lattice, a cell from a pillar that stands.
  const Volume in = with(plain(), {body(PrimitiveShape::segment, {{20, 20, -5}, {20, 20, 12}}, 0, 4),
                                   body(PrimitiveShape::sphere, {{24, 20, 8}}, 0.1)});
  const Told told = fallen(in, by(cell));
  RC_ASSERT(told.numbers.at("pieces") == 1);
  RC_ASSERT(told.numbers.at("fallen") == 1);
  RC_ASSERT(!told.out.inside({24, 20, 8}));
  for (int i = 0; i < 30; ++i) {
    const Vec3 at{20 + uniform(-3, 1.8), 20 + uniform(-3, 3), uniform(0, 14)};
    RC_ASSERT(told.out.value(at) == in.value(at));
  }
}

TEST(Fall, DropsThinPendantsAndKeepsNecksFinsAndRoofs) {
  // Two walls carry a roof. From it hang a thin cone and a thick one; a thin neck stands below it, and a thin post
  // joins the roof and the ground.
  const Volume in =
      with(plain(), {body(PrimitiveShape::box, {{16, 32, 0}}, 6), body(PrimitiveShape::box, {{48, 32, 0}}, 6),
                     [] {
                       Primitive roof = body(PrimitiveShape::box, {{32, 32, 8}}, 1);
                       roof.half = {20, 6, 3};
                       return roof;
                     }(),
                     body(PrimitiveShape::cylinder, {{28, 32, 5}, {28, 32, 1.5}}, 0.3),
                     body(PrimitiveShape::cylinder, {{34, 32, 5}, {34, 32, 1.5}}, 2),
                     body(PrimitiveShape::cylinder, {{32, 36, -2}, {32, 36, 3}}, 0.3),
                     body(PrimitiveShape::cylinder, {{38, 30, -2}, {38, 30, 6}}, 0.3)});
  const Told told = fallen(in, by(0.5, 2));
  EXPECT_EQ(told.numbers.at("pendants"), 1);
  EXPECT_EQ(told.numbers.at("pieces"), 0);
  EXPECT_FALSE(told.out.inside({28, 32, 3}));
  for (const Vec3 at : {Vec3{34, 32, 3}, Vec3{32, 36, 2}, Vec3{38, 30, 3}, Vec3{32, 32, 8}})
    EXPECT_TRUE(told.out.inside(at));
  EXPECT_TRUE(fall(world, in, by(0.5, 0), quiet).inside({28, 32, 3}));
  EXPECT_EQ(pieces_of(told.out, 0.5), 1);
}

TEST(Fall, KeepsTheLargestPiecesWhereThereIsNoLand) {
  const Volume none(empty_solid(T), T);
  const Volume in =
      with(none, {body(PrimitiveShape::sphere, {{0, 0, 0}}, 6), body(PrimitiveShape::sphere, {{30, 0, 9}}, 5),
                  body(PrimitiveShape::sphere, {{0, 30, 0}}, 2), body(PrimitiveShape::sphere, {{30, 30, 0}}, 1)});
  FallParams p = by(0.7);
  EXPECT_EQ(pieces_of(fall(world, in, p, quiet), 0.7), 1);
  p.pieces = 2;
  const Volume two = fall(world, in, p, quiet);
  EXPECT_EQ(pieces_of(two, 0.7), 2);
  EXPECT_TRUE(two.inside({0, 0, 0}) && two.inside({30, 0, 9}) && !two.inside({0, 30, 0}));
  p.pieces = 9;
  EXPECT_EQ(fall(world, in, p, quiet).share(), in.share());
  p.keep = FallKeep::grounded;
  EXPECT_NE(test::error_of([&] { fall(world, in, p, quiet); }).find("keep = largest"), std::string::npos);
}

TEST(Fall, NothingStaysNothing) {
  const Volume none;
  EXPECT_EQ(fall(world, none, {}, quiet).share(), none.share());
  EXPECT_EQ(fall(world, plain(), {}, quiet).hash(), plain().hash());
}

TEST(Fall, TellsWhereItDiffersAndItsSlopes) {
  const std::vector<Primitive> one{body(PrimitiveShape::sphere, {{20, 20, 12}}, 3)},
      two{one[0], body(PrimitiveShape::sphere, {{44, 44, 12}}, 2)};
  const Volume a = fall(world, with(plain(), one), by(1), quiet), b = fall(world, with(plain(), two), by(1), quiet);
  const Box3 box = a.root().difference_from(b.root());
  EXPECT_TRUE(a.root().difference_from(a.root()).empty());
  int differ = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 at{(i % 20) * 3.2, (i / 20 % 20) * 3.2, i / 400 * 2.0};
    EXPECT_TRUE(box.holds(at) || a.value(at) == b.value(at));
    differ += a.value(at) != with(plain(), one).value(at) ? 1 : 0;
    const FieldRange range = a.root().range({at, at + Vec3{1, 1, 1}});
    const float v = a.value(at + Vec3{0.4, 0.7, 0.2});
    EXPECT_TRUE(v >= range.low && v <= range.high);
  }
  EXPECT_GT(differ, 0);
  // Beside the ball, where the weight fades.
  const Vec3 at{24.3, 20.2, 12.1};
  const Vec3 slope = a.gradient(at);
  const double h = 1e-3;
  EXPECT_NEAR(slope.x, (a.value(at + Vec3{h, 0, 0}) - a.value(at - Vec3{h, 0, 0})) / (2 * h), 0.05);
  EXPECT_NEAR(slope.z, (a.value(at + Vec3{0, 0, h}) - a.value(at - Vec3{0, 0, h})) / (2 * h), 0.05);
}

TEST(Fall, HasTheSameBitsOnAnyNumberOfThreads) {
  std::vector<Primitive> balls;
  for (int i = 0; i < 40; ++i)
    balls.push_back(
        body(PrimitiveShape::sphere, {{3.0 + i * 37 % 60, 3.0 + i * 23 % 58, 2.0 + i % 11}}, 0.3 + i % 4 * 0.5));
  const Volume in = with(plain(), balls);
  test::expect_same_bits([&] { return fall(world, in, by(0.8, 2), quiet).hash(); });
}

}  // namespace tepui::fall_test

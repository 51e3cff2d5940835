#include "tepui/landforms/feature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tepui/core/random.h"
#include "tepui/landforms/hoodoos.h"
#include "tepui/landforms/sea_erosion.h"
#include "tepui/volume/implicitize.h"

namespace tepui::feature_test {

namespace {

const Frame world = make_world({96, 96}, 97);

/// A cliff from the sea up to 30 m, with a slope on it.
Volume cliff() {
  Grid<float> cells(world.width, world.height);
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) {
      const double t = std::clamp((world.x(x) - 36) / 24, 0.0, 1.0);
      cells(x, y) = static_cast<float>(-8 + 38 * t * t * (3 - 2 * t));
    }
  return implicitize(Terrain(world, {-10, 40}, std::move(cells)), nullptr, nullptr, {}, Context());
}

Volume stroke(const Volume& in, Vec3 at, double energy) {
  const FieldPoint point{at, 8, energy};
  return in.with_root(with_points(in.share(), {&point, 1}, in.threshold()));
}

using Generator = std::function<Volume(const Volume&, int seed)>;

Generator sea() {
  return [](const Volume& in, int seed) {
    SeaErosionParams params;
    params.depth = metres(3);
    params.passes = 2;
    params.seed.node = seed;
    return sea_erosion(world, in, nullptr, nullptr, nullptr, params, Context());
  };
}

Generator pillars() {
  return [](const Volume& in, int seed) {
    HoodoosParams params;
    params.plateau = 60;
    params.seed.node = seed;
    return hoodoos(world, in, nullptr, nullptr, nullptr, nullptr, nullptr, params, Context());
  };
}

}  // namespace

TEST(Feature, StrokesBeforeAndAfterAGeneratorSurviveAnotherSeed) {
  // A ball of rock high in the air before it, and a hollow deep below the ground after it.
  const Vec3 ball{20, 50, 60}, hollow{80, 50, 5};
  const double much = 4 * Volume::usual_threshold;
  for (const Generator& generator : {sea(), pillars()}) {
    Hash before{};
    for (const int seed : {1, 2}) {
      const Volume made = generator(stroke(cliff(), ball, much), seed);
      const Volume after = stroke(made, hollow, -much);
      EXPECT_TRUE(after.inside(ball));
      EXPECT_TRUE(made.inside(hollow));
      EXPECT_FALSE(after.inside(hollow));
      // The later stroke changes nothing beyond its own falloff, and undone it leaves the same bits.
      for (uint64_t i = 0; i < 300; ++i) {
        const Stream random(7);
        const Vec3 at{random.uniform(i, 0, 0, 96), random.uniform(i, 1, 0, 96), random.uniform(i, 2, -10, 70)};
        if (length(at - hollow) > 8) {
          ASSERT_EQ(after.value(at), made.value(at));
        }
      }
      EXPECT_NE(made.hash(), before);
      before = made.hash();
    }
  }
}

TEST(Feature, GeneratorsTakeEachOthersWorkInAnyOrder) {
  for (const bool sea_first : {true, false}) {
    const Volume one = sea_first ? sea()(cliff(), 1) : pillars()(cliff(), 1);
    const Volume both = sea_first ? pillars()(one, 1) : sea()(one, 1);
    ASSERT_EQ(both.made().size(), 2u);
    for (const Made& made : both.made()) EXPECT_GT(made.numbers.front().value, 0) << made.by;
  }
}

}  // namespace tepui::feature_test

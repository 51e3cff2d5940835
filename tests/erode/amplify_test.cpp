#include "tepui/erode/amplify.h"

#include <cmath>

#include "tepui/generate/noise.h"
#include "tepui/hydrology/breach.h"
#include "tepui/hydrology/pits.h"
#include "tepui/terrain/resample.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::amplify_test {
namespace {

Terrain coarse(int64_t resolution, uint64_t seed) {
  NoiseParams params;
  params.height = metres(500);
  params.seed.recipe = seed;
  return noise(make_world({6000, 4000}, resolution), params, Context());
}

AmplifyParams any_params() {
  AmplifyParams params;
  params.factor = *rc::gen::element(2, 4);
  params.strength = *rc::gen::element(0.1, 1.0);
  params.seed.recipe = *rc::gen::arbitrary<uint64_t>();
  return params;
}

RC_GTEST_PROP(Amplify, LiesOnTheSameRectangle, ()) {
  const Terrain land = coarse(*rc::gen::inRange<int64_t>(2, 40), 1);
  const AmplifyParams params = any_params();
  const Terrain out = amplify(land, nullptr, params, Context());
  RC_ASSERT(out.frame() == amplified_frame(land.frame(), params));
  RC_ASSERT(out.frame().width == (land.frame().width - 1) * params.factor + 1);
  RC_ASSERT(std::abs(out.frame().x(out.frame().width - 1) - land.frame().x(land.frame().width - 1)) < 1e-6);
}

RC_GTEST_PROP(Amplify, LeavesNoPits, ()) {
  const Terrain out = amplify(coarse(40, *rc::gen::inRange<uint64_t>(0, 99)), nullptr, any_params(), Context());
  RC_ASSERT(pits(out, {}, Context()).empty());
}

TEST(Amplify, KeepsTheBroadShapeAndAddsDetail) {
  const Terrain land = coarse(65, 3);
  AmplifyParams params;
  const Terrain out = amplify(land, nullptr, params, Context());
  // Means around the old samples, beside those of the land without its pits and without new detail.
  const Terrain plain = resample(breach(land, {}, Context()), &out, {}, Context());
  double square = 0, detail = 0;
  int64_t count = 0;
  for (int64_t y = 2; y < land.frame().height - 2; ++y)
    for (int64_t x = 2; x < land.frame().width - 2; ++x) {
      double sum = 0, weights = 0;
      for (int64_t j = -7; j <= 7; ++j)
        for (int64_t i = -7; i <= 7; ++i) {
          const double weight = (8.0 - std::abs(static_cast<double>(i))) * (8.0 - std::abs(static_cast<double>(j)));
          const double d = static_cast<double>(out.height()(4 * x + i, 4 * y + j)) -
                           static_cast<double>(plain.height()(4 * x + i, 4 * y + j));
          sum += weight * d, weights += weight;
          detail += weight / 4096 * std::abs(d);
        }
      square += sum / weights * (sum / weights), ++count;
    }
  EXPECT_LT(std::sqrt(square / static_cast<double>(count)), 0.01 * 500);
  EXPECT_GT(detail / static_cast<double>(count), 0.5);
}

TEST(Amplify, SameBitsForAnyThreadCountAndLevel) {
  const Terrain land = coarse(90, 4);
  test::expect_same_bits([&] { return amplify(land, nullptr, {}, Context()).hash(); });
}

TEST(Amplify, RefusesFactorsThatAreNoPowerOfTwo) {
  AmplifyParams params;
  params.factor = 3;
  EXPECT_CONTAINS(test::error_of([&] { amplify(coarse(20, 1), nullptr, params, Context()); }), "2, 4 or 8");
}

}  // namespace
}  // namespace tepui::amplify_test

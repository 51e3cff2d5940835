#include "tepui/geology/fold.h"

#include "tests/geology/any_rock.h"
#include "tests/support/beds.h"

namespace tepui::fold_test {

using namespace test;

namespace {

/// A change of resistance that one unit of noise makes is far above single precision's last bit.
double tolerance(const Frame& world, const FoldParams& p) {
  return 1e-5 * (1 + 10 * p.amplitude.in(world) / world.shorter_side());
}

double determinant(const Frame& world, const FoldParams& p, Vec3 at) {
  const double h = 1e-4 * p.wavelength.in(world);
  const auto slope = [&](Vec3 step) {
    return (reference::before_fold(world, p, at + step) - reference::before_fold(world, p, at - step)) * (0.5 / h);
  };
  return dot(slope({h, 0, 0}), cross(slope({0, h, 0}), slope({0, 0, h})));
}

}  // namespace

RC_GTEST_PROP(Fold, EqualsItsPlainTwin, ()) {
  const Frame world = any_world();
  const FoldParams p = any_fold(world);
  const Twins in = any_ramp(world);
  const Geology rock = fold(world, in.rock, p, quiet);
  const auto plain = reference::fold(world, in.plain, p);
  for (int i = 0; i < 10; ++i) {
    const Vec3 at = any_point(world);
    RC_ASSERT(std::abs(static_cast<double>(raw(rock, at)) - plain(at)) < tolerance(world, p));
  }
}

/// Rock is never turned inside out, not even at the largest amplitude.
RC_GTEST_PROP(Fold, JacobianIsPositive, ()) {
  const Frame world = any_world();
  FoldParams p = any_fold(world);
  p.by = FoldBy::noise;
  p.amplitude = metres(0.9999 * largest_fold(world, p));
  for (int i = 0; i < 30; ++i) RC_ASSERT(determinant(world, p, any_point(world)) > 0);
}

/// One step p + delta(p) can be undone by p = q - delta(p), again and again, since delta is a contraction.
RC_GTEST_PROP(Fold, CanBeUndone, ()) {
  const Frame world = any_world();
  FoldParams p = any_fold(world);
  p.by = FoldBy::noise;
  p.steps = 1;
  p.amplitude = metres(0.9999 * largest_fold(world, p));
  const Vec3 from = any_point(world), to = reference::before_fold(world, p, from);
  Vec3 back = to;
  for (int i = 0; i < 400; ++i) back = to - (reference::before_fold(world, p, back) - back);
  RC_ASSERT(length(back - from) < 1e-6 * p.wavelength.in(world));
}

/// Not only by chance: any two points move closer to each other by less than they are apart.
RC_GTEST_PROP(Fold, AStepIsAContraction, ()) {
  const Frame world = any_world();
  FoldParams p = any_fold(world);
  p.by = FoldBy::noise;
  p.steps = 1;
  p.amplitude = metres(0.9999 * largest_fold(world, p));
  for (int i = 0; i < 20; ++i) {
    const Vec3 a = any_point(world);
    const Vec3 b = a + Vec3{*rc::gen::inRange(-99, 99) / 300.0, *rc::gen::inRange(-99, 99) / 300.0,
                            *rc::gen::inRange(-99, 99) / 300.0 + 1e-3} *
                           p.wavelength.in(world);
    const Vec3 moved_a = reference::before_fold(world, p, a) - a, moved_b = reference::before_fold(world, p, b) - b;
    RC_ASSERT(length(moved_a - moved_b) < length(a - b));
  }
}

RC_GTEST_PROP(Fold, WavesKeepVolume, ()) {
  const Frame world = any_world();
  FoldParams p = any_fold(world);
  p.by = FoldBy::waves;
  p.amplitude = any_length(0, 500);
  RC_ASSERT(std::abs(determinant(world, p, any_point(world)) - 1) < 1e-3);
}

TEST(Fold, WavesArchOverTheirPlace) {
  const Frame world = make_world({1000, 1000}, 11);
  FoldParams p;
  p.by = FoldBy::waves;
  p.amplitude = metres(60);
  p.wavelength = metres(400);
  p.x = metres(100);
  const Geology rock = fold(world, sample_rock(), p, quiet);
  // Sandstone over shale at 50 m is lifted by 60 m on the crest and sunk as far in the trough.
  for (const double y : {0.0, 777.0}) {
    EXPECT_EQ(rock.resistance({600, y, 109}), 0.2f);
    EXPECT_EQ(rock.resistance({600, y, 111}), 0.6f);
    EXPECT_EQ(rock.resistance({400, y, -11}), 0.2f);
    EXPECT_EQ(rock.resistance({400, y, -9}), 0.6f);
    EXPECT_EQ(rock.resistance({800, y, -9}), 0.6f);
  }
}

RC_GTEST_PROP(Fold, WithoutAmplitudeIsTheSameRock, ()) {
  const Frame world = any_world();
  FoldParams p = any_fold(world);
  p.amplitude = metres(0);
  const Geology in = any_rock(world, 1);
  const Vec3 at = any_point(world);
  RC_ASSERT(raw(fold(world, in, p, quiet), at) == raw(in, at));
}

RC_GTEST_PROP(Fold, RefusesWhatWouldTurnRockInsideOutAndSaysWhatWouldNot, ()) {
  const Frame world = any_world();
  FoldParams p = any_fold(world);
  p.by = FoldBy::noise;
  const double factor = *rc::gen::element(1.0, 1.5, 3.0);
  p.amplitude = metres(factor * largest_fold(world, p));
  const std::string error = error_of([&] { fold(world, Geology(), p, quiet); });
  RC_ASSERT(error.find("over itself") != std::string::npos);
  const size_t at = error.find("or steps = ");
  RC_ASSERT(at != std::string::npos);
  p.steps = std::stoi(error.substr(at + 11));
  fold(world, Geology(), p, quiet);
}

TEST(Fold, ChannelsKnowNothingOfEachOther) {
  const Frame world = make_world({1000, 1000}, 11);
  const auto specs = fold_noise(world, {});
  std::vector<double> x, y, z;
  for (int i = 0; i < 4000; ++i) {
    x.push_back(i * 173.3);
    y.push_back(i * 97.1);
    z.push_back(i * 211.7);
  }
  std::array<std::vector<float>, 3> n;
  for (size_t k = 0; k < 3; ++k) {
    n[k].resize(x.size());
    Noise(specs[k]).points(x, y, z, n[k]);
  }
  for (size_t k = 0; k < 3; ++k) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const auto a = static_cast<double>(n[k][i]), b = static_cast<double>(n[(k + 1) % 3][i]);
      ab += a * b, aa += a * a, bb += b * b;
    }
    EXPECT_LT(std::abs(ab / std::sqrt(aa * bb)), 0.06);
  }
}

TEST(Fold, EveryNumberEntersTheHash) {
  const Frame world = make_world({1000, 1000}, 11);
  using P = FoldParams;
  Geology in = sample_rock();
  expect_hashes_differ<P>(
      {}, [&](const P& p) { return fold(world, in, p, quiet); },
      {[](P& p) { p.amplitude = metres(3); }, [](P& p) { p.wavelength = metres(900); }, [](P& p) { p.octaves = 2; },
       [](P& p) { p.steps = 5; }, [](P& p) { p.seed.node = 4; }, [](P& p) { p.by = FoldBy::waves; },
       [](P& p) { p.by = FoldBy::waves, p.direction = {3}; }, [](P& p) { p.by = FoldBy::waves, p.x = metres(3); },
       [](P& p) { p.by = FoldBy::waves, p.y = metres(3); }, [](P& p) { p.by = FoldBy::waves, p.amplitude = metres(3); },
       [](P& p) { p.by = FoldBy::waves, p.wavelength = metres(3); }, [&](P&) { in = Geology(); }});
}

TEST(Fold, RefusesWhatIsNoNumber) {
  FoldParams p;
  p.amplitude = metres(std::nan(""));
  EXPECT_NE(error_of([&] {
              fold(make_world({100, 100}, 3), Geology(), p, quiet);
            }).find("amplitude"),
            std::string::npos);
}

}  // namespace tepui::fold_test

#include "tepui/generate/particle_deposition.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "reference/particle_deposition.h"
#include "tepui/core/error.h"
#include "tepui/generate/particle_pile.h"
#include "tests/support/support.h"

namespace tepui::particle_deposition_test {

namespace {

const Context quiet;

Frame any_world() {
  const double w = *rc::gen::element(1.0, 100.0, 777.7), h = *rc::gen::element(1.0, 100.0, 250.5);
  return make_world({w, h}, *rc::gen::inRange<int64_t>(1, 60), {*rc::gen::element(0.0, -512.25, 4e6), 17.0});
}

/// Every start, none to many particles, a lattice of one node to thousands.
ParticleDepositionParams any_params(const Frame& world) {
  ParticleDepositionParams p;
  p.particles = *rc::gen::element(0, 1, 2, 30, 1000, 6000);
  p.start = *rc::gen::element(DepositionStart::walk, DepositionStart::point, DepositionStart::disc,
                              DepositionStart::ridge, DepositionStart::everywhere);
  p.spread = *rc::gen::element(percent(0), percent(20), percent(45), percent(1000));
  p.stickiness = *rc::gen::element(0.0, 0.03, 0.5, 1.0);
  p.grain = metres(world.longer_side() / *rc::gen::element(0.5, 1.0, 7.0, 33.3, 64.0));
  p.seed.node = *rc::gen::inRange<int64_t>(0, 1000);
  return p;
}

int64_t total(const Grid<int32_t>& counts) {
  return std::accumulate(counts.cells().begin(), counts.cells().end(), int64_t{0});
}

int32_t largest_step(const Grid<int32_t>& counts) {
  int32_t step = 0;
  for (int64_t y = 0; y < counts.height(); ++y)
    for (int64_t x = 0; x < counts.width(); ++x)
      for (int n = 4; n < 8; ++n) {
        const int64_t i = x + neighbour_x[n], j = y + neighbour_y[n];
        if (i >= 0 && i < counts.width() && j < counts.height())
          step = std::max(step, std::abs(counts(i, j) - counts(x, y)));
      }
  return step;
}

class Messages : public ProgressSink {
 public:
  void progress(int, std::string_view, double fraction) override {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    ++reports;
  }
  void warn(std::string_view message) override { warning = message; }
  std::atomic<int> reports = 0;
  std::string warning;
};

}  // namespace

RC_GTEST_PROP(ParticleDeposition, PilesEqualThePlainTwins, ()) {
  const Frame world = any_world();
  const ParticleDepositionParams p = any_params(world);
  const Grid<int32_t> fast = pile_particles(world, p, quiet), plain = reference::pile_particles(world, p);
  RC_ASSERT(fast.width() == plain.width() && fast.height() == plain.height());
  RC_ASSERT(std::ranges::equal(fast.cells(), plain.cells()));
}

RC_GTEST_PROP(ParticleDeposition, LandEqualsItsPlainTwin, ()) {
  const Frame world = any_world();
  const ParticleDepositionParams p = any_params(world);
  const Terrain fast = particle_deposition(world, p, quiet), plain = reference::particle_deposition(world, p);
  RC_ASSERT(fast.relief() == (Relief{0, p.height.in(world)}));
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= 1e-5 * fast.relief().top);
}

RC_GTEST_PROP(ParticleDeposition, EveryParticleLiesSomewhere, ()) {
  const Frame world = any_world();
  const ParticleDepositionParams p = any_params(world);
  RC_ASSERT(total(pile_particles(world, p, quiet)) == p.particles);
}

RC_GTEST_PROP(ParticleDeposition, NeighboursDifferByOneAtMostWithoutStickiness, ()) {
  const Frame world = any_world();
  ParticleDepositionParams p = any_params(world);
  p.stickiness = 0;
  RC_ASSERT(largest_step(pile_particles(world, p, quiet)) <= 1);
}

RC_GTEST_PROP(ParticleDeposition, NoNodeTowersOverAllItsNeighbours, ()) {
  const Frame world = any_world();
  const ParticleDepositionParams p = any_params(world);
  const Grid<int32_t> counts = pile_particles(world, p, quiet);
  RC_PRE(counts.size() > 1);
  for (int64_t y = 0; y < counts.height(); ++y)
    for (int64_t x = 0; x < counts.width(); ++x) {
      int32_t highest = 0;
      for (int n = 0; n < 8; ++n) {
        const int64_t i = x + neighbour_x[n], j = y + neighbour_y[n];
        if (i >= 0 && i < counts.width() && j >= 0 && j < counts.height()) highest = std::max(highest, counts(i, j));
      }
      RC_ASSERT(counts(x, y) <= highest + steep);
    }
}

TEST(ParticleDeposition, StickyParticlesLieNearWhereTheyAreDropped) {
  const Frame world = make_world({100, 100}, 11);
  ParticleDepositionParams p;
  p.particles = 4000;
  p.grain = metres(2);
  p.start = DepositionStart::point;
  int32_t top = 0;
  for (const double stickiness : {0.0, 0.05, 0.5}) {
    p.stickiness = stickiness;
    const Grid<int32_t> counts = pile_particles(world, p, quiet);
    EXPECT_GT(counts(25, 25), top);
    EXPECT_EQ(largest_step(counts) > 1, stickiness > 0);
    top = counts(25, 25);
  }
  p.particles = steep;
  p.stickiness = 1;
  EXPECT_EQ(pile_particles(world, p, quiet)(25, 25), steep);
}

TEST(ParticleDeposition, StartsDropWhereTheySay) {
  const Frame world = make_world({400, 200}, 41);
  ParticleDepositionParams p;
  p.particles = 20000;
  p.grain = metres(1);
  p.spread = metres(60);
  for (const DepositionStart start :
       {DepositionStart::walk, DepositionStart::disc, DepositionStart::ridge, DepositionStart::everywhere}) {
    p.start = start;
    ParticleDrops drops(world, p, quiet);
    int64_t west = 400, east = 0, south = 200, north = 0;
    double sum = 0;
    for (int64_t i = 0; i < p.particles; ++i) {
      const auto [x, y] = drops.drop(i);
      ASSERT_TRUE(x >= 0 && x <= 400 && y >= 0 && y <= 200);
      west = std::min(west, x);
      east = std::max(east, x);
      south = std::min(south, y);
      north = std::max(north, y);
      sum += static_cast<double>(x);
      if (start == DepositionStart::disc) {
        ASSERT_LE(std::hypot(x - 200, y - 100), 61);
      }
    }
    const bool all = start == DepositionStart::everywhere;
    EXPECT_NEAR(static_cast<double>(west), all ? 0 : 140, 2);
    EXPECT_NEAR(static_cast<double>(east), all ? 400 : 260, 2);
    const double across = all ? 100 : start == DepositionStart::ridge ? 24 : 60;
    EXPECT_NEAR(static_cast<double>(south), 100 - across, 2);
    EXPECT_NEAR(static_cast<double>(north), 100 + across, 2);
    if (start != DepositionStart::walk) {
      EXPECT_NEAR(sum / static_cast<double>(p.particles), 200, 3);
    }
  }
}

TEST(ParticleDeposition, AWalkIsTheSameForAnyNumberOfParticles) {
  const Frame world = make_world({200, 200}, 41);
  ParticleDepositionParams few, many;
  few.particles = 1000;
  many.particles = 4000;
  few.grain = many.grain = metres(2);
  ParticleDrops a(world, few, quiet), b(world, many, quiet);
  for (int64_t i = 0; i < 1000; ++i) {
    const auto p = a.drop(i), q = b.drop(4 * i);
    EXPECT_TRUE(p.x == q.x && p.y == q.y) << i;
  }
}

RC_GTEST_PROP(ParticleDeposition, AnyResolutionAndCropShowTheSameLand, ()) {
  const Frame coarse = any_world();
  RC_PRE(coarse.width * coarse.height > 1);
  const ParticleDepositionParams p = any_params(coarse);
  const Frame fine = make_world(coarse.size, 2 * (std::max(coarse.width, coarse.height) - 1) + 1, coarse.origin);
  const Terrain land = particle_deposition(fine, p, quiet), preview = particle_deposition(coarse, p, quiet);
  for (int64_t y = 0; y < coarse.height; ++y)
    for (int64_t x = 0; x < coarse.width; ++x) RC_ASSERT(preview.height()(x, y) == land.height()(2 * x, 2 * y));
  const auto x0 = *rc::gen::inRange<int64_t>(0, fine.width), y0 = *rc::gen::inRange<int64_t>(0, fine.height);
  const Terrain crop = particle_deposition(fine.window(x0, y0, fine.width - x0, fine.height - y0), p, quiet);
  for (int64_t y = y0; y < fine.height; ++y)
    for (int64_t x = x0; x < fine.width; ++x) RC_ASSERT(crop.height()(x - x0, y - y0) == land.height()(x, y));
}

TEST(ParticleDeposition, SamplingKeepsTheVolume) {
  // A pile that does not reach the border, sampled at the nodes: the spline's weights add up to 1.
  const Frame world = make_world({100, 100}, 101);
  ParticleDepositionParams p;
  p.particles = 20000;
  p.grain = metres(1);
  p.start = DepositionStart::point;
  p.stickiness = 0;
  const Terrain land = particle_deposition(world, p, quiet);
  const Grid<int32_t> counts = pile_particles(world, p, quiet);
  const auto z = land.height().cells();
  // Its top, smoothed, is `height`.
  double top = 0;
  for (int64_t j = -1; j <= 1; ++j)
    for (int64_t i = -1; i <= 1; ++i) top += counts(50 + i, 50 + j) * (i == 0 ? 4 : 1) * (j == 0 ? 4 : 1) / 36.0;
  const double grain_height = 20 / top;
  EXPECT_NEAR(std::accumulate(z.begin(), z.end(), 0.0) / grain_height, 20000, 400);
}

TEST(ParticleDeposition, SameBitsOnAnyMachine) {
  const Frame world = make_world({300, 170}, 157);
  ParticleDepositionParams p;
  p.particles = 20000;
  p.grain = metres(3);
  test::expect_same_bits([&] { return particle_deposition(world, p, quiet).hash(); });
}

TEST(ParticleDeposition, NoParticlesAreFlatLand) {
  ParticleDepositionParams p;
  p.particles = 0;
  const Terrain land = particle_deposition(make_world({100, 60}, 33), p, quiet);
  for (const float z : land.height().cells()) EXPECT_EQ(z, 0);
  EXPECT_EQ(land.relief(), (Relief{0, 12}));
}

TEST(ParticleDeposition, RefusesGrainsTooFine) {
  ParticleDepositionParams p;
  for (const double grain : {1e-6, 0.0}) {
    p.grain = metres(grain);
    EXPECT_NE(test::error_of([&] {
                particle_deposition(make_world({1000, 1000}, 9), p, quiet);
              }).find("at least"),
              std::string::npos);
  }
}

TEST(ParticleDeposition, TheGrainAdvisedIsTheFinestThereIs) {
  for (const double height : {0.001, 0.0123, 1.0, 37.7, 1000.0, 5e6}) {
    const Frame world = make_world({1000, height}, 9);
    ParticleDepositionParams p;
    p.grain = metres(1e-6);
    const std::string error = test::error_of([&] { grain_lattice(world, p); }), advice = "use at least ";
    const size_t at = error.find(advice);
    ASSERT_NE(at, std::string::npos) << error;
    const double grain = std::stod(error.substr(at + advice.size()));
    p.grain = metres(grain);
    EXPECT_NO_THROW(grain_lattice(world, p)) << error;
    p.grain = metres(0.99 * grain);
    test::error_of([&] { grain_lattice(world, p); });
  }
}

TEST(ParticleDeposition, ABillionParticlesStopSoon) {
  ParticleDepositionParams p;
  p.particles = 1'000'000'000;
  p.stickiness = 0;
  Messages messages;
  CancelFlag cancel = false;
  std::jthread user([&] {
    for (int wait = 0; wait < 100'000 && messages.reports == 0; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    cancel = true;
  });
  try {
    particle_deposition(make_world({1000, 1000}, 65), p, Context(&messages, &cancel));
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_GT(messages.reports, 0);
}

TEST(ParticleDeposition, ALongWalkBetweenTwoParticlesStopsSoon) {
  ParticleDepositionParams p;
  p.particles = 2;
  p.grain = metres(0.13);
  CancelFlag cancel = false;
  ParticleDrops drops(make_world({1000, 1000}, 65), p, Context(nullptr, &cancel));
  drops.drop(0);
  cancel = true;
  try {
    drops.drop(1);
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace tepui::particle_deposition_test

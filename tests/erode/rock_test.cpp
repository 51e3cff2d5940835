#include "tepui/erode/gradation.h"
#include "tepui/erode/weathering.h"
#include "tepui/geology/strata.h"
#include "tests/geology/any_rock.h"

namespace tepui::rock_test {

using namespace test;

/// Whatever the rock is made of, what resists more is worn less.
RC_GTEST_PROP(RockOfAnyKind, GradationLowersItByItsSoftness, ()) {
  const Terrain land = sample_land(*rc::gen::inRange<int64_t>(1, 30), *rc::gen::inRange<int64_t>(1, 30), 5);
  const Geology rock = any_rock(land.frame(), 3);
  const Terrain worn = gradation(land, &rock, {0.5, true}, quiet);
  const Grid<float> rho = surface_resistance(rock, land, quiet);
  for (int64_t i = 0; i < rho.size(); ++i) {
    const double drop = 0.5 * land.relief().span() * (1 - static_cast<double>(rho.data()[i]));
    RC_ASSERT(std::abs(static_cast<double>(land.height().data()[i]) - drop -
                       static_cast<double>(worn.height().data()[i])) < 1e-3);
  }
}

TEST(RockOfAnyKind, WeatheringWearsFoldedFaultedAndTurbulentRock) {
  const Terrain land = sample_land(40, 40, 5, 4, {0, 60});
  const Frame& world = land.frame();
  const Geology beds = strata(world, {}, quiet);
  const std::vector<Geology> rocks{fold(world, beds, {}, quiet), fault(world, beds, nullptr, {}, quiet),
                                   turbulence(world, {}, quiet), taper(world, rock_planes(world, {}, quiet), {}, quiet),
                                   rock_body(world, &beds, nullptr, {}, quiet)};
  WeatheringParams p;
  p.steps = 300;
  std::vector<Hash> ends;
  for (const Geology& rock : rocks) {
    const Terrain worn = weathering(land, &rock, p, quiet);
    double before = 0, after = 0;
    for (int64_t i = 0; i < land.height().size(); ++i) {
      before += static_cast<double>(land.height().data()[i]);
      after += static_cast<double>(worn.height().data()[i]);
    }
    EXPECT_NEAR(before, after, 1e-3 * before);
    EXPECT_NE(worn.hash(), land.hash());
    for (const Hash& end : ends) EXPECT_NE(worn.hash(), end);
    ends.push_back(worn.hash());
  }
}

/// Rock that never wears keeps its walls.
TEST(RockOfAnyKind, AHardBodyKeepsItsWalls) {
  const Terrain land = sample_land(40, 40, 5, 4, {0, 60});
  const Frame& world = land.frame();
  RockBodyParams body;
  body.points = {{metres(0), metres(0), metres(30)}};
  body.radius = percent(10000);
  body.resistance = 10;
  const Geology hard = rock_body(world, nullptr, nullptr, body, quiet);
  const Terrain kept = gradation(land, &hard, {0.5, true}, quiet);
  EXPECT_TRUE(same_cells(kept.height(), land.height()));
}

}  // namespace tepui::rock_test

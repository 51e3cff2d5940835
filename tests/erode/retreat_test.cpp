// How fast walls wear back: what caprock does, and that cells of any size tell the same story.
#include <cmath>

#include "tepui/erode/weathering.h"
#include "tepui/erode/weathering_rule.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/generate/noise.h"
#include "tepui/generate/shape.h"
#include "tests/support/support.h"

namespace tepui::retreat_test {

namespace {

const Context quiet;

/// One rock below a level and another above it.
class TwoBeds : public Rock {
 public:
  TwoBeds(float lower, float upper, double level) : lower_(lower), upper_(upper), level_(level) {}
  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i) rho[i] = at.z[i] < level_ ? lower_ : upper_;
  }
  void hash(Hasher& hasher) const override { hasher.add("two beds").add(level_); }
  size_t bytes() const override { return sizeof *this; }

 private:
  float lower_, upper_;
  double level_;
};

/// Weak between two levels, and hard.
class ThinBed : public Rock {
 public:
  ThinBed(double bottom, double top) : bottom_(bottom), top_(top) {}
  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i) rho[i] = at.z[i] >= bottom_ && at.z[i] < top_ ? 0.1f : 0.95f;
  }
  void hash(Hasher& hasher) const override { hasher.add("thin bed").add(bottom_).add(top_); }
  size_t bytes() const override { return sizeof *this; }

 private:
  double bottom_, top_;
};

constexpr float soft = 0.2f, hard = 0.95f;
constexpr double cliff_height = 30, cap_level = 24;

Geology rock_of(float lower, float upper) { return Geology(std::make_shared<const TwoBeds>(lower, upper, cap_level)); }

Terrain cliff() {
  ShapeParams p;
  p.kind = ShapeKind::cliff;
  p.height = metres(cliff_height);
  return shape(make_world({79, 47}, 80), p, quiet);
}

WeatheringParams cliff_params(WeatheringMode mode = WeatheringMode::block) {
  WeatheringParams p;
  p.mode = mode;
  p.reach = metres(2);
  p.retreat = metres(6);
  return p;
}

int64_t count_above(const Grid<float>& heights, double level) {
  return std::ranges::count_if(heights.cells(), [&](float z) { return static_cast<double>(z) > level; });
}

/// Square metres that stood above the level, and of which the rock does not any more.
double area_lost(const Terrain& before, const Terrain& after, double level) {
  const Vec2 cell = before.frame().cell;
  const int64_t lost = count_above(before.height(), level) - count_above(after.layer("bedrock").grid(), level);
  return static_cast<double>(lost) * cell.x * cell.y;
}

/// How far the rim of the cliff has worn back, in the mean.
double rim_retreat(const Terrain& land, const Geology* rock, const WeatheringParams& params) {
  return area_lost(land, weathering(land, rock, params, quiet), 29) / 48;
}

/// Cubic metres of rock that became debris.
double shed(const Terrain& worn) {
  double sum = 0;
  for (const float w : worn.layer("wear").grid().cells()) sum += static_cast<double>(w);
  return sum * worn.frame().cell.x * worn.frame().cell.y;
}

Frame square_world(double side, double cell) {
  return make_world({side, side}, static_cast<int64_t>(std::floor(side / cell + 0.5)) + 1);
}

/// A block with vertical walls.
Terrain box(double cell) {
  ShapeParams p;
  p.height = metres(20);
  return shape(square_world(128, cell), p, quiet);
}

/// A round table whose walls lean: they are 8 m wide.
Terrain leaning(double cell) {
  const Terrain land = noise(square_world(256, cell), {}, quiet);
  Grid<float> z(land.frame().width, land.frame().height);
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      const double from_middle = std::hypot(static_cast<double>(x) * cell - 128, static_cast<double>(y) * cell - 128);
      z(x, y) = static_cast<float>(40 * std::clamp(0.5 - (from_middle - 80) / 8, 0.0, 1.0));
    }
  return land.with_height(std::move(z));
}

/// A rough plateau with walls of any outline.
Terrain plateau(double cell) {
  const Terrain land = noise(square_world(128, cell), NoiseParams{.seed = {3, 1}}, quiet);
  Grid<float> z(land.frame().width, land.frame().height);
  for (int64_t i = 0; i < z.size(); ++i) {
    const double share = (static_cast<double>(land.height().data()[i]) - land.relief().base) / land.relief().span();
    z.data()[i] = static_cast<float>((share > 0.5 ? 30 : 0) + 4 * share);
  }
  return land.with_height(std::move(z));
}

/// Land without walls, rough at all sizes.
Terrain rough(double cell) {
  CircularFaultsParams p;
  p.faults = 300;
  return circular_faults(square_world(192, cell), p, quiet);
}

void expect_near(double value, double expected, double within, const char* what, double cell) {
  EXPECT_NEAR(value, expected, within * expected) << what << " at " << cell << " m";
}

/// Square metres of a wall's upper quarter, as if all of it were as high as `top`; a number without steps.
double upper_area(const Terrain& land, const Grid<float>& rock, double top) {
  double sum = 0;
  for (const float h : rock.cells()) sum += std::clamp(4 * (static_cast<double>(h) / top - 0.75), 0.0, 1.0);
  return sum * land.frame().cell.x * land.frame().cell.y;
}

/// The shed volume and how far the walls' upper quarter has worn back at 4 and 2 m are within a tenth of those at 1 m,
/// over three seeds.
void expect_ages_alike(Terrain (*make)(double), double top, WeatheringParams p, const Geology* rock = nullptr) {
  p.retreat = metres(8);
  double volume_at_1 = 0, back_at_1 = 0;
  for (const double cell : {1.0, 2.0, 4.0}) {
    const Terrain land = make(cell);
    const double area = upper_area(land, land.height(), top);
    double volume = 0, back = 0;
    for (p.seed.node = 0; p.seed.node < 3; ++p.seed.node) {
      const Terrain worn = weathering(land, rock, p, quiet);
      volume += shed(worn);
      // A sample stands for a whole cell, so that coarse land is a little larger: hence not the area itself.
      back += (area - upper_area(land, worn.layer("bedrock").grid(), top)) / std::sqrt(area);
    }
    if (cell == 1.0) {
      volume_at_1 = volume;
      back_at_1 = back;
      EXPECT_GT(volume, 0);
      EXPECT_GT(back, 0);
    }
    expect_near(volume, volume_at_1, 0.1, "volume", cell);
    expect_near(back, back_at_1, 0.1, "distance", cell);
  }
}

WeatheringParams reach_of(double reach, Angle talus, WeatheringMode mode = WeatheringMode::block) {
  WeatheringParams p;
  p.mode = mode;
  p.reach = metres(reach);
  p.talus = talus;
  return p;
}

}  // namespace

TEST(Retreat, BareEvenRockWearsBackAsFarAsAskedFor) {
  const Terrain land = cliff();
  for (const double retreat : {4.0, 8.0}) {
    WeatheringParams p = cliff_params();
    p.retreat = metres(retreat);
    p.talus = {0};
    EXPECT_NEAR(rim_retreat(land, nullptr, p), retreat, 0.2 * retreat);
  }
}

TEST(Retreat, CaprockGoesAtThePaceOfTheSoftRockUnderIt) {
  const Terrain land = cliff();
  const Geology all_soft = rock_of(soft, soft), all_hard = rock_of(hard, hard), capped = rock_of(soft, hard);
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth}) {
    const WeatheringParams p = cliff_params(mode);
    const double of_soft = rim_retreat(land, &all_soft, p), of_cap = rim_retreat(land, &capped, p);
    EXPECT_GT(of_soft, 3);
    EXPECT_NEAR(of_cap, of_soft, 0.25 * of_soft);
    EXPECT_LE(rim_retreat(land, &all_hard, p), of_soft / 3);
  }
}

TEST(Retreat, ALedgeOnAThinWeakBedDoesNotHideIt) {
  const Terrain land = cliff();
  const Geology all_weak = rock_of(0.1f, 0.1f), thin(std::make_shared<const ThinBed>(11, 15));
  WeatheringParams p = cliff_params();
  p.reach = metres(5);
  p.retreat = metres(8);
  const double of_all_weak = rim_retreat(land, &all_weak, p), of_thin = rim_retreat(land, &thin, p);
  EXPECT_GE(of_thin, 0.95 * of_all_weak);
  EXPECT_LE(of_thin, 1.25 * of_all_weak);
}

TEST(Retreat, SoftRockThatIsBuriedDoesNotBringItsCapDown) {
  const Terrain land = cliff();
  const Geology all_soft = rock_of(soft, soft), capped = rock_of(soft, hard);
  // Debris up to the cap's floor, level, so that none of it moves.
  Grid<float> height = land.height().clone(), sediment(height.width(), height.height(), 0.0f);
  for (int64_t i = 0; i < height.size(); ++i)
    if (height.data()[i] == 0) height.data()[i] = sediment.data()[i] = static_cast<float>(cap_level);
  const Terrain buried =
      land.with_height(std::move(height)).with(make_layer("sediment", "m", LayerKind::continuous, std::move(sediment)));
  WeatheringParams p = cliff_params();
  // A wall of 6 m in a land of 30 m falls rarely.
  p.chance = 1;
  p.steps = 30;
  const double with_cap = shed(weathering(buried, &capped, p, quiet));
  const double of_soft = shed(weathering(buried, &all_soft, p, quiet));
  EXPECT_GT(of_soft, 100);
  EXPECT_LE(with_cap, of_soft / 4);
}

TEST(Retreat, HarderRockBelowTheSoftBedStays) {
  const Terrain land = cliff();
  const Geology soft_top = rock_of(hard, soft);
  const Terrain worn = weathering(land, &soft_top, cliff_params(), quiet);
  // The soft top is stripped from a bench of hard rock.
  EXPECT_GT(area_lost(land, worn, 25), 3 * area_lost(land, worn, 20));
}

TEST(Retreat, HardnessSlowsLikeRock) {
  const Terrain land = cliff();
  const Geology all_hard = rock_of(hard, hard);
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth}) {
    const WeatheringParams p = cliff_params(mode);
    const auto with_hardness = [&](float value) {
      return land.with(make_layer("hardness", "", LayerKind::continuous, Grid<float>(80, 48, value)));
    };
    const Terrain layered = weathering(with_hardness(hard), nullptr, p, quiet);
    EXPECT_TRUE(test::same_cells(layered.height(), weathering(land, &all_hard, p, quiet).height()));
    EXPECT_TRUE(test::same_cells(weathering(with_hardness(0), nullptr, p, quiet).height(),
                                 weathering(land, nullptr, p, quiet).height()));
    EXPECT_LT(shed(layered), shed(weathering(with_hardness(soft), nullptr, p, quiet)) / 2);
  }
}

TEST(Retreat, StepsGrowWithTheDistance) {
  const Frame frame = square_world(100, 1);
  const WeatheringParams p;
  EXPECT_EQ(weathering_steps(p, 0, frame), 0);
  int64_t last = 0;
  for (const double retreat : {0.5, 1.0, 5.0, 20.0}) {
    const int64_t steps = weathering_steps(p, retreat, frame);
    EXPECT_GT(steps, last);
    last = steps;
  }
}

TEST(Resolution, BoxesAgeAlikeAtFourTwoAndOneMetre) {
  expect_ages_alike(box, 20, reach_of(4, {0}));
  expect_ages_alike(box, 20, reach_of(4, {30}));
}

TEST(Resolution, RoughLandAgesAlikeWhateverPartOfACellTheReachIs) {
  const auto shed_at = [](double cell, double reach, WeatheringMode mode) {
    WeatheringParams p;
    p.mode = mode;
    p.reach = metres(reach);
    p.retreat = metres(6);
    return shed(weathering(rough(cell), nullptr, p, quiet));
  };
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth})
    for (const double reach : {1.5, 2.5, 4.75}) {
      const double fine = shed_at(1, reach, mode);
      EXPECT_GT(fine, 0);
      for (const double cell : {2.0, 4.0}) expect_near(shed_at(cell, reach, mode), fine, 0.1, "volume", cell);
    }
}

TEST(Resolution, BoxesAgeAlikeWhateverPartOfACellTheReachIs) {
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth})
    for (const double reach : {1.5, 2.5, 3.25, 4.5, 6.25}) expect_ages_alike(box, 20, reach_of(reach, {30}, mode));
}

TEST(Resolution, LeaningWallsAgeAlikeAtFourTwoAndOneMetre) {
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth})
    for (const double reach : {2.5, 4.0, 5.0}) expect_ages_alike(leaning, 40, reach_of(reach, {30}, mode));
}

TEST(Resolution, CappedPlateausAgeAlikeAtFourTwoAndOneMetre) {
  const Geology capped = rock_of(soft, hard);
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth})
    for (const double reach : {4.0, 6.0}) expect_ages_alike(plateau, 32, reach_of(reach, {30}, mode), &capped);
}

/// A weak bed low down, within or high up in hard rock: where between two cells the foot lies must not matter.
TEST(Resolution, ThinBedsAgeAlikeWhateverPartOfACellTheReachIs) {
  for (const double bottom : {4.0, 8.0, 14.0}) {
    const Geology rock(std::make_shared<const ThinBed>(bottom, bottom + 3));
    for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth})
      for (const double reach : {4.0, 5.0, 7.0}) {
        SCOPED_TRACE(testing::Message() << bottom << " m up, reach " << reach << ", mode " << static_cast<int>(mode));
        expect_ages_alike(box, 20, reach_of(reach, {30}, mode), &rock);
      }
  }
}

TEST(Resolution, AReachOfAPartOfACellIsWarnedOf) {
  struct Counter : ProgressSink {
    int warnings = 0;
    void progress(int, std::string_view, double) override {}
    void warn(std::string_view) override { ++warnings; }
  } counter;
  const auto warnings = [&](double cell, double reach, std::optional<int64_t> steps) {
    counter.warnings = 0;
    WeatheringParams p = reach_of(reach, {30});
    p.retreat = metres(8);
    p.steps = steps;
    weathering(box(cell), nullptr, p, Context(&counter, nullptr));
    return counter.warnings;
  };
  EXPECT_EQ(warnings(4, 2.3, {}), 1);
  EXPECT_EQ(warnings(4, 2.5, {}), 0);
  EXPECT_EQ(warnings(2, 2.3, {}), 0);
  // Counted in steps, or with the paper's reach of one cell, a run is bound to its cells anyway.
  EXPECT_EQ(warnings(4, 2.3, 10), 0);
  EXPECT_EQ(warnings(4, 0, {}), 0);
}

TEST(Resolution, PlateausAgeAlikeAtFourTwoAndOneMetre) {
  for (const double reach : {2.5, 4.0}) expect_ages_alike(plateau, 32, reach_of(reach, {30}));
}

}  // namespace tepui::retreat_test

#include "tepui/erode/weathering.h"

#include <map>

#include "reference/weathering.h"
#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/pool.h"
#include "tepui/core/simd.h"
#include "tepui/generate/shape.h"
#include "tests/erode/any_land.h"
#include "tests/support/support.h"

namespace tepui::weathering_test {

namespace {

const Context quiet;

const Grid<float>& layer(const Terrain& land, const char* name) { return land.layer(name).grid(); }
double cell(const Terrain& land, const char* name, int64_t i) {
  return static_cast<double>(layer(land, name).data()[i]);
}

/// The land as rock and debris, before anything is worn.
Terrain split(const Terrain& land, const Geology* rock, WeatheringParams p) {
  p.steps.reset();
  p.retreat = metres(0);
  return weathering(land, rock, p, quiet);
}

/// Any run of weathering.
struct AnyRun {
  Frame frame = test::any_frame();
  Terrain land = test::any_worn_land(frame);
  const Geology* rock = test::any_rock();
  WeatheringParams params = test::any_weathering(frame);

  Terrain run() const { return weathering(land, rock, params, quiet); }
  Terrain first() const { return split(land, rock, params); }
  int64_t cells() const { return frame.width * frame.height; }
};

/// What operators tell.
class Listener : public ProgressSink {
 public:
  void progress(int, std::string_view, double) override {}
  void warn(std::string_view) override {}
  void told(int, std::string_view name, double value, std::string_view unit) override {
    values[std::string(name)] = value;
    units[std::string(name)] = unit;
  }
  std::map<std::string, double> values;
  std::map<std::string, std::string> units;
};

/// Cells of a layer as whole numbers of the largest power of two that measures all of them, summed.
int64_t whole_sum(const Terrain& land, std::initializer_list<const char*> layers, double quantum) {
  int64_t sum = 0;
  for (const char* name : layers)
    for (const float v : layer(land, name).cells()) {
      const double n = static_cast<double>(v) / quantum;
      EXPECT_EQ(n, std::floor(n)) << name;
      EXPECT_LE(std::abs(n), 0x1p24) << name;
      sum += static_cast<int64_t>(n);
    }
  return sum;
}

/// The quantum that a land with these layers has at least been rounded to.
double quantum_of(const Terrain& first) {
  double low = cell(first, "bedrock", 0), high = cell(first, "height", 0);
  for (int64_t i = 0; i < first.height().size(); ++i) {
    low = std::min(low, cell(first, "bedrock", i));
    high = std::max(high, cell(first, "height", i));
  }
  return HeightQuanta::of({low, high}).quantum;
}

/// The same land with sample (x, y) taken from `from(x, y)`.
template <class From>
Terrain rearranged(const Terrain& land, const Frame& frame, const From& from) {
  Terrain out(frame, land.relief());
  for (const Layer& l : land.layers()) {
    Grid<float> cells(frame.width, frame.height);
    for (int64_t y = 0; y < frame.height; ++y)
      for (int64_t x = 0; x < frame.width; ++x) {
        const auto [u, v] = from(x, y);
        cells(x, y) = l.grid()(u, v);
      }
    out = out.with(l.holding(std::move(cells)));
  }
  return out;
}
Terrain mirrored_x(const Terrain& t) {
  return rearranged(t, t.frame(), [&](int64_t x, int64_t y) { return std::pair(t.frame().width - 1 - x, y); });
}
Terrain mirrored_y(const Terrain& t) {
  return rearranged(t, t.frame(), [&](int64_t x, int64_t y) { return std::pair(x, t.frame().height - 1 - y); });
}
Terrain transposed(const Terrain& t) {
  Frame frame = t.frame();
  std::swap(frame.width, frame.height);
  std::swap(frame.size.x, frame.size.y);
  std::swap(frame.cell.x, frame.cell.y);
  std::swap(frame.first_x, frame.first_y);
  return rearranged(t, frame, [](int64_t x, int64_t y) { return std::pair(y, x); });
}

Terrain block_land(int64_t side, float height) {
  Grid<float> z(side, side, 0.0f);
  for (int64_t y = side / 4; y < side * 3 / 4; ++y)
    for (int64_t x = side / 4; x < side * 3 / 4; ++x) z(x, y) = height;
  return Terrain(test::small_frame(side, side), {0, static_cast<double>(height)}, std::move(z));
}

Layer flat_layer(const char* name, const Frame& frame, float value) {
  return make_layer(name, "m", LayerKind::continuous, Grid<float>(frame.width, frame.height, value));
}

WeatheringParams fast_params(int64_t steps) {
  WeatheringParams p;
  p.steps = steps;
  p.reach = metres(1.5);
  p.chance = 0.5;
  return p;
}

bool is_zero(const Grid<float>& cells) {
  return std::ranges::all_of(cells.cells(), [](float v) { return v == 0; });
}

}  // namespace

RC_GTEST_PROP(Weathering, EqualsTheReference, ()) {
  const AnyRun any;
  RC_ASSERT(any.run().hash() == reference::weathering(any.land, any.rock, any.params).hash());
}

RC_GTEST_PROP(Weathering, EqualsTheReferenceInMetres, ()) {
  AnyRun any;
  any.params = test::in_metres(any.params, any.land.frame());
  RC_ASSERT(any.run().hash() == reference::weathering(any.land, any.rock, any.params).hash());
}

TEST(Weathering, DebrisTwoCellsAwayIsSeenWhereTheReachIsLessThanACell) {
  // Stairs that go down into a basin, too low to wear. Once debris from the basin's far end has filled its near one,
  // the upper stair stands above a step and wears, though nothing next to it need have changed.
  bool some_wear = false, some_do_not = false;
  for (double stair = 0.2; stair < 4; stair *= 1.15) {
    constexpr int64_t width = 60, basin = 8, heap = 13;
    Grid<float> height(width, 1), sediment(width, 1, 0.0f);
    for (int64_t x = 0; x < width; ++x)
      height(x, 0) = static_cast<float>(stair * (x < basin - 1 ? 2 : x == basin - 1 ? 1 : x <= heap ? 0 : 3));
    height(heap, 0) = sediment(heap, 0) = static_cast<float>(4.5 * stair);
    // What the heights are measured by.
    height(width - 1, 0) = 100;
    const Terrain land = Terrain(test::small_frame(width, 1), {0, 100}, std::move(height))
                             .with(make_layer("sediment", "m", LayerKind::continuous, std::move(sediment)));
    WeatheringParams p;
    p.mode = WeatheringMode::smooth;
    p.pace = 0.1;
    p.talus = {0};
    p.reach = metres(0.6);
    p.retreat = metres(1.5);
    const Terrain worn = weathering_in_tiles(land, nullptr, p, {1, 1, 1}, quiet);
    EXPECT_EQ(worn.hash(), reference::weathering(land, nullptr, p).hash()) << stair;
    (layer(worn, "wear")(basin - 2, 0) > 0 ? some_wear : some_do_not) = true;
  }
  EXPECT_TRUE(some_wear && some_do_not);
}

TEST(Weathering, ChangedLandIsNotTakenUpAgain) {
  const Terrain land(test::small_frame(30, 20), {0, 60}, [] {
    Grid<float> z(30, 20, 0.0f);
    for (int64_t y = 0; y < 20; ++y) std::fill_n(z.row(y) + 10, 10, 60.0f);
    return z;
  }());
  WeatheringParams p;
  p.steps = 40;
  p.reach = metres(0);
  const Terrain young = weathering(land, nullptr, p, quiet);
  p.from = 40;
  p.steps = 50;
  EXPECT_NO_THROW(weathering(young, nullptr, p, quiet));
  const auto error_with = [&](const char* name, float by) {
    Grid<float> cells = young.layer(name).grid().clone();
    cells(3, 15) += by;
    const Terrain changed = young.with(young.layer(name).holding(std::move(cells)));
    return test::error_of([&] { weathering(changed, nullptr, p, quiet); });
  };
  // Rock that has grown, debris that was less than none, and what no run leaves.
  EXPECT_NE(error_with("wear", -100).find("changed"), std::string::npos);
  EXPECT_NE(error_with("deposits", 100).find("changed"), std::string::npos);
  for (const char* name : {"height", "wear", "deposits", "sediment"})
    EXPECT_NE(error_with(name, 0.0131f).find("changed"), std::string::npos) << name;
  p.from = 40.5;
  EXPECT_NE(test::error_of([&] { weathering(young, nullptr, p, quiet); }), "");
}

RC_GTEST_PROP(Weathering, TilesThreadsAndLanesAreNotSeen, ()) {
  AnyRun any;
  if (*rc::gen::arbitrary<bool>()) any.params = test::in_metres(any.params, any.land.frame());
  const TileSize tile{*rc::gen::element<int64_t>(1, 3, 7, 16), *rc::gen::element<int64_t>(1, 3, 5), 1};
  const std::vector<std::string>& levels = simd_levels();
  const Hash expected = any.run().hash();
  force_simd_level(levels[static_cast<size_t>(*rc::gen::inRange(0, static_cast<int>(levels.size())))]);
  Hash got;
  with_threads(*rc::gen::element(1, 2, 5),
               [&] { got = weathering_in_tiles(any.land, any.rock, any.params, tile, quiet).hash(); });
  force_simd_level("best");
  RC_ASSERT(got == expected);
}

TEST(Weathering, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(170, 50, 3, 2, {0, 200});
  const Geology rock = test::sample_rock();
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth}) {
    WeatheringParams p = fast_params(4);
    p.mode = mode;
    p.reach = metres(4);
    test::expect_same_bits([&] { return weathering_in_tiles(land, &rock, p, {64, 16, 1}, quiet).hash(); });
    p.steps.reset();
    p.reach = metres(0.7);
    p.retreat = metres(1);
    test::expect_same_bits([&] { return weathering_in_tiles(land, &rock, p, {64, 16, 1}, quiet).hash(); });
  }
}

RC_GTEST_PROP(Weathering, NotAGrainIsLost, ()) {
  const AnyRun any;
  const Terrain first = any.first();
  Listener listener;
  const Terrain last = weathering(any.land, any.rock, any.params, Context(&listener, nullptr));
  const double q = quantum_of(first);
  RC_ASSERT(whole_sum(last, {"bedrock", "sediment"}, q) == whole_sum(first, {"bedrock", "sediment"}, q));
  RC_ASSERT(whole_sum(last, {"height"}, q) == whole_sum(first, {"height"}, q));
  const int64_t shed = whole_sum(last, {"wear"}, q);
  RC_ASSERT(whole_sum(last, {"deposits"}, q) == shed);
  RC_ASSERT(listener.values.at("drift") == 0);
  RC_ASSERT(listener.units.at("drift") == "m3");
  const double volume = static_cast<double>(shed) * q * any.frame.cell.x * any.frame.cell.y;
  RC_ASSERT(std::abs(listener.values.at("shed") - volume) <= 1e-9 * volume);
}

RC_GTEST_PROP(Weathering, LayersAddUpExactly, ()) {
  const AnyRun any;
  const Terrain first = any.first(), last = any.run();
  for (int64_t i = 0; i < any.cells(); ++i) {
    RC_ASSERT(cell(last, "height", i) == cell(last, "bedrock", i) + cell(last, "sediment", i));
    RC_ASSERT(cell(last, "bedrock", i) + cell(last, "wear", i) == cell(first, "bedrock", i));
    RC_ASSERT(cell(last, "sediment", i) - cell(last, "deposits", i) == cell(first, "sediment", i));
  }
}

RC_GTEST_PROP(Weathering, RockNeverRisesAndGroundStaysWithinItsRange, ()) {
  const AnyRun any;
  const Terrain first = any.first(), last = any.run();
  const auto [low, high] = std::ranges::minmax(first.height().cells());
  for (int64_t i = 0; i < any.cells(); ++i) {
    RC_ASSERT(cell(last, "wear", i) >= 0);
    RC_ASSERT(cell(last, "sediment", i) >= 0);
    RC_ASSERT(last.height().data()[i] >= low && last.height().data()[i] <= high);
    // It wears down to its foot at most.
    RC_ASSERT(cell(last, "wear", i) == 0 || cell(last, "bedrock", i) >= static_cast<double>(low));
  }
}

RC_GTEST_PROP(Weathering, LongerRunsOnlyWearMore, ()) {
  AnyRun any;
  any.params.steps = 4;
  const Terrain early = any.run();
  any.params.steps = 9;
  const Terrain late = any.run();
  for (int64_t i = 0; i < any.cells(); ++i) RC_ASSERT(cell(late, "wear", i) >= cell(early, "wear", i));
}

RC_GTEST_PROP(Weathering, NoStepsOnlySplitTheLand, ()) {
  AnyRun any;
  any.land = any.land.without("sediment");
  any.params.cover = metres(*rc::gen::element(0.0, 3.0));
  const Terrain first = any.first();
  const double q = quantum_of(first);
  for (int64_t i = 0; i < any.cells(); ++i) {
    RC_ASSERT(std::abs(cell(first, "height", i) - cell(any.land, "height", i)) <= q);
    RC_ASSERT(std::abs(cell(first, "sediment", i) - any.params.cover.value) <= q);
  }
  RC_ASSERT(is_zero(layer(first, "wear")) && is_zero(layer(first, "deposits")));
}

TEST(Weathering, CoverLiesOnThePlainAsOnTheBox) {
  const Frame frame = make_world({256, 256}, 65);
  ShapeParams box;
  box.height = metres(100);
  WeatheringParams p;
  p.cover = metres(2);
  p.retreat = metres(2);
  const Terrain worn = weathering(shape(frame, box, quiet), nullptr, p, quiet);
  EXPECT_NEAR(worn.layer("sediment").grid()(0, 0), 2, 1e-4);
  EXPECT_NEAR(worn.layer("sediment").grid()(32, 32), 2, 1e-4);
}

RC_GTEST_PROP(Weathering, LooseGroundWithoutRockSlidesAsInThermal, ()) {
  const Frame frame = test::any_frame();
  const Terrain land(frame, {0, 1}, test::any_heights(frame));
  WeatheringParams p = test::any_weathering(frame);
  p.cover = metres(1e30);
  p.reach = metres(0);
  p.steps = 20;
  const Terrain worn = weathering(land, nullptr, p, quiet);
  RC_ASSERT(is_zero(layer(worn, "wear")));
  RC_ASSERT(std::ranges::max(worn.height().cells()) <= std::ranges::max(split(land, nullptr, p).height().cells()));
  // Rock far below makes the quanta coarser; a step rounds what it moves to them, to each of four sides.
  const Terrain slid = thermal(land, {*p.steps, 0, p.talus}, quiet);
  const double bound = 8 * static_cast<double>(*p.steps) * quantum_of(worn);
  for (int64_t i = 0; i < land.height().size(); ++i)
    RC_ASSERT(std::abs(cell(worn, "height", i) - cell(slid, "height", i)) <= bound);
}

RC_GTEST_PROP(Weathering, FlatLandStaysAsItIs, ()) {
  AnyRun any;
  const float z = *rc::gen::element(0.0f, -7.25f, 1e6f);
  any.land = any.land.with(flat_layer("height", any.frame, z)).without("sediment");
  if (*rc::gen::arbitrary<bool>()) any.land = any.land.with(flat_layer("sediment", any.frame, 5));
  any.params.cover = metres(0);
  const Terrain worn = any.run();
  RC_ASSERT(worn.height().size() == any.cells());
  for (const float v : worn.height().cells()) RC_ASSERT(v == z);
  RC_ASSERT(is_zero(layer(worn, "wear")) && is_zero(layer(worn, "deposits")));
}

RC_GTEST_PROP(Weathering, WallsBuriedToTheirRimsStand, ()) {
  AnyRun any;
  const auto top = static_cast<double>(std::ranges::max(any.land.height().cells()));
  Grid<float> fill(any.frame.width, any.frame.height);
  for (int64_t i = 0; i < any.cells(); ++i) fill.data()[i] = static_cast<float>(top - cell(any.land, "height", i));
  any.land = any.land.with(flat_layer("height", any.frame, static_cast<float>(top)))
                 .with(make_layer("sediment", "m", LayerKind::continuous, std::move(fill)));
  const Terrain worn = any.run();
  RC_ASSERT(is_zero(layer(worn, "wear")) && is_zero(layer(worn, "deposits")));
}

RC_GTEST_PROP(Weathering, ALandThatIsTurnedOrMirroredWearsLikewiseWhenSmooth, ()) {
  AnyRun any;
  any.params.mode = WeatheringMode::smooth;
  if (*rc::gen::arbitrary<bool>()) any.params = test::in_metres(any.params, any.land.frame());
  // Beds are level, so that they need not be turned.
  const auto wear = [&](const Terrain& land) { return weathering(land, any.rock, any.params, quiet); };
  const Terrain worn = wear(any.land);
  RC_ASSERT(wear(mirrored_x(any.land)).hash() == mirrored_x(worn).hash());
  RC_ASSERT(wear(mirrored_y(any.land)).hash() == mirrored_y(worn).hash());
  RC_ASSERT(wear(transposed(any.land)).hash() == transposed(worn).hash());
}

RC_GTEST_PROP(Weathering, ARunThatIsTakenUpAgainEndsWithTheSameBits, ()) {
  const AnyRun any;
  WeatheringParams p = any.params;
  p.steps = *rc::gen::inRange<int64_t>(1, *p.steps + 1);
  const Terrain half = weathering(any.land, any.rock, p, quiet);
  p.from = static_cast<double>(*p.steps);
  p.steps = any.params.steps;
  const Terrain resumed = weathering(half, any.rock, p, quiet), whole = any.run();
  for (const char* name : {"height", "bedrock", "sediment", "wear", "deposits"})
    RC_ASSERT(test::same_cells(layer(resumed, name), layer(whole, name)));
}

RC_GTEST_PROP(Weathering, ARunThatIsTakenUpAgainInMetresEndsWithTheSameBits, ()) {
  AnyRun any;
  WeatheringParams& p = any.params;
  p.steps.reset();
  p.chance = p.pace = 1;
  p.reach = metres(std::sqrt(any.frame.cell.x * any.frame.cell.y) * *rc::gen::element(0.5, 1.0, 1.7));
  p.retreat = metres(6 * p.reach.value);
  const Terrain whole = any.run();
  const double age = p.retreat.value * *rc::gen::element(0.3, 0.71, 1.0);
  p.retreat = metres(age);
  const Terrain half = any.run();
  p.retreat = metres(6 * p.reach.value);
  p.from = age;
  RC_ASSERT(weathering(half, any.rock, p, quiet).hash() == whole.hash());
}

TEST(Weathering, RockThatResistsAllNeverWears) {
  const Terrain land = block_land(32, 40);
  for (const WeatheringMode mode : {WeatheringMode::block, WeatheringMode::smooth}) {
    WeatheringParams p = fast_params(30);
    p.mode = mode;
    const Geology granite(
        std::make_shared<const test::Beds>(std::vector<NamedRock>{{"granite", 1.0f}, {"granite", 1.0f}}, 10));
    EXPECT_TRUE(is_zero(layer(weathering(land, &granite, p, quiet), "wear")));
    const Terrain hard = land.with(flat_layer("hardness", land.frame(), 1));
    EXPECT_TRUE(is_zero(layer(weathering(hard, nullptr, p, quiet), "wear")));
    EXPECT_FALSE(is_zero(layer(weathering(land, nullptr, p, quiet), "wear")));
    // The layer is of the surface only, and the rock itself is told.
    const Geology soft;
    EXPECT_TRUE(
        test::same_cells(weathering(hard, &soft, p, quiet).height(), weathering(land, &soft, p, quiet).height()));
  }
}

TEST(Weathering, AReachFarBeyondTheLandLetsDebrisComeToRest) {
  WeatheringParams p = fast_params(3);
  p.reach = metres(1e9);
  Terrain land = block_land(8, 30);
  land = land.with(flat_layer("sediment", land.frame(), 2));
  const Terrain worn = weathering(land, nullptr, p, quiet);
  EXPECT_TRUE(is_zero(layer(worn, "wear")));
  p.steps = 5;
  EXPECT_EQ(weathering(land, nullptr, p, quiet).hash(), worn.hash());
}

TEST(Weathering, SeedsDrawOtherBlocks) {
  const Terrain land = block_land(40, 30);
  WeatheringParams p = fast_params(20), q = p;
  q.seed.node = 1;
  EXPECT_NE(weathering(land, nullptr, p, quiet).hash(), weathering(land, nullptr, q, quiet).hash());
  p.mode = q.mode = WeatheringMode::smooth;
  EXPECT_EQ(weathering(land, nullptr, p, quiet).hash(), weathering(land, nullptr, q, quiet).hash());
}

TEST(Weathering, KeepsOtherLayersAndTheFrame) {
  const Terrain land = block_land(20, 30).with(flat_layer("hardness", test::small_frame(20, 20), 0.5f));
  const Terrain worn = weathering(land, nullptr, fast_params(5), quiet);
  EXPECT_EQ(worn.frame(), land.frame());
  EXPECT_EQ(worn.relief(), land.relief());
  EXPECT_EQ(worn.layers().size(), 6u);
  EXPECT_TRUE(test::same_cells(layer(worn, "hardness"), layer(land, "hardness")));
}

TEST(Weathering, BadRequestsAreRefusedWithAHint) {
  const Terrain land = block_land(12, 10);
  const auto error = [](const Terrain& in, const WeatheringParams& p) {
    return test::error_of([&] { weathering(in, nullptr, p, quiet); });
  };
  WeatheringParams p = fast_params(5);
  EXPECT_NE(error(land.with(flat_layer("sediment", land.frame(), -1)), p).find("'sediment' is negative"),
            std::string::npos);
  p.from = 6;
  EXPECT_NE(error(land, p).find("'from' 6"), std::string::npos);
  p.from = 2;
  EXPECT_NE(error(land, p).find("no layer 'sediment'"), std::string::npos);
  EXPECT_NE(error(land.with(flat_layer("sediment", land.frame(), 0)), p).find("not come from an earlier run"),
            std::string::npos);
  p.from = 0;
  Grid<float> far(12, 12, -3e38f);
  far(3, 3) = 3e38f;
  EXPECT_NE(error(land.with_height(std::move(far)), p).find("too far apart"), std::string::npos);
  p.steps.reset();
  p.retreat = metres(1e9);
  EXPECT_NE(error(land, p).find("steps"), std::string::npos);
}

TEST(Weathering, ParametersOutsideTheirRangesAreRefused) {
  Fields<WeatheringParams> fields;
  describe(fields);
  const auto refuses = [&](const char* name, const ParamValue& value) {
    const int i = fields.table().find(name);
    EXPECT_GE(i, 0) << name;
    return !test::error_of([&] { check_range(fields.table().fields[static_cast<size_t>(i)], value); }).empty();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"pace", "chance"})
    for (const double value : {0.0, -0.1, 1.01, nan}) EXPECT_TRUE(refuses(name, value)) << name << value;
  for (const double degrees : {90.0, -1.0, nan}) EXPECT_TRUE(refuses("talus", Angle{degrees}));
  for (const double value : {-1.0, nan}) {
    for (const char* name : {"retreat", "reach", "cover"}) EXPECT_TRUE(refuses(name, metres(value))) << name;
    for (const char* name : {"spread", "from"}) EXPECT_TRUE(refuses(name, value)) << name;
  }
  EXPECT_TRUE(refuses("steps", int64_t{-1}));
  EXPECT_TRUE(refuses("steps", int64_t{2'000'000'000}));
}

TEST(Weathering, StopsSoonWhenCancelled) {
  struct Stopper : ProgressSink {
    CancelFlag flag = false;
    int after = 0;
    void progress(int, std::string_view, double fraction) override {
      after += flag ? 1 : 0;
      if (fraction > 0.01) flag = true;
    }
    void warn(std::string_view) override {}
  } stopper;
  const Terrain land = block_land(48, 30);
  try {
    weathering(land, nullptr, fast_params(1000), Context(&stopper, &stopper.flag));
    ADD_FAILURE() << "ran to its end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_LE(stopper.after, 1);
  const CancelFlag already = true;
  EXPECT_THROW(weathering(land, nullptr, fast_params(1), Context(nullptr, &already)), Error);
}

TEST(Weathering, TellsItsProgress) {
  const Terrain land = block_land(48, 30);
  EXPECT_LE(test::widest_progress_gap([&](const Context& c) { weathering(land, nullptr, fast_params(100), c); }), 0.05);
}

TEST(Weathering, TakesAtMostSixGrids) {
  const Terrain land = test::sample_land(1500, 1000, 6, 2, {0, 100});
  pool_trim();
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain worn = weathering(land, nullptr, fast_params(2), quiet);
  // The pool rounds sizes up by at most an eighth; a wall stands around the land.
  EXPECT_LE(static_cast<double>(pool_use().peak - before), 6 * 1.125 * static_cast<double>(land.height().bytes()));
  const size_t held = pool_use().used;
  pool_reset_peak();
  WeatheringParams p = fast_params(3);
  p.from = 2;
  const Terrain more = weathering(worn, nullptr, p, quiet);
  EXPECT_LE(static_cast<double>(pool_use().peak - held), 6 * 1.125 * static_cast<double>(land.height().bytes()));
}

}  // namespace tepui::weathering_test

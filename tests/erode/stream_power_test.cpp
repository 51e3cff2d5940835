#include "tepui/erode/stream_power.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/stream_power.h"
#include "tepui/generate/noise.h"
#include "tepui/geology/strata.h"
#include "tepui/hydrology/flow.h"
#include "tepui/hydrology/pits.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::stream_power_test {
namespace {

Terrain hills(int64_t resolution, uint64_t seed, Vec2 size = {8000, 8000}) {
  NoiseParams params;
  params.height = metres(700);
  params.seed.recipe = seed;
  return noise(make_world(size, resolution), params, Context());
}

Terrain run(const Terrain& in, const StreamPowerParams& params, const Geology* rock = nullptr,
            const Lines* guides = nullptr) {
  return stream_power(in, rock, nullptr, nullptr, nullptr, guides, params, Context());
}

Geology beds(std::vector<Bed> list) {
  StrataParams params;
  params.beds = std::move(list);
  return strata(make_world({8000, 8000}, 129), params, Context());
}

/// Few and large steps, for tests that need no equilibrium.
StreamPowerParams quick() {
  StreamPowerParams params;
  params.age = *rc::gen::element(0.05, 0.5);
  params.steps = 4;
  params.valley_floor = metres(*rc::gen::element(0.0, 80.0));
  params.uplift_shape = *rc::gen::element(UpliftShape::broad, UpliftShape::even, UpliftShape::none);
  params.fall = metres(*rc::gen::element(0.0, 200.0));
  params.outlets = *rc::gen::element(Outlets::low_edges, Outlets::all_edges);
  params.deposition = *rc::gen::element(0.0, 0.0, 0.6, 3.0);
  params.seed.recipe = *rc::gen::arbitrary<uint64_t>();
  return params;
}

Terrain any_hills() {
  const Vec2 size{8000, *rc::gen::element(8000.0, 3100.0)};
  return hills(*rc::gen::element<int64_t>(20, 65, 129, 150), *rc::gen::inRange<uint64_t>(0, 1000), size);
}

double mean_of(const Grid<float>& cells, int64_t from_column, int64_t to_column) {
  double sum = 0;
  for (int64_t y = 0; y < cells.height(); ++y)
    for (int64_t x = from_column; x < to_column; ++x) sum += static_cast<double>(cells(x, y));
  return sum / static_cast<double>(cells.height() * (to_column - from_column));
}

RC_GTEST_PROP(StreamPower, AgeZeroIsTheIdentity, ()) {
  const Terrain land = any_hills();
  StreamPowerParams params = quick();
  params.age = 0;
  const Terrain out = run(land, params);
  RC_ASSERT(test::same_cells(out.height(), land.height()));
  RC_ASSERT(out.find("drainage") != nullptr);
  for (const char* name : {"wear", "deposits", "uplift", "sediment"})
    for (float v : out.layer(name).grid().cells()) RC_ASSERT(v == 0);
}

RC_GTEST_PROP(StreamPower, HeightChangesByUpliftAndDepositsAndWear, ()) {
  const Terrain land = any_hills();
  const Terrain out = run(land, quick());
  const auto at = [&](const char* name, int64_t i) { return static_cast<double>(out.layer(name).grid().data()[i]); };
  // Heights of the input are not yet multiples of the quantum, which is a 2^23th of them or less.
  const double quantum = std::ldexp(std::max(std::abs(out.relief().base), std::abs(out.relief().top)) + 1000, -22);
  for (int64_t i = 0; i < land.height().size(); ++i) {
    const double change = at("uplift", i) + at("deposits", i) - at("wear", i);
    RC_ASSERT(std::abs(at("height", i) - static_cast<double>(land.height().data()[i]) - change) <= quantum);
    RC_ASSERT(at("bedrock", i) + at("sediment", i) == at("height", i));
    RC_ASSERT(at("sediment", i) >= 0);
  }
}

RC_GTEST_PROP(StreamPower, NoPitsRemain, ()) {
  const Terrain out = run(any_hills(), quick());
  RC_ASSERT(pits(out, {}, Context()).empty());
}

RC_GTEST_PROP(StreamPower, RockOfResistanceOneNeverWears, ()) {
  const Terrain land = any_hills();
  const Geology hard = beds({{"granite", metres(100), 1}});
  const Terrain out = run(land, quick(), &hard);
  RC_ASSERT(std::ranges::max(out.layer("wear").grid().cells()) == 0);
}

TEST(StreamPower, AHardBedInSoftRockNeverWears) {
  const Terrain land = hills(129, 5);
  const Geology rock = beds({{"shale", metres(300), 0.2}, {"granite", metres(1e5), 1}});
  for (double deposition : {0.0, 1.5}) {
    StreamPowerParams params;
    params.uplift_shape = UpliftShape::none;
    params.fall = metres(200);
    params.deposition = deposition;
    const Terrain out = run(land, params, &rock);
    double worn = 0;
    for (int64_t i = 0; i < land.height().size(); ++i) {
      const float wear = out.layer("wear").grid().data()[i];
      worn = std::max(worn, static_cast<double>(wear));
      if (land.height().data()[i] > 301) {
        EXPECT_EQ(wear, 0) << deposition << ' ' << i;
      }
    }
    EXPECT_GT(worn, 100);
  }
}

/// A mountain front: the east rises, the west stays.
TEST(StreamPower, RiversLayDownWhatTheyCarryWhereTheyComeOutOfMountains) {
  NoiseParams gentle;
  gentle.height = metres(30);
  const Terrain land = noise(make_world({8000, 8000}, 129), gentle, Context());
  Grid<float> east(129, 129, 0.0f);
  for (int64_t y = 0; y < 129; ++y)
    for (int64_t x = 70; x < 129; ++x) east(x, y) = 1;
  const Terrain map(land.frame(), {0, 1}, std::move(east));
  StreamPowerParams params;
  params.steepness = 0.1;
  const auto laid = [&](double deposition) {
    params.deposition = deposition;
    const Terrain out = stream_power(land, nullptr, &map, nullptr, nullptr, nullptr, params, Context());
    EXPECT_TRUE(pits(out, {}, Context()).empty());
    return mean_of(out.layer("deposits").grid(), 0, 70);
  };
  const double none = laid(0), some = laid(0.5), much = laid(2);
  EXPECT_LT(none, 2);
  EXPECT_GT(some, none + 3);
  EXPECT_GT(much, some + 3);
}

/// `levels=1` on all of its samples, beside the plain twin step by step.
TEST(StreamPower, OneLevelIsThePlainScheme) {
  constexpr int64_t side = 21;
  for (uint64_t seed : {1, 2})
    for (double n : {1.0, 1.5})
      for (double deposition : {0.0, 0.5}) {
        const Terrain land = hills(side, seed);
        StreamPowerParams params;
        params.levels = 1, params.variety = 0, params.channel_head = 0.0, params.talus = {89.9};
        params.outlets = Outlets::all_edges, params.uplift_shape = UpliftShape::even;
        params.slope_exponent = n, params.deposition = deposition;
        params.erodibility = 2e-5 * (n == 1 ? 1 : 0.2), params.years = 1e6, params.steps = 20;
        params.uplift_rate = 5e-4, params.creep = 1e-3;
        const Terrain out = run(land, params);
        const reference::StreamPower law{
            land.frame().cell, *params.erodibility, 0.45 * n, n, 0, params.uplift_rate, 1e9, *params.creep, deposition};
        Grid<double> z(side, side);
        for (int64_t i = 0; i < z.size(); ++i) z.data()[i] = static_cast<double>(land.height().data()[i]);
        for (int i = 0; i < 20; ++i) reference::stream_power_step(z, law, params.years / 20);
        double most = 0;
        for (int64_t i = 0; i < z.size(); ++i)
          most = std::max(most, std::abs(z.data()[i] - static_cast<double>(out.height().data()[i])));
        EXPECT_LT(most, 1e-4 * out.relief().span()) << seed << ' ' << n << ' ' << deposition;
      }
}

TEST(StreamPower, SameBitsForAnyThreadCountAndLevel) {
  const Terrain land = hills(200, 2);
  const Geology rock = beds({{"shale", metres(150), 0.2}, {"sandstone", metres(80), 0.8}});
  StreamPowerParams params;
  params.steps = 6;
  params.valley_floor = metres(50);
  test::expect_same_bits([&] { return run(land, params, &rock).hash(); });
}

/// The land's heights at the samples of a coarser one, each the mean of its neighbourhood.
std::vector<double> broad(const Terrain& land, int64_t cells) {
  const int64_t step = (land.frame().width - 1) / cells;
  std::vector<double> out;
  for (int64_t y = 1; y < cells; ++y)
    for (int64_t x = 1; x < cells; ++x) {
      double sum = 0;
      for (int64_t j = -step; j < step; ++j)
        for (int64_t i = -step; i < step; ++i) sum += static_cast<double>(land.height()(x * step + i, y * step + j));
      out.push_back(sum / static_cast<double>(4 * step * step));
    }
  return out;
}

TEST(StreamPower, APreviewIsTheWorldWithFewerSamples) {
  StreamPowerParams params;
  const Terrain preview = run(hills(257, 9), params), world = run(hills(513, 9), params);
  const std::vector<double> a = broad(preview, 64), b = broad(world, 64);
  double square = 0;
  for (size_t i = 0; i < a.size(); ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
  EXPECT_LT(std::sqrt(square / static_cast<double>(a.size())), 0.015 * world.relief().span());
}

TEST(StreamPower, UpliftKeepsTheHeightOfTheLandByDefault) {
  const Terrain land = hills(257, 4);
  const Terrain out = run(land, {});
  EXPECT_GT(out.relief().span(), 0.6 * 700);
  EXPECT_LT(out.relief().span(), 1.6 * 700);
}

TEST(StreamPower, SteeperRiversMakeHigherLand) {
  StreamPowerParams gentle, steep;
  gentle.steepness = 0.03, steep.steepness = 0.12;
  const Terrain land = hills(129, 4);
  EXPECT_GT(run(land, steep).relief().span(), 1.5 * run(land, gentle).relief().span());
}

TEST(StreamPower, YearsAreAnotherMeasureOfTheSameThing) {
  // K A^m is 1000 m a unit for 1 km2; a unit of 10,000 years, eight of them, uplift of 1000 steepness a unit.
  const Terrain land = hills(129, 7);
  StreamPowerParams own, years;
  own.steepness = 0.1, own.creep = 20.0;
  years.erodibility = 1000 / std::pow(1e6, 0.45) / 1e4;
  years.years = 8e4, years.uplift_rate = 100 / 1e4, years.creep = 20 / 1e4;
  EXPECT_LT(test::max_difference(run(land, own).height(), run(land, years).height()), 1);
}

TEST(StreamPower, AMapSaysWhatRises) {
  const Terrain land = hills(129, 6);
  Grid<float> east(129, 129, 0.0f);
  for (int64_t y = 0; y < 129; ++y)
    for (int64_t x = 64; x < 129; ++x) east(x, y) = 3;
  const Terrain map(land.frame(), {0, 1}, std::move(east));
  const Terrain out = stream_power(land, nullptr, &map, nullptr, nullptr, nullptr, {}, Context());
  EXPECT_EQ(mean_of(out.layer("uplift").grid(), 0, 64), 0);
  EXPECT_GT(mean_of(out.layer("uplift").grid(), 64, 129), 100);
  EXPECT_GT(mean_of(out.height(), 70, 129), mean_of(out.height(), 0, 58) + 50);
}

TEST(StreamPower, RainAndRiversFromOutsideCutDeeper) {
  const Terrain land = hills(129, 6);
  StreamPowerParams params;
  params.uplift_shape = UpliftShape::none;
  params.age = 0.1;
  const auto wear = [&](const Terrain* rain, const Lines* inflow) {
    const Terrain out = stream_power(land, nullptr, nullptr, rain, inflow, nullptr, params, Context());
    return mean_of(out.layer("wear").grid(), 0, 129);
  };
  const auto rain = [&](float mm) {
    return Terrain(land.frame(), {0, 1})
        .with(make_layer("rain", "mm", LayerKind::continuous, Grid<float>(129, 129, mm)));
  };
  const Terrain little = rain(100), usual = rain(500), much = rain(2000), none = rain(0), wrong = rain(-1);
  EXPECT_LT(wear(&none, nullptr), wear(&little, nullptr));
  EXPECT_LT(wear(&little, nullptr), wear(&usual, nullptr));
  EXPECT_LT(wear(&usual, nullptr), wear(&much, nullptr));
  // Rain that is all runoff is what is counted where no rain is given.
  EXPECT_NEAR(wear(&usual, nullptr), wear(nullptr, nullptr), 1e-3 * wear(nullptr, nullptr));
  EXPECT_CONTAINS(test::error_of([&] { wear(&wrong, nullptr); }), "rain");
  const auto river = [](double x, double discharge) {
    return Lines({Polyline{"river", {{x, 4000, 0}}, false, {LineAttribute{"discharge", "m3/s", {discharge}}}}});
  };
  const Lines enters = river(4000, 50), outside = river(-4000, 50);
  EXPECT_GT(wear(nullptr, &enters), 1.02 * wear(nullptr, nullptr));
  EXPECT_CONTAINS(test::error_of([&] { wear(nullptr, &outside); }), "outside");
}

Lines drawn(const std::string& name, std::vector<Vec3> points) {
  return Lines({Polyline{name, std::move(points), false, {}}});
}

TEST(StreamPower, WaterRunsAlongARiverThatWasDrawn) {
  for (int64_t resolution : {129, 200}) {
    const Lines river = drawn("river", {{6500, 1500, 0}, {4000, 4500, 0}, {1500, 4200, 0}, {10, 6000, 0}});
    const Terrain out = run(hills(resolution, 3), {}, nullptr, &river);
    const Frame& frame = out.frame();
    // Within two cells of the coarsest samples a channel follows the line, and it gathers water all the way.
    double before = 0;
    for (double t = 0.15; t < 0.95; t += 0.1) {
      const Vec3 from = t < 0.4 ? Vec3{6500, 1500, 0} : t < 0.7 ? Vec3{4000, 4500, 0} : Vec3{1500, 4200, 0};
      const Vec3 to = t < 0.4 ? Vec3{4000, 4500, 0} : t < 0.7 ? Vec3{1500, 4200, 0} : Vec3{10, 6000, 0};
      const double s = t < 0.4 ? t / 0.4 : t < 0.7 ? (t - 0.4) / 0.3 : (t - 0.7) / 0.3;
      const Vec3 p = from + (to - from) * s;
      double most = 0;
      const auto reach = static_cast<int64_t>(std::ceil(125 / frame.cell.x));
      const auto cx = static_cast<int64_t>(p.x / frame.cell.x), cy = static_cast<int64_t>(p.y / frame.cell.y);
      for (int64_t y = std::max<int64_t>(0, cy - reach); y <= std::min(frame.height - 1, cy + reach); ++y)
        for (int64_t x = std::max<int64_t>(0, cx - reach); x <= std::min(frame.width - 1, cx + reach); ++x)
          most = std::max(most, static_cast<double>(out.layer("drainage").grid()(x, y)));
      EXPECT_GT(most, 0.8 * before) << resolution << ' ' << t;
      before = most;
    }
    EXPECT_GT(before, 2e6) << resolution;
  }
}

TEST(StreamPower, NoWaterCrossesARidgeThatWasDrawn) {
  const Lines ridge = drawn("ridge", {{4000, 10, 0}, {4000, 7990, 0}});
  StreamPowerParams params;
  params.outlets = Outlets::all_edges;
  const Terrain out = run(hills(129, 3), params, nullptr, &ridge);
  // What drains in the west stays there: no drainage on either side exceeds its half, a strip of two cells aside.
  const double half = 8000.0 * 8000.0 / 2;
  for (int64_t i = 0; i < out.height().size(); ++i)
    EXPECT_LE(static_cast<double>(out.layer("drainage").grid().data()[i]), half * 1.05);
}

TEST(StreamPower, RiversKeepAwayFromABorderThatIsNoOutlet) {
  for (uint64_t seed : {1, 2, 3, 4}) {
    const Lines outlet = drawn("outlet", {{8000, 4000, 0}});
    StreamPowerParams params;
    params.outlets = Outlets::points, params.uplift_shape = UpliftShape::none, params.fall = metres(200);
    const Terrain out = run(hills(129, seed), params, nullptr, &outlet);
    const Grid<float>& drainage = out.layer("drainage").grid();
    // Nodes of the border through which a fiftieth of the land drains, away from the outlet.
    int large = 0;
    for (int64_t y = 0; y < 129; ++y)
      for (int64_t x = 0; x < 129; ++x) {
        const bool border = x == 0 || y == 0 || x == 128 || y == 128;
        const bool outlet_near = x == 128 && std::abs(y - 64) <= 2;
        if (border && !outlet_near && static_cast<double>(drainage(x, y)) > 0.02 * 8000 * 8000) ++large;
      }
    EXPECT_LE(large, 5) << seed;
  }
}

TEST(StreamPower, HeightsThatWereDrawnHold) {
  const Lines line = drawn("height", {{2000, 2000, 900}, {6000, 5000, 700}});
  for (int64_t resolution : {129, 257}) {
    const Terrain out = run(hills(resolution, 3), {}, nullptr, &line);
    const Frame& f = out.frame();
    for (double t : {0.0, 0.3, 0.5, 1.0}) {
      const auto x = std::llround((2000 + 4000 * t) / f.cell.x), y = std::llround((2000 + 3000 * t) / f.cell.y);
      EXPECT_NEAR(out.height()(x, y), 900 - 200 * t, 1 + f.cell.x * 0.1) << resolution << ' ' << t;
    }
  }
}

TEST(StreamPower, AnyLandIsDefined) {
  const auto land = [](int64_t w, int64_t h, float z) {
    return Terrain(make_world({100.0 * static_cast<double>(std::max<int64_t>(w, 2)),
                               100.0 * static_cast<double>(std::max<int64_t>(h, 2))},
                              50)
                       .window(0, 0, w, h),
                   {0, 100}, Grid<float>(w, h, z));
  };
  for (const Terrain& in :
       {land(1, 1, 5), land(7, 1, 5), land(1, 9, 5), land(2, 2, 5), land(40, 3, 5), land(30, 30, 0)}) {
    StreamPowerParams params;
    params.steps = 3;
    const Terrain out = run(in, params);
    for (float z : out.height().cells()) EXPECT_TRUE(std::isfinite(z));
  }
  for (double degrees : {0.0, 89.9}) {
    StreamPowerParams params;
    params.steps = 3;
    params.talus = {degrees};
    for (float z : run(hills(129, 1), params).height().cells()) EXPECT_TRUE(std::isfinite(z));
  }
}

TEST(StreamPower, RefusesWhatHasNoWayOut) {
  const Terrain land = hills(65, 1);
  StreamPowerParams params;
  params.outlets = Outlets::sea;
  EXPECT_CONTAINS(test::error_of([&] { run(land, params); }), "sea");
  params.outlets = Outlets::points;
  EXPECT_CONTAINS(test::error_of([&] { run(land, params); }), "'outlet'");
  params.outlets.reset();
  const Lines odd = drawn("wall", {{0, 0, 0}, {10, 10, 0}}), outside = drawn("river", {{-900, 0, 0}, {10, 10, 0}});
  EXPECT_CONTAINS(test::error_of([&] { run(land, params, nullptr, &odd); }), "wall");
  EXPECT_CONTAINS(test::error_of([&] { run(land, params, nullptr, &outside); }), "outside");
  const Terrain other = hills(33, 1);
  EXPECT_CONTAINS(
      test::error_of([&] { stream_power(land, nullptr, &other, nullptr, nullptr, nullptr, {}, Context()); }), "uplift");
}

TEST(StreamPower, LandInTheSeaStaysAndTakesTheRivers) {
  const Terrain land = hills(129, 8);
  StreamPowerParams params;
  params.sea_level = 200;
  const Terrain out = run(land, params);
  for (int64_t i = 0; i < land.height().size(); ++i)
    if (land.height().data()[i] <= 190) {
      EXPECT_NEAR(out.height().data()[i], land.height().data()[i], 60) << i;
    }
}

}  // namespace
}  // namespace tepui::stream_power_test

#include "tepui/landforms/hoodoos.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/landforms/growth.h"
#include "tepui/landforms/shipped_rules.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/strata_erosion.h"
#include "tests/support/beds.h"
#include "tests/support/support.h"

namespace tepui::hoodoos_test {

namespace {

const Frame world = make_world({96, 96}, 97);

Terrain land_of(const std::function<double(double, double)>& height) {
  Grid<float> cells(world.width, world.height);
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) cells(x, y) = static_cast<float>(height(world.x(x), world.y(y)));
  return Terrain(world, {0, 60}, std::move(cells));
}

/// A plateau at 40 m in the north, a valley at 4 m in the south, and fins 16 m apart on the slope between them.
double fins(double x, double y) {
  const double t = std::clamp((y - 20) / 55, 0.0, 1.0), s = t * t * (3 - 2 * t);
  return 4 + 36 * s - 20 * s * (1 - s) * (1 + std::cos(2 * 3.14159265 * x / 16));
}

/// Beds of 2 m, by turns weak and hard.
Geology bands() {
  std::vector<NamedRock> beds{{"base", 0.5f}};
  for (int i = 0; i < 40; ++i) beds.push_back(i % 2 == 0 ? NamedRock{"weak", 0.1f} : NamedRock{"hard", 0.85f});
  return Geology(std::make_shared<const test::Beds>(beds, 2));
}

Volume slope() {
  static const Volume volume = [] {
    const Geology rock = bands();
    return implicitize(land_of(fins), nullptr, &rock, {}, Context());
  }();
  return volume;
}

struct Sink : ProgressSink {
  std::vector<std::string> warnings;
  void progress(int, std::string_view, double) override {}
  void warn(std::string_view message) override { warnings.emplace_back(message); }
};

struct Ports {
  const Geology* rock = nullptr;
  const Terrain *plateau = nullptr, *water = nullptr, *mask = nullptr;
};

Volume grown(const Volume& in, const HoodoosParams& params = {}, const Ports& ports = {}, Sink* sink = nullptr) {
  return hoodoos(world, in, ports.rock, ports.plateau, ports.water, ports.mask, nullptr, params,
                 Context(sink, nullptr));
}

double told(const Volume& volume, std::string_view name) {
  for (const Made::Number& number : volume.made().back().numbers)
    if (number.name == name) return number.value;
  return -1;
}

Vec3 any_place(uint64_t i, double low = 0, double high = 70) {
  const Stream random(5);
  return {random.uniform(i, 0, 0, 96), random.uniform(i, 1, 0, 96), random.uniform(i, 2, low, high)};
}

}  // namespace

TEST(Hoodoos, GrowOnTheSlopeAndStayBelowThePlateau) {
  HoodoosParams params;
  params.plateau = 33;
  const Volume out = grown(slope(), params);
  EXPECT_GT(told(out, "features"), 40);
  EXPECT_GT(told(out, "points"), 40 * 20);
  int more = 0;
  for (uint64_t i = 0; i < 4000; ++i) {
    const Vec3 at = any_place(i);
    const float before = slope().value(at), after = out.value(at);
    ASSERT_GE(after, before);
    if (at.z > 33 || at.y > 90) {  // above them, and on the flat
      ASSERT_EQ(after, before);
    }
    more += after > 0 && before <= 0 ? 1 : 0;
  }
  EXPECT_GT(more, 20);
  // The land that was is a limit, too.
  const Terrain low = land_of([](double, double) { return 20.0; });
  const Volume lower = grown(slope(), {}, {.plateau = &low});
  for (uint64_t i = 0; i < 2000; ++i) {
    const Vec3 at = any_place(i, 20, 60);
    ASSERT_EQ(lower.value(at), slope().value(at));
  }
  EXPECT_GT(told(lower, "features"), 5);
}

TEST(Hoodoos, AreWideWhereTheRockIsHard) {
  // One by one on a plain, worn by the beds as in pictures.
  const RuleSet& rules = shipped_rule_set("hoodoos");
  const Geology rock = bands();
  std::vector<FieldPoint> points;
  constexpr int count = 12;
  for (int i = 0; i < count; ++i)
    grow(rules, rock, Volume::usual_threshold,
         {{16.0 * (i % 4) + 24, 16.0 * (i / 4) + 24, 3}, 20, 40, mix_bits(static_cast<uint64_t>(i))}, points);
  const Volume plain = implicitize(land_of([](double, double) { return 4.0; }), nullptr, &rock, {}, Context());
  StrataErosionParams worn;
  worn.depth = metres(0.3);
  const Volume out = strata_erosion(world, plain.with_root(with_points(plain.share(), points, plain.threshold())),
                                    nullptr, nullptr, worn, Context());
  double n = 0, r1 = 0, r2 = 0, h1 = 0, h2 = 0, both = 0;
  for (int i = 0; i < count; ++i) {
    std::vector<double> radius, rho;
    double mean = 0;
    for (double z = 7; z < 15; z += 0.5) {
      const Vec3 axis{16.0 * (i % 4) + 24, 16.0 * (i / 4) + 24, z};
      if (!out.inside(axis)) continue;
      double sum = 0;
      for (int k = 0; k < 8; ++k) {
        const double angle = 3.14159265 * k / 4;
        sum += out.cast(axis, {std::cos(angle), std::sin(angle), 0}, 6, 0.2).value_or(6);
      }
      radius.push_back(sum / 8);
      rho.push_back(static_cast<double>(rock.resistance(axis)));
      mean += sum / 8;
    }
    mean /= static_cast<double>(radius.size());
    for (size_t k = 0; k < radius.size(); ++k) {
      const double r = radius[k] / mean, h = rho[k];  // of a slender one as of a stout one
      n += 1, r1 += r, r2 += r * r, h1 += h, h2 += h * h, both += r * h;
    }
  }
  const double correlation = (both - r1 * h1 / n) / std::sqrt((r2 - r1 * r1 / n) * (h2 - h1 * h1 / n));
  EXPECT_GT(n, 100);
  EXPECT_GE(correlation, 0.6);
  RecordProperty("correlation", std::to_string(correlation));
}

TEST(Hoodoos, HalfTheRegionHasTheSameFeaturesInside) {
  HoodoosParams half;
  half.within = RegionShape::box;
  half.positions = Positions::metres;
  half.heights = Heights::sea_level;
  half.at = {24, 48, 20};
  half.half = {30, 60, 60};
  half.falloff = metres(1);
  const Volume whole = grown(slope()), part = grown(slope(), half);
  EXPECT_LT(told(part, "features"), told(whole, "features"));
  for (uint64_t i = 0; i < 2000; ++i) {
    const Vec3 at = any_place(i);
    if (at.x < 54 - 22) {
      ASSERT_EQ(part.value(at), whole.value(at));
    }
    if (at.x > 54 + 8) {
      ASSERT_EQ(part.value(at), slope().value(at));
    }
  }
}

TEST(Hoodoos, FollowMaskAndDrainage) {
  Grid<float> cells(world.width, world.height, 0);
  const Terrain none = land_of(fins).with(make_layer("mask", "", LayerKind::mask, std::move(cells)));
  EXPECT_EQ(told(grown(slope(), {}, {.mask = &none}), "features"), 0);
  Grid<float> areas(world.width, world.height, 1000);
  const Terrain wet = land_of(fins).with(make_layer("drainage", "m2", LayerKind::continuous, std::move(areas)));
  EXPECT_EQ(told(grown(slope(), {}, {.water = &wet}), "features"), 0);
  HoodoosParams wide;
  wide.drainage = 2000;
  EXPECT_GT(told(grown(slope(), wide, {.water = &wet}), "features"), 40);
  HoodoosParams few;
  few.intensity = 0.3;
  EXPECT_LT(told(grown(slope(), few), "features"), 0.5 * told(grown(slope()), "features"));
  const Terrain dry = land_of(fins);
  EXPECT_NE(test::error_of([&] { grown(slope(), {}, {.water = &dry}); }).find("drainage"), std::string::npos);
  const Frame other = make_world({96, 96}, 33);
  const Terrain elsewhere = Terrain(other, {0, 1}, Grid<float>(33, 33, 0))
                                .with(make_layer("mask", "", LayerKind::mask, Grid<float>(33, 33, 1)));
  EXPECT_FALSE(test::error_of([&] { grown(slope(), {}, {.mask = &elsewhere}); }).empty());
}

TEST(Hoodoos, FlatLandHasNoneAndSaysSo) {
  Sink sink;
  const Volume flat = implicitize(land_of([](double, double) { return 4.0; }), nullptr, nullptr, {}, Context());
  const Volume out = grown(flat, {}, {}, &sink);
  EXPECT_EQ(told(out, "features"), 0);
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_NE(sink.warnings[0].find("degrees steep"), std::string::npos);
  EXPECT_EQ(out.value({40, 40, 5}), flat.value({40, 40, 5}));
  // Nor has nothing.
  EXPECT_EQ(told(grown(Volume()), "features"), 0);
}

TEST(Hoodoos, AnyRulesGrowInAnyRock) {
  for (const float rho : {0.0f, 0.5f, 1.0f}) {
    const Geology even(std::make_shared<const test::Beds>(std::vector<NamedRock>{{"even", rho}}, 10));
    for (const HoodooRules rules :
         {HoodooRules::hoodoos, HoodooRules::goblins, HoodooRules::chimneys, HoodooRules::pinnacles}) {
      HoodoosParams params;
      params.rules = rules;
      EXPECT_GT(told(grown(slope(), params, {.rock = &even}), "features"), 10);
    }
  }
  HoodoosParams paper;
  paper.form = HoodooForm::paper;
  EXPECT_GT(told(grown(slope(), paper), "features"), 10);
  EXPECT_NE(grown(slope(), paper).hash(), grown(slope()).hash());
}

TEST(Hoodoos, KeepAwayFromTheSidesOfTheLand) {
  HoodoosParams anywhere;
  anywhere.slope = Interval{0, 90};
  anywhere.ridges = 0;
  anywhere.plateau = 60;
  const Volume out = grown(slope(), anywhere);
  EXPECT_GT(told(out, "features"), 100);
  for (uint64_t i = 0; i < 2000; ++i) {
    Vec3 at = any_place(i, 5, 60);
    at.x = i % 2 == 0 ? -0.5 : 96.5;
    ASSERT_EQ(out.inside(at), slope().inside(at));
  }
}

TEST(Hoodoos, SayWhenTheLandBeforeLeavesNoRoom) {
  Sink sink;
  const Terrain same = land_of(fins);
  EXPECT_EQ(told(grown(slope(), {}, {.plateau = &same}, &sink), "features"), 0);
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_NE(sink.warnings[0].find("'before'"), std::string::npos);
}

TEST(Hoodoos, ReadsRulesOfAUsersFile) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "tepui_hoodoos_test.json";
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  HoodoosParams params;
  params.file = FilePath{path.string()};
  write(std::string(shipped_rules()[1].text));
  ASSERT_EQ(shipped_rules()[1].name, "goblins");
  HoodoosParams goblins;
  goblins.rules = HoodooRules::goblins;
  EXPECT_EQ(grown(slope(), params).hash(), grown(slope(), goblins).hash());
  params.form = HoodooForm::paper;
  EXPECT_NE(test::error_of([&] { grown(slope(), params); }).find("twice"), std::string::npos);
  params.form = HoodooForm::natural;
  write(
      "{ \"axiom\": \"A\",\n  \"symbols\": { \"A\": [{ \"then\": [\"a\", \"A\"] }] },\n  \"shapes\": { \"a\": { "
      "\"step\": 1 } } }");
  try {
    grown(slope(), params);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().line, 2);
    EXPECT_EQ(error.place().file, path.string());
  }
  std::filesystem::remove(path);
  EXPECT_THROW(grown(slope(), params), Error);
}

TEST(Hoodoos, HaveTheSameBitsOnAnyThreads) {
  test::expect_same_bits([] { return grown(slope()).hash(); });
}

}  // namespace tepui::hoodoos_test

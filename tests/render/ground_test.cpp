#include "tepui/render/ground/ground.h"

#include <cmath>

#include "tepui/core/random.h"
#include "tepui/render/ground/covers.h"
#include "tests/support/support.h"

namespace tepui::ground_test {
namespace {

constexpr double side = 2048, relief = 400;
constexpr std::array<Biome, biome_count> biomes = {Biome::desert,    Biome::alpine, Biome::coast,   Biome::karst,
                                                   Biome::temperate, Biome::boreal, Biome::savanna, Biome::volcanic,
                                                   Biome::ice,       Biome::tundra};

Ground ground_of(Biome biome, double wide = side, double high = relief) {
  return Ground({.biome = biome, .side = wide, .relief = {0, high}});
}

/// At a share of the relief.
double height_at(double level) { return level * relief; }

Vec3 unit(Vec3 v) { return v * (1 / length(v)); }

float weight(const GroundLook& look, GroundKind kind) { return look.weights[static_cast<size_t>(kind)]; }

constexpr GroundKind deep_kinds[] = {GroundKind::scree, GroundKind::mud, GroundKind::gravel,
                                     GroundKind::sand,  GroundKind::ice, GroundKind::snow};
constexpr GroundKind plant_kinds[] = {GroundKind::grass, GroundKind::shrub, GroundKind::conifer, GroundKind::broadleaf};

/// Under plants of whatever kind.
float grown(const GroundLook& look) {
  float sum = 0;
  for (const GroundKind kind : plant_kinds) sum += weight(look, kind);
  return sum;
}

/// A place of any kind, overhangs and the sea bed included.
GroundPoint any_point(const Stream& stream, uint64_t index) {
  const auto draw = [&](uint64_t channel, double low, double high) {
    return stream.uniform(index, channel, low, high);
  };
  const auto maybe = [&](uint64_t channel, double high) {
    return static_cast<float>(std::max(-1.0, draw(channel, -high, high)));
  };
  GroundPoint p;
  p.at = {draw(0, -100, side), draw(1, 0, side), draw(2, -100, 500)};
  p.normal = unit({draw(3, -1, 1), draw(4, -1, 1), draw(5, -0.3, 1)});
  if (draw(8, 0, 1) < 0.5) p.above_water = static_cast<float>(draw(9, -20, 20));
  p.material = maybe(10, 1);
  p.hardness = maybe(11, 1);
  p.of(GroundKind::soil) = maybe(12, 2);
  p.of(GroundKind::sand) = maybe(13, 2);
  p.of(GroundKind::snow) = maybe(14, 2);
  for (const GroundKind kind : {GroundKind::scree, GroundKind::mud, GroundKind::gravel, GroundKind::ice})
    p.of(kind) = maybe(20 + static_cast<uint64_t>(kind), 2);
  for (const GroundKind kind : {GroundKind::grass, GroundKind::shrub, GroundKind::conifer, GroundKind::broadleaf})
    p.of(kind) = maybe(20 + static_cast<uint64_t>(kind), 0.4);
  if (draw(40, 0, 1) < 0.2) p.warmest = static_cast<float>(draw(41, -10, 30));
  const double size = draw(15, -12, 6);
  p.sediment = maybe(17, 2);
  p.depth = static_cast<float>(draw(18, -1, 4));
  p.footprint = draw(16, 0, 1) < 0.1 ? 0 : static_cast<float>(std::exp2(size));
  return p;
}

GroundPoint level_point(double x, double y, double slope = 0.05) {
  GroundPoint p;
  p.at = {x, y, height_at(0.4)};
  p.normal = unit({-slope, 0, 1});
  p.footprint = 2;
  return p;
}

Rgb mean_colour(const Ground& ground, double slope, float footprint) {
  Rgb sum;
  constexpr int n = 20;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      GroundPoint p = level_point(x * side / n, y * side / n, slope);
      p.footprint = footprint;
      sum = sum + ground.look(p).albedo * (1.0f / (n * n));
    }
  return sum;
}

float difference(Rgb a, Rgb b) { return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}); }

RC_GTEST_PROP(Ground, LooksLikeMatter, (uint64_t seed)) {
  const Stream stream(seed);
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    for (uint64_t i = 0; i < 100; ++i) {
      const GroundPoint p = any_point(stream, i);
      const GroundLook look = ground.look(p);
      float sum = 0;
      for (const float share : look.weights) {
        RC_ASSERT(share >= 0 && share <= 1.00001f);
        sum += share;
      }
      RC_ASSERT(std::abs(sum - 1) < 1e-5f);
      RC_ASSERT(look.roughness > 0.2f && look.roughness <= 1);
      for (const Rgb c : {look.albedo, ground.cut(p)})
        for (const float v : {c.r, c.g, c.b}) RC_ASSERT(v > 0 && v < 1);
      RC_ASSERT(std::abs(length(look.normal) - 1) < 1e-9);
      RC_ASSERT(dot(look.normal, p.normal) > 0);
    }
  }
}

TEST(Ground, TakesAnySizeOfLand) {
  for (const double size : {0.0, 1e-3, 1.0, 1e9}) {
    const Ground ground = ground_of(Biome::desert, size, size);
    GroundPoint p = level_point(1e9, -1e9);
    p.at.z = 1e30;
    const GroundLook look = ground.look(p);
    EXPECT_TRUE(look.albedo.r > 0 && look.albedo.r < 1) << size;
    EXPECT_NEAR(length(look.normal), 1, 1e-9) << size;
    EXPECT_GT(ground.cut(p).r, 0) << size;
  }
}

TEST(Ground, SmallMovesChangeLittleUnderALargePixel) {
  const Stream stream(3);
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    for (uint64_t i = 0; i < 300; ++i) {
      GroundPoint p = any_point(stream, i), q = p;
      p.footprint = q.footprint = 8;
      q.at = q.at + Vec3{0.05, -0.03, 0.04};
      const GroundLook a = ground.look(p), b = ground.look(q);
      EXPECT_LT(difference(a.albedo, b.albedo), 0.03f);
      EXPECT_GT(dot(a.normal, b.normal), 0.99);
    }
  }
}

TEST(Ground, DetailVanishesAsPixelsGrow) {
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    for (const double slope : {0.05, 0.6, 3.0}) {
      double before = 1e9;
      for (const float footprint : {0.05f, 1.0f, 8.0f, 64.0f}) {
        double tilt = 0;
        for (int i = 0; i < 200; ++i) {
          GroundPoint p = level_point(7.3 * i, 3.1 * i, slope);
          p.footprint = footprint;
          tilt += 1 - dot(ground.look(p).normal, p.normal);
        }
        EXPECT_LT(tilt, before) << slope << ' ' << footprint;
        before = tilt;
      }
      EXPECT_LT(before / 200, 1e-3) << slope;
      // What is left out does not change the colour that is left.
      EXPECT_LT(difference(mean_colour(ground, slope, 0.5f), mean_colour(ground, slope, 10)), 0.06f) << slope;
    }
  }
}

TEST(Ground, CloseUpsAreNotSmooth) {
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    for (const double slope : {0.05, 0.6, 3.0}) {
      double tilt = 0;
      float low = 1, high = 0;
      for (int i = 0; i < 200; ++i) {
        GroundPoint p = level_point(500 + 0.02 * i, 500 + 0.01 * i, slope);
        p.footprint = 0.01f;
        const GroundLook look = ground.look(p);
        tilt += std::acos(std::min(1.0, dot(look.normal, p.normal))) / 200;
        low = std::min(low, luminance(look.albedo));
        high = std::max(high, luminance(look.albedo));
      }
      EXPECT_GT(tilt, 0.03) << slope;
      EXPECT_GT(high, (biome == Biome::ice ? 1.005f : 1.05f) * low) << slope;
    }
  }
}

TEST(Ground, BiomesDiffer) {
  for (size_t a = 0; a < biomes.size(); ++a)
    for (size_t b = 0; b < a; ++b)
      for (const double slope : {0.05, 3.0})
        EXPECT_GT(difference(mean_colour(ground_of(biomes[a]), slope, 2), mean_colour(ground_of(biomes[b]), slope, 2)),
                  0.015f)
            << a << ' ' << b << ' ' << slope;
}

TEST(Ground, SteepGroundIsRockAndScreeLiesBelowIt) {
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    for (int i = 0; i < 50; ++i) {
      EXPECT_GT(weight(ground.look(level_point(31.0 * i, 17.0 * i, 3)), GroundKind::rock), 0.99f);
      GroundPoint under = level_point(31.0 * i, 17.0 * i);
      under.normal = unit({0.6, 0, -0.8});
      EXPECT_GT(weight(ground.look(under), GroundKind::rock), 0.99f);
    }
  }
  const Ground desert = ground_of(Biome::desert);
  EXPECT_GT(weight(desert.look(level_point(300, 300, 0.65)), GroundKind::scree), 0.8f);
  EXPECT_LT(luminance(mean_colour(desert, 3, 2)), luminance(mean_colour(desert, 0.65, 2)));
}

TEST(Ground, BandsShowOnCliffs) {
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    float low = 1, high = 0;
    for (int i = 0; i < 100; ++i) {
      GroundPoint p = level_point(600, 600, 4);
      p.at.z = height_at(i / 100.0);
      const float v = luminance(ground.look(p).albedo);
      low = std::min(low, v);
      high = std::max(high, v);
    }
    EXPECT_GT(high, 1.3f * low);
  }
}

TEST(Ground, LayersCoverTheRock) {
  const auto covered = [](Biome biome, GroundKind kind, float metres) {
    GroundPoint p = level_point(400, 700, 1.5);
    p.of(kind) = metres;
    return ground_of(biome).look(p);
  };
  for (const Biome biome : biomes) {
    EXPECT_GT(weight(covered(biome, GroundKind::snow, 3), GroundKind::snow), 0.99f);
    EXPECT_GT(weight(covered(biome, GroundKind::sand, 3), GroundKind::sand), 0.99f);
    GroundPoint p = level_point(400, 700);
    p.of(GroundKind::soil) = 5;
    p.of(GroundKind::snow) = 0;
    const GroundLook deep = ground_of(biome).look(p);
    EXPECT_GT(grown(deep) + weight(deep, GroundKind::soil), 0.99f);
    p.of(GroundKind::soil) = 0;
    const GroundLook bare = ground_of(biome).look(p);
    EXPECT_EQ(grown(bare) + weight(bare, GroundKind::soil), 0);
    // Soft edges: more is never less.
    float before = 0;
    for (const float metres : {0.0f, 0.02f, 0.05f, 0.1f, 0.2f, 0.5f}) {
      const float share = weight(covered(biome, GroundKind::snow, metres), GroundKind::snow);
      EXPECT_GE(share, before);
      before = share;
    }
  }
  const GroundLook alp = ground_of(Biome::alpine).look([] {
    GroundPoint p = level_point(400, 700);
    p.at.z = height_at(0.95);
    p.of(GroundKind::snow) = 0;
    return p;
  }());
  EXPECT_EQ(weight(alp, GroundKind::snow), 0);
}

/// However steep the ground: what a layer tells is what is seen.
RC_GTEST_PROP(Ground, ALayerBeatsARuleBySlope, (uint64_t seed)) {
  const Stream stream(seed);
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    GroundPoint p =
        level_point(stream.uniform(0, 0, 0, side), stream.uniform(0, 1, 0, side), stream.uniform(0, 2, 0, 4));
    p.at.z = height_at(stream.uniform(0, 3));
    p.footprint = 20;
    p.of(GroundKind::snow) = 0;
    for (const GroundKind kind : deep_kinds) {
      GroundPoint q = p;
      q.of(kind) = 4;
      RC_ASSERT(weight(ground.look(q), kind) > 0.999f);
      // More is never less.
      float before = 0;
      for (int k = 0; k <= 8; ++k) {
        q.of(kind) = 0.08f * static_cast<float>(k);
        const float now = weight(ground.look(q), kind);
        RC_ASSERT(now >= before);
        before = kind == GroundKind::scree || kind == GroundKind::gravel || kind == GroundKind::ice ? 0 : now;
      }
    }
    GroundPoint soil = p;
    soil.of(GroundKind::soil) = 2;
    const GroundLook earth = ground.look(soil);
    RC_ASSERT(grown(earth) + weight(earth, GroundKind::soil) > 0.999f);
    for (const GroundKind kind : plant_kinds) {
      GroundPoint q = p;
      for (const GroundKind other : plant_kinds) q.of(other) = 0;
      q.of(kind) = 0.6f;
      // Its edge may be ragged.
      RC_ASSERT(std::abs(weight(ground.look(q), kind) - 0.6f) < 0.25f);
      float before = 0;
      for (int k = 0; k <= 8; ++k) {
        q.of(kind) = 0.125f * static_cast<float>(k);
        const float now = weight(ground.look(q), kind);
        RC_ASSERT(now >= before);
        before = now;
      }
      RC_ASSERT(before > 0.999f);
      q.of(kind) = 0;
      RC_ASSERT(weight(ground.look(q), kind) == 0);
    }
  }
}

TEST(Ground, CrownsCloseByCoverAsMuchAsTheirShare) {
  const Ground ground = ground_of(Biome::boreal);
  for (const GroundKind kind : {GroundKind::shrub, GroundKind::conifer, GroundKind::broadleaf})
    for (const float share : {0.15f, 0.5f, 0.95f}) {
      double sum = 0;
      for (int i = 0; i < 3000; ++i) {
        GroundPoint p = level_point(0.37 * i, 0.61 * (i % 700));
        p.footprint = 0.1f;
        p.of(kind) = share;
        sum += static_cast<double>(weight(ground.look(p), kind)) / 3000;
      }
      EXPECT_NEAR(sum, static_cast<double>(share), 0.1);
    }
}

TEST(Ground, TreesStandOutOfTheSnow) {
  GroundPoint p = level_point(300, 300);
  p.of(GroundKind::conifer) = 1;
  p.of(GroundKind::snow) = 2;
  p.footprint = 20;
  const GroundLook wood = ground_of(Biome::boreal).look(p);
  EXPECT_GT(weight(wood, GroundKind::conifer), 0.5f);
  EXPECT_GT(weight(wood, GroundKind::snow), 0.1f);
}

TEST(Ground, SnowLiesAboveTheLineThatIsAsked) {
  for (const Biome biome : biomes) {
    const Ground ground({.biome = biome, .side = side, .relief = {0, relief}, .snow_line = 250});
    GroundPoint p = level_point(500, 900);
    p.at.z = 350;
    for (const GroundKind kind : plant_kinds) p.of(kind) = 0;
    EXPECT_GT(weight(ground.look(p), GroundKind::snow), 0.99f);
    p.at.z = 150;
    EXPECT_EQ(weight(ground.look(p), GroundKind::snow), 0);
    // Where it is known how warm it is, that counts.
    p.warmest = -8.0f;
    EXPECT_GT(weight(ground.look(p), GroundKind::snow), 0.99f);
  }
}

TEST(Ground, ColoursOfOnesOwn) {
  const Colour blue{0.2, 0.3, 0.9};
  const auto bluer = [](Rgb c) { return c.b > 1.5f * c.r; };
  GroundSetting setting{.biome = Biome::alpine, .side = side, .relief = {0, relief}};
  setting.rocks = {"marl", "chalk"};
  setting.colours = {{"grass", blue}, {"chalk", blue}, {"material 2", blue}};
  const Ground ground(setting);
  GroundPoint p = level_point(300, 300, 4);
  EXPECT_FALSE(bluer(ground.look(p).albedo));
  p.rock = 1;
  EXPECT_TRUE(bluer(ground.look(p).albedo));
  EXPECT_TRUE(bluer(ground.cut(p)));
  p.rock = 0;
  EXPECT_FALSE(bluer(ground.look(p).albedo));
  p.rock = -1;
  p.material_class = 2;
  EXPECT_TRUE(bluer(ground.look(p).albedo));
  p = level_point(300, 300);
  for (const GroundKind kind : plant_kinds) p.of(kind) = kind == GroundKind::grass ? 1 : 0;
  EXPECT_TRUE(bluer(ground.look(p).albedo));
  setting.colours = {{"gras", blue}};
  EXPECT_NE(test::error_of([&] { Ground{setting}; }).find("'gras'"), std::string::npos);
  setting.colours = {{"obsidian of another land", blue}};
  EXPECT_NO_THROW(Ground{setting});
}

TEST(Ground, LeavesTurnInAutumn) {
  GroundSetting setting{.biome = Biome::temperate, .side = side, .relief = {0, relief}};
  GroundPoint p = level_point(300, 300);
  p.of(GroundKind::broadleaf) = 1;
  p.footprint = 20;
  const Rgb summer = Ground(setting).look(p).albedo;
  setting.season = Season::autumn;
  const Rgb autumn = Ground(setting).look(p).albedo;
  EXPECT_GT(summer.g, summer.r);
  EXPECT_GT(autumn.r, 1.5f * autumn.g);
}

TEST(Ground, DebrisHidesTheRockAsItThickens) {
  for (const Biome biome : biomes)
    for (const double height : {20.0, 400.0, 8000.0}) {
      const Ground ground = ground_of(biome, side, height);
      const float hiding = hiding_thickness(height);
      for (const double slope : {0.02, 0.3, 0.7})
        for (int i = 0; i < 20; ++i) {
          GroundPoint p = level_point(67.0 * i, 41.0 * i, slope);
          p.footprint = 20;
          float before = 1;
          for (int k = 0; k <= 12; ++k) {
            p.sediment = hiding * static_cast<float>(k) / 12;
            const float rock = weight(ground.look(p), GroundKind::rock);
            // Where it is dry, level rock is as bare as a cliff is.
            EXPECT_TRUE(k > 0 || rock == 1 || biome != Biome::desert);
            EXPECT_LE(rock, before + 1e-6f) << slope << ' ' << k;
            before = rock;
          }
          EXPECT_LT(before, 1e-6f);
        }
    }
  EXPECT_EQ(hiding_thickness(1e5), 0.5f);
  EXPECT_LT(hiding_thickness(20), 0.1f);
  EXPECT_GT(hiding_thickness(0), 0);
}

TEST(Ground, DebrisIsBlocksWhereItIsSteepAndFinesWhereItIsGentle) {
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    for (int i = 0; i < 20; ++i) {
      GroundPoint p = level_point(67.0 * i, 41.0 * i, 0.85);
      p.sediment = 1;
      p.of(GroundKind::snow) = 0;
      EXPECT_GT(weight(ground.look(p), GroundKind::scree), 0.99f);
      if (biome != Biome::desert) continue;
      p.normal = unit({-0.02, 0, 1});
      const GroundLook gentle = ground.look(p);
      EXPECT_GT(weight(gentle, GroundKind::sand) + weight(gentle, GroundKind::soil), 0.95f);
      // Little grows on what is thin.
      EXPECT_LT(weight(gentle, GroundKind::grass), 0.05f);
    }
  }
}

TEST(Ground, FansAndRiverPlainsAreGreenWhereRainFalls) {
  for (const Biome biome : {Biome::alpine, Biome::temperate, Biome::coast, Biome::karst, Biome::boreal}) {
    const Ground ground = ground_of(biome);
    float green = 0;
    for (int i = 0; i < 50; ++i) {
      GroundPoint p = level_point(67.0 * i, 41.0 * i, 0.1);
      p.at.z = height_at(0.1);
      p.sediment = 5;
      const GroundLook look = ground.look(p);
      green += grown(look) / 50;
    }
    EXPECT_GT(green, 0.5f);
  }
}

TEST(Ground, CutsShowDebrisOverRock) {
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    float apart = 0;
    for (int i = 0; i < 20; ++i) {
      GroundPoint p = level_point(67.0 * i, 41.0 * i);
      const Rgb rock = ground.cut(p);
      p.sediment = 30;
      p.depth = 50;
      EXPECT_EQ(difference(ground.cut(p), rock), 0);
      p.depth = 15;
      apart += difference(ground.cut(p), rock) / 20;
      // Along the contact runs a dark line.
      const float inside = luminance(ground.cut(p));
      p.depth = 29.7f;
      EXPECT_LT(luminance(ground.cut(p)), 0.8f * std::max(inside, luminance(rock)));
      p.sediment = 0;
      for (const float depth : {-1.0f, 0.0f, 0.1f, 9.0f}) {
        p.depth = depth;
        EXPECT_EQ(difference(ground.cut(p), rock), 0);
      }
    }
    // Lava's blocks are as dark as lava.
    EXPECT_GT(apart, biome < Biome::temperate ? 0.04f : 0.012f);
  }
}

TEST(Ground, SnowIsWhiteAndTurfIsDark) {
  GroundPoint p = level_point(300, 300);
  p.of(GroundKind::snow) = 2;
  const Rgb snow = ground_of(Biome::alpine).look(p).albedo;
  EXPECT_GT(luminance(snow), 0.8f);
  p = level_point(300, 300);
  p.at.z = height_at(0.1);
  const GroundLook turf = ground_of(Biome::alpine).look(p);
  EXPECT_GT(weight(turf, GroundKind::grass) + weight(turf, GroundKind::conifer) + weight(turf, GroundKind::shrub),
            0.6f);
  EXPECT_LT(luminance(turf.albedo), 0.16f);
}

TEST(Ground, TheFootOfACliffIsWet) {
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    GroundPoint dry = level_point(900, 300, 3), wet = dry;
    wet.above_water = 0.1f;
    dry.above_water = 50;
    EXPECT_LT(luminance(ground.look(wet).albedo), 0.75f * luminance(ground.look(dry).albedo));
    EXPECT_LT(ground.look(wet).roughness, 0.75f * ground.look(dry).roughness);
  }
}

TEST(Ground, CoastsHaveBeachesAndAPaleSeaBed) {
  const Ground coast = ground_of(Biome::coast);
  for (int i = 0; i < 20; ++i) {
    GroundPoint p = level_point(90 * i, 55 * i, 0.1);
    p.above_water = 2;
    EXPECT_GT(weight(coast.look(p), GroundKind::sand), 0.8f);
    p.above_water = 60;
    EXPECT_LT(weight(coast.look(p), GroundKind::sand), 0.1f);
    p.above_water = -30;
    EXPECT_GT(weight(coast.look(p), GroundKind::sand), 0.95f);
    EXPECT_GT(luminance(coast.look(p).albedo), 0.2f);
  }
}

TEST(Ground, HardRockIsPaler) {
  for (const Biome biome : biomes) {
    const Ground ground = ground_of(biome);
    float soft = 0, hard = 0;
    for (int i = 0; i < 200; ++i) {
      GroundPoint p = level_point(9.0 * i, 5.0 * i, 4);
      p.at.z = height_at(0.2);
      p.hardness = 0;
      soft += luminance(ground.look(p).albedo);
      p.hardness = 1;
      hard += luminance(ground.look(p).albedo);
    }
    EXPECT_GT(hard, soft);
  }
}

TEST(Ground, KindsHaveNames) {
  EXPECT_EQ(ground_kind_name(GroundKind::rock), "rock");
  EXPECT_EQ(ground_kind_name(GroundKind::snow), "snow");
}

}  // namespace
}  // namespace tepui::ground_test

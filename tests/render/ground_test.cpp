#include "tepui/render/ground/ground.h"

#include <cmath>

#include "tepui/core/random.h"
#include "tepui/render/ground/covers.h"
#include "tests/support/support.h"

namespace tepui::ground_test {
namespace {

constexpr double side = 2048, relief = 400;
constexpr std::array<Palette, 4> palettes = {Palette::desert, Palette::alpine, Palette::coast, Palette::karst};

Vec3 unit(Vec3 v) { return v * (1 / length(v)); }

float weight(const GroundLook& look, GroundKind kind) { return look.weights[static_cast<size_t>(kind)]; }

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
  p.level = static_cast<float>(draw(6, -0.5, 1.2));
  p.rise = static_cast<float>(draw(7, -0.2, 0.2));
  if (draw(8, 0, 1) < 0.5) p.above_water = static_cast<float>(draw(9, -20, 20));
  p.material = maybe(10, 1);
  p.hardness = maybe(11, 1);
  p.soil = maybe(12, 2);
  p.sand = maybe(13, 2);
  p.snow = maybe(14, 2);
  const double size = draw(15, -12, 6);
  p.sediment = maybe(17, 2);
  p.depth = static_cast<float>(draw(18, -1, 4));
  p.footprint = draw(16, 0, 1) < 0.1 ? 0 : static_cast<float>(std::exp2(size));
  return p;
}

GroundPoint level_point(double x, double y, double slope = 0.05) {
  GroundPoint p;
  p.at = {x, y, 150};
  p.normal = unit({-slope, 0, 1});
  p.level = 0.4f;
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
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
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
    const Ground ground(Palette::desert, size, size);
    GroundPoint p = level_point(1e9, -1e9);
    p.at.z = 1e30;
    p.level = 1e20f;
    const GroundLook look = ground.look(p);
    EXPECT_TRUE(look.albedo.r > 0 && look.albedo.r < 1) << size;
    EXPECT_NEAR(length(look.normal), 1, 1e-9) << size;
    EXPECT_GT(ground.cut(p).r, 0) << size;
  }
}

TEST(Ground, SmallMovesChangeLittleUnderALargePixel) {
  const Stream stream(3);
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
    for (uint64_t i = 0; i < 300; ++i) {
      GroundPoint p = any_point(stream, i), q = p;
      p.footprint = q.footprint = 8;
      q.at = q.at + Vec3{0.05, -0.03, 0.04};
      q.level += 0.04f / static_cast<float>(relief);
      const GroundLook a = ground.look(p), b = ground.look(q);
      EXPECT_LT(difference(a.albedo, b.albedo), 0.03f);
      EXPECT_GT(dot(a.normal, b.normal), 0.99);
    }
  }
}

TEST(Ground, DetailVanishesAsPixelsGrow) {
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
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
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
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
      EXPECT_GT(high, 1.05f * low) << slope;
    }
  }
}

TEST(Ground, PalettesDiffer) {
  for (size_t a = 0; a < palettes.size(); ++a)
    for (size_t b = 0; b < a; ++b)
      for (const double slope : {0.05, 3.0})
        EXPECT_GT(difference(mean_colour(Ground(palettes[a], side, relief), slope, 2),
                             mean_colour(Ground(palettes[b], side, relief), slope, 2)),
                  0.01f)
            << a << ' ' << b << ' ' << slope;
}

TEST(Ground, SteepGroundIsRockAndScreeLiesBelowIt) {
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
    for (int i = 0; i < 50; ++i) {
      EXPECT_GT(weight(ground.look(level_point(31.0 * i, 17.0 * i, 3)), GroundKind::rock), 0.99f);
      GroundPoint under = level_point(31.0 * i, 17.0 * i);
      under.normal = unit({0.6, 0, -0.8});
      EXPECT_GT(weight(ground.look(under), GroundKind::rock), 0.99f);
    }
  }
  const Ground desert(Palette::desert, side, relief);
  EXPECT_GT(weight(desert.look(level_point(300, 300, 0.65)), GroundKind::scree), 0.8f);
  EXPECT_LT(luminance(mean_colour(desert, 3, 2)), luminance(mean_colour(desert, 0.65, 2)));
}

TEST(Ground, BandsShowOnCliffs) {
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
    float low = 1, high = 0;
    for (int i = 0; i < 100; ++i) {
      GroundPoint p = level_point(600, 600, 4);
      p.level = static_cast<float>(i) / 100;
      const float v = luminance(ground.look(p).albedo);
      low = std::min(low, v);
      high = std::max(high, v);
    }
    EXPECT_GT(high, 1.3f * low);
  }
}

TEST(Ground, LayersCoverTheRock) {
  const auto covered = [](Palette palette, float GroundPoint::*depth, float metres) {
    GroundPoint p = level_point(400, 700, 1.5);
    p.*depth = metres;
    return Ground(palette, side, relief).look(p);
  };
  for (const Palette palette : palettes) {
    EXPECT_GT(weight(covered(palette, &GroundPoint::snow, 3), GroundKind::snow), 0.99f);
    EXPECT_GT(weight(covered(palette, &GroundPoint::sand, 3), GroundKind::sand), 0.99f);
    GroundPoint p = level_point(400, 700);
    p.soil = 5;
    const GroundLook deep = Ground(palette, side, relief).look(p);
    EXPECT_GT(weight(deep, GroundKind::soil) + weight(deep, GroundKind::grass), 0.99f);
    p.soil = 0;
    const GroundLook bare = Ground(palette, side, relief).look(p);
    EXPECT_EQ(weight(bare, GroundKind::soil) + weight(bare, GroundKind::grass), 0);
    // Soft edges: more is never less.
    float before = 0;
    for (const float metres : {0.0f, 0.02f, 0.05f, 0.1f, 0.2f, 0.5f}) {
      const float share = weight(covered(palette, &GroundPoint::snow, metres), GroundKind::snow);
      EXPECT_GE(share, before);
      before = share;
    }
  }
  const GroundLook alp = Ground(Palette::alpine, side, relief).look([] {
    GroundPoint p = level_point(400, 700);
    p.level = 0.95f;
    p.snow = 0;
    return p;
  }());
  EXPECT_EQ(weight(alp, GroundKind::snow), 0);
}

TEST(Ground, DebrisHidesTheRockAsItThickens) {
  for (const Palette palette : palettes)
    for (const double height : {20.0, 400.0, 8000.0}) {
      const Ground ground(palette, side, height);
      const float hiding = hiding_thickness(height);
      for (const double slope : {0.02, 0.3, 0.7})
        for (int i = 0; i < 20; ++i) {
          GroundPoint p = level_point(67.0 * i, 41.0 * i, slope);
          float before = 1;
          for (int k = 0; k <= 12; ++k) {
            p.sediment = hiding * static_cast<float>(k) / 12;
            const float rock = weight(ground.look(p), GroundKind::rock);
            // Level rock is as bare as a cliff is.
            EXPECT_TRUE(k > 0 || rock == 1);
            EXPECT_LE(rock, before) << slope << ' ' << k;
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
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
    for (int i = 0; i < 20; ++i) {
      GroundPoint p = level_point(67.0 * i, 41.0 * i, 0.6);
      p.sediment = 1;
      EXPECT_GT(weight(ground.look(p), GroundKind::scree), 0.99f);
      p.normal = unit({-0.02, 0, 1});
      const GroundLook gentle = ground.look(p);
      EXPECT_GT(weight(gentle, GroundKind::sand) + weight(gentle, GroundKind::soil), 0.95f);
      // Little grows on what is thin.
      EXPECT_LT(weight(gentle, GroundKind::grass), 0.05f);
    }
  }
}

TEST(Ground, CutsShowDebrisOverRock) {
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
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
    EXPECT_GT(apart, 0.04f);
  }
}

TEST(Ground, SnowIsWhiteAndTurfIsDark) {
  GroundPoint p = level_point(300, 300);
  p.snow = 2;
  const Rgb snow = Ground(Palette::alpine, side, relief).look(p).albedo;
  EXPECT_GT(luminance(snow), 0.8f);
  p = level_point(300, 300);
  p.level = 0.1f;
  const GroundLook turf = Ground(Palette::alpine, side, relief).look(p);
  EXPECT_GT(weight(turf, GroundKind::grass), 0.4f);
  EXPECT_LT(luminance(turf.albedo), 0.16f);
}

TEST(Ground, TheFootOfACliffIsWet) {
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
    GroundPoint dry = level_point(900, 300, 3), wet = dry;
    wet.above_water = 0.1f;
    dry.above_water = 50;
    EXPECT_LT(luminance(ground.look(wet).albedo), 0.75f * luminance(ground.look(dry).albedo));
    EXPECT_LT(ground.look(wet).roughness, 0.75f * ground.look(dry).roughness);
  }
}

TEST(Ground, CoastsHaveBeachesAndAPaleSeaBed) {
  const Ground coast(Palette::coast, side, relief);
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
  for (const Palette palette : palettes) {
    const Ground ground(palette, side, relief);
    float soft = 0, hard = 0;
    for (int i = 0; i < 200; ++i) {
      GroundPoint p = level_point(9.0 * i, 5.0 * i, 4);
      p.level = 0.2f;
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

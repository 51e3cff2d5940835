#include "tepui/render/light/sky.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "reference/sky.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/render/light/atmosphere.h"
#include "tests/support/support.h"

namespace tepui::sky_test {

namespace {

Vec3 direction(double azimuth, double elevation) {
  return {math::sin(azimuth) * math::cos(elevation), math::cos(azimuth) * math::cos(elevation), math::sin(elevation)};
}

Sky sky_at(double degrees, double haze = 0.3, double azimuth = 0) { return Sky(azimuth, math::radians(degrees), haze); }

double any(double low, double high) { return low + (high - low) * *rc::gen::inRange(0, 1000001) / 1e6; }
struct Day {
  double elevation, haze, azimuth;
  Sky sky;
};
/// Skies from the lowest sun to the highest and the clearest air to the thickest, drawn once: a sky takes a while.
const std::vector<Day>& days() {
  static const std::vector<Day> all = [] {
    std::vector<Day> made;
    const Stream stream(11);
    for (uint64_t i = 0; i < 12; ++i) {
      const double elevation = i == 0 ? 1 : i == 1 ? 90 : stream.uniform(i, 0, 1, 90);
      const double haze = i == 2 ? 0 : i == 3 ? 1 : stream.uniform(i, 1), azimuth = stream.uniform(i, 2, -20, 20);
      made.push_back({elevation, haze, azimuth, sky_at(elevation, haze, azimuth)});
    }
    return made;
  }();
  return all;
}
const Day& any_day() { return days()[*rc::gen::inRange<size_t>(0, days().size())]; }
const Sky& any_sky() { return any_day().sky; }
/// Evenly over the sphere, with the poles and the horizon among them.
Vec3 any_direction() {
  const double z = *rc::gen::element(any(-1, 1), any(-1, 1), any(-1e-3, 1e-3), 0.0, 1.0, -1.0);
  const double angle = any(-math::pi, math::pi), level = std::sqrt(1 - z * z);
  return {level * math::cos(angle), level * math::sin(angle), z};
}

double largest(Rgb c) { return static_cast<double>(std::max({c.r, c.g, c.b})); }
/// The largest difference of a channel as a share of the brightest one.
double apart(Rgb a, Rgb b) {
  const double most = static_cast<double>(std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}));
  return most / std::max({largest(a), largest(b), 1e-9});
}
bool same(Rgb a, Rgb b) { return std::memcmp(&a, &b, sizeof a) == 0; }
double blueness(Rgb c) { return static_cast<double>(c.b / c.r); }

/// Irradiance on level ground from the sky alone, by an even grid over the whole upper half.
Rgb irradiance(const Sky& sky) {
  constexpr int rings = 200, spokes = 300;
  double sum[3] = {};
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < spokes; ++k) {
      const double elevation = math::pi / 2 * (i + 0.5) / rings;
      const Vec3 d = direction(2 * math::pi * (k + 0.5) / spokes, elevation);
      const double weight = d.z * math::cos(elevation) * (math::pi / 2 / rings) * (2 * math::pi / spokes);
      const Rgb c = sky.radiance(d);
      sum[0] += weight * static_cast<double>(c.r);
      sum[1] += weight * static_cast<double>(c.g);
      sum[2] += weight * static_cast<double>(c.b);
    }
  return {static_cast<float>(sum[0]), static_cast<float>(sum[1]), static_cast<float>(sum[2])};
}

}  // namespace

TEST(Sky, EqualsTheReference) {
  // Table and lookup against direct integration: within 2 % of the brightest channel.
  const double cases[][2] = {{2, 0.2}, {12, 0}, {35, 0.3}, {80, 1}};
  const double looks[][2] = {{0.4, 0.003}, {3, 8}, {1.1, 60}};
  for (const auto& [elevation, haze] : cases) {
    const Sky sky = sky_at(elevation, haze);
    const reference::SkyLight plain(math::radians(elevation), haze);
    const Rgb sun = plain.sun();
    for (const auto& [azimuth, height] : looks) {
      const Vec3 d = direction(azimuth, math::radians(height));
      const Rgb expected = plain.radiance(d, true) * atmosphere::sky_lift, seen = sky.radiance(d);
      // The sun tells the gains of the channels.
      const auto gain = [](float a, float b) { return b > 0 ? a / b : 0; };
      const Rgb gains{gain(sky.sun().r, sun.r), gain(sky.sun().g, sun.g), gain(sky.sun().b, sun.b)};
      Rgb compared = seen;
      if (gains.b == 0) compared.b = 0;
      EXPECT_LT(apart(compared, expected * gains), 0.02)
          << elevation << " " << haze << " at " << azimuth << " " << height << ": " << seen.r << " " << seen.g << " "
          << seen.b << " for " << expected.r * gains.r << " " << expected.g * gains.g << " " << expected.b * gains.b;
    }
  }
}

TEST(Sky, SkyAndSunAddUpToWhatFalls) {
  for (const auto& [elevation, haze, azimuth, sky] : days()) {
    const Rgb level = sky.sun() * static_cast<float>(sky.to_sun().z);
    EXPECT_LT(apart((irradiance(sky) + level) * static_cast<float>(1 / math::pi), sky.falling()), 2e-3)
        << elevation << " " << haze;
  }
}

TEST(Sky, AWhitePlateIsBrightAndNeitherGreyNorBlown) {
  for (const int degrees : {10, 13, 18, 25, 35, 50, 70, 90})
    for (const double haze : {0.0, 0.4}) {
      const Rgb falling = sky_at(degrees, haze).falling();
      EXPECT_NEAR(luminance(falling), 1, 1e-4f) << degrees;
      uint8_t plate[3], grey[3];
      store_srgb(tone_map(falling * 0.85f), 0.5f, plate);
      store_srgb(tone_map(falling * 0.18f), 0.5f, grey);
      const auto [low, high] = std::minmax({plate[0], plate[1], plate[2]});
      EXPECT_GE(low, 220) << degrees << ", " << haze;
      EXPECT_LE(high, 243) << degrees << ", " << haze;
      EXPECT_LE(high - low, 12) << degrees << ", " << haze;
      EXPECT_GE(grey[1], 110) << degrees << ", " << haze;
      EXPECT_LE(grey[1], 125) << degrees << ", " << haze;
    }
  uint8_t usual[3];
  store_srgb(tone_map(sky_at(35).falling() * 0.85f), 0.5f, usual);
  for (const uint8_t code : usual) EXPECT_GE(code, 225);
}

TEST(Sky, DuskIsDark) {
  double last = 0;
  for (const double degrees : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0}) {
    const double now = static_cast<double>(luminance(sky_at(degrees).falling()));
    EXPECT_GT(now, last) << degrees;
    last = now;
  }
  EXPECT_LT(luminance(sky_at(1).falling()), 0.4f);
}

TEST(Sky, IsBluerAtTheZenithThanAtTheHorizon) {
  for (const double degrees : {5, 15, 35, 60})
    for (const double haze : {0.0, 0.3, 1.0}) {
      const Sky sky = sky_at(degrees, haze);
      for (const double azimuth : {0.0, 1.5, 3.1}) {
        EXPECT_GT(blueness(sky.radiance({0, 0, 1})), blueness(sky.radiance(direction(azimuth, 0))));
        EXPECT_GT(blueness(sky.radiance(direction(math::pi, 1))), 1);
        // No green cast: a channel of green is never above both others by more than a trace.
        const Rgb low = sky.radiance(direction(azimuth, 0.02));
        EXPECT_LT(low.g, 1.08f * std::max(low.r, low.b)) << degrees << " " << haze << " " << azimuth;
      }
    }
}

TEST(Sky, ALowerSunIsWarmer) {
  double last = 0;
  for (const int degrees : {3, 5, 8, 13, 20, 30, 42, 60, 90}) {
    const Rgb sun = sky_at(degrees).sun();
    EXPECT_GT(sun.r, sun.g);
    EXPECT_GT(sun.g, sun.b);
    EXPECT_GT(blueness(sun), last) << degrees;
    last = blueness(sun);
  }
  // The distance towards a low sun is warmer than away from it.
  const Sky evening = sky_at(8);
  EXPECT_LT(blueness(evening.air(direction(0, 0))), 0.6 * blueness(evening.air(direction(math::pi, 0))));
  EXPECT_GT(blueness(sky_at(35).air(direction(math::pi, 0))), 1);
}

RC_GTEST_PROP(Sky, IsSymmetricAboutTheSun, ()) {
  const Day& day = any_day();
  const double aside = any(0, math::pi), height = any(-1.5, 1.5);
  RC_ASSERT(apart(day.sky.radiance(direction(day.azimuth + aside, height)),
                  day.sky.radiance(direction(day.azimuth - aside, height))) < 1e-4);
}

TEST(Sky, TurnsWithTheSun) {
  const Stream stream(4);
  for (const auto& [elevation, haze, azimuth, sky] : days()) {
    const Sky north = sky_at(elevation, haze);
    for (uint64_t i = 0; i < 200; ++i) {
      const double aside = stream.uniform(i, 0, -4, 4), height = stream.uniform(i, 1, -1.5, 1.5);
      const Vec3 here = direction(aside, height), there = direction(aside + azimuth, height);
      EXPECT_LT(apart(north.radiance(here), sky.radiance(there)), 1e-4);
      EXPECT_LT(apart(north.air(here), sky.air(there)), 1e-4);
    }
    EXPECT_TRUE(same(north.falling(), sky.falling()));
    EXPECT_LT(length(sky.to_sun() - direction(azimuth, math::radians(elevation))), 1e-6);
  }
}

TEST(Sky, AFullTurnChangesNothing) {
  const Stream stream(6);
  for (const double degrees : {0.0, 123.0, 180.0})
    for (const int turns : {-3, 1000}) {
      const Sky once = sky_at(30, 0.2, math::radians(degrees));
      const Sky again = sky_at(30, 0.2, math::radians(degrees + 360 * turns));
      EXPECT_EQ(once.to_sun(), again.to_sun()) << degrees << " and " << turns << " turns";
      for (uint64_t i = 0; i < 50; ++i) {
        const Vec3 d = direction(stream.uniform(i, 0, -4, 4), stream.uniform(i, 1, -1.5, 1.5));
        EXPECT_TRUE(same(once.radiance(d), again.radiance(d)));
      }
    }
  EXPECT_TRUE(std::isfinite(sky_at(30, 0.2, 1e300).radiance({0, 1, 0}).r));
}

RC_GTEST_PROP(Sky, IsContinuousAlsoAcrossTheHorizon, ()) {
  const Sky& sky = any_sky();
  const Vec3 d = any_direction();
  const double step = 1e-4;
  Vec3 near = d + Vec3{any(-step, step), any(-step, step), any(-step, step)};
  near = near * (1 / length(near));
  RC_ASSERT(apart(sky.radiance(d), sky.radiance(near)) < 0.02);
  RC_ASSERT(apart(sky.air(d), sky.air(near)) < 0.02);
  const double azimuth = any(-4, 4);
  RC_ASSERT(apart(sky.radiance(direction(azimuth, 1e-9)), sky.radiance(direction(azimuth, -1e-9))) < 1e-4);
  RC_ASSERT(apart(sky.radiance(direction(azimuth, 0)), sky.air(direction(azimuth, 0))) < 1e-4);
}

RC_GTEST_PROP(Sky, IsFiniteAndNowhereBlack, ()) {
  const Sky& sky = any_sky();
  for (int i = 0; i < 20; ++i) {
    const Vec3 d = any_direction();
    for (const Rgb c : {sky.radiance(d), sky.air(d), sky.falling(), sky.sun()}) {
      RC_ASSERT(std::isfinite(c.r) && std::isfinite(c.g) && std::isfinite(c.b));
      RC_ASSERT(std::min({c.r, c.g, c.b}) >= 0.0f);
    }
    RC_ASSERT(luminance(sky.radiance(d)) > 0.01f);
    RC_ASSERT(luminance(sky.air(d)) > 0.01f);
  }
}

TEST(Sky, HazeWhitensTheHorizonAndWeakensTheSun) {
  for (const double degrees : {20, 60}) {
    double sun = 1e9, white = 0, bright = 0;
    for (const double haze : {0.0, 0.3, 0.6, 1.0}) {
      const Sky sky = sky_at(degrees, haze);
      const double share = static_cast<double>(luminance(sky.sun()));
      EXPECT_LT(share, sun) << degrees << " " << haze;
      sun = share;
      // Paler and brighter over the horizon at right angles to the sun.
      const Rgb low = sky.radiance(direction(math::pi / 2, math::radians(12)));
      EXPECT_GT(1 / blueness(low), white) << degrees << " " << haze;
      EXPECT_GT(static_cast<double>(luminance(low)), bright) << degrees << " " << haze;
      white = 1 / blueness(low);
      bright = static_cast<double>(luminance(low));
    }
  }
}

RC_GTEST_PROP(Sky, AUniformSkyIsTheSameEverywhere, ()) {
  const Rgb light{static_cast<float>(any(0, 3)), static_cast<float>(any(0, 3)), static_cast<float>(any(0, 3))};
  const Sky sky = Sky::uniform(light);
  const Vec3 d = any_direction();
  RC_ASSERT(same(sky.radiance(d), light));
  RC_ASSERT(same(sky.air(d), light));
  RC_ASSERT(same(sky.falling(), light));
  RC_ASSERT(same(sky.sun(), Rgb{}));
}

TEST(Sky, HasTheSameBitsForAnyNumberOfThreads) {
  test::expect_same_bits([] {
    const Sky sky = sky_at(24, 0.4, 2.2);
    Hasher hasher;
    const auto add = [&](Rgb c) {
      hasher.add(static_cast<double>(c.r)).add(static_cast<double>(c.g)).add(static_cast<double>(c.b));
    };
    add(sky.sun());
    add(sky.falling());
    const Stream stream(5);
    for (uint64_t i = 0; i < 500; ++i)
      add(sky.radiance(direction(stream.uniform(i, 0, 0, 6.3), stream.uniform(i, 1, -1.5, 1.5))));
    return hasher.finish();
  });
}

}  // namespace tepui::sky_test

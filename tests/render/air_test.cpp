#include "tepui/render/light/air.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "reference/air.h"
#include "reference/sky.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/render/light/sky.h"
#include "tests/support/support.h"

namespace tepui::air_test {

namespace {

using atmosphere::Spectrum;

double any(double low, double high) { return low + (high - low) * *rc::gen::inRange(0, 1000001) / 1e6; }
Vec3 any_direction() {
  const double z = *rc::gen::element(any(-1, 1), 0.0, 1.0, -1.0), angle = any(-math::pi, math::pi);
  const double level = std::sqrt(1 - z * z);
  return {level * math::cos(angle), level * math::sin(angle), z};
}

/// Planets of all sizes, with thin air, thick air and air that reaches far beyond them; made once.
const std::vector<Air>& airs() {
  static const std::vector<Air> all = [] {
    std::vector<Air> made;
    for (const AirSpec& spec : {AirSpec{}, AirSpec{.haze = 1}, AirSpec{.amount = 20, .haze = 0},
                                AirSpec{.radius = 1, .height_scale = 8000 / 6.371e6}, AirSpec{.radius = 1},
                                AirSpec{.radius = 1e9}, AirSpec{.radius = 1e9, .height_scale = 1e6}})
      made.emplace_back(spec);
    return made;
  }();
  return all;
}
const Air& any_air() { return airs()[*rc::gen::inRange<size_t>(0, airs().size())]; }
/// From below the ground to far outside the air.
Vec3 any_place(const Air& air) {
  const double height = air.top() * *rc::gen::element(any(0, 1), any(0, 0.02), any(-0.01, 3), 1e3, 0.0);
  return any_direction() * (air.spec().radius + std::max(height, -0.01 * air.spec().radius));
}

bool same(const Spectrum& a, const Spectrum& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool is_share(const Spectrum& s) {
  return std::all_of(s.begin(), s.end(), [](float v) { return v >= 0 && v <= 1.000001f; });
}
bool is_light(const Spectrum& s) {
  return std::all_of(s.begin(), s.end(), [](float v) { return std::isfinite(v) && v >= 0; });
}
float largest(const Spectrum& s) { return *std::max_element(s.begin(), s.end()); }
/// The largest difference of a band as a share of the brightest one.
float apart(const Spectrum& a, const Spectrum& b) {
  float most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most / std::max({largest(a), largest(b), 1e-7f});
}

Vec3 looking(double azimuth, double elevation) {
  return {math::sin(azimuth) * math::cos(elevation), math::cos(azimuth) * math::cos(elevation), math::sin(elevation)};
}

}  // namespace

TEST(Air, EqualsTheReference) {
  // Tables and 40 steps against direct sums: within 2.5 % of the brightest band, 5 % after sunset.
  struct Case {
    double height, elevation, sun, azimuth;
  };
  const Case cases[] = {{2, 2, 10, 30},       {2, 5, -4, 0},       {2, -80, 20, 10},  {1e4, -2, 30, 120},
                        {4e5, -18.5, 40, 60}, {4e5, -60, 40, 100}, {4e5, -19, 1, 20}, {2e7, -76.2, 25, 170}};
  for (const AirSpec& spec : {AirSpec{.haze = 0.1}, AirSpec{.haze = 0.6}, AirSpec{.radius = 2e5, .haze = 0.2}}) {
    const Air air(spec);
    const reference::AirLight plain(spec);
    const double up = spec.height_scale / 8000;
    for (const Case& c : cases) {
      // The plain sums take a second each.
      if (spec.haze != 0.1 && c.height == 4e5) continue;
      const Vec3 eye{0, 0, spec.radius + c.height * up}, to_sun = looking(0, math::radians(c.sun));
      const Vec3 direction = looking(math::radians(c.azimuth), math::radians(c.elevation));
      const Air::Way way = air.along(eye, direction, to_sun);
      const Spectrum expected = plain.along(eye, direction, to_sun, true);
      EXPECT_LT(apart(way.light, expected), c.sun < 0 ? 0.05f : 0.025f)
          << c.height << " " << c.elevation << " " << c.sun << " radius " << spec.radius << " haze " << spec.haze;
      if (!(way.length < Air::no_end)) continue;
      const Spectrum through = plain.transmittance(eye, eye + direction * way.length);
      EXPECT_LT(apart(way.through, through), 0.02f);
      EXPECT_LT(apart(air.transmittance(eye, eye + direction * way.length), through), 2e-3f);
      EXPECT_LT(apart(air.sunlight(eye, to_sun), plain.sunlight(eye, to_sun)), 0.01f);
    }
  }
}

TEST(Air, AgreesWithTheSkyOverFlatLand) {
  // The sky of pictures of land is that of an eye on the ground of the Earth: within 3 % of the brightest channel,
  // 7 % where the sun is 2 degrees high.
  for (const double degrees : {2.0, 12.0, 35.0, 80.0})
    for (const double haze : {0.0, 0.3}) {
      const Air air({.radius = 1000 * atmosphere::ground_radius, .haze = haze, .ground = atmosphere::ground_albedo});
      const Sky sky(0, math::radians(degrees), haze);
      const Vec3 eye{0, 0, air.spec().radius}, to_sun = looking(0, math::radians(degrees));
      const Rgb sun = atmosphere::to_rgb(air.sunlight(eye, to_sun));
      EXPECT_LT(apart(air.sunlight(eye, to_sun), reference::AirLight(air.spec()).sunlight(eye, to_sun)), 0.02f);
      // The sun tells how much the picture's camera has raised each channel.
      const Rgb gains{sky.sun().r / sun.r, sky.sun().g / sun.g, sun.b > 0 ? sky.sun().b / sun.b : 0};
      for (const double azimuth : {0.4, 1.5, 3.0})
        for (const double elevation : {1.0, 8.0, 30.0, 75.0}) {
          const Vec3 d = looking(azimuth, math::radians(elevation));
          const Rgb own = atmosphere::to_rgb(air.along(eye, d, to_sun, Air::no_end, 64).light) * atmosphere::sky_lift;
          const Rgb of_air = own * gains, of_sky = sky.radiance(d);
          const float most = std::max({of_sky.r, of_sky.g, of_sky.b});
          const float off = std::max({std::abs(of_air.r - of_sky.r), std::abs(of_air.g - of_sky.g),
                                      gains.b > 0 ? std::abs(of_air.b - of_sky.b) : 0.0f});
          EXPECT_LT(off / most, degrees < 5 ? 0.07f : 0.03f)
              << degrees << " " << haze << " at " << azimuth << " " << elevation;
        }
    }
}

RC_GTEST_PROP(Air, LetsThroughASharedEquallyBothWays, ()) {
  const Air& air = any_air();
  const Vec3 a = any_place(air), b = any_place(air);
  const Spectrum there = air.transmittance(a, b);
  RC_ASSERT(is_share(there));
  RC_ASSERT(same(there, air.transmittance(b, a)));
}

RC_GTEST_PROP(Air, WhatAWayLetsThroughIsTheProductOfItsParts, ()) {
  const Air& air = any_air();
  const Vec3 a = any_place(air), b = any_place(air), middle = a + (b - a) * any(0, 1);
  const Spectrum whole = air.transmittance(a, b), first = air.transmittance(a, middle),
                 second = air.transmittance(middle, b);
  for (size_t i = 0; i < whole.size(); ++i) RC_ASSERT(std::abs(whole[i] - first[i] * second[i]) < 1e-3f);
}

RC_GTEST_PROP(Air, LongerWaysLetThroughLess, ()) {
  const Air& air = any_air();
  const Vec3 a = any_place(air), b = any_place(air);
  const Spectrum whole = air.transmittance(a, b), part = air.transmittance(a, a + (b - a) * any(0, 1));
  for (size_t i = 0; i < whole.size(); ++i) RC_ASSERT(whole[i] <= part[i] + 1e-3f);
}

RC_GTEST_PROP(Air, IsDefinedEverywhereOnPlanetsOfAnySize, ()) {
  const Air& air = any_air();
  const Vec3 at = any_place(air), direction = any_direction(), to_sun = any_direction();
  const double far = *rc::gen::element(Air::no_end, 0.0, air.spec().radius * any(0, 3));
  const Air::Way way = air.along(at, direction, to_sun, far, *rc::gen::inRange(1, 50), any(0, 0.999));
  RC_ASSERT(is_light(way.light));
  RC_ASSERT(is_share(way.through));
  RC_ASSERT(way.length >= 0);
  RC_ASSERT(is_share(air.sunlight(at, to_sun)));
  RC_ASSERT(is_light(air.skylight(at, to_sun)));
  // Nothing is brighter than what faces the sun, but for a halo.
  RC_ASSERT(largest(way.light) < 3.0f);
}

RC_GTEST_PROP(Air, IsTheSameOnAPlanetMadeLarger, ()) {
  const Air& air = airs()[0];
  static const Air larger({.radius = 8 * AirSpec{}.radius, .height_scale = 8 * AirSpec{}.height_scale});
  const Vec3 at = any_place(air), direction = any_direction(), to_sun = any_direction();
  const Air::Way way = air.along(at, direction, to_sun), same_way = larger.along(at * 8, direction, to_sun);
  RC_ASSERT(same(way.light, same_way.light));
  RC_ASSERT(same(way.through, same_way.through));
  RC_ASSERT(way.ground == same_way.ground);
}

RC_GTEST_PROP(Air, AWayMeetsTheGroundWhereTheSphereIs, ()) {
  const Air& air = airs()[*rc::gen::element<size_t>(0, 3)];
  const double radius = air.spec().radius;
  const Vec3 at = any_direction() * (radius + air.top() * *rc::gen::element(any(0.001, 1), 5.0, 300.0));
  const Vec3 aim = any_direction() * (radius * any(0, 1.1)), to = aim - at;
  const Air::Way way = air.along(at, to * (1 / length(to)), {0, 0, 1});
  const double closest = length(cross(at, to)) / length(to);
  if (std::abs(closest - radius) < 1e-9 * radius) return;
  RC_ASSERT(way.ground == (closest < radius && dot(at, to) < 0));
  if (way.ground) RC_ASSERT(std::abs(length(at + to * (way.length / length(to))) - radius) < 1e-7 * radius);
}

TEST(Air, WithoutAirTheSkyIsBlackAndTheSunIsFull) {
  const Air air({.amount = 0});
  const Stream stream(3);
  for (uint64_t i = 0; i < 200; ++i) {
    const Vec3 d = looking(stream.uniform(i, 0, -4, 4), stream.uniform(i, 1, -1.5, 1.5));
    const Vec3 eye{0, 0, air.spec().radius + stream.uniform(i, 2, 0, 2e5)};
    const Air::Way way = air.along(eye, d, looking(0, 0.5));
    EXPECT_EQ(largest(way.light), 0);
    EXPECT_EQ(*std::min_element(way.through.begin(), way.through.end()), 1);
    EXPECT_EQ(largest(air.skylight(eye, looking(0, 0.5))), 0);
  }
  const Spectrum sun = air.sunlight({0, 0, air.spec().radius}, looking(0, 0.5));
  EXPECT_EQ(*std::min_element(sun.begin(), sun.end()), 1);
  EXPECT_EQ(largest(air.sunlight({0, 0, air.spec().radius}, looking(0, -0.5))), 0);
}

TEST(Air, TheSunSetsSoftlyAndLaterForWhoIsHigher) {
  const Air& air = airs()[0];
  for (const double height : {0.0, 1e4, 4e5}) {
    const Vec3 eye{0, 0, air.spec().radius + height};
    float last = 1.1f;
    int partly = 0;
    for (double degrees = 5; degrees > -25; degrees -= 0.05) {
      const float red = air.sunlight(eye, looking(0, math::radians(degrees)))[7];
      EXPECT_LE(red, last * 1.0001f) << height << " " << degrees;
      partly += red > 0 && red < last ? 1 : 0;
      last = red;
    }
    EXPECT_GT(partly, 5);
    EXPECT_EQ(last, 0);
    const double dip = math::degrees(math::acos(air.spec().radius / (air.spec().radius + height)));
    EXPECT_GT(air.sunlight(eye, looking(0, math::radians(0.4 - dip)))[7], 0);
    EXPECT_EQ(air.sunlight(eye, looking(0, math::radians(-0.4 - dip)))[7], 0);
  }
}

TEST(Air, TheRimOfAPlanetIsBlueAndTheNightSideIsDark) {
  const Air& air = airs()[0];
  const Vec3 eye{0, 0, 4 * air.spec().radius}, to_sun = looking(0, 0.4);
  const auto rim = [&](double height, double azimuth) {
    const double sine = (air.spec().radius + height) / eye.z;
    return air.along(eye, {sine * math::sin(azimuth), sine * math::cos(azimuth), -std::sqrt(1 - sine * sine)}, to_sun)
        .light;
  };
  const Rgb lit = atmosphere::to_rgb(rim(2e4, 0)), dark = atmosphere::to_rgb(rim(2e4, math::pi));
  EXPECT_GT(lit.b, 1.5f * lit.r);
  EXPECT_LT(luminance(dark), 1e-3f * luminance(lit));
  // It fades outwards, by more than half in 10 km.
  for (double height = 2e4; height < 9e4; height += 1e4)
    EXPECT_LT(rim(height + 1e4, 0)[2], 0.5f * rim(height, 0)[2]) << height;
  EXPECT_EQ(largest(rim(air.top() * 1.001, 0)), 0);
}

TEST(Air, SkylightIsWhatTheSkySumsTo) {
  for (const size_t which : {0, 1}) {
    const Air& air = airs()[which];
    for (const double degrees : {-4.0, 3.0, 20.0, 60.0}) {
      const Vec3 at{0, 0, air.spec().radius}, to_sun = looking(0, math::radians(degrees));
      Spectrum sum{};
      constexpr int rings = 60, spokes = 90;
      for (int i = 0; i < rings; ++i)
        for (int k = 0; k < spokes; ++k) {
          const double sine = std::sqrt((i + 0.5) / rings), azimuth = 2 * math::pi * (k + 0.5) / spokes;
          const Spectrum light = air.along(at, looking(azimuth, math::asin(sine)), to_sun).light;
          for (size_t b = 0; b < light.size(); ++b) sum[b] += light[b] / (rings * spokes);
        }
      EXPECT_LT(apart(sum, air.skylight(at, to_sun)), degrees < 10 ? 0.07f : 0.04f) << which << " " << degrees;
    }
  }
}

TEST(Air, HasTheSameBitsForAnyNumberOfThreads) {
  test::expect_same_bits([] {
    const Air air({.haze = 0.4});
    Hasher hasher;
    const auto add = [&](const Spectrum& s) {
      for (const float v : s) hasher.add(static_cast<double>(v));
    };
    const Stream stream(5);
    for (uint64_t i = 0; i < 200; ++i) {
      const Vec3 eye{0, 0, air.spec().radius + stream.uniform(i, 4, 0, 1e5)};
      const Vec3 to_sun = looking(0, stream.uniform(i, 2, -0.3, 1.5));
      const Air::Way way =
          air.along(eye, looking(stream.uniform(i, 0, 0, 6.3), stream.uniform(i, 1, -1.5, 1.5)), to_sun);
      add(way.light);
      add(way.through);
      add(air.sunlight(eye, to_sun));
      add(air.skylight(eye, to_sun));
    }
    return hasher.finish();
  });
}

}  // namespace tepui::air_test

#include "tepui/render/picture/path_trace.h"

#include <cmath>
#include <cstring>
#include <numbers>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/render/picture/mesh_subject.h"
#include "tests/mesh/shapes.h"
#include "tests/render/scenes.h"

namespace tepui::path_trace_test {
namespace {

using test::around_it;
using test::land_of;
using test::LandStage;
using test::TestPaint;

constexpr double degree = std::numbers::pi / 180;

Sky sun_at(double azimuth, double elevation, double haze = 0.1) { return {azimuth * degree, elevation * degree, haze}; }

/// Tilts every normal, each place its own way.
Vec3 rough_normal(double u, double v, Vec3 n) {
  const Stream stream(9);
  const auto place = static_cast<uint64_t>(u * 64) * 100'003 + static_cast<uint64_t>(v * 64);
  const Vec3 tilted = n + Vec3{stream.uniform(place, 0, -0.6, 0.6), stream.uniform(place, 1, -0.6, 0.6), 0};
  return tilted * (1 / length(tilted));
}

const TestPaint white(1.0f), grey(0.5f), black(0.0f);
const TestPaint rough_white([](double, double) { return Rgb{1, 1, 1}; }, rough_normal);

float most(Rgb c) { return std::max({c.r, c.g, c.b}); }
float least(Rgb c) { return std::min({c.r, c.g, c.b}); }

double error_between(const Film& a, const Film& b) {
  double sum = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      const double d = static_cast<double>(luminance(a.radiance(x, y)) - luminance(b.radiance(x, y)));
      sum += d * d;
    }
  return std::sqrt(sum / (a.width * a.height));
}

double mean_light(const Film& film) {
  double sum = 0;
  for (int y = 0; y < film.height; ++y)
    for (int x = 0; x < film.width; ++x) sum += static_cast<double>(luminance(film.radiance(x, y)));
  return sum / (film.width * film.height);
}

bool same_bits(const Film& a, const Film& b) {
  return a.samples == b.samples && a.pixels.size() == b.pixels.size() &&
         std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(Film::Pixel)) == 0;
}

Terrain rough_land(uint64_t seed, int64_t w = 40, int64_t h = 31) {
  return test::sample_land(w, h, seed, 10, {0, 250});
}

}  // namespace

RC_GTEST_PROP(PathTrace, WhiteLandUnderEvenLightKeepsTheRadiance, ()) {
  const Rgb light{0.8f, 1, 1.7f};
  const auto w = *rc::gen::inRange<int64_t>(1, 30), h = *rc::gen::inRange<int64_t>(1, 30);
  const double relief = *rc::gen::inRange(0, 10) * static_cast<double>(std::max(w, h));
  const Terrain land = test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>(), 10, {0, relief});
  const TestPaint& paint = **rc::gen::element(&white, &rough_white);
  const auto [base, around] =
      *rc::gen::element(std::pair{Base::horizon, Surroundings::country}, std::pair{Base::block, Surroundings::none},
                        std::pair{Base::plate, Surroundings::none});
  const LandStage stage(land, paint, base);
  const Camera camera = *rc::gen::element(Camera::top, Camera::three_quarter, Camera::front, Camera::ground);
  const Film film = stage.film(stage.lens(camera), Sky::uniform(light), around_it(around), 12, 12, 3);
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 12; ++x) {
      const Rgb c = film.radiance(x, y);
      const float solid = film.solid(x, y);
      RC_ASSERT(std::abs(c.r - light.r * solid) < 0.01f);
      RC_ASSERT(std::abs(c.g - light.g * solid) < 0.01f);
      RC_ASSERT(std::abs(c.b - light.b * solid) < 0.017f);
    }
}

TEST(PathTrace, WhiteRoomKeepsTheLightOfItsWindow) {
  // A deep pit: light bounces many times before it leaves.
  const Terrain pit =
      land_of(33, 33, [](int64_t x, int64_t y) { return x > 12 && x < 20 && y > 12 && y < 20 ? -90.0 : 0.0; });
  for (const TestPaint* paint : {&white, &rough_white}) {
    const LandStage stage(pit, *paint);
    const Film film = stage.film(stage.inside(), Sky::uniform({1, 1, 1}), around_it(Surroundings::none), 16, 16, 16);
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) EXPECT_NEAR(luminance(film.radiance(x, y)), 1, 0.01) << x << ' ' << y;
  }
}

TEST(PathTrace, WhiteMeshUnderEvenLightKeepsTheRadiance) {
  MeshData ring = test::torus(30);
  ring.colours.assign(ring.positions.size(), {255, 255, 255, 255});
  const PictureParams params = test::small_picture(Camera::three_quarter, PictureColour::natural);
  const test::Stage<MeshSubject> stage(Mesh(ring), params, Base::block, std::nullopt, Context());
  const Film film =
      stage.film(stage.lens(Camera::three_quarter), Sky::uniform({1, 1, 1}), around_it(Surroundings::none), 24, 24, 8);
  double seen = 0;
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 24; ++x) {
      EXPECT_NEAR(luminance(film.radiance(x, y)), film.solid(x, y), 0.01) << x << ' ' << y;
      seen += static_cast<double>(film.solid(x, y));
    }
  EXPECT_GT(seen, 60);
}

RC_GTEST_PROP(PathTrace, PlaneIsLitByTheCosineOfTheSun, ()) {
  const double gx = *rc::gen::inRange(-20, 21) / 10.0, gy = *rc::gen::inRange(-20, 21) / 10.0;
  const Terrain plane = land_of(
      9, 9, [&](int64_t x, int64_t y) { return 10 * (gx * static_cast<double>(x) + gy * static_cast<double>(y)); });
  static const Sky skies[] = {sun_at(0, 3), sun_at(77, 20), sun_at(160, 45), sun_at(300, 60), sun_at(10, 90)};
  const Sky& sky = skies[*rc::gen::inRange<size_t>(0, std::size(skies))];
  const LandStage stage(plane, grey);
  const Film film = stage.film(stage.inside(), sky, around_it(Surroundings::none), 6, 6, 8);
  const Vec3 normal = Vec3{-gx, -gy, 1} * (1 / length({gx, gy, 1}));
  const double cosine = dot(normal, sky.to_sun());
  // The disc sets behind the plane.
  if (std::abs(cosine) < 1.1 * sky.sun_radius()) return;
  const double expected = 0.5 / std::numbers::pi * static_cast<double>(sky.sun().g) * std::max(0.0, cosine);
  for (const Film::Pixel& pixel : film.pixels)
    RC_ASSERT(std::abs(static_cast<double>(pixel.direct.g) / 8 - expected) < 1e-4 * (1 + expected));
}

TEST(PathTrace, WhitePlateHasTheRadianceThatFalls) {
  const LandStage stage(test::flat_land(9, 9), white);
  for (const double elevation : {2.0, 15.0, 35.0, 90.0})
    for (const double haze : {0.0, 1.0}) {
      const Sky sky = sun_at(100, elevation, haze);
      const Film film = stage.film(stage.inside(), sky, around_it(Surroundings::none), 8, 8, 256);
      Rgb mean;
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) mean = mean + film.radiance(x, y) * (1 / 64.0f);
      EXPECT_NEAR(mean.r, sky.falling().r, 0.01f * sky.falling().r) << elevation;
      EXPECT_NEAR(mean.g, sky.falling().g, 0.01f * sky.falling().g) << elevation;
      EXPECT_NEAR(mean.b, sky.falling().b, 0.01f * sky.falling().b) << elevation;
    }
}

// A wall's shadow is as long as its height over the tangent of the sun's elevation, and its edge is as soft as the
// disc is wide: each place gets the share of the disc above the wall.
TEST(PathTrace, ShadowOfAWallFallsWhereGeometrySays) {
  constexpr int n = 401, middle = 200, samples = 256;
  constexpr double height = 40;
  for (const double elevation : {15.0, 30.0, 60.0})
    for (const int quarter : {0, 1, 2, 3}) {
      const bool across_x = quarter % 2 == 1;
      const auto wall = [&](int64_t along) { return along == middle ? height : 0; };
      const Terrain land = across_x ? land_of(n, 5, [&](int64_t x, int64_t) { return wall(x); }, {1, 1000})
                                    : land_of(5, n, [&](int64_t, int64_t y) { return wall(y); }, {1000, 1});
      const LandStage stage(land, grey);
      const Sky sky = sun_at(90.0 * quarter, elevation);
      const Lens lens = stage.lens(Camera::top);
      const PathTracer tracer(stage.subject, stage.rays, lens, sky, around_it(Surroundings::none));
      const double open = 0.5 / std::numbers::pi * static_cast<double>(sky.sun().g) * std::sin(elevation * degree);
      const int away = quarter < 2 ? -1 : 1;
      const double shadow = height / std::tan(elevation * degree);
      for (double way = 3.3; way < std::min(1.5 * shadow, 190.0); way += shadow / 40) {
        const double at = away * way / stage.subject.metres;
        const Vec2 seen = *lens.seen(across_x ? Vec3{at, 0.1, 0} : Vec3{0.1, at, 0});
        double sum = 0;
        for (uint64_t k = 0; k < samples; ++k)
          sum += static_cast<double>(tracer.look(seen.x, seen.y, 64, 5, k).direct.g);
        const double t = std::clamp((std::atan(height / way) - elevation * degree) / sky.sun_radius(), -1.0, 1.0);
        const double share = (std::acos(t) - t * std::sqrt(1 - t * t)) / std::numbers::pi;
        EXPECT_NEAR(sum / samples / open, share, 0.03) << elevation << " from " << quarter << " at " << way;
      }
    }
}

// Of an endless valley of any profile, a place gets light from the open sky between the horizons on either side: the
// mean of the sines of their angles from the normal.
RC_GTEST_PROP(PathTrace, SkyLightIsTheShareOfOpenSky, ()) {
  constexpr int64_t n = 9;
  std::vector<double> profile;
  for (int64_t i = 0; i < n; ++i) profile.push_back(*rc::gen::inRange(0, 40) / 10.0);
  const Terrain valley = land_of(n, 3, [&](int64_t x, int64_t) { return profile[static_cast<size_t>(x)]; }, {1, 2000});
  const TestPaint faceted([](double, double) { return Rgb{}; },
                          [&](double u, double, Vec3) {
                            const auto i = static_cast<size_t>(std::min(u, static_cast<double>(n - 2)));
                            const Vec3 normal{profile[i] - profile[i + 1], 0, 1};
                            return normal * (1 / length(normal));
                          });
  const LandStage stage(valley, faceted);
  const Sky even = Sky::uniform({1, 1, 1});
  const Lens lens = stage.lens(Camera::top);
  const PathTracer tracer(stage.subject, stage.rays, lens, even, around_it(Surroundings::none));
  const auto i = *rc::gen::inRange<size_t>(0, n - 1);
  const double part = *rc::gen::inRange(1, 10) / 10.0, u = static_cast<double>(i) + part;
  const double z = profile[i] + part * (profile[i + 1] - profile[i]);
  double left = -1e9, right = -1e9;  // slopes up to the horizon
  for (size_t k = 0; k < n; ++k) {
    const double away = static_cast<double>(k) - u, slope = (profile[k] - z) / std::abs(away);
    (away < 0 ? left : right) = std::max(away < 0 ? left : right, slope);
  }
  const double tilt = std::atan(profile[i + 1] - profile[i]);
  const double expected = 0.5 * (std::cos(std::atan(left) + tilt) + std::cos(std::atan(right) - tilt));
  const Vec2 seen = *lens.seen({(u - 4) / stage.subject.metres, 0, 0});
  double sum = 0;
  for (uint64_t k = 0; k < 1024; ++k) sum += static_cast<double>(tracer.look(seen.x, seen.y, 64, 3, k).arriving.g);
  RC_ASSERT(std::abs(sum / 1024 - expected) < 0.015);
}

TEST(PathTrace, ColouredWallsColourTheGroundBeside) {
  const Terrain valley = land_of(41, 41, [](int64_t x, int64_t) { return x < 5 || x > 35 ? 120.0 : 0.0; });
  // A red wall in the west, a blue one in the east.
  const TestPaint walls([](double u, double) {
    return u < 5.5 ? Rgb{0.8f, 0.1f, 0.1f} : u > 34.5 ? Rgb{0.1f, 0.1f, 0.8f} : Rgb{0.7f, 0.7f, 0.7f};
  });
  const LandStage stage(valley, walls);
  const Film film =
      stage.film(stage.lens(Camera::top), Sky::uniform({1, 1, 1}), around_it(Surroundings::none), 41, 11, 64);
  const auto mean = [&](int x) {
    Rgb sum;
    for (int y = 3; y < 8; ++y) sum = sum + film.radiance(x, y);
    return sum;
  };
  const Rgb west = mean(8), middle = mean(20), east = mean(32);
  EXPECT_GT(west.r, 1.05f * west.b);
  EXPECT_GT(east.b, 1.05f * east.r);
  EXPECT_NEAR(middle.r, middle.b, 0.02f * middle.r);
  EXPECT_GT(middle.r, middle.g);
}

TEST(PathTrace, WallsThatReflectLightUpTheShade) {
  const Terrain land = land_of(41, 41, [](int64_t x, int64_t) { return x < 8 ? 150.0 : 0.0; });
  const TestPaint dark([](double u, double) { return u < 8.5 ? Rgb{} : Rgb{0.5f, 0.5f, 0.5f}; });
  const auto light = [&](const TestPaint& paint) {
    const LandStage stage(land, paint);
    return stage.film(stage.lens(Camera::top), sun_at(90, 40), around_it(Surroundings::none), 41, 41, 16);
  };
  // The sun shines on the wall, and the ground before it gets more light for it.
  EXPECT_GT(luminance(light(grey).radiance(10, 20)), 1.1f * luminance(light(dark).radiance(10, 20)));
}

RC_GTEST_PROP(PathTrace, SamplesInPartsAreTheSameAsAtOnce, (uint64_t seed)) {
  const LandStage stage(rough_land(seed), grey, Base::block, 90.0);
  const Lens lens = stage.lens(Camera::three_quarter);
  static const Sky sky = sun_at(200, 25);
  TraceSettings settings;
  settings.haze = 0.3;
  const PathTracer tracer(stage.subject, stage.rays, lens, sky, settings);
  Film once(10, 7), parts(10, 7);
  tracer.trace(once, 32, Context());
  const int first = *rc::gen::inRange(0, 33);
  tracer.trace(parts, first, Context());
  tracer.trace(parts, 32 - first, Context());
  RC_ASSERT(same_bits(once, parts));
}

TEST(PathTrace, ErrorFallsAtLeastLikeTheRootOfTheSamples) {
  const LandStage stage(rough_land(3), grey);
  const Lens lens = stage.lens(Camera::three_quarter);
  const Sky sky = sun_at(300, 30);
  const auto film = [&](int samples) { return stage.film(lens, sky, around_it(Surroundings::floor), 24, 16, samples); };
  const Film best = film(1024);
  const double few = error_between(film(4), best), many = error_between(film(64), best);
  EXPECT_GT(few, 0);
  EXPECT_LT(many, few / 3.6);
}

TEST(PathTrace, EverythingIsFinite) {
  for (const Base base : {Base::block, Base::horizon})
    for (const double haze : {0.0, 0.99, 1.0}) {
      const LandStage stage(rough_land(4), white, base, 80.0);
      TraceSettings settings = around_it(base == Base::block ? Surroundings::floor : Surroundings::country);
      settings.haze = haze;
      const Film film = stage.film(stage.lens(Camera::ground), sun_at(10, 1, haze), settings, 24, 18, 4);
      for (int y = 0; y < 18; ++y)
        for (int x = 0; x < 24; ++x) {
          EXPECT_TRUE(std::isfinite(most(film.radiance(x, y))));
          EXPECT_GE(least(film.radiance(x, y)), 0);
        }
    }
}

TEST(PathTrace, AirTakesColoursAwayWithDistance) {
  const LandStage stage(test::flat_land(33, 33), black, Base::horizon);
  PictureParams params;
  params.camera = Camera::free;
  params.eye = {160, -2000, 320};
  params.target = {160, 160, 120};
  const Lens lens = make_lens(stage.subject, params, 1, {});
  const Sky sky = sun_at(180, 40);
  TraceSettings settings = around_it(Surroundings::country);
  settings.haze = 0.5;
  const PathTracer tracer(stage.subject, stage.rays, lens, sky, settings);
  double before = 0;
  for (const double y : {-1500.0, -500.0, 500.0, 3000.0, 30000.0}) {
    const Vec2 at = *lens.seen(stage.subject.placed({160, y, 120}));
    const double light = static_cast<double>(luminance(tracer.look(at.x, at.y, 64, 0, 0).direct));
    EXPECT_GT(light, before) << y;
    before = light;
  }
  const Vec3 far = Vec3{0, 1, 0};
  EXPECT_NEAR(before, static_cast<double>(luminance(sky.air(far))), 0.05 * before);
}

TEST(Film, GrainIsOnlyTakenWhereThereIsSome) {
  // Light that changes from pixel to pixel, the same in every sample.
  Film film(20, 15);
  film.samples = 32;
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 20; ++x)
      for (int k = 0; k < 32; ++k) {
        FilmSample sample;
        const float light = 0.2f + 0.03f * static_cast<float>((x * 7 + y * 5) % 11);
        sample.arriving = {light, light * 0.5f, light * 0.25f};
        sample.bounced = sample.arriving * 0.5f;
        sample.direct = {0.1f, 0.2f, 0.3f};
        sample.normal = {0, 0, 1};
        sample.depth = 2;
        film.add(x, y, sample);
      }
  const Film clean = without_grain(film, Context());
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 20; ++x) EXPECT_NEAR(luminance(clean.radiance(x, y)), luminance(film.radiance(x, y)), 1e-3f);
}

TEST(Film, WithoutGrainTheErrorFallsAndTheLightStays) {
  const Terrain hills = land_of(97, 97, [](int64_t x, int64_t y) {
    return 90 * std::sin(0.11 * static_cast<double>(x)) * std::cos(0.09 * static_cast<double>(y));
  });
  const LandStage stage(hills, grey);
  const Lens lens = stage.lens(Camera::three_quarter, 4.0 / 3);
  const Sky sky = sun_at(300, 30);
  const auto film = [&](int samples) { return stage.film(lens, sky, around_it(Surroundings::floor), 48, 36, samples); };
  const Film best = film(256), few = film(16), clean = without_grain(few, Context());
  EXPECT_LT(error_between(clean, best), 0.95 * error_between(few, best));
  // The light that it is for, without what comes straight from the sun.
  const auto bounced = [](Film light) {
    for (Film::Pixel& pixel : light.pixels) pixel.direct = {};
    return light;
  };
  EXPECT_LT(error_between(bounced(clean), bounced(best)), 0.9 * error_between(bounced(few), bounced(best)));
  EXPECT_NEAR(mean_light(clean), mean_light(best), 0.01 * mean_light(best));
  EXPECT_TRUE(same_bits(without_grain(Film(5, 4), Context()), Film(5, 4)));
}

TEST(PathTrace, CancelStopsTheWork) {
  const LandStage stage(test::flat_land(9, 9), grey);
  const CancelFlag stop = true;
  const Lens lens = stage.lens(Camera::top);
  const Sky sky = sun_at(0, 30);
  Film film(8, 8);
  try {
    PathTracer(stage.subject, stage.rays, lens, sky, {}).trace(film, 1, Context(nullptr, &stop));
    ADD_FAILURE() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace tepui::path_trace_test

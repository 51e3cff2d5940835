#include "tepui/render/picture/lens.h"

#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tests/render/scenes.h"

namespace tepui::lens_test {
namespace {

using test::error_of;
using test::flat_land;
using test::land_of;
using test::LandStage;
using test::TestPaint;

const TestPaint grey(0.5f);

rc::Gen<Camera> presets() { return rc::gen::element(Camera::three_quarter, Camera::top, Camera::front, Camera::orbit); }

rc::Gen<double> aspects() {
  return rc::gen::map(rc::gen::inRange(-40, 41), [](int v) { return std::pow(4.0, v / 40.0); });
}

/// Of any shape, from level to spikes, a single row or column included.
Terrain any_land() {
  const auto w = *rc::gen::inRange<int64_t>(1, 40), h = *rc::gen::inRange<int64_t>(1, 40);
  const double relief = *rc::gen::element(0.0, 1e-3, 50.0, 400.0, 5000.0, 1e6);
  return test::sample_land(w, h, *rc::gen::arbitrary<uint64_t>(), 10, {0, relief});
}

/// Every sample and every foot of a wall, where they are drawn: a single row or column one cell wide.
std::vector<Vec3> corners_of(const Terrain& land, const Subject& subject) {
  std::vector<Vec3> points;
  const Frame& frame = land.frame();
  for (int64_t y = 0; y < std::max<int64_t>(frame.height, 2); ++y)
    for (int64_t x = 0; x < std::max<int64_t>(frame.width, 2); ++x) {
      const double z = static_cast<double>(land.height()(std::min(x, frame.width - 1), std::min(y, frame.height - 1)));
      const Vec3 at = subject.placed({frame.x(x), frame.y(y), z});
      points.push_back(at);
      points.push_back({at.x, at.y, subject.floor});
    }
  return points;
}

PictureParams exaggerated(double times) {
  PictureParams params;
  params.exaggeration = times;
  return params;
}

PictureParams free_camera(Vec3 eye, Vec3 target) {
  PictureParams params;
  params.camera = Camera::free;
  params.eye = eye;
  params.target = target;
  return params;
}

Lens free_lens(const Subject& subject, Vec3 eye, Vec3 target, double aspect = 1.5) {
  return make_lens(subject, free_camera(eye, target), aspect, {});
}

}  // namespace

RC_GTEST_PROP(Lens, PresetsFrameTheWholeLand, ()) {
  const Terrain land = any_land();
  const LandSubject subject(land, grey, *rc::gen::element(Base::block, Base::plate), PictureParams(), {}, Context());
  PictureParams params;
  params.camera = *presets();
  params.turn = {*rc::gen::inRange(-360, 361) * 2.0};
  params.tilt = {*rc::gen::inRange(-80, 81) * 1.0};
  const Lens lens = make_lens(subject, params, *aspects(), {});
  double left = 1e9, right = -1e9, low = 1e9, high = -1e9;
  for (const Vec3& point : corners_of(land, subject)) {
    const auto at = lens.seen(point);
    RC_ASSERT(at.has_value());
    left = std::min(left, at->x), right = std::max(right, at->x);
    low = std::min(low, at->y), high = std::max(high, at->y);
  }
  RC_ASSERT(left >= -1.0000001);
  RC_ASSERT(right <= 1.0000001);
  RC_ASSERT(low >= -1.0000001);
  RC_ASSERT(high <= 1.0000001);
  // A row of samples, or a needle, is seen end-on from some sides.
  RC_ASSERT(std::max(right - left, high - low) > 0.1);
}

TEST(Lens, SpikesBetweenTheSamplesLookedAtAreFramed) {
  for (const int64_t spike : {1, 150, 151, 152, 153, 298}) {
    const Terrain land = land_of(300, 300, [&](int64_t x, int64_t y) { return x == spike && y == 153 ? 4000.0 : 0.0; });
    const LandSubject subject(land, grey, Base::block, PictureParams(), {}, Context());
    for (const Camera camera : {Camera::three_quarter, Camera::front, Camera::orbit}) {
      PictureParams params;
      params.camera = camera;
      const Lens lens = make_lens(subject, params, 1.5, {});
      const Frame& frame = land.frame();
      const auto top = lens.seen(subject.placed({frame.x(spike), frame.y(153), 4000}));
      ASSERT_TRUE(top.has_value());
      EXPECT_LE(std::abs(top->x), 1) << spike;
      EXPECT_LE(std::abs(top->y), 1) << spike;
    }
  }
}

TEST(Lens, TheSeaIsFramedWithTheLand) {
  const Terrain land = test::sample_land(20, 20, 1, 10, {-300, 20});
  const LandSubject subject(land, grey, Base::block, PictureParams(), 250.0, Context());
  for (const Camera camera : {Camera::three_quarter, Camera::front, Camera::orbit}) {
    PictureParams params;
    params.camera = camera;
    const Lens lens = make_lens(subject, params, 1.5, {});
    for (const double x : {subject.low.x, subject.high.x})
      for (const double y : {subject.low.y, subject.high.y}) {
        const auto at = lens.seen({x, y, *subject.sea});
        ASSERT_TRUE(at.has_value());
        EXPECT_LE(std::abs(at->x), 1);
        EXPECT_LE(std::abs(at->y), 1);
      }
  }
}

RC_GTEST_PROP(Lens, RaysLeadToWhatIsSeen, ()) {
  const Terrain land = any_land();
  const LandSubject subject(land, grey, Base::block, PictureParams(), {}, Context());
  PictureParams params;
  params.camera = *rc::gen::element(Camera::three_quarter, Camera::top, Camera::front, Camera::orbit, Camera::ground);
  params.turn = {*rc::gen::inRange(-360, 361) * 1.0};
  const Lens lens = make_lens(subject, params, *aspects(), {});
  const double x = *rc::gen::inRange(-100, 101) / 100.0, y = *rc::gen::inRange(-100, 101) / 100.0;
  const Lens::Ray ray = lens.ray(x, y);
  RC_ASSERT(std::abs(length(ray.direction) - 1) < 1e-12);
  const double size = length(subject.high - subject.low);
  for (const double far : {0.5, 3.0, 40.0}) {
    const auto at = lens.seen(ray.from + ray.direction * (far * size));
    RC_ASSERT(at.has_value());
    RC_ASSERT(std::abs(at->x - x) < 1e-6);
    RC_ASSERT(std::abs(at->y - y) < 1e-6);
  }
}

RC_GTEST_PROP(Lens, AxesAreAtRightAngles, ()) {
  const LandSubject subject(any_land(), grey, Base::block, PictureParams(), {}, Context());
  PictureParams params;
  params.camera = *rc::gen::element(Camera::three_quarter, Camera::top, Camera::front, Camera::orbit, Camera::ground);
  params.turn = {*rc::gen::inRange(-720, 721) * 1.0};
  params.tilt = {*rc::gen::inRange(-80, 81) * 1.0};
  const Lens lens = make_lens(subject, params, *aspects(), {});
  for (const Vec3 axis : {lens.forward, lens.right, lens.up}) RC_ASSERT(std::abs(length(axis) - 1) < 1e-9);
  RC_ASSERT(std::abs(dot(lens.forward, lens.right)) < 1e-9);
  RC_ASSERT(std::abs(dot(lens.forward, lens.up)) < 1e-9);
  RC_ASSERT(length(cross(lens.right, lens.forward) - lens.up) < 1e-9);
}

RC_GTEST_PROP(Lens, AMapHasAPixelForEverySample, ()) {
  const auto w = *rc::gen::inRange<int64_t>(2, 60), h = *rc::gen::inRange<int64_t>(2, 60);
  const Terrain land = test::sample_land(w, h, 3);
  const LandSubject subject(land, grey, Base::block, PictureParams(), {}, Context());
  PictureParams params;
  params.camera = Camera::top;
  const double half = 0.5 * land.frame().cell.x / subject.metres;
  const Lens lens = make_lens(subject, params, static_cast<double>(w) / static_cast<double>(h), {half, half});
  const auto x = *rc::gen::inRange<int64_t>(0, w), y = *rc::gen::inRange<int64_t>(0, h);
  const Vec2 at = *lens.seen(subject.placed({land.frame().x(x), land.frame().y(y), 77}));
  RC_ASSERT(std::abs((at.x + 1) / 2 * static_cast<double>(w) - (static_cast<double>(x) + 0.5)) < 1e-6);
  RC_ASSERT(std::abs((at.y + 1) / 2 * static_cast<double>(h) - (static_cast<double>(y) + 0.5)) < 1e-6);
}

TEST(Lens, AVisitorStandsOnTheGroundAndSeesTheLand) {
  const std::pair<int64_t, int64_t> sizes[] = {{1, 1}, {1, 30}, {30, 1}, {40, 25}};
  for (const auto& [w, h] : sizes)
    for (const double steepness : {0.0, 0.1, 0.6})
      for (const bool wet : {false, true}) {
        const double relief = steepness * 10 * static_cast<double>(std::max(w, h));
        const Terrain land = test::sample_land(w, h, 7, 10, {0, relief});
        const LandStage stage(land, grey, Base::horizon, wet ? std::optional(0.4 * relief) : std::nullopt);
        for (const double turn : {0.0, 150.0, 330.0}) {
          PictureParams params;
          params.camera = Camera::ground;
          params.turn = {turn};
          const Lens lens = make_lens(stage.subject, params, 0.5 + turn / 100, {});
          const auto ground = stage.subject.ground_at({lens.eye.x, lens.eye.y});
          ASSERT_TRUE(ground.has_value());
          EXPECT_GT(lens.eye.z, *ground);
          if (wet) {
            EXPECT_GT(lens.eye.z, *stage.subject.sea);
          }
          int seen = 0;
          for (int i = 0; i < 144; ++i) {
            const Lens::Ray ray = lens.ray((i % 12 - 5.5) / 6, (i / 12 - 5.5) / 6);
            const auto hit = stage.rays.hit(ray.from, ray.direction);
            // Of a strip little is seen beside what surrounds it.
            if (hit && (hit->shape == 0 || std::min(w, h) == 1)) ++seen;
          }
          EXPECT_GE(seen, 12) << w << " x " << h << " of steepness " << steepness << " at " << turn;
        }
      }
}

RC_GTEST_PROP(Lens, TheFreeCameraLooksAtItsTarget, ()) {
  const auto number = [] { return *rc::gen::inRange(-20000, 20001) / 10.0; };
  const Vec3 eye{number(), number(), 200 + std::abs(number())}, target{number(), number(), number()};
  if (length(eye - target) < 1) return;
  const LandSubject subject(flat_land(30, 20), grey, Base::block, PictureParams(), {}, Context());
  const Lens lens = free_lens(subject, eye, target, *aspects());
  RC_ASSERT(length(lens.eye - subject.placed(eye)) < 1e-12);
  const auto at = lens.seen(subject.placed(target));
  RC_ASSERT(at.has_value());
  RC_ASSERT(std::abs(at->x) < 1e-6);
  RC_ASSERT(std::abs(at->y) < 1e-6);
  RC_ASSERT(lens.up.z >= -1e-9);
}

TEST(Lens, TheFieldOfViewIsFromTopToBottom) {
  const LandSubject subject(flat_land(30, 20), grey, Base::block, PictureParams(), {}, Context());
  PictureParams params = free_camera({150, -500, 500}, {150, 100, 120});
  params.field_of_view = Angle{60};
  for (const double aspect : {0.5, 1.0, 2.0}) {
    const Lens lens = make_lens(subject, params, aspect, {});
    const double cosine = dot(lens.ray(0, 1).direction, lens.ray(0, -1).direction);
    EXPECT_NEAR(std::acos(cosine), std::acos(0.5), 1e-9);
    EXPECT_NEAR(lens.half_x, aspect * lens.half_y, 1e-12);
  }
}

TEST(Lens, StraightDownNorthIsUp) {
  const LandSubject subject(flat_land(30, 20), grey, Base::block, PictureParams(), {}, Context());
  const Lens lens = free_lens(subject, {100, 100, 900}, {100, 100, 120});
  const Vec2 north = *lens.seen(subject.placed({100, 150, 120})), east = *lens.seen(subject.placed({150, 100, 120}));
  EXPECT_NEAR(north.x, 0, 1e-9);
  EXPECT_GT(north.y, 0.01);
  EXPECT_GT(east.x, 0.01);
  EXPECT_NEAR(east.y, 0, 1e-9);
}

TEST(Lens, AnEyeInsideTheRockIsRefusedWithTheHeightOfTheGround) {
  const Terrain land = flat_land(30, 20, 150);
  for (const double exaggeration : {1.0, 2.5})
    for (const Base base : {Base::block, Base::horizon}) {
      const LandSubject subject(land, grey, base, exaggerated(exaggeration), {}, Context());
      const std::string error = error_of([&] { free_lens(subject, {100, 100, 140}, {0, 0, 150}); });
      EXPECT_NE(error.find("10 m below the surface"), std::string::npos) << error;
      EXPECT_NE(error.find("150 m"), std::string::npos) << error;
      EXPECT_NO_THROW(free_lens(subject, {100, 100, 151}, {0, 0, 150}));
    }
}

TEST(Lens, AnEyeBelowTheGroundAroundTheLandIsRefused) {
  const Terrain land = flat_land(30, 20, 150);
  for (const Base base : {Base::block, Base::plate, Base::horizon}) {
    const LandSubject subject(land, grey, base, PictureParams(), {}, Context());
    // Beside it, and so far away that there is only the plain.
    for (const double x : {-50.0, -9000.0}) {
      EXPECT_NE(error_of([&] {
                  free_lens(subject, {x, 100, 60}, {100, 100, 150});
                }).find("raise the eye"),
                std::string::npos);
      EXPECT_NO_THROW(free_lens(subject, {x, 100, 170}, {100, 100, 150}));
    }
  }
}

TEST(Lens, AnEyeUnderWaterIsRefusedWithTheLevelOfTheSea) {
  const Terrain land = flat_land(30, 20, 100);
  const LandSubject subject(land, grey, Base::horizon, exaggerated(2), 180.0, Context());
  for (const Vec3 eye : {Vec3{100, 100, 150}, Vec3{-5000, 100, 150}}) {
    const std::string error = error_of([&] { free_lens(subject, eye, {0, 0, 150}); });
    EXPECT_NE(error.find("under water"), std::string::npos) << error;
    EXPECT_NE(error.find("180 m"), std::string::npos) << error;
  }
  EXPECT_NO_THROW(free_lens(subject, {100, 100, 181}, {0, 0, 150}));
}

TEST(Lens, AnEyeAtItsTargetIsRefused) {
  const LandSubject subject(flat_land(30, 20), grey, Base::block, PictureParams(), {}, Context());
  EXPECT_NE(error_of([&] { free_lens(subject, {1, 2, 300}, {1, 2, 300}); }).find("same point"), std::string::npos);
}

}  // namespace tepui::lens_test

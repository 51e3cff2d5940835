// Where the camera inside stands and looks.
#include "tepui/render/picture/inside_view.h"

#include <rapidcheck/gtest.h>

#include "tepui/render/picture/picture.h"
#include "tepui/volume/csg.h"
#include "tests/render/scenes.h"
#include "tests/support/balls.h"
#include "tests/support/contains.h"

namespace tepui::inside_view_test {
namespace {

using test::error_of;
using test::small_picture;

constexpr double t = Volume::usual_threshold;

/// A ball of rock of 60 m with a hollow of 12 m in its middle, and a shaft of balls to the south if it is open.
Volume hollow(bool open = false) {
  std::vector<SolidPointer> parts{test::ball_solid({0, 0, 0}, 60, t), test::ball_solid({0, 0, 0}, 12, t)};
  if (open)
    for (double y = -66; y < -8; y += 3) parts.push_back(test::ball_solid({0, y, 0}, 6, t));
  return {csg(Csg::subtracted, std::move(parts), 0, t), t};
}

PictureParams inside(Vec3 eye) {
  PictureParams params = small_picture(Camera::inside, PictureColour::natural, {24, 15}, 6);
  params.eye = eye;
  params.cell = 0.8;
  return params;
}

Lines line(std::vector<Vec3> points) { return Lines({Polyline{"way", std::move(points), false, {}}}); }

double brightness(const Image& image) {
  double sum = 0;
  for (const uint8_t byte : image.pixels) sum += byte;
  return sum / static_cast<double>(image.pixels.size());
}

}  // namespace

RC_GTEST_PROP(InsideView, StandsOnTheLineAndLooksAlongIt, ()) {
  const double share = *rc::gen::inRange(5, 95), turn = *rc::gen::inRange(-170, 170);
  const Lines way = line({{-8, 0, 0}, {0, 0, 0}, {8, 0, 0}});
  PictureParams params = inside({});
  params.eye.reset();
  params.at = percent(share);
  params.turn = Angle{turn};
  const InsideView view = inside_view(hollow(), params, &way);
  RC_ASSERT(std::abs(view.eye.x - (-8 + 0.16 * share)) < 1e-9);
  const Vec3 to = view.target - view.eye;
  // East, turned clockwise.
  RC_ASSERT(std::abs(to.x / length(to) - std::cos(turn * 3.14159265358979 / 180)) < 1e-6);
  RC_ASSERT(std::abs(to.y / length(to) + std::sin(turn * 3.14159265358979 / 180)) < 1e-6);
  RC_ASSERT(view.room > 3 && view.room < 15);
}

TEST(InsideView, LooksWhereTheCaveIsLongest) {
  const InsideView view = inside_view(hollow(true), inside({0, 3, 0}), nullptr);
  const Vec3 to = view.target - view.eye;
  EXPECT_LT(to.y, -0.95 * length(to));
}

RC_GTEST_PROP(InsideView, RockIsRefusedWithAnOpenPlace, ()) {
  const Vec3 eye{*rc::gen::inRange(-25, 25) * 1.0, *rc::gen::inRange(18, 30) * 1.0, *rc::gen::inRange(-20, 20) * 1.0};
  const Volume volume = hollow();
  const auto open = nearest_open(volume, eye);
  RC_ASSERT(open.has_value());
  RC_ASSERT(!volume.inside(*open));
  // The nearest is the hollow's wall or the outside; steps grow by a seventh.
  RC_ASSERT(length(*open - eye) < 1.3 * std::min(length(eye) - 12, 60 - length(eye)) + 2);
  const std::string error = error_of([&] { inside_view(volume, inside(eye), nullptr); });
  RC_ASSERT(error.find("inside the rock") != std::string::npos);
  RC_ASSERT(error.find("nearest open place is at") != std::string::npos);
}

TEST(InsideView, RefusesWhatIsNoPlace) {
  const Volume volume = hollow();
  PictureParams params = inside({});
  params.eye.reset();
  EXPECT_CONTAINS(error_of([&] { draw_picture(volume, params, {}, {}); }), "needs a place");
  const Lines none, way = line({{-5, 0, 0}, {5, 0, 0}});
  EXPECT_CONTAINS(error_of([&] { inside_view(volume, params, &none); }), "no line");
  params.line = "other";
  EXPECT_CONTAINS(error_of([&] { inside_view(volume, params, &way); }), "no line 'other'");
  for (const char* name : {"way", "1"}) {
    params.line = name;
    EXPECT_NEAR(inside_view(volume, params, &way).eye.x, 0, 1e-9);
  }
  params.at = metres(11);
  EXPECT_CONTAINS(error_of([&] { inside_view(volume, params, &way); }), "11 m along a line of 10 m");
  PictureParams same = inside({1, 2, 3});
  same.target = Vec3{1, 2, 3};
  EXPECT_CONTAINS(error_of([&] { inside_view(volume, same, nullptr); }), "same point");
  EXPECT_CONTAINS(error_of([&] { draw_picture(test::flat_land(8, 8, 3), inside({1, 2, 3}), {}, {}); }), "of a volume");
  PictureParams outside = inside({0, 0, 0});
  outside.camera = Camera::orbit;
  EXPECT_CONTAINS(error_of([&] { draw_picture(volume, outside, {}, {}, &way); }), "camera inside");
}

TEST(InsideView, TheLampLightsAClosedCaveAndNoDaylightLeaksIn) {
  PictureParams params = inside({2, -1, 0});
  params.target = Vec3{-6, 2, 1};
  EXPECT_GT(brightness(draw_picture(hollow(), params, {}, {}).image), 50);
  params.lamp = 0;
  EXPECT_LT(brightness(draw_picture(hollow(), params, {}, {}).image), 3);
  // Through a mouth light falls in.
  params.eye = Vec3{0, -10, 0};
  params.target = Vec3{0, -40, 0};
  EXPECT_GT(brightness(draw_picture(hollow(true), params, {}, {}).image), 20);
}

TEST(InsideView, WaterStandsInTheCave) {
  PictureParams params = inside({0, 0, 4});
  params.target = Vec3{0, 6, -5};
  const Image dry = draw_picture(hollow(), params, {}, {}).image;
  params.water_level = -3;
  const Image wet = draw_picture(hollow(), params, {}, {}).image;
  EXPECT_NE(dry.pixels, wet.pixels);
  params.water_level = 5;
  EXPECT_CONTAINS(error_of([&] { draw_picture(hollow(), params, {}, {}); }), "under water");
  params.water_level.reset();
  params.sea_level = "5";
  EXPECT_CONTAINS(error_of([&] { draw_picture(hollow(), params, {}, {}); }), "under water");
}

TEST(InsideView, SameBitsForAnyThreads) {
  PictureParams params = inside({0, -10, 0});
  params.water_level = -4;
  test::expect_same_bits([&] {
    const Image image = draw_picture(hollow(true), params, {}, {}).image;
    return hash_bytes(image.pixels.data(), image.pixels.size());
  });
}

}  // namespace tepui::inside_view_test

// Volumes in pictures and figures.
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/ground/volume_ground.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/picture.h"
#include "tepui/render/picture/volume_model.h"
#include "tepui/volume/csg.h"
#include "tepui/volume/implicitize.h"
#include "tests/render/scenes.h"
#include "tests/support/balls.h"
#include "tests/support/beds.h"
#include "tests/support/contains.h"

namespace tepui::volume_picture_test {
namespace {

using test::error_of;
using test::small_picture;

constexpr double t = Volume::usual_threshold;

Volume ball(Geology rock = {}) { return {test::ball_solid({100, 50, 20}, 30, t), t, std::move(rock)}; }

PictureParams params_of(PictureCut cut, PictureColour colour = PictureColour::clay) {
  PictureParams params = small_picture(Camera::front, colour, {48, 36}, 4);
  params.cut = cut;
  return params;
}

/// Corners of the mesh that is drawn.
Box3 bounds_of(const Volume& volume, const PictureParams& params) {
  const auto [low, high] = model_of(volume, params, {.width = 48}, {}).mesh.world_bounds();
  return {low, high};
}

}  // namespace

TEST(VolumePicture, CutTakesAwayTheSideOfTheCamera) {
  // The front camera stands in the south.
  const Box3 whole = bounds_of(ball(), params_of(PictureCut::none)),
             half = bounds_of(ball(), params_of(PictureCut::half));
  EXPECT_NEAR(whole.low.y, 20, 2);
  EXPECT_NEAR(half.low.y, 50, 0.1);
  EXPECT_NEAR(half.high.y, whole.high.y, 0.5);
  EXPECT_NEAR(half.low.x, whole.low.x, 0.5);
  PictureParams moved = params_of(PictureCut::half);
  moved.turn = Angle{90};
  // From the west now, and the cut with it; on a turntable it stays.
  EXPECT_NEAR(bounds_of(ball(), moved).low.x, 100, 0.1);
  moved.steady = true;
  EXPECT_NEAR(bounds_of(ball(), moved).low.y, 50, 0.1);
  PictureParams at = params_of(PictureCut::half);
  at.cut_at = {0.5, 0.4};
  EXPECT_NEAR(bounds_of(ball(), at).low.y, -10 + 0.4 * 120, 0.1);
  at.cut_turn = Angle{180};
  EXPECT_NEAR(bounds_of(ball(), at).high.y, -10 + 0.4 * 120, 0.1);
}

/// Land whose northern half is covered with debris.
TEST(VolumePicture, DebrisIsNotPaintedAsTheBedsAtItsHeight) {
  const Terrain bare = test::sample_land(9, 9, 1, 10, {-40, 90});
  Grid<float> bedrock = bare.height().clone();
  for (int64_t y = 5; y < 9; ++y)
    for (int64_t x = 0; x < 9; ++x) bedrock(x, y) -= 20;
  const Terrain land = bare.with(make_layer("bedrock", "m", LayerKind::continuous, std::move(bedrock)));
  const Geology rock = test::sample_rock();
  const Volume solid = implicitize(land, nullptr, &rock, {}, {});
  const VolumeGround ground({}, {Vec3{0, 0, -40}, Vec3{80, 80, 90}}, {solid.rock(), {}, 0});
  const auto point_at = [&](int64_t x, int64_t y) {
    const Frame& frame = land.frame();
    return ground.point({.at = {frame.x(x), frame.y(y), static_cast<double>(land.height()(x, y)) - 1}});
  };
  for (int64_t x = 0; x < 9; ++x) {
    EXPECT_GT(point_at(x, 7).sediment, 1);
    EXPECT_LT(point_at(x, 7).bed, 0);
    EXPECT_LT(point_at(x, 2).sediment, 0);
    EXPECT_GE(point_at(x, 2).bed, 0);
  }
}

TEST(VolumePicture, AQuarterLeavesTheRest) {
  PictureParams params = params_of(PictureCut::quarter);
  params.camera = Camera::three_quarter;
  const CutAway cut = cut_of(ball(), params);
  ASSERT_EQ(cut.planes.size(), 2u);
  // From the south-west.
  EXPECT_LT(cut.distance({90, 40, 20}), 0);
  for (const Vec3 p : {Vec3{110, 60, 20}, Vec3{90, 60, 20}, Vec3{110, 40, 20}}) EXPECT_GT(cut.distance(p), 0);
}

TEST(VolumePicture, FacesOfTheCutShowTheRock) {
  // Seen straight on, the middle of the picture is the cut's face, in two beds of other colours.
  const Geology rock(std::make_shared<const test::Beds>(std::vector<NamedRock>{{"low", 0.1f}, {"high", 0.9f}}, 20));
  const auto middle = [](const Image& image, double up) {
    const uint8_t* p = image.at(image.width / 2, static_cast<int>(image.height * (0.5 - up)));
    return Vec3{static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
  };
  const PictureParams params = params_of(PictureCut::half, PictureColour::rock);
  Volume volume(test::ball_solid({100, 50, 0}, 30, t), t, rock);
  const Image image = draw_picture(volume, params, {}, {}).image;
  EXPECT_GT(length(middle(image, 0.15) - middle(image, -0.15)), 60);
  EXPECT_CONTAINS(error_of([&] { draw_picture(ball(), params, {}, {}); }), "needs a rock");
  // Without a geology the face is plain.
  const Image plain = draw_picture(ball(), params_of(PictureCut::half), {}, {}).image;
  EXPECT_LT(length(middle(plain, 0.1) - middle(plain, -0.1)), 25);
}

TEST(VolumePicture, SameBitsForAnyThreads) {
  test::expect_same_bits([&] {
    const Image image =
        draw_picture(ball(test::sample_rock()), params_of(PictureCut::quarter, PictureColour::natural), {}, {}).image;
    return hash_bytes(image.pixels.data(), image.pixels.size());
  });
}

TEST(VolumePicture, LandIsCutAtItsSides) {
  const Box3 box{{0, 0, -20}, {120, 80, 20}};
  const Volume land(test::sloping_land(box, 0.1, t), t);
  PictureParams params = params_of(PictureCut::none);
  params.cell = 7;
  const VolumeModel model = model_of(land, params, {.width = 48}, {});
  const auto [low, high] = model.mesh.world_bounds();
  // As far as whole cells go.
  EXPECT_NEAR(low.x, 0, 0.1);
  EXPECT_NEAR(high.x, 119, 0.1);
  EXPECT_NEAR(high.y, 77, 0.1);
  ASSERT_TRUE(model.rock.plain.has_value());
  EXPECT_NEAR(*model.rock.plain, 6, 6.5);
}

TEST(VolumePicture, ACoastIsSeenFromTheWater) {
  // It rises from 0 to 60 m; most of its border is higher than the eye.
  const Box3 box{{0, 0, -80}, {300, 200, 60}};
  const Volume land(test::sloping_land(box, 0.2, t), t);
  PictureParams params = small_picture(Camera::free, PictureColour::clay, {32, 24}, 2);
  params.eye = Vec3{20, 100, 9};
  params.target = Vec3{250, 100, 30};
  for (const char* sea : {"6", "none"}) {
    params.sea_level = sea;
    EXPECT_NO_THROW(draw_picture(land, params, {}, {})) << sea;
  }
  params.eye = Vec3{250, 100, 40};
  EXPECT_CONTAINS(error_of([&] { draw_picture(land, params, {}, {}); }), "inside the rock");
  params.eye = Vec3{-50, 100, -30};
  EXPECT_CONTAINS(error_of([&] { draw_picture(land, params, {}, {}); }), "inside the rock");
  // The bed of the sea around lies as low as the border does under water.
  const auto plain = [&](std::optional<double> sea) {
    return *model_of(land, params, {.width = 48, .sea = sea}, {}).rock.plain;
  };
  EXPECT_LT(plain(6), 6);
  EXPECT_GT(plain({}), plain(6));
}

TEST(VolumePicture, FloatingLandHasNoFloor) {
  const Box3 box{{0, 0, -40}, {120, 120, 40}};
  const SolidPointer land = test::sloping_land(box, 0.1, t);
  const auto floating = [&](const SolidPointer& solid) {
    return model_of(Volume(solid, t), params_of(PictureCut::none), {.width = 64}, {}).rock.floats;
  };
  EXPECT_FALSE(floating(land));
  // A ball's lower half hangs down; a ball that is no land stands where it is put.
  const SolidPointer hanging = csg(Csg::intersected, {land, test::ball_solid({60, 60, 5}, 35, t)}, 0, t);
  EXPECT_TRUE(floating(hanging));
  EXPECT_FALSE(floating(test::ball_solid({60, 60, 5}, 35, t)));
  // Below it there is the backdrop, or a plate.
  PictureParams params = small_picture(Camera::front, PictureColour::clay, {48, 36}, 2);
  const Film none = draw_picture(Volume(hanging, t), params, {}, {}).film;
  params.base = Base::plate;
  const Film plate = draw_picture(Volume(hanging, t), params, {}, {}).film;
  EXPECT_EQ(none.solid(24, 35), 0);
  EXPECT_GT(plate.solid(24, 35), 0);
}

TEST(VolumePicture, FlakesAreLeftOut) {
  const SolidPointer both =
      csg(Csg::united, {test::ball_solid({100, 50, 20}, 30, t), test::ball_solid({150, 50, 20}, 2, t)}, 0, t);
  PictureParams params = params_of(PictureCut::none);
  params.cell = 2;
  const auto east = [&] { return bounds_of(Volume(both, t), params).high.x; };
  EXPECT_NEAR(east(), 130, 1);
  params.crumbs = 0;
  EXPECT_NEAR(east(), 152, 1);
  params.crumbs = 1e6;
  EXPECT_CONTAINS(error_of([&] { east(); }), "nothing");
}

TEST(VolumePicture, RefusesWhatIsNotThere) {
  EXPECT_CONTAINS(error_of([] { draw_picture(Volume(), params_of(PictureCut::none), {}, {}); }), "empty");
  PictureParams cut = params_of(PictureCut::half);
  EXPECT_CONTAINS(error_of([&] { draw_picture(test::flat_land(8, 8, 3), cut, {}, {}); }), "only applies to a volume");
  PictureParams cell = params_of(PictureCut::none);
  cell.cell = 2;
  EXPECT_CONTAINS(error_of([&] { draw_picture(test::flat_land(8, 8, 3), cell, {}, {}); }), "'cell'");
  cell.cell = 1e-4;
  EXPECT_CONTAINS(error_of([&] { draw_picture(ball(), cell, {}, {}); }), "cell");
}

TEST(VolumeFigure, SectionsShowRockAndAir) {
  FigureParams params;
  params.kind = FigureKind::section;
  params.axes = false;
  params.size = {120, 120};
  params.range = {-40, 80};
  params.from = {40, 50};
  params.to = {160, 50};
  const auto at = [](const Image& image, double u, double v) {
    const uint8_t* p = image.at(static_cast<int>(u * image.width), static_cast<int>(v * image.height));
    return p[0] + p[1] + p[2];
  };
  const Image plain = draw_figure(ball(), params, {}).raster();
  // The ball's middle is rock, and so is all of 30 m around it; air is pale.
  EXPECT_LT(at(plain, 0.5, 0.5), 600);
  EXPECT_LT(at(plain, 0.5 + 28.0 / 120, 0.5), 600);
  EXPECT_GT(at(plain, 0.5 + 33.0 / 120, 0.5), 700);
  EXPECT_GT(at(plain, 0.05, 0.05), 700);
  const Image banded = draw_figure(ball(test::sample_rock()), params, {}).raster();
  EXPECT_NE(at(banded, 0.5, 0.55), at(banded, 0.5, 0.75));
  params.kind = FigureKind::map;
  EXPECT_CONTAINS(error_of([&] { draw_figure(ball(), params, {}); }), "section");
  params.kind = FigureKind::section;
  EXPECT_CONTAINS(error_of([&] { draw_figure(Volume(), params, {}); }), "empty");
}

}  // namespace tepui::volume_picture_test

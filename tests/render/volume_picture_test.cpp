// Volumes in pictures and figures.
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/ground/land_ground.h"
#include "tepui/render/ground/volume_ground.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/picture.h"
#include "tepui/render/picture/volume_model.h"
#include "tepui/volume/csg.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/land_sheet.h"
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

/// A hill with snow, soil and plants of its own at every sample.
Terrain covered_hill(uint64_t seed) {
  Terrain land = test::land_of(17, 13, [](int64_t x, int64_t y) {
    return 60 * std::exp(-0.02 * static_cast<double>((x - 8) * (x - 8) + (y - 6) * (y - 6)));
  });
  const Stream stream(seed);
  uint64_t channel = 0;
  for (const char* name : {"snow", "soil", "talus", "sediment", "conifer", "temperature_summer"}) {
    Grid<float> cells(17, 13);
    for (int64_t i = 0; i < cells.size(); ++i)
      cells.data()[i] = static_cast<float>(stream.uniform(static_cast<uint64_t>(i), channel));
    land = land.with(make_layer(name, "", LayerKind::continuous, std::move(cells)));
    ++channel;
  }
  return land;
}

/// Places in the world and positions in samples are rounded in other ways.
bool is_alike(const GroundLook& a, const GroundLook& b) {
  constexpr float rounding = 2e-3f;
  for (size_t k = 0; k < ground_kinds; ++k)
    if (std::abs(a.weights[k] - b.weights[k]) > rounding) return false;
  const Rgb off{a.albedo.r - b.albedo.r, a.albedo.g - b.albedo.g, a.albedo.b - b.albedo.b};
  return std::max({std::abs(off.r), std::abs(off.g), std::abs(off.b), std::abs(a.roughness - b.roughness)}) <
             rounding &&
         length(a.normal - b.normal) < 0.01;
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
  const VolumeGround ground({}, {Vec3{0, 0, -40}, Vec3{80, 80, 90}}, {}, {.geology = solid.rock()});
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

RC_GTEST_PROP(VolumeGround, WhatLiesOnLandLiesOnItsVolumeAndNowhereElse, (uint64_t seed)) {
  const Terrain land = covered_hill(seed);
  const Volume solid = implicitize(land, nullptr, nullptr, {}, {});
  const SkinParams skin{.season = static_cast<Season>(seed % 4)};
  const Box3 box = solid.support();
  const VolumeGround ground(skin, {box.low, box.high}, {}, {.land = solid.land(), .spacing = 1});
  const LandGround on_land(land, skin, {}, Context());
  const LandSheet sheet(land);
  const Frame& frame = land.frame();
  // On samples, where the curve between samples and the straight line meet.
  const int64_t x = *rc::gen::inRange<int64_t>(1, 16), y = *rc::gen::inRange<int64_t>(1, 12);
  Vec3 at{frame.x(x), frame.y(y), 0}, normal{0, 0, 1};
  at.z = sheet.slope(at.x, at.y, normal.x, normal.y);
  normal = Vec3{-normal.x, -normal.y, 1} * (1 / length(normal));
  const double footprint = *rc::gen::element(0.0, 0.5, 3.0);
  const auto u = static_cast<double>(x), v = static_cast<double>(y);
  RC_ASSERT(is_alike(ground.look({at, normal, footprint}), on_land.look(u, v, normal, footprint)));
  // Its surface is told for the land's as far as its mesh may lie beside it, and not from twice as far on.
  const double near = 0.5 * std::max(1.0, footprint) + 0.1 * frame.cell.x;
  RC_ASSERT(ground.land_share({at + normal * (0.9 * near), normal, footprint}) == 1.0f);
  for (const double away : {-4.0, -2.1, 2.1, 30.0})
    RC_ASSERT(ground.land_share({at + normal * (away * near), normal, footprint}) == 0.0f);
  // A roof just below the ground, a wall that was cut into it, and what lies beyond it.
  RC_ASSERT(ground.land_share({at, normal * -1, footprint}) == 0.0f);
  const Vec3 wall{normal.z, 0, -normal.x};
  RC_ASSERT(ground.land_share({at, wall * (1 / length(wall)), footprint}) == 0.0f);
  RC_ASSERT(ground.land_share({at + Vec3{frame.size.x + 1, 0, 0}, normal, footprint}) == 0.0f);
  // In between there is less of it; elsewhere nothing, not even by a rule.
  const SurfacePlace between{at + normal * (1.5 * near), normal, footprint};
  const float share = ground.land_share(between);
  RC_ASSERT(share > 0.0f && share < 1.0f);
  const float snow = on_land
                         .point((between.at.x - frame.x(0)) / frame.cell.x, (between.at.y - frame.y(0)) / frame.cell.y,
                                normal, footprint)
                         .of(GroundKind::snow);
  RC_ASSERT(std::abs(ground.point(between).of(GroundKind::snow) - share * snow) < 1e-4f);
  const GroundPoint cave = ground.point({at, normal * -1, footprint});
  for (const GroundKind kind : {GroundKind::snow, GroundKind::soil, GroundKind::scree, GroundKind::conifer})
    RC_ASSERT(cave.of(kind) == 0.0f);
  RC_ASSERT(cave.of(GroundKind::mud) < 0 && cave.sediment == 0.0f);
}

TEST(VolumeGround, OnlyLayersThatTellOfCoversCount) {
  const Terrain bare = test::land_of(9, 9, [](int64_t x, int64_t) { return 3.0 * static_cast<double>(x); });
  EXPECT_FALSE(implicitize(bare, nullptr, nullptr, {}, {}).land());
  const auto with = [&](const char* name) {
    return implicitize(bare.with(make_layer(name, "m", LayerKind::continuous, Grid<float>(9, 9, 0.5f))), nullptr,
                       nullptr, {}, {});
  };
  const auto share = [&](const Volume& solid) {
    const Box3 box = solid.support();
    const VolumeGround ground({}, {box.low, box.high}, {}, {.land = solid.land(), .spacing = 1});
    const double slope = 3.0 / 10;
    return ground.land_share({{40, 40, 12}, Vec3{-slope, 0, 1} * (1 / std::sqrt(1 + slope * slope)), 0});
  };
  EXPECT_EQ(share(with("drainage")), 0);
  for (const char* name : {"snow", "talus", "grass", "water", "water_level", "temperature_summer"})
    EXPECT_EQ(share(with(name)), 1) << name;
}

TEST(VolumeGround, LandOfASampleOrARowHasALook) {
  for (const auto& [w, h] : {std::pair<int64_t, int64_t>{1, 1}, {1, 5}, {5, 1}}) {
    Terrain land = test::land_of(w, h, [](int64_t x, int64_t y) { return 2.0 * static_cast<double>(x + y); });
    for (const char* name : {"snow", "soil", "conifer", "water"})
      land = land.with(make_layer(name, "m", LayerKind::continuous, Grid<float>(w, h, 0.5f)));
    const Volume solid = implicitize(land, nullptr, nullptr, {}, {});
    const Box3 box = solid.support();
    const VolumeGround ground({}, {box.low, box.high}, 1000, {.land = solid.land()});
    for (const Vec3 at :
         {box.low, box.high, (box.low + box.high) * 0.5, Vec3{land.frame().x(0), land.frame().y(0), 0}}) {
      float sum = 0;
      for (const float share : ground.look({at, {0, 0, 1}, 0}).weights) sum += share;
      EXPECT_NEAR(sum, 1, 1e-4);
    }
  }
}

TEST(VolumeGround, LandGoesWithItsVolume) {
  const Volume snowy = implicitize(covered_hill(1), nullptr, nullptr, {}, {}), ball_volume = ball();
  EXPECT_TRUE(snowy.with_root(ball_volume.share()).land());
  EXPECT_TRUE(ball_volume.with_part(snowy).land());
  EXPECT_EQ(snowy.with_part(implicitize(covered_hill(2), nullptr, nullptr, {}, {})).land()->hash(),
            snowy.land()->hash());
  EXPECT_NE(snowy.hash(), implicitize(covered_hill(2), nullptr, nullptr, {}, {}).hash());
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

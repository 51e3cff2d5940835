#include "tepui/geology/geology_from_materials.h"

#include "reference/strata.h"
#include "tepui/core/error.h"
#include "tepui/geology/hardness.h"
#include "tepui/geology/materials.h"
#include "tests/support/support.h"

namespace tepui::geology_from_materials_test {

namespace {

const Context quiet;

/// Land of any shape with materials, perhaps with hardness.
Terrain any_land() {
  const auto side = rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 30));
  const auto count = *rc::gen::element<int64_t>(1, 2, 3, 5, 254);
  const Relief relief = *rc::gen::element(Relief{0, 1}, Relief{100, 500}, Relief{-3000, 250}, Relief{7, 7});
  const Terrain land =
      materials(test::sample_land(*side, *side, *rc::gen::arbitrary<uint64_t>(), 10, relief), nullptr, {count}, quiet);
  if (*rc::gen::arbitrary<bool>()) return land;
  HardnessParams p;
  p.values.emplace();
  for (int64_t m = 0; m < count; ++m) p.values->push_back(*rc::gen::inRange(0, 101) / 100.0);
  return hardness(land, p, quiet);
}

GeologyFromMaterialsParams any_params() {
  return {*rc::gen::element(RockShape::bands, RockShape::columns),
          *rc::gen::element(Interval{0, 1}, Interval{0.25, 0.75}, Interval{1, 1})};
}

}  // namespace

RC_GTEST_PROP(GeologyFromMaterials, IsTheLandsHardnessAtItsSurface, ()) {
  const Terrain land = any_land();
  const GeologyFromMaterialsParams p{*rc::gen::element(RockShape::bands, RockShape::columns), {0, 1}};
  const Terrain hard = land.find("hardness") != nullptr ? land : hardness(land, {}, quiet);
  RC_ASSERT(test::same_cells(surface_resistance(geology_from_materials(land, p, quiet), land, quiet),
                             hard.layer("hardness").grid()));
}

RC_GTEST_PROP(GeologyFromMaterials, EqualsTheReference, ()) {
  const Terrain land = any_land();
  const GeologyFromMaterialsParams p = any_params();
  const Geology rock = geology_from_materials(land, p, quiet);
  const Frame& frame = land.frame();
  for (int i = 0; i < 10; ++i) {
    // Off the middle between samples, where either is the nearest.
    const Vec3 at{frame.x(*rc::gen::inRange<int64_t>(-3, frame.width + 3)) + *rc::gen::inRange(-4, 5),
                  frame.y(*rc::gen::inRange<int64_t>(-3, frame.height + 3)) + *rc::gen::inRange(-4, 5),
                  land.relief().base + *rc::gen::inRange(-20, 120) / 100.0 * land.relief().span()};
    RC_ASSERT(std::abs(rock.resistance(at) - reference::geology_from_materials(land, p, at)) <= 1e-7);
  }
}

RC_GTEST_PROP(GeologyFromMaterials, StaysWithinItsResistance, ()) {
  const Terrain land = any_land();
  const GeologyFromMaterialsParams p = any_params();
  const Geology rock = geology_from_materials(land, p, quiet);
  for (int i = 0; i < 10; ++i) {
    const float rho = rock.resistance(
        {*rc::gen::inRange(-999, 999) * 1.0, *rc::gen::inRange(-999, 999) * 1.0, *rc::gen::inRange(-9999, 9999) * 1.0});
    RC_ASSERT(rho >= p.resistance.low && rho <= p.resistance.high);
  }
}

TEST(GeologyFromMaterials, ColumnsGoStraightDownAndBandsAreLevel) {
  const Terrain land = materials(test::sample_land(30, 20, 3), nullptr, {5}, quiet);
  const Geology columns = geology_from_materials(land, {RockShape::columns, {0, 1}}, quiet);
  const Geology bands = geology_from_materials(land, {RockShape::bands, {0, 1}}, quiet);
  EXPECT_EQ(columns.resistance({52, 71, -1e4}), columns.resistance({52, 71, 1e4}));
  EXPECT_EQ(bands.resistance({52, 71, 300}), bands.resistance({-1e5, 1e5, 300}));
  EXPECT_EQ(bands.resistance({0, 0, -1e4}), 0);
  EXPECT_EQ(bands.resistance({0, 0, 1e4}), 1);
}

TEST(GeologyFromMaterials, MaterialsOfAnotherSurfaceWantColumns) {
  const Terrain land = test::sample_land(30, 20, 3), other = test::sample_land(30, 20, 4);
  const Terrain sorted = materials(land, &other, {5}, quiet);
  const std::string error = test::error_of([&] { geology_from_materials(sorted, {}, quiet); });
  EXPECT_NE(error.find("do not follow its height"), std::string::npos) << error;
  EXPECT_NE(error.find("columns"), std::string::npos) << error;
  const Geology rock = geology_from_materials(sorted, {RockShape::columns, {0, 1}}, quiet);
  EXPECT_TRUE(
      test::same_cells(surface_resistance(rock, sorted, quiet), hardness(sorted, {}, quiet).layer("hardness").grid()));
}

TEST(GeologyFromMaterials, OneMaterialOfSeveralHardnessesWantsColumns) {
  const Terrain land = materials(test::sample_land(30, 20, 3), nullptr, {5}, quiet);
  Grid<float> noise(30, 20);
  for (int64_t i = 0; i < noise.size(); ++i) noise.data()[i] = static_cast<float>(i) / 600;
  const Terrain hard = land.with(make_layer("hardness", "", LayerKind::continuous, std::move(noise)));
  EXPECT_NE(test::error_of([&] { geology_from_materials(hard, {}, quiet); }).find("several hardnesses"),
            std::string::npos);
  EXPECT_NO_THROW(geology_from_materials(hard, {RockShape::columns, {0, 1}}, quiet));
}

TEST(GeologyFromMaterials, UnseenMaterialsAreLikeTheOneBelow) {
  Grid<float> z(3, 1);
  z(0, 0) = 40;
  z(1, 0) = 60;
  z(2, 0) = 45;
  const Terrain land = hardness(
      materials(Terrain(make_world({2, 1}, 3).window(0, 0, 3, 1), {0, 100}, std::move(z)), nullptr, {5}, quiet),
      {.values = std::vector{0.1, 0.2, 0.3, 0.4, 0.5}}, quiet);
  const Geology rock = geology_from_materials(land, {}, quiet);
  for (const double height : {0.0, 50.0, 100.0}) EXPECT_EQ(rock.resistance({0, 0, height}), 0.3f) << height;
}

TEST(GeologyFromMaterials, LandWithoutMaterialsIsRefusedWithAHint) {
  const Terrain land = test::sample_land(5, 5, 1);
  EXPECT_NE(test::error_of([&] { geology_from_materials(land, {}, quiet); }).find("'materials' first"),
            std::string::npos);
  EXPECT_NE(test::error_of([&] {
              geology_from_materials(land, {RockShape::columns, {0, 1}}, quiet);
            }).find("'materials' first"),
            std::string::npos);
}

TEST(GeologyFromMaterials, HardnessAloneMakesColumns) {
  const Terrain land =
      test::sample_land(5, 5, 1).with(make_layer("hardness", "", LayerKind::continuous, Grid<float>(5, 5, 0.5f)));
  EXPECT_EQ(geology_from_materials(land, {RockShape::columns, {0, 1}}, quiet).resistance({1, 2, 3}), 0.5f);
}

}  // namespace tepui::geology_from_materials_test

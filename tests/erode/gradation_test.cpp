#include "tepui/erode/gradation.h"

#include <cmath>

#include "reference/erode.h"
#include "tepui/core/error.h"
#include "tepui/geology/geology_from_materials.h"
#include "tepui/geology/hardness.h"
#include "tepui/geology/materials.h"
#include "tepui/geology/strata.h"
#include "tests/support/support.h"

namespace tepui::gradation_test {

namespace {

const Context quiet;

/// Land of any shape with materials, or hardness, or both.
Terrain any_land() {
  const auto side = rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 40));
  const Relief relief = *rc::gen::element(Relief{0, 1}, Relief{100, 500}, Relief{-3000, 250}, Relief{7, 7});
  const Terrain land = materials(test::sample_land(*side, *side, *rc::gen::arbitrary<uint64_t>(), 10, relief), nullptr,
                                 {*rc::gen::element<int64_t>(1, 2, 3, 5, 254)}, quiet);
  return *rc::gen::arbitrary<bool>() ? hardness(land, {}, quiet) : land;
}

GradationParams any_params() { return {*rc::gen::element(0.0, 0.35, 0.65, 1.0), *rc::gen::arbitrary<bool>()}; }

}  // namespace

RC_GTEST_PROP(Gradation, EqualsTheReference, ()) {
  const Terrain land = any_land();
  const GradationParams p = any_params();
  const Terrain fast = gradation(land, nullptr, p, quiet), plain = reference::gradation(land, p);
  const Relief relief = land.relief();
  const double scale = std::max({std::abs(relief.base), std::abs(relief.top), relief.span()});
  // Four float roundings of numbers up to twice the relief's scale.
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= 8 * 0x1p-24 * scale);
}

RC_GTEST_PROP(Gradation, CaprockIsExactlyAtTheTop, ()) {
  const Terrain land = any_land();
  GradationParams p = any_params();
  p.caprock = true;
  const Terrain graded = gradation(land, nullptr, p, quiet);
  const Terrain hard = hardness(land, {}, quiet);
  const auto top = static_cast<float>(land.relief().top);
  for (int64_t i = 0; i < graded.height().size(); ++i)
    if (hard.layer("hardness").grid().data()[i] == 1) RC_ASSERT(graded.height().data()[i] == top);
}

RC_GTEST_PROP(Gradation, WithoutErosionAndCaprockNothingChanges, ()) {
  const Terrain land = any_land();
  RC_ASSERT(gradation(land, nullptr, {0, false}, quiet).hash() == land.hash());
}

RC_GTEST_PROP(Gradation, MaterialAndItsNormalisedHardnessAreTheSameRock, ()) {
  const Terrain land = any_land();
  const GradationParams p = any_params();
  RC_ASSERT(test::same_cells(gradation(land, nullptr, p, quiet).height(),
                             gradation(hardness(land, {}, quiet), nullptr, p, quiet).height()));
}

RC_GTEST_PROP(Gradation, NeverRaisesWithoutCaprock, ()) {
  const Terrain land = any_land();
  GradationParams p = any_params();
  p.caprock = false;
  const Terrain graded = gradation(land, nullptr, p, quiet);
  for (int64_t i = 0; i < graded.height().size(); ++i) RC_ASSERT(graded.height().data()[i] <= land.height().data()[i]);
}

TEST(Gradation, SoftestRockSinksByErosionBelowTheBase) {
  const Terrain land =
      hardness(materials(Terrain(test::sample_land(20, 10, 1).frame(), {100, 500}, Grid<float>(20, 10, 100.0f)),
                         nullptr, {5}, quiet),
               {}, quiet);
  for (const float z : gradation(land, nullptr, {1, true}, quiet).height().cells()) EXPECT_EQ(z, -300);
  for (const float z : gradation(land, nullptr, {0.25, true}, quiet).height().cells()) EXPECT_EQ(z, 0);
}

TEST(Gradation, OneMaterialKeepsItsShape) {
  const Terrain land = materials(test::sample_land(20, 10, 1), nullptr, {1}, quiet);
  const Terrain graded = gradation(land, nullptr, {0.5, true}, quiet);
  for (int64_t i = 0; i < 200; ++i) EXPECT_FLOAT_EQ(graded.height().data()[i], land.height().data()[i] - 200);
}

TEST(Gradation, HardnessWinsOverMaterial) {
  const Terrain land = materials(test::sample_land(20, 10, 1), nullptr, {3}, quiet);
  const Terrain hard = hardness(land, {.values = std::vector{1.0, 1.0, 1.0}}, quiet);
  for (const float z : gradation(hard, nullptr, {0.5, true}, quiet).height().cells()) EXPECT_EQ(z, 500);
  EXPECT_TRUE(test::same_cells(gradation(hard, nullptr, {0.5, false}, quiet).height(), land.height()));
}

// Warszawski et al. 2019, Fig. 18d.
TEST(Gradation, HarderRockBelowTheTopLeavesACaldera) {
  constexpr int64_t side = 201, middle = side / 2;
  Grid<float> cone(side, side);
  const auto distance = [](int64_t x, int64_t y) {
    return std::hypot(static_cast<double>(x - middle), static_cast<double>(y - middle));
  };
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x) cone(x, y) = static_cast<float>(std::max(0.0, 100 - distance(x, y)));
  const Terrain land = materials(Terrain(make_world({200, 200}, side), {0, 100}, std::move(cone)), nullptr, {5}, quiet);
  const Terrain hard = hardness(land, {.values = std::vector{0.0, 0.25, 1.0, 0.5, 0.9}}, quiet);
  const Terrain graded = gradation(hard, nullptr, {0.5, true}, quiet);
  int64_t rim = 0, inside = 0;
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x) {
      const double d = distance(x, y);
      // The third rock lies between 3/8 and 5/8 of the height.
      const float z = graded.height()(x, y);
      const bool on_rim = d >= 37.5 && d < 62.5;
      rim += on_rim;
      inside += d < 37.5;
      ASSERT_TRUE(on_rim ? z == 100 : d < 37.5 ? z <= 95 : z < 100 || d == 62.5) << d;
    }
  EXPECT_GT(rim, 1000);
  EXPECT_GT(inside, 1000);
}

TEST(Gradation, HardnessIsHeldBetweenZeroAndOne) {
  const auto with_hardness = [](float value) {
    const Terrain land = test::sample_land(21, 3, 1);
    return gradation(land.with(make_layer("hardness", "", LayerKind::continuous, Grid<float>(21, 3, value))), nullptr,
                     {0.5, true}, quiet);
  };
  EXPECT_TRUE(test::same_cells(with_hardness(-3).height(), with_hardness(0).height()));
  EXPECT_TRUE(test::same_cells(with_hardness(1.5f).height(), with_hardness(1).height()));
}

RC_GTEST_PROP(Gradation, RockOfTheMaterialsDoesWhatTheLayersDo, ()) {
  const Terrain land = any_land();
  GradationParams p = any_params();
  p.caprock = false;
  const RockShape shape = *rc::gen::element(RockShape::bands, RockShape::columns);
  const Geology rock = geology_from_materials(land, {shape, {0, 1}}, quiet);
  RC_ASSERT(gradation(land, &rock, p, quiet).hash() == gradation(land, nullptr, p, quiet).hash());
}

RC_GTEST_PROP(Gradation, EqualsTheReferenceWithRock, ()) {
  const Terrain land = any_land().without("hardness").without("material");
  const GradationParams p = any_params();
  StrataParams column;
  column.elevation = metres(land.relief().base);
  column.dip = {*rc::gen::inRange(0, 60) * 1.0};
  const Geology rock = strata(land.frame(), column, quiet);
  const Terrain fast = gradation(land, &rock, p, quiet), plain = reference::gradation(land, rock, p);
  const Relief relief = land.relief();
  const double scale = std::max({std::abs(relief.base), std::abs(relief.top), relief.span()});
  RC_ASSERT(test::max_difference(fast.height(), plain.height()) <= 8 * 0x1p-24 * scale);
}

RC_GTEST_PROP(Gradation, RockIsNeverLifted, ()) {
  const Terrain land = any_land();
  const Geology rock = geology_from_materials(land, {}, quiet);
  const Terrain graded = gradation(land, &rock, {*rc::gen::inRange(0, 11) / 10.0, true}, quiet);
  for (int64_t i = 0; i < land.height().size(); ++i) RC_ASSERT(graded.height().data()[i] <= land.height().data()[i]);
}

TEST(Gradation, RockWinsOverHardness) {
  const Terrain land = hardness(materials(test::sample_land(20, 10, 1), nullptr, {3}, quiet),
                                {.values = std::vector{1.0, 1.0, 1.0}}, quiet);
  const Geology soft;
  const Terrain graded = gradation(land, &soft, {0.5, true}, quiet);
  for (int64_t i = 0; i < 200; ++i) EXPECT_FLOAT_EQ(graded.height().data()[i], land.height().data()[i] - 200);
  EXPECT_EQ(graded.only("hardness").hash(), land.only("hardness").hash());
}

TEST(Gradation, SameBitsOnAnyMachineWithRock) {
  const Terrain land = test::sample_land(517, 260, 4);
  StrataParams column;
  column.beds = {{"soft", metres(200), 0.1}, {"hard", metres(100), 0.9}, {"cap", metres(100), 1}};
  column.dip = {3};
  const Geology rock = strata(land.frame(), column, quiet);
  test::expect_same_bits([&] { return gradation(land, &rock, {}, quiet).hash(); });
}

TEST(Gradation, KeepsTheOtherLayers) {
  const Terrain land = hardness(materials(test::sample_land(20, 10, 1), nullptr, {5}, quiet), {}, quiet);
  const Terrain graded = gradation(land, nullptr, {}, quiet);
  EXPECT_EQ(graded.layers().size(), 3u);
  EXPECT_EQ(graded.relief(), land.relief());
  EXPECT_EQ(graded.layer("material").classes, 5);
  EXPECT_EQ(graded.only("material").hash(), land.only("material").hash());
}

TEST(Gradation, CropWithoutItsHardestRockErodesLikeTheWhole) {
  const Terrain land = materials(test::sample_land(40, 30, 2), nullptr, {5}, quiet);
  const auto cut = [&](const Grid<float>& grid) {
    Grid<float> part(1, 1);
    part(0, 0) = grid(13, 7);
    return part;
  };
  Layer material = make_layer("material", "", LayerKind::category, cut(land.layer("material").grid()));
  material.classes = land.layer("material").classes;
  const Terrain crop = Terrain(land.frame().window(13, 7, 1, 1), land.relief(), cut(land.height())).with(material);
  ASSERT_LT(material.grid()(0, 0), 4);
  EXPECT_EQ(gradation(crop, nullptr, {}, quiet).height()(0, 0), gradation(land, nullptr, {}, quiet).height()(13, 7));
}

TEST(Gradation, StaysFiniteOnAnyRelief) {
  const Terrain land = test::sample_land(37, 2, 1)
                           .with_height(Grid<float>(37, 2, -3e38f))
                           .with_relief({-3e38, 3e38})
                           .with(make_layer("hardness", "", LayerKind::continuous, Grid<float>(37, 2, 0.0f)));
  for (const float z : gradation(land, nullptr, {1, true}, {}).height().cells()) EXPECT_TRUE(std::isfinite(z));
}

TEST(Gradation, LandWithoutRockIsRefusedWithAHint) {
  EXPECT_NE(test::error_of([] { gradation(test::sample_land(5, 5, 1), nullptr, {}, quiet); }).find("'materials' first"),
            std::string::npos);
}

TEST(Gradation, SameBitsOnAnyMachine) {
  const Terrain land = materials(test::sample_land(517, 260, 4), nullptr, {7}, quiet);
  test::expect_same_bits([&] { return gradation(land, nullptr, {}, quiet).hash(); });
}

TEST(Gradation, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  const Terrain land = materials(test::sample_land(9, 9, 5), nullptr, {}, quiet);
  EXPECT_THROW(gradation(land, nullptr, {}, Context(nullptr, &cancel)), Error);
}

TEST(Gradation, TakesAtMostThreeGrids) {
  const Terrain land = materials(test::sample_land(1500, 1000, 6), nullptr, {}, quiet);
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain graded = gradation(land, nullptr, {}, quiet);
  EXPECT_LE(pool_use().peak - before, 3 * land.height().bytes());
  const Geology rock = geology_from_materials(land, {}, quiet);
  pool_reset_peak();
  const size_t held = pool_use().used;
  const Terrain with_rock = gradation(land, &rock, {}, quiet);
  EXPECT_LE(pool_use().peak - held, land.height().bytes() + land.height().bytes() / 4);
}

}  // namespace tepui::gradation_test

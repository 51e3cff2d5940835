#include "tepui/geology/materials.h"

#include <cmath>

#include "reference/geology.h"
#include "tepui/core/error.h"
#include "tepui/geology/hardness.h"
#include "tests/support/support.h"

namespace tepui::materials_test {

namespace {

const Context quiet;

/// Land of any shape; its heights leave its relief on both sides.
Terrain any_land() {
  const auto side = rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 40));
  const Relief relief = *rc::gen::element(Relief{0, 1}, Relief{100, 500}, Relief{-3000, 250}, Relief{7, 7});
  const Relief drawn{relief.base - 0.2 * relief.span(), relief.top + 0.2 * relief.span()};
  return test::sample_land(*side, *side, *rc::gen::arbitrary<uint64_t>(), 10, drawn).with_relief(relief);
}

Terrain row_of(std::vector<float> heights, Relief relief) {
  Grid<float> z(static_cast<int64_t>(heights.size()), 1);
  std::ranges::copy(heights, z.data());
  return test::sample_land(z.width(), 1, 0).with_relief(relief).with_height(std::move(z));
}

std::vector<float> material_of(const Terrain& land, int64_t count) {
  const Terrain sorted = materials(land, nullptr, {count}, quiet);
  const auto cells = sorted.layer("material").grid().cells();
  return {cells.begin(), cells.end()};
}

}  // namespace

TEST(Materials, HardnessOfOtherMaterialsIsDropped) {
  const Terrain land = test::sample_land(6, 4, 1);
  const Terrain old = hardness(materials(land, nullptr, {3}, quiet), {.values = std::vector{0.1, 0.9, 0.2}}, quiet);
  EXPECT_EQ(materials(old, nullptr, {5}, quiet).find("hardness"), nullptr);
  EXPECT_EQ(materials(old, nullptr, {5}, quiet).hash(), materials(land, nullptr, {5}, quiet).hash());
}

RC_GTEST_PROP(Materials, EqualTheReference, ()) {
  const Terrain land = any_land();
  const MaterialsParams p{*rc::gen::element<int64_t>(1, 2, 3, 5, 9, 255)};
  RC_ASSERT(materials(land, nullptr, p, quiet).hash() == reference::materials(land, p).hash());
}

RC_GTEST_PROP(Materials, AreMonotoneAndWithinTheirNumber, ()) {
  const Terrain land = any_land();
  const auto count = *rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 256));
  const Terrain sorted = materials(land, nullptr, {count}, quiet);
  const Layer& m = sorted.layer("material");
  RC_ASSERT(m.kind == LayerKind::category);
  RC_ASSERT(m.classes == count);
  std::vector<std::pair<float, float>> pairs;
  for (int64_t i = 0; i < m.grid().size(); ++i) pairs.emplace_back(land.height().data()[i], m.grid().data()[i]);
  std::ranges::sort(pairs);
  for (size_t i = 0; i < pairs.size(); ++i) {
    RC_ASSERT(pairs[i].second >= 0 && pairs[i].second <= static_cast<float>(count - 1));
    RC_ASSERT(pairs[i].second == std::floor(pairs[i].second));
    if (i > 0) RC_ASSERT(pairs[i].second >= pairs[i - 1].second);
  }
}

TEST(Materials, ChangeJustAboveTheMiddleBetweenClasses) {
  // Five materials of a relief of 400 m change above 50, 150, 250 and 350 m.
  const auto next = [](float v) { return std::nextafter(v, 1e9f); };
  EXPECT_EQ(material_of(
                row_of({-20, 0, 50, next(50), 150, next(150), 250, next(250), 350, next(350), 400, 900}, {0, 400}), 5),
            (std::vector<float>{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}));
}

TEST(Materials, FallWhereExactArithmeticPutsThem) {
  for (const int64_t span : {3, 7, 50, 100, 300, 401, 1000})
    for (const int64_t count : {2, 3, 5, 6, 8, 26, 50}) {
      std::vector<float> heights, expected;
      for (int64_t z = 0; z <= span; ++z) {
        heights.push_back(static_cast<float>(z));
        expected.push_back(static_cast<float>((2 * (count - 1) * z + span - 1) / span / 2));
      }
      EXPECT_EQ(material_of(row_of(heights, {0, static_cast<double>(span)}), count), expected) << span << ", " << count;
    }
}

TEST(Materials, NegativeZeroIsZero) {
  for (const float m : material_of(row_of(std::vector<float>(37, -0.0f), {0, 1}), 3)) EXPECT_FALSE(std::signbit(m));
}

TEST(Materials, OneMaterialAndNoReliefAreZero) {
  const Terrain land = test::sample_land(30, 20, 1);
  for (const float m : material_of(land, 1)) EXPECT_EQ(m, 0);
  for (const float m : material_of(land.with_relief({300, 300}), 7)) EXPECT_EQ(m, 0);
}

TEST(Materials, CropEqualsTheWhole) {
  const Terrain land = test::sample_land(40, 30, 2);
  Grid<float> z(7, 5);
  for (int64_t y = 0; y < 5; ++y)
    for (int64_t x = 0; x < 7; ++x) z(x, y) = land.height()(20 + x, 10 + y);
  const Terrain crop(land.frame().window(20, 10, 7, 5), land.relief(), std::move(z));
  const Terrain whole = materials(land, nullptr, {6}, quiet), part = materials(crop, nullptr, {6}, quiet);
  for (int64_t y = 0; y < 5; ++y)
    for (int64_t x = 0; x < 7; ++x)
      EXPECT_EQ(part.layer("material").grid()(x, y), whole.layer("material").grid()(20 + x, 10 + y));
  EXPECT_EQ(part.layer("material").classes, 6);
}

TEST(Materials, KeepTheLandAsItIs) {
  const Terrain land = test::sample_land(9, 9, 3);
  const Terrain sorted = materials(land, nullptr, {}, quiet);
  EXPECT_EQ(sorted.only("height").hash(), land.only("height").hash());
  EXPECT_EQ(sorted.layers().size(), 2u);
  EXPECT_EQ(materials(sorted, nullptr, {}, quiet).layers().size(), 2u);
}

TEST(Materials, NumberOfClassesEntersTheHash) {
  // The same indices mean other rock where there are more materials.
  Terrain three = materials(row_of({0, 0}, {0, 1}), nullptr, {3}, quiet),
          four = materials(row_of({0, 0}, {0, 1}), nullptr, {4}, quiet);
  EXPECT_NE(three.hash(), four.hash());
}

RC_GTEST_PROP(Materials, OfAnotherSurfaceLieAsThatOneDoes, ()) {
  const auto width = *rc::gen::inRange<int64_t>(1, 40), height = *rc::gen::inRange<int64_t>(1, 40);
  const Terrain land = test::sample_land(width, height, *rc::gen::arbitrary<uint64_t>());
  const Terrain other = test::sample_land(width, height, *rc::gen::arbitrary<uint64_t>(), 10, {-20, 33});
  const MaterialsParams p{*rc::gen::element<int64_t>(1, 2, 5, 40)};
  const Terrain sorted = materials(land, &other, p, quiet);
  RC_ASSERT(sorted.hash() == reference::materials(land, other, p).hash());
  RC_ASSERT(
      test::same_cells(sorted.layer("material").grid(), materials(other, nullptr, p, quiet).layer("material").grid()));
  RC_ASSERT(test::same_cells(sorted.height(), land.height()));
  RC_ASSERT(materials(land, &land, p, quiet).hash() == materials(land, nullptr, p, quiet).hash());
}

RC_GTEST_PROP(Materials, BandsAreTheLayer, ()) {
  const auto count = *rc::gen::element<int64_t>(1, 2, 3, 5, 255);
  const Relief relief = *rc::gen::element(Relief{0, 1}, Relief{100, 500}, Relief{-3000, 250}, Relief{7, 7});
  const Terrain sorted =
      materials(test::sample_land(30, 20, *rc::gen::arbitrary<uint64_t>(), 10, relief), nullptr, {count}, quiet);
  std::vector<double> heights(sorted.height().cells().begin(), sorted.height().cells().end());
  std::vector<float> bands(heights.size());
  MaterialBands(relief, count).sort(heights.data(), 600, bands.data());
  RC_ASSERT(std::ranges::equal(bands, sorted.layer("material").grid().cells()));
}

TEST(Materials, OfLandWithOtherSamplesAreRefusedWithAHint) {
  const Terrain land = test::sample_land(9, 9, 1), other = test::sample_land(9, 8, 1);
  const std::string error = test::error_of([&] { materials(land, &other, {}, quiet); });
  EXPECT_NE(error.find("'from'"), std::string::npos) << error;
  EXPECT_NE(error.find("resample"), std::string::npos) << error;
}

TEST(Materials, SameBitsOnAnyMachine) {
  const Terrain land = test::sample_land(517, 260, 4);
  test::expect_same_bits([&] { return materials(land, nullptr, {9}, quiet).hash(); });
}

TEST(Materials, StopWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(materials(test::sample_land(9, 9, 5), nullptr, {}, Context(nullptr, &cancel)), Error);
}

TEST(Materials, TakeAtMostThreeGrids) {
  const Terrain land = test::sample_land(1500, 1000, 6);
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain sorted = materials(land, nullptr, {}, quiet);
  EXPECT_LE(pool_use().peak - before, 3 * land.height().bytes());
}

}  // namespace tepui::materials_test

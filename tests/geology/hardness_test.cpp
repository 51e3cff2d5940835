#include "tepui/geology/hardness.h"

#include <fstream>

#include "reference/geology.h"
#include "tepui/core/error.h"
#include "tepui/geology/minerals.h"
#include "tests/support/support.h"

namespace tepui::hardness_test {

namespace {

const Context quiet;

Terrain sorted_land(int64_t width, int64_t height, uint64_t seed, int64_t count) {
  return materials(test::sample_land(width, height, seed), nullptr, {count}, quiet);
}

}  // namespace

RC_GTEST_PROP(Hardness, EqualsTheReference, ()) {
  const auto side = rc::gen::resize(100, rc::gen::inRange<int64_t>(1, 40));
  const auto count = *rc::gen::element<int64_t>(1, 2, 5, 40, 255);
  const Terrain land = sorted_land(*side, *side, *rc::gen::arbitrary<uint64_t>(), count);
  HardnessParams p;
  const int kind = *rc::gen::inRange(0, 3);
  if (kind == 1) p.values.emplace();
  if (kind == 2) p.minerals.emplace();
  for (int64_t m = 0; m < count; ++m) {
    if (kind == 1) p.values->push_back(*rc::gen::inRange(0, 1001) / 1000.0);
    if (kind == 2) p.minerals->push_back({std::string(minerals()[*rc::gen::inRange<size_t>(0, 11)].name)});
  }
  p.combine_top = *rc::gen::inRange<int64_t>(1, count + 1);
  RC_ASSERT(hardness(land, p, quiet).hash() == reference::hardness(land, p).hash());
}

TEST(Hardness, RunsEvenlyFromSoftestToHardest) {
  EXPECT_EQ(normalised_hardness(5), (std::vector<float>{0, 0.25f, 0.5f, 0.75f, 1}));
  EXPECT_EQ(normalised_hardness(2), (std::vector<float>{0, 1}));
  EXPECT_EQ(normalised_hardness(1), (std::vector<float>{0}));
}

TEST(Hardness, FollowsTheList) {
  const Terrain land = sorted_land(50, 40, 1, 3);
  const Terrain hard = hardness(land, {.values = std::vector{0.75, 0.95, 1.0}}, quiet);
  const Grid<float>&m = land.layer("material").grid(), &h = hard.layer("hardness").grid();
  constexpr float expected[] = {0.75f, 0.95f, 1.0f};
  for (int64_t i = 0; i < m.size(); ++i) EXPECT_EQ(h.data()[i], expected[static_cast<int>(m.data()[i])]);
  EXPECT_EQ(hard.layer("hardness").kind, LayerKind::continuous);
}

TEST(Hardness, WrongLengthIsRefusedWithBothNumbers) {
  const std::string error = test::error_of([] {
    hardness(sorted_land(5, 5, 1, 5), {.values = std::vector{0.1, 0.2, 0.3}}, quiet);
  });
  EXPECT_NE(error.find('3'), std::string::npos) << error;
  EXPECT_NE(error.find('5'), std::string::npos) << error;
}

TEST(Hardness, TopMaterialsShareTheHardest) {
  const auto list = [](int64_t combined, std::optional<std::vector<double>> values = {}) {
    HardnessParams p;
    p.values = std::move(values);
    p.combine_top = combined;
    return hardness_of_materials(p, 5);
  };
  EXPECT_EQ(list(1), normalised_hardness(5));
  EXPECT_EQ(list(2), (std::vector<float>{0, 0.25f, 0.5f, 1, 1}));
  EXPECT_EQ(list(5), (std::vector<float>{1, 1, 1, 1, 1}));
  EXPECT_EQ(list(3, std::vector{0.0, 0.25, 1.0, 0.5, 0.75}), (std::vector<float>{0, 0.25f, 1, 1, 1}));
  EXPECT_EQ(list(2, std::vector{0.0, 0.25, 1.0, 0.5, 0.75}), (std::vector<float>{0, 0.25f, 1, 0.75f, 0.75f}));
  EXPECT_NE(test::error_of([&] { list(6); }).find("'combine_top' is 6, but the land has 5 materials"),
            std::string::npos);
}

TEST(Hardness, ValuesMineralsAndFilesSayTheSame) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "rocks.csv") << "2,diamond\n0,talc\n1,topaz\n";
  HardnessParams values, minerals, file;
  values.values = std::vector{1 / 1500.0, 200 / 1500.0, 1.0};
  minerals.minerals = std::vector<MineralName>{{"talc"}, {"topaz"}, {"diamond"}};
  file.file = {folder / "rocks.csv"};
  const Terrain land = sorted_land(20, 30, 1, 3);
  const Hash expected = hardness(land, values, quiet).hash();
  EXPECT_EQ(hardness(land, minerals, quiet).hash(), expected);
  EXPECT_EQ(hardness(land, file, quiet).hash(), expected);
}

TEST(Hardness, IsSaidOnce) {
  HardnessParams p;
  p.values = std::vector{0.0, 1.0};
  p.minerals = std::vector<MineralName>{{"talc"}, {"topaz"}};
  EXPECT_NE(test::error_of([&] { hardness(sorted_land(5, 5, 1, 2), p, quiet); }).find("by values and minerals"),
            std::string::npos);
  p.values.reset();
  p.file = {"rocks.csv"};
  EXPECT_NE(test::error_of([&] { hardness(sorted_land(5, 5, 1, 2), p, quiet); }).find("by minerals and file"),
            std::string::npos);
}

TEST(Hardness, MineralsAreAsManyAsTheMaterialsAndKnown) {
  HardnessParams p;
  p.minerals = std::vector<MineralName>{{"talc"}, {"topaz"}};
  EXPECT_NE(test::error_of([&] {
              hardness(sorted_land(5, 5, 1, 3), p, quiet);
            }).find("2 minerals are given, but the land has 3"),
            std::string::npos);
  p.minerals = std::vector<MineralName>{{"talc"}, {"topas"}};
  EXPECT_NE(test::error_of([&] { hardness(sorted_land(5, 5, 1, 2), p, quiet); }).find("did you mean 'topaz'?"),
            std::string::npos);
}

TEST(Hardness, LandWithoutMaterialsIsRefusedWithAHint) {
  EXPECT_NE(test::error_of([] { hardness(test::sample_land(5, 5, 1), {}, quiet); }).find("'materials' first"),
            std::string::npos);
  const Terrain uncounted =
      test::sample_land(5, 5, 1).with(make_layer("material", "", LayerKind::category, Grid<float>(5, 5, 0.0f)));
  EXPECT_NE(test::error_of([&] { hardness(uncounted, {}, quiet); }).find("how many"), std::string::npos);
}

TEST(Hardness, IndicesBeyondTheMaterialsCountAsTheNearest) {
  Grid<float> m(3, 1);
  m(0, 0) = -2;
  m(1, 0) = 1;
  m(2, 0) = 9;
  Layer layer = make_layer("material", "", LayerKind::category, std::move(m));
  layer.classes = 3;
  const Terrain hard = hardness(test::sample_land(3, 1, 1).with(layer), {}, quiet);
  EXPECT_EQ(hard.layer("hardness").grid()(0, 0), 0);
  EXPECT_EQ(hard.layer("hardness").grid()(1, 0), 0.5f);
  EXPECT_EQ(hard.layer("hardness").grid()(2, 0), 1);
}

TEST(Hardness, SameBitsOnAnyMachine) {
  const Terrain land = sorted_land(517, 260, 4, 7);
  test::expect_same_bits([&] { return hardness(land, {}, quiet).hash(); });
}

TEST(Hardness, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  const Terrain land = sorted_land(9, 9, 5, 3);
  EXPECT_THROW(hardness(land, {}, Context(nullptr, &cancel)), Error);
}

TEST(Hardness, TakesAtMostThreeGrids) {
  const Terrain land = sorted_land(1500, 1000, 6, 5);
  pool_reset_peak();
  const size_t before = pool_use().used;
  const Terrain hard = hardness(land, {}, quiet);
  EXPECT_LE(pool_use().peak - before, 3 * land.height().bytes());
}

}  // namespace tepui::hardness_test

#include "tepui/terrain/take.h"

#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::take_test {

RC_GTEST_PROP(Take, MakesALayerTheGroundAndItsRangeTheRelief, (uint64_t seed)) {
  const int64_t w = *rc::gen::inRange<int64_t>(1, 30), h = *rc::gen::inRange<int64_t>(1, 30);
  const Terrain land = test::sample_land(w, h, seed);
  Grid<float> cells(w, h);
  for (int64_t i = 0; i < cells.size(); ++i) cells.data()[i] = 7.0f - land.height().data()[i];
  const Terrain out = take(land.with(make_layer("rock", "", LayerKind::category, cells.clone())), {"rock"}, Context());
  RC_ASSERT(test::same_cells(out.height(), cells));
  RC_ASSERT(out.layers().size() == 1U && out.layers()[0].unit == "m");
  RC_ASSERT(out.layers()[0].kind == LayerKind::continuous);
  RC_ASSERT(out.frame() == land.frame());
  RC_ASSERT(out.relief().base == static_cast<double>(*std::ranges::min_element(cells.cells())));
  RC_ASSERT(out.relief().top == static_cast<double>(*std::ranges::max_element(cells.cells())));
}

TEST(Take, RefusesALayerThatIsNotThereWithThoseThatAre) {
  try {
    take(test::sample_land(3, 3, 1), {"bedrock"}, Context());
    FAIL() << "was not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("bedrock"), std::string::npos);
  }
}

}  // namespace tepui::take_test

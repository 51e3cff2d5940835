#include "tepui/terrain/crop.h"

#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::crop_test {

namespace {

LengthInterval between(double low, double high) { return {metres(low), metres(high)}; }

}  // namespace

RC_GTEST_PROP(Crop, EqualsTheWindow, (uint64_t seed)) {
  const int64_t w = *rc::gen::inRange<int64_t>(1, 40), h = *rc::gen::inRange<int64_t>(1, 40);
  const Terrain land =
      test::sample_land(w, h, seed, 0.3).with(make_layer("mask", "", LayerKind::mask, Grid<float>(w, h, 0.5f)));
  const int64_t x0 = *rc::gen::inRange<int64_t>(0, w), y0 = *rc::gen::inRange<int64_t>(0, h);
  const int64_t x1 = *rc::gen::inRange<int64_t>(x0, w), y1 = *rc::gen::inRange<int64_t>(y0, h);
  CropParams p;
  p.x = between(0.3 * static_cast<double>(x0), 0.3 * static_cast<double>(x1));
  p.y = between(0.3 * static_cast<double>(y0) - 0.1, 0.3 * static_cast<double>(y1) + 0.2);
  const Terrain out = crop(land, p, Context());
  RC_ASSERT(out.frame() == land.frame().window(x0, y0, x1 - x0 + 1, y1 - y0 + 1));
  RC_ASSERT(out.relief() == land.relief());
  RC_ASSERT(out.layers().size() == land.layers().size());
  for (int64_t y = y0; y <= y1; ++y)
    for (int64_t x = x0; x <= x1; ++x) {
      RC_ASSERT(out.height()(x - x0, y - y0) == land.height()(x, y));
      RC_ASSERT(out.frame().x(x - x0) == land.frame().x(x));
    }
  RC_ASSERT(out.layer("mask").kind == LayerKind::mask);
}

TEST(Crop, KeepsEverythingUnlessTold) {
  const Terrain land = test::sample_land(30, 7, 1);
  const Terrain out = crop(land, {}, Context());
  EXPECT_EQ(out.hash(), land.hash());
  EXPECT_EQ(out.layers()[0].data, land.layers()[0].data) << "shared, not copied";
}

TEST(Crop, PerCentsAreOfTheSideTheyAreMeasuredAlong) {
  const Terrain land = test::sample_land(101, 41, 1);
  CropParams p;
  p.x = {percent(50), percent(100)};
  p.y = {percent(0), percent(25)};
  const Frame out = crop(land, p, Context()).frame();
  EXPECT_EQ(out, land.frame().window(50, 0, 51, 11));
}

TEST(Crop, OfACropCountsFromTheCornerOfTheWorld) {
  const Terrain land = test::sample_land(50, 50, 1);
  CropParams first, second;
  first.x = between(100, 300);
  second.x = between(200, 1e30);
  const Terrain out = crop(crop(land, first, Context()), second, Context());
  EXPECT_EQ(out.frame(), land.frame().window(20, 0, 11, 50));
}

TEST(Crop, RefusesWhatHoldsNoSampleWithTheNumbers) {
  const Terrain land = test::sample_land(11, 11, 1);
  CropParams p;
  p.x = between(31, 39);
  const std::string gap = test::error_of([&] { crop(land, p, Context()); });
  EXPECT_NE(gap.find("no sample lies within 'x' from 31 to 39 m"), std::string::npos) << gap;
  EXPECT_NE(gap.find("10 m apart"), std::string::npos) << gap;
  p.x = between(200, 300);
  EXPECT_NE(test::error_of([&] { crop(land, p, Context()); }).find("0 to 100 m"), std::string::npos);
  p.x = {metres(90), percent(10)};
  EXPECT_NE(test::error_of([&] { crop(land, p, Context()); }).find("smaller value"), std::string::npos);
}

TEST(Crop, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  const Terrain land = test::sample_land(9, 9, 1);
  CropParams p;
  p.x = between(0, 50);
  EXPECT_EQ(test::error_of([&] { crop(land, p, Context(nullptr, &cancel)); }), "cancelled");
}

}  // namespace tepui::crop_test

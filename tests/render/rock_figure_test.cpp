#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/page/figure_parts.h"
#include "tests/render/well_formed.h"
#include "tests/support/beds.h"
#include "tests/support/support.h"

namespace tepui::rock_figure_test {

namespace {

const Frame world = make_world({2000, 1000}, 65);

uint32_t pixel(const Image& image, double x, double y) {
  const uint8_t* p = image.at(static_cast<int>(x), static_cast<int>(y));
  return static_cast<uint32_t>(p[0]) << 16 | static_cast<uint32_t>(p[1]) << 8 | p[2];
}

FigureParams section() {
  FigureParams params;
  params.kind = FigureKind::section;
  return params;
}

/// Harder eastwards.
class Ramp : public Rock {
 public:
  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i) rho[i] = static_cast<float>(at.x[i] / 2000 + at.y[i] / 1e6);
  }
  void hash(Hasher& hasher) const override { hasher.add("ramp"); }
  size_t bytes() const override { return sizeof *this; }
};

}  // namespace

RC_GTEST_PROP(RockSection, ColoursAreTheResistance, ()) {
  const Geology rock = test::sample_rock();
  FigureParams params = section();
  params.axes = false;
  params.size = {120, 240};
  params.range = {*rc::gen::element(-100.0, 0.0, 20.0), *rc::gen::element(90.0, 130.0, 400.0)};
  params.colour_map = static_cast<ColourMap>(*rc::gen::inRange(0, 5));
  const Image image = draw_figure(rock, world, params, {}).raster();
  RC_ASSERT(image.width == 120 && image.height == 240);
  const ColourScale scale{params.colour_map, 0, 1, "", ""};
  for (int y = 0; y < 240; ++y) {
    const auto height = [&](double row) {
      return params.range->high - row / 240 * (params.range->high - params.range->low);
    };
    // But for pixels that a boundary crosses or touches.
    if (rock.resistance({0, 0, height(y - 1)}) != rock.resistance({0, 0, height(y + 2)})) continue;
    RC_ASSERT(pixel(image, 60, y) == scale.colour(static_cast<double>(rock.resistance({0, 0, height(y + 0.5)}))));
  }
}

TEST(RockSection, FollowsItsLine) {
  const Geology rock(std::make_shared<const Ramp>());
  FigureParams params = section();
  params.axes = false;
  params.size = {200, 20};
  params.from = {1000, 0};
  params.to = {1000, 1000};
  const ColourScale scale{ColourMap::earth, 0, 1, "", ""};
  Image image = draw_figure(rock, world, params, {}).raster();
  EXPECT_EQ(pixel(image, 5, 10), scale.colour(0.5));
  EXPECT_EQ(pixel(image, 195, 10), scale.colour(0.501));
  params.from = params.to = {};
  image = draw_figure(rock, world, params, {}).raster();
  EXPECT_LT(pixel(image, 2, 10) >> 16, pixel(image, 197, 10) >> 16);
  // Rock goes on beyond the world.
  params.from = {-5000, 0};
  params.to = {9000, 0};
  EXPECT_NO_THROW(draw_figure(rock, world, params, {}));
}

TEST(RockSection, NamesTheRocksThatItMeets) {
  FigureParams params = section();
  params.title = "Beds";
  const auto has = [](const Drawing& drawing, const char* part) {
    return drawing.svg().find(part) != std::string::npos;
  };
  const Drawing all = draw_figure(test::sample_rock(), world, params, {});
  EXPECT_EQ(test::xml_fault(all.svg()), "");
  for (const char* part : {"granite", "shale", "sandstone", "resistance", "height (m)", "distance (m)", "Beds"})
    EXPECT_TRUE(has(all, part)) << part;
  // As in the ground: the highest on top.
  const std::string svg = all.svg();
  EXPECT_LT(svg.find("sandstone"), svg.find("shale"));
  EXPECT_LT(svg.find("shale"), svg.find("granite"));
  params.range = {10, 40};
  const Drawing shale = draw_figure(test::sample_rock(), world, params, {});
  EXPECT_TRUE(has(shale, "shale"));
  EXPECT_FALSE(has(shale, "granite"));
  const Drawing unnamed = draw_figure(Geology(), world, section(), {});
  EXPECT_EQ(test::xml_fault(unnamed.svg()), "");
  EXPECT_TRUE(has(unnamed, "resistance"));
}

TEST(RockSection, RefusesWhatDoesNotFit) {
  const auto refused = [&](auto change) {
    FigureParams params = section();
    change(params);
    return test::error_of([&] { draw_figure(test::sample_rock(), world, params, {}); });
  };
  EXPECT_NE(refused([](FigureParams& p) { p.kind = FigureKind::map; }).find("section"), std::string::npos);
  EXPECT_NE(refused([](FigureParams& p) { p.exaggeration = 1000; }).find("exaggeration"), std::string::npos);
  EXPECT_NE(refused([](FigureParams& p) { p.exaggeration = 7, p.size = {300, 300}; }).find("size"), std::string::npos);
  EXPECT_NE(test::error_of([] {
              draw_figure(Geology(), make_world({10, 10}, 1), section(), {});
            }).find("single"),
            std::string::npos);
}

TEST(RockSection, SameBytesForAnyThreads) {
  test::expect_same_bits([&] {
    const Image image = draw_figure(test::sample_rock(), world, section(), {}).raster();
    return hash_bytes(image.pixels.data(), image.pixels.size());
  });
}

}  // namespace tepui::rock_figure_test

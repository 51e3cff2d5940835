#include "tepui/erode/glaciers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tepui/core/error.h"
#include "tepui/generate/noise.h"
#include "tests/erode/any_land.h"
#include "tests/support/support.h"

namespace tepui::glaciers_test {

namespace {

const Context quiet;

GlaciersParams any_glaciers() {
  GlaciersParams p;
  p.glaciation = *rc::gen::element(IceAge::before, IceAge::height, IceAge::after, IceAge::after);
  p.snow_line = *rc::gen::element<std::optional<double>>(std::nullopt, -1e4, 0.0, 100.0, 1e5);
  p.years = *rc::gen::element(0.0, 3000.0, 50000.0, 1e7);
  p.carving = *rc::gen::element(1.0, 0.0, 30.0);
  p.cirques = *rc::gen::element(1.0, 0.0, 3.0);
  p.moraines = *rc::gen::element(1.0, 0.0, 50.0);
  p.variety = *rc::gen::element(1.0, 0.0, 2.0);
  p.gradient = *rc::gen::element(6e-3, 0.0, 1.0);
  p.sea_level = *rc::gen::element<std::optional<double>>(std::nullopt, 20.0);
  p.seed = {*rc::gen::inRange<int64_t>(0, 100), 1};
  return p;
}

/// Mountains on cells of so many metres.
Terrain mountains(int64_t side, double size, double height, uint64_t seed = 1) {
  NoiseParams params;
  params.height = metres(height);
  params.seed = {static_cast<int64_t>(seed), 1};
  return noise(make_world({size, size}, side), params, quiet);
}

/// Numbers that are told.
class Notes : public ProgressSink {
 public:
  void progress(int, std::string_view, double) override {}
  void warn(std::string_view) override {}
  void told(int, std::string_view name, double value, std::string_view) override { values[std::string(name)] = value; }
  std::map<std::string, double> values;
};

double sum_of(const Terrain& land, const char* layer) {
  double sum = 0;
  for (const float v : land.layer(layer).grid().cells()) sum += static_cast<double>(v);
  return sum;
}

}  // namespace

RC_GTEST_PROP(Glaciers, HeightChangesByMoraineIceAndWearExactly, ()) {
  Frame frame = test::any_frame();
  frame.cell = frame.cell * *rc::gen::element(1.0, 50.0);
  frame.size = frame.size * *rc::gen::element(1.0, 50.0);
  const Terrain land = test::any_worn_land(frame);
  const Terrain iced = glaciers(land, test::any_rock(), nullptr, any_glaciers(), quiet);
  const auto at = [&](const char* name, int64_t i) { return iced.layer(name).grid().data()[i]; };
  const auto [low, high] = std::ranges::minmax(land.height().cells());
  const float quantum = std::max(1e-6f * (high - low), 1e-6f * std::max(std::abs(low), std::abs(high)));
  for (int64_t i = 0; i < land.height().size(); ++i) {
    for (const char* name : {"wear", "moraine", "ice", "ice_flow", "sediment"}) RC_ASSERT(at(name, i) >= 0);
    const float before = land.height().data()[i];
    const float change = at("moraine", i) + at("ice", i) - at("wear", i);
    RC_ASSERT(std::abs(at("height", i) - (before + change)) <= quantum);
  }
}

RC_GTEST_PROP(Glaciers, WhatIsWornIsLaidDownOrCarriedOff, ()) {
  const Terrain land = mountains(65, 8000, 900, *rc::gen::inRange<uint64_t>(1, 20));
  GlaciersParams p = any_glaciers();
  p.glaciation = IceAge::after;
  Notes notes;
  const Terrain iced = glaciers(land, nullptr, nullptr, p, Context(&notes, nullptr));
  const double area = land.frame().cell.x * land.frame().cell.y;
  RC_ASSERT(notes.values.at("worn") == sum_of(iced, "wear") * area);
  RC_ASSERT(notes.values.at("laid down") == sum_of(iced, "moraine") * area);
  RC_ASSERT(notes.values.at("worn") == notes.values.at("laid down") + notes.values.at("carried off"));
  RC_ASSERT(notes.values.at("carried off") >= 0);
}

RC_GTEST_PROP(Glaciers, WhatFallsMeltsOrLeaves, ()) {
  const Terrain land = mountains(65, 8000, 900, *rc::gen::inRange<uint64_t>(1, 20));
  GlaciersParams p = any_glaciers();
  p.glaciation = IceAge::after;
  Notes notes;
  glaciers(land, nullptr, nullptr, p, Context(&notes, nullptr));
  const double added = notes.values.at("snow became ice");
  RC_ASSERT(added == notes.values.at("ice melted") + notes.values.at("ice left the land"));
}

TEST(Glaciers, BeforeTheIceTheLandIsAsItWas) {
  const Terrain land = mountains(65, 8000, 900);
  GlaciersParams p;
  p.glaciation = IceAge::before;
  const Terrain same = glaciers(land, nullptr, nullptr, p, quiet);
  EXPECT_LT(test::max_difference(same.height(), land.height()), 1e-3);
  EXPECT_EQ(sum_of(same, "ice"), 0);
  EXPECT_EQ(sum_of(same, "wear"), 0);
}

TEST(Glaciers, WithoutSnowNothingChanges) {
  const Terrain land = mountains(65, 8000, 900);
  GlaciersParams p;
  p.glaciation = IceAge::height;
  p.snow_line = 5000;
  const Terrain same = glaciers(land, nullptr, nullptr, p, quiet);
  EXPECT_LT(test::max_difference(same.height(), land.height()), 1e-3);
  EXPECT_EQ(sum_of(same, "ice"), 0);
}

TEST(Glaciers, IceLiesOnlyAtTheHeightOfTheIceAge) {
  const Terrain land = mountains(129, 12000, 1500);
  GlaciersParams p;
  EXPECT_EQ(sum_of(glaciers(land, nullptr, nullptr, p, quiet), "ice"), 0);
  p.glaciation = IceAge::height;
  const Terrain iced = glaciers(land, nullptr, nullptr, p, quiet);
  EXPECT_GT(sum_of(iced, "ice"), 0);
  EXPECT_GT(sum_of(iced, "ice_flow"), 0);
  EXPECT_GT(sum_of(iced, "moraine"), 0);
}

TEST(Glaciers, NothingChangesOutsideTheMask) {
  const Terrain land = mountains(129, 12000, 1500);
  Grid<float> half(129, 129, 0.0f);
  for (int64_t y = 0; y < 129; ++y)
    for (int64_t x = 64; x < 129; ++x) half(x, y) = 1;
  const Terrain mask = Terrain(land.frame(), {0, 1}).with(make_layer("mask", "", LayerKind::mask, std::move(half)));
  GlaciersParams p;
  p.glaciation = IceAge::height;
  const Terrain iced = glaciers(land, nullptr, &mask, p, quiet);
  double inside = 0;
  for (int64_t y = 0; y < 129; ++y)
    for (int64_t x = 0; x < 129; ++x) {
      const double change =
          std::abs(static_cast<double>(iced.height()(x, y)) - static_cast<double>(land.height()(x, y)));
      if (x < 64)
        EXPECT_LT(change, 1e-3);
      else
        inside = std::max(inside, change);
    }
  EXPECT_GT(inside, 20);
}

TEST(Glaciers, SmallLandsAreFine) {
  for (const auto& [w, h] : {std::pair<int64_t, int64_t>{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 40}}) {
    const Terrain land = test::sample_land(w, h, 3, 100);
    GlaciersParams p;
    p.glaciation = IceAge::height;
    p.snow_line = -1000;
    for (const float z : glaciers(land, nullptr, nullptr, p, quiet).height().cells()) EXPECT_TRUE(std::isfinite(z));
  }
}

TEST(Glaciers, SameBitsOnAnyMachine) {
  const Terrain land = mountains(257, 12000, 1500);
  GlaciersParams p;
  p.glaciation = IceAge::height;
  test::expect_same_bits([&] { return glaciers(land, nullptr, nullptr, p, quiet).hash(); });
}

TEST(Glaciers, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  EXPECT_THROW(glaciers(mountains(65, 8000, 900), nullptr, nullptr, {}, Context(nullptr, &cancel)), Error);
}

}  // namespace tepui::glaciers_test

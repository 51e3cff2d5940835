#include "tepui/terrain/resample.h"

#include <cmath>
#include <set>

#include "reference/resample.h"
#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/terrain/crop.h"
#include "tests/support/support.h"

namespace tepui::resample_test {

namespace {

int64_t any_side() {
  return *rc::gen::weightedOneOf<int64_t>(
      {{1, rc::gen::just<int64_t>(1)}, {1, rc::gen::inRange<int64_t>(2, 5)}, {4, rc::gen::inRange<int64_t>(5, 60)}});
}

/// A land of three kinds of layers.
Terrain layered_land(int64_t width, int64_t height, uint64_t seed, double cell = 10) {
  const Terrain land = test::sample_land(width, height, seed, cell);
  Grid<float> classes(width, height), weights(width, height);
  for (int64_t i = 0; i < classes.size(); ++i) {
    const float g = (land.height().data()[i] - 100) / 400;
    classes.data()[i] = 3 + 2 * std::floor(4 * g);
    weights.data()[i] = std::clamp(2 * g - 0.5f, 0.0f, 1.0f);
  }
  return land.with(make_layer("material", "", LayerKind::category, std::move(classes)))
      .with(make_layer("mask", "", LayerKind::mask, std::move(weights)));
}

ResampleParams to_resolution(int64_t n) {
  ResampleParams p;
  p.resolution = static_cast<int>(n);
  return p;
}

ResampleParams to_cell(double cell) {
  ResampleParams p;
  p.cell = metres(cell);
  return p;
}

Terrain on_frame(Frame frame, float value = 0) {
  return Terrain(frame, {0, 1}, Grid<float>(frame.width, frame.height, value));
}

/// Any frame over the land's rectangle: other cells, not square, other origin, never far outside.
Frame any_frame_on(const Frame& from) {
  const auto axis = [](double start, double cell, int64_t samples, double& origin, double& new_cell, int64_t& count) {
    const double ratio = *rc::gen::inRange(15, 900) / 100.0;
    const double length = cell * static_cast<double>(samples - 1);
    new_cell = cell * ratio;
    origin = start + cell * (*rc::gen::inRange(-90, 90)) / 100.0;
    count = std::max<int64_t>(static_cast<int64_t>((start + length - origin) / new_cell) + 1, 1);
    if (samples == 1) count = 1;
  };
  Frame to;
  axis(from.x(0), from.cell.x, from.width, to.origin.x, to.cell.x, to.width);
  axis(from.y(0), from.cell.y, from.height, to.origin.y, to.cell.y, to.height);
  to.size = {to.cell.x * static_cast<double>(to.width), to.cell.y * static_cast<double>(to.height)};
  return to;
}

/// Land with void discs at random places.
Terrain land_with_voids(int64_t side, uint64_t seed) {
  const Stream stream(seed);
  Grid<float> voids(side, side, 0.0f);
  for (uint64_t k = 0; k < 12; ++k) {
    const double length = static_cast<double>(side), radius = stream.uniform(k, 0, 0.04, 0.15) * length;
    const double cx = stream.uniform(k, 1) * length, cy = stream.uniform(k, 2) * length;
    for (int64_t y = 0; y < side; ++y)
      for (int64_t x = 0; x < side; ++x) {
        const double dx = static_cast<double>(x) - cx, dy = static_cast<double>(y) - cy;
        if (dx * dx + dy * dy < radius * radius) voids(x, y) = 1;
      }
  }
  return test::sample_land(side, side, seed).with(make_layer("void", "", LayerKind::mask, std::move(voids)));
}

double void_part(const Terrain& land) {
  double sum = 0;
  for (const float v : land.layer("void").grid().cells()) {
    EXPECT_TRUE(v == 0 || v == 1) << v;
    sum += static_cast<double>(v);
  }
  return sum / static_cast<double>(land.layer("void").grid().size());
}

}  // namespace

TEST(Resample, AboutAsMuchLandStaysVoid) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const Terrain land = land_with_voids(201, seed);
    for (const int64_t n : {41, 67, 101, 333, 401})
      EXPECT_NEAR(void_part(resample(land, nullptr, to_resolution(n), Context())), void_part(land), 0.025) << n;
  }
}

TEST(Resample, ACellIsVoidWhereMoreThanHalfOfItWas) {
  Terrain land = test::sample_land(9, 1, 1, 1);
  Grid<float> voids(9, 1, 0.0f);
  for (const int64_t x : {2, 4, 5}) voids(x, 0) = 1;
  land = land.with(make_layer("void", "", LayerKind::mask, std::move(voids)));
  const Terrain coarse = resample(land, nullptr, to_cell(2), Context());
  ASSERT_EQ(coarse.frame().width, 5);
  EXPECT_EQ(coarse.layer("void").grid()(1, 0), 0);  // half of it
  EXPECT_EQ(coarse.layer("void").grid()(2, 0), 1);  // three quarters of it
  EXPECT_EQ(coarse.layer("void").grid()(3, 0), 0);  // a quarter of it
}

RC_GTEST_PROP(Resample, ToItsOwnFrameIsTheIdentity, (uint64_t seed)) {
  const Terrain land = layered_land(any_side(), any_side(), seed);
  RC_ASSERT(resample(land, &land, {}, Context()).hash() == land.hash());
}

RC_GTEST_PROP(Resample, ToEqualSamplesOfAnotherWorldKeepsEveryCell, (uint64_t seed)) {
  const Terrain land = layered_land(any_side(), any_side(), seed, 0.3);
  const Frame& f = land.frame();
  const int64_t x = *rc::gen::inRange<int64_t>(0, f.width), y = *rc::gen::inRange<int64_t>(0, f.height);
  const Terrain part = window(land, x, y, f.width - x, f.height - y, Context());
  Frame shifted = part.frame();
  shifted.origin = {part.frame().x(0), part.frame().y(0)};
  shifted.first_x = shifted.first_y = 0;
  const Terrain like = on_frame(shifted);
  const Terrain out = resample(land, &like, {}, Context());
  for (const Layer& layer : part.layers()) RC_ASSERT(test::same_cells(out.layer(layer.name).grid(), layer.grid()));
}

RC_GTEST_PROP(Resample, AgreesWithThePlainTwin, (uint64_t seed)) {
  const Terrain land = test::sample_land(any_side(), any_side(), seed, 7);
  const Terrain like = on_frame(any_frame_on(land.frame()));
  const Terrain out = resample(land, &like, {}, Context());
  const Grid<float> plain = reference::resample(land.height(), land.frame(), like.frame());
  // Heights up to 500 m: half a unit in the last place of a float on either side, and the snapping of positions.
  RC_ASSERT(test::max_difference(out.height(), plain) < 1e-3);
}

RC_GTEST_PROP(Resample, KeepsConstants, (uint64_t seed)) {
  const Terrain land = test::sample_land(any_side(), any_side(), seed, 7);
  const float value = *rc::gen::element(0.1f, -3e-5f, 8848.86f, 3e38f);
  const Terrain flat = on_frame(land.frame(), value);
  const Terrain like = on_frame(any_frame_on(land.frame()));
  const Terrain out = resample(flat, &like, {}, Context());
  for (const float z : out.height().cells()) RC_ASSERT(z == value);
}

RC_GTEST_PROP(Resample, ReproducesLinearRampsWhenFiner, (uint64_t seed)) {
  Terrain land = test::sample_land(any_side() + 1, any_side() + 1, seed, 5);
  const double a = 0.37, b = -1.21;
  Grid<float> ramp(land.frame().width, land.frame().height);
  for (int64_t y = 0; y < ramp.height(); ++y)
    for (int64_t x = 0; x < ramp.width(); ++x)
      ramp(x, y) = static_cast<float>(a * land.frame().x(x) + b * land.frame().y(y));
  land = land.with_height(std::move(ramp));
  const Terrain out = resample(land, nullptr, to_cell(*rc::gen::inRange(30, 500) / 100.0), Context());
  for (int64_t y = 0; y < out.frame().height; ++y)
    for (int64_t x = 0; x < out.frame().width; ++x)
      RC_ASSERT(std::abs(out.height()(x, y) - (a * out.frame().x(x) + b * out.frame().y(y))) < 1e-4);
}

RC_GTEST_PROP(Resample, FinerLandGoesThroughSharedSamples, (uint64_t seed)) {
  const Terrain land = layered_land(any_side() + 1, any_side() + 1, seed, 0.7);
  const int64_t n = *rc::gen::inRange<int64_t>(2, 6);
  const Frame& f = land.frame();
  const Terrain out = resample(land, nullptr, to_resolution((std::max(f.width, f.height) - 1) * n + 1), Context());
  RC_ASSERT(out.frame().width == (f.width - 1) * n + 1);
  RC_ASSERT(out.frame().height == (f.height - 1) * n + 1);
  for (const Layer& layer : land.layers())
    for (int64_t y = 0; y < f.height; ++y)
      for (int64_t x = 0; x < f.width; ++x) RC_ASSERT(out.layer(layer.name).grid()(x * n, y * n) == layer.grid()(x, y));
}

RC_GTEST_PROP(Resample, CoarserLandKeepsTheMean, (uint64_t seed)) {
  const Terrain land = test::sample_land(*rc::gen::inRange<int64_t>(20, 60), *rc::gen::inRange<int64_t>(20, 60), seed);
  const double cell = *rc::gen::inRange(1001, 6000) / 100.0;
  const Terrain out = resample(land, nullptr, to_cell(cell), Context());
  // Each sample stands for the part of the old land that its cell covers; together they cover all but the far borders.
  const auto covered = [&](double position, int64_t samples) {
    const double end = 10 * (static_cast<double>(samples) - 0.5);
    return std::max(std::min(position + cell / 2, end) - std::max(position - cell / 2, -5.0), 0.0);
  };
  double sum = 0, area = 0;
  for (int64_t y = 0; y < out.frame().height; ++y)
    for (int64_t x = 0; x < out.frame().width; ++x) {
      const double a = covered(out.frame().x(x), land.frame().width) * covered(out.frame().y(y), land.frame().height);
      sum += a * static_cast<double>(out.height()(x, y));
      area += a;
    }
  // The same integral of the old land, each old sample counted by the part of its cell within the covered rectangle.
  const double east = out.frame().x(out.frame().width - 1) + cell / 2;
  const double north = out.frame().y(out.frame().height - 1) + cell / 2;
  double old_sum = 0, old_area = 0;
  for (int64_t y = 0; y < land.frame().height; ++y)
    for (int64_t x = 0; x < land.frame().width; ++x) {
      const double left = 10 * static_cast<double>(x) - 5, low = 10 * static_cast<double>(y) - 5;
      const double a = std::clamp(east - left, 0.0, 10.0) * std::clamp(north - low, 0.0, 10.0);
      old_sum += a * static_cast<double>(land.height()(x, y));
      old_area += a;
    }
  RC_ASSERT(std::abs(area - old_area) < 1e-6 * area);
  RC_ASSERT(std::abs(sum / area - old_sum / old_area) < 1e-6 * std::abs(old_sum / old_area));
}

RC_GTEST_PROP(Resample, HalfTheSamplesAreMeansWeightedOneTwoOne, (uint64_t seed)) {
  const Terrain land = test::sample_land(41, 21, seed);
  const Terrain out = resample(land, nullptr, to_resolution(21), Context());
  const Grid<float>& z = land.height();
  const int64_t x = *rc::gen::inRange<int64_t>(1, 20), y = *rc::gen::inRange<int64_t>(1, 10);
  double sum = 0;
  for (int64_t j = -1; j <= 1; ++j)
    for (int64_t i = -1; i <= 1; ++i) sum += (i == 0 ? 2 : 1) * (j == 0 ? 2 : 1) * z(2 * x + i, 2 * y + j) / 16.0;
  RC_ASSERT(out.height()(x, y) == static_cast<float>(sum));
}

RC_GTEST_PROP(Resample, NeverInventsClassesAndKeepsMasksWithinZeroAndOne, (uint64_t seed)) {
  const Terrain land = layered_land(any_side(), any_side(), seed, 7);
  const Terrain like = on_frame(any_frame_on(land.frame()));
  const Terrain out = resample(land, &like, {}, Context());
  const auto before = land.layer("material").grid().cells();
  const std::set<float> known(before.begin(), before.end());
  for (const float c : out.layer("material").grid().cells()) RC_ASSERT(known.contains(c));
  for (const float m : out.layer("mask").grid().cells()) RC_ASSERT(m >= 0 && m <= 1);
  RC_ASSERT(out.relief() == land.relief());
  for (const Layer& layer : land.layers()) {
    RC_ASSERT(out.layer(layer.name).kind == layer.kind);
    RC_ASSERT(out.layer(layer.name).unit == layer.unit);
  }
}

TEST(Resample, ClassesTakeTheLargestAreaAndOfEqualsTheLowest) {
  Frame frame = make_world({60, 60}, 7);
  Grid<float> classes(7, 7, 9.0f);
  const auto majority = [&] {
    const Terrain land = Terrain(frame, {0, 1}).with(make_layer("material", "", LayerKind::category, classes.clone()));
    return resample(land, nullptr, to_resolution(3), Context()).layer("material").grid()(1, 1);
  };
  // The cell of the middle sample covers old samples 2 to 4 and half of 1 and 5: nine cells' worth.
  for (int64_t y = 0; y < 7; ++y) classes(3, y) = classes(2, y) = 4;
  EXPECT_EQ(majority(), 4);  // 1.5 + ... of 3 columns: two of them
  for (int64_t y = 0; y < 7; ++y) classes(2, y) = 9;
  EXPECT_EQ(majority(), 9);
  for (int64_t y = 0; y < 7; ++y)
    for (int64_t x = 0; x < 7; ++x) classes(x, y) = x < 3 ? 7 : x > 3 ? 2 : (y < 3 ? 7 : y > 3 ? 2 : 5);
  EXPECT_EQ(majority(), 2) << "classes 2 and 7 share the area evenly";
}

TEST(Resample, HeightsMayOvershootMasksMayNot) {
  const Frame frame = make_world({70, 10}, 8);
  Grid<float> step(8, 2, 0.0f);
  for (int64_t y = 0; y < 2; ++y)
    for (int64_t x = 4; x < 8; ++x) step(x, y) = 1;
  const Terrain land =
      Terrain(frame, {0, 1}, step.clone()).with(make_layer("mask", "", LayerKind::mask, std::move(step)));
  const Terrain out = resample(land, nullptr, to_resolution(15), Context());
  EXPECT_GT(*std::ranges::max_element(out.height().cells()), 1.0f);
  EXPECT_EQ(*std::ranges::max_element(out.layer("mask").grid().cells()), 1.0f);
  EXPECT_EQ(*std::ranges::min_element(out.layer("mask").grid().cells()), 0.0f);
}

TEST(Resample, StaysFiniteAtTheLargestHeights) {
  const Frame frame = make_world({70, 70}, 8);
  Grid<float> step(8, 8, -3.4e38f);
  for (int64_t y = 0; y < 8; ++y)
    for (int64_t x = 4; x < 8; ++x) step(x, y) = 3.4e38f;
  const Terrain out = resample(Terrain(frame, {0, 1}, std::move(step)), nullptr, to_resolution(15), Context());
  for (const float z : out.height().cells()) ASSERT_TRUE(std::isfinite(z));
}

RC_GTEST_PROP(Resample, PlacesKeepTheirGeographicPosition, (uint64_t seed)) {
  Terrain base = test::sample_land(any_side(), any_side(), seed, 10);
  Frame frame = base.frame();
  frame.origin = {500, -200};
  frame.geo = std::make_shared<const Georeference>(Georeference{"WKT", {7.5, 46.25}, {0.001, 0.0007}});
  const Terrain land(frame, base.relief(), base.height().clone());
  const Terrain like = on_frame(any_frame_on(land.frame()));
  const Frame to = resample(land, &like, {}, Context()).frame();
  RC_ASSERT(to == like.frame());
  RC_ASSERT(bool(to.geo));
  RC_ASSERT(to.geo->crs == "WKT");
  const double index_x = static_cast<double>(to.first_x + to.width - 1);
  const double place = (to.x(to.width - 1) - frame.origin.x) / frame.cell.x;
  RC_ASSERT(std::abs(to.geo->origin.x + index_x * to.geo->step.x - (7.5 + 0.001 * place)) < 1e-9);
  const double index_y = static_cast<double>(to.first_y + to.height - 1);
  const double up = (to.y(to.height - 1) - frame.origin.y) / frame.cell.y;
  RC_ASSERT(std::abs(to.geo->origin.y + index_y * to.geo->step.y - (46.25 + 0.0007 * up)) < 1e-9);
}

TEST(Resample, LandWithoutAPlaceOnEarthTakesThatOfItsModel) {
  Frame frame = make_world({90, 90}, 10);
  const Terrain land = on_frame(frame, 5);
  frame.geo = std::make_shared<const Georeference>(Georeference{"WKT", {1, 2}, {3, 4}});
  const Terrain like = on_frame(frame);
  const Terrain out = resample(land, &like, {}, Context());
  ASSERT_TRUE(out.frame().geo);
  EXPECT_EQ(out.frame().geo->origin.y, 2);
  EXPECT_EQ(out.height()(3, 3), 5);
}

TEST(Resample, ACoarseWorldReachesTheFineOneOfTheSameRectangle) {
  // The shorter side of 509 m is not a whole number of cells: the coarse samples end 9 m before the fine ones.
  const Terrain coarse = on_frame(make_world({1000, 509}, 101), 3), fine = on_frame(make_world({1000, 509}, 1001));
  EXPECT_EQ(resample(coarse, &fine, {}, Context()).frame(), fine.frame());
  EXPECT_EQ(resample(coarse, nullptr, to_resolution(1001), Context()).frame(), fine.frame());
  EXPECT_EQ(resample(fine, nullptr, to_resolution(101), Context()).frame(), coarse.frame());
  const Terrain point = on_frame(make_world({1000, 509}, 1), 3);
  EXPECT_EQ(resample(point, &fine, {}, Context()).height()(1000, 500), 3);
}

TEST(Resample, ACropBecomesAWorldOfItsOwn) {
  const Terrain land = test::sample_land(41, 41, 5);
  const Terrain part = window(land, 8, 12, 17, 9, Context());
  const Frame out = resample(part, nullptr, to_resolution(33), Context()).frame();
  EXPECT_EQ(out.width, 33);
  EXPECT_EQ(out.height, 17);
  EXPECT_EQ(out.x(0), land.frame().x(8));
  EXPECT_EQ(out.y(16), land.frame().y(20));
  EXPECT_EQ(resample(part, nullptr, to_cell(2.5), Context()).frame().width, 65);
}

TEST(Resample, TargetsOutsideTheLandAreRefusedWithTheNumbers) {
  const Terrain land = test::sample_land(11, 11, 1);
  Frame frame = land.frame();
  frame.origin.x = 30;
  const Terrain like = on_frame(frame);
  const std::string error = test::error_of([&] { resample(land, &like, {}, Context()); });
  EXPECT_NE(error.find("30 to 130 m"), std::string::npos) << error;
  EXPECT_NE(error.find("0 to 100 m"), std::string::npos) << error;
}

TEST(Resample, NeedsExactlyOneTarget) {
  const Terrain land = test::sample_land(11, 11, 1);
  ResampleParams both = to_cell(5);
  both.resolution = 20;
  EXPECT_NE(test::error_of([&] { resample(land, nullptr, {}, Context()); }).find("needs a target"), std::string::npos);
  EXPECT_NE(test::error_of([&] { resample(land, nullptr, both, Context()); }).find("two targets"), std::string::npos);
  EXPECT_NE(test::error_of([&] { resample(land, &land, to_cell(5), Context()); }).find("two targets"),
            std::string::npos);
  EXPECT_NE(test::error_of([&] { resample(land, nullptr, to_cell(1e-12), Context()); }).find("larger cell"),
            std::string::npos);
}

TEST(Resample, HasTheSameBitsAtAnyThreadCountAndSimdLevel) {
  const Terrain land = layered_land(233, 171, 9);
  for (const int64_t resolution : {57, 116, 117, 233, 300, 517})
    test::expect_same_bits([&] { return resample(land, nullptr, to_resolution(resolution), Context()).hash(); });
  const Terrain like = on_frame([&] {
    Frame f = land.frame();
    f.cell = {f.cell.x * 0.4, f.cell.y * 3.1};
    f.width = 500;
    f.height = 50;
    return f;
  }());
  test::expect_same_bits([&] { return resample(land, &like, {}, Context()).hash(); });
}

TEST(Resample, StopsWhenCancelled) {
  const CancelFlag cancel = true;
  const Terrain land = layered_land(20, 20, 1);
  EXPECT_EQ(test::error_of([&] { resample(land, nullptr, to_resolution(40), Context(nullptr, &cancel)); }),
            "cancelled");
  EXPECT_EQ(test::error_of([&] { resample(land, nullptr, to_resolution(10), Context(nullptr, &cancel)); }),
            "cancelled");
}

}  // namespace tepui::resample_test

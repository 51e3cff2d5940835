#include "tepui/terrain/statistics.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::statistics_test {

namespace {

Grid<float> some_cells(int64_t width, int64_t height, uint64_t seed) {
  return test::sample_land(width, height, seed).height().clone();
}

int64_t any_side() {
  return *rc::gen::weightedOneOf<int64_t>({{1, rc::gen::just<int64_t>(1)}, {4, rc::gen::inRange<int64_t>(1, 60)}});
}

Hash hash_of(const LayerStatistics& s) {
  Hasher hasher;
  for (const double v :
       {s.min, s.max, s.mean, s.deviation, s.percentile_1, s.percentile_5, s.median, s.percentile_95, s.percentile_99})
    hasher.add(v);
  for (const int64_t n : s.histogram) hasher.add(n);
  return hasher.finish();
}

}  // namespace

RC_GTEST_PROP(Statistics, AgreeWithTheirDefinitions, (uint64_t seed)) {
  const Grid<float> cells = some_cells(any_side(), any_side(), seed);
  std::vector<double> sorted(cells.cells().begin(), cells.cells().end());
  std::ranges::sort(sorted);
  const double n = static_cast<double>(sorted.size());
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  double squares = 0;
  for (const double z : sorted) squares += (z - mean) * (z - mean);

  const LayerStatistics s = statistics(cells, Context());
  RC_ASSERT(s.cells == cells.size());
  RC_ASSERT(s.min == sorted.front());
  RC_ASSERT(s.max == sorted.back());
  RC_ASSERT(std::abs(s.mean - mean) < 1e-10 * std::abs(mean));
  RC_ASSERT(std::abs(s.deviation - std::sqrt(squares / n)) < 1e-9);
  const auto rank = [&](double percent) {
    return sorted[static_cast<size_t>(std::max(std::ceil(percent * n / 100), 1.0)) - 1];
  };
  RC_ASSERT(s.percentile_1 == rank(1));
  RC_ASSERT(s.percentile_5 == rank(5));
  RC_ASSERT(s.median == rank(50));
  RC_ASSERT(s.percentile_95 == rank(95));
  RC_ASSERT(s.percentile_99 == rank(99));
  RC_ASSERT(std::accumulate(s.histogram.begin(), s.histogram.end(), int64_t{0}) == cells.size());
  const double below = s.min + (s.max - s.min) / 2;
  const int64_t lower_half = std::accumulate(s.histogram.begin(), s.histogram.begin() + 128, int64_t{0});
  if (s.max > s.min) RC_ASSERT(lower_half == std::ranges::count_if(sorted, [&](double z) { return z < below; }));
}

TEST(Statistics, OrderNegativeNumbersAndZeros) {
  Grid<float> cells(5, 1);
  const float values[] = {-0.0f, 3, -1e30f, -2, 1e-40f};
  std::ranges::copy(values, cells.data());
  const LayerStatistics s = statistics(cells, Context());
  EXPECT_EQ(s.percentile_1, static_cast<double>(-1e30f));
  EXPECT_EQ(s.median, 0);
  EXPECT_EQ(s.percentile_99, 3);
}

TEST(Statistics, LandWithoutReliefIsAllInTheFirstBin) {
  const LayerStatistics s = statistics(Grid<float>(7, 3, 0.1f), Context());
  EXPECT_EQ(s.histogram[0], 21);
  EXPECT_EQ(s.mean, static_cast<double>(0.1f));
  EXPECT_EQ(s.deviation, 0);
}

TEST(Statistics, HaveTheSameBitsAtAnyThreadCount) {
  const Grid<float> cells = some_cells(700, 500, 3);
  test::expect_same_bits([&] { return hash_of(statistics(cells, Context())); });
}

TEST(Statistics, OfNothingAreRefused) {
  EXPECT_NE(test::error_of([] { statistics(Grid<float>(), Context()); }).find("without cells"), std::string::npos);
}

TEST(Statistics, StopWhenCancelled) {
  const CancelFlag cancel = true;
  const Context context(nullptr, &cancel);
  const Grid<float> cells = some_cells(9, 9, 1);
  EXPECT_EQ(test::error_of([&] { statistics(cells, context); }), "cancelled");
  EXPECT_EQ(test::error_of([&] { compare(cells, cells, context); }), "cancelled");
  EXPECT_EQ(test::error_of([&] { class_counts(cells, context); }), "cancelled");
}

RC_GTEST_PROP(ClassCounts, CountEveryCell, (uint64_t seed)) {
  Grid<float> cells = some_cells(any_side(), any_side(), seed);
  std::vector<int64_t> naive;
  for (float& z : cells.cells()) {
    z = std::floor(z / 40);
    const size_t c = static_cast<size_t>(z);
    if (naive.size() <= c) naive.resize(c + 1);
    ++naive[c];
  }
  RC_ASSERT(class_counts(cells, Context()) == naive);
}

TEST(ClassCounts, RefuseWhatIsNoClass) {
  for (const float bad : {0.5f, -1.0f, 65536.0f, 1e20f})
    EXPECT_NE(test::error_of([&] { class_counts(Grid<float>(2, 2, bad), Context()); }).find("not a class"),
              std::string::npos);
}

RC_GTEST_PROP(Compare, ALandEqualsItself, (uint64_t seed)) {
  const Grid<float> cells = some_cells(any_side(), any_side(), seed);
  const Comparison c = compare(cells, cells.clone(), Context());
  RC_ASSERT(c.equal && c.max_abs == 0 && c.rmse == 0 && c.mean == 0);
}

RC_GTEST_PROP(Compare, AgreesWithItsDefinition, (uint64_t seed)) {
  const int64_t w = any_side(), h = any_side();
  const Grid<float> a = some_cells(w, h, seed), b = some_cells(w, h, seed + 1);
  double max_abs = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < a.cells().size(); ++i) {
    const double d = static_cast<double>(b.cells()[i]) - static_cast<double>(a.cells()[i]);
    max_abs = std::max(max_abs, std::abs(d));
    sum += d;
    squares += d * d;
  }
  const double n = static_cast<double>(a.size());
  const Comparison c = compare(a, b, Context());
  RC_ASSERT(!c.equal);
  RC_ASSERT(c.max_abs == max_abs);
  RC_ASSERT(std::abs(c.mean - sum / n) < 1e-9);
  RC_ASSERT(std::abs(c.rmse - std::sqrt(squares / n)) < 1e-9);
  const Comparison back = compare(b, a, Context());
  RC_ASSERT(back.mean == -c.mean && back.rmse == c.rmse && back.max_abs == c.max_abs);
}

TEST(Compare, SeesASingleBit) {
  Grid<float> a(300, 300, 1.0f), b = a.clone();
  b(299, 299) = std::nextafter(1.0f, 2.0f);
  const Comparison c = compare(a, b, Context());
  EXPECT_FALSE(c.equal);
  EXPECT_GT(c.max_abs, 0);
  EXPECT_GT(c.mean, 0);
}

TEST(Compare, TellsMinusZeroByItsBitsOnly) {
  const Comparison c = compare(Grid<float>(1, 1, 0.0f), Grid<float>(1, 1, -0.0f), Context());
  EXPECT_FALSE(c.equal);
  EXPECT_EQ(c.max_abs, 0);
}

TEST(Compare, RefusesDifferentSizes) {
  const std::string error = test::error_of([] { compare(Grid<float>(3, 2, 0), Grid<float>(2, 3, 0), Context()); });
  EXPECT_NE(error.find("3 x 2"), std::string::npos);
  EXPECT_NE(error.find("resample"), std::string::npos);
}

}  // namespace tepui::statistics_test

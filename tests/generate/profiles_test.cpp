#include "tepui/generate/profiles.h"

#include <cmath>
#include <limits>

#include "reference/profiles.h"
#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::profiles_test {

namespace {

const Context quiet;

ProfileLine any_line() {
  return {*rc::gen::element<int64_t>(1, 2, 3, 64, 500, 2500), *rc::gen::element(1.0, 1000.0, 12345.6)};
}

UpliftProfile any_uplift() {
  UpliftProfile model;
  model.peaks = *rc::gen::element(0, 1, 2, 10, 60, 5000);
  model.low = *rc::gen::element(0.0, 1.0, 300.0);
  model.high = model.low + *rc::gen::element(0.0, 10.0, 2000.0);
  model.ruggedness = *rc::gen::element(0.0, 0.3, 1.0, 20.0, 1e6);
  return model;
}

Stream any_stream() { return Stream(static_cast<uint64_t>(*rc::gen::inRange(0, 1000))); }

/// The slope of log |y(x + d) - y(x)|^2 over log d, halved, by least squares over the lags.
double fitted_hurst(const std::vector<std::vector<double>>& curves, const std::vector<int64_t>& lags) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const int64_t lag : lags) {
    double sum = 0, count = 0;
    for (const std::vector<double>& curve : curves)
      for (size_t i = 0; i + static_cast<size_t>(lag) < curve.size(); ++i, ++count)
        sum += (curve[i + static_cast<size_t>(lag)] - curve[i]) * (curve[i + static_cast<size_t>(lag)] - curve[i]);
    const double x = std::log(static_cast<double>(lag)), y = std::log(sum / count);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return 0.5 * (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

RC_GTEST_PROP(UpliftProfile, EqualsItsPlainTwin, ()) {
  const ProfileLine line = any_line();
  const UpliftProfile model = any_uplift();
  const Stream stream = any_stream();
  RC_ASSERT(uplift_profile(line, model, stream, quiet) == reference::uplift_profile(line, model, stream));
}

RC_GTEST_PROP(UpliftProfile, IsNeverNegativeNorAboveItsHighestPeak, ()) {
  const UpliftProfile model = any_uplift();
  for (const double y : uplift_profile(any_line(), model, any_stream(), quiet))
    RC_ASSERT(y >= 0 && y <= model.high * (1 + 1e-12));
}

RC_GTEST_PROP(UpliftProfile, HalfTheStepsAreEverySecondSample, ()) {
  const auto steps = *rc::gen::inRange<int64_t>(1, 300);
  const double length = *rc::gen::element(1.0, 777.7);
  const UpliftProfile model = any_uplift();
  const Stream stream = any_stream();
  const std::vector<double> fine = uplift_profile({2 * steps + 1, length}, model, stream, quiet),
                            coarse = uplift_profile({steps + 1, length}, model, stream, quiet);
  for (size_t i = 0; i < coarse.size(); ++i) RC_ASSERT(coarse[i] == fine[2 * i]);
}

TEST(UpliftProfile, OnePeakIsATent) {
  const ProfileLine line{2001, 1000};
  const UpliftProfile model{1, 120, 120, 2};
  const Stream stream(5);
  const ProfilePeak peak = draw_profile_peaks(line, model, stream, 0, 1).front();
  const std::vector<double> y = uplift_profile(line, model, stream, quiet);
  for (int64_t i = 0; i < line.samples; ++i) {
    const double d = std::abs(line.x(i) - peak.position);
    EXPECT_DOUBLE_EQ(y[static_cast<size_t>(i)], d < 60 ? 120 - 2 * d : 0.0) << i;
  }
}

TEST(UpliftProfile, WithoutSlopeEveryPeakLiftsTheWholeLine) {
  const ProfileLine line{50, 1000};
  const UpliftProfile model{30, 10, 90, 0};
  double mean = 0;
  for (const ProfilePeak& peak : draw_profile_peaks(line, model, Stream(1), 0, 30)) mean += peak.height / 30;
  for (const double y : uplift_profile(line, model, Stream(1), quiet)) EXPECT_NEAR(y, mean, 1e-12 * mean);
}

TEST(UpliftProfile, MorePeaksLowerTheLine) {
  const ProfileLine line{2001, 1000};
  const auto highest = [&](int64_t peaks) {
    const std::vector<double> y = uplift_profile(line, {peaks, 50, 200, 1}, Stream(3), quiet);
    return *std::ranges::max_element(y);
  };
  EXPECT_GT(highest(3), highest(30));
  EXPECT_GT(highest(30), highest(3000));
}

TEST(UpliftProfile, RefusesWhatIsNoModel) {
  const ProfileLine line{10, 100};
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const UpliftProfile& model) {
    return test::error_of([&] { uplift_profile(line, model, Stream(1), quiet); });
  };
  EXPECT_NE(refused({5, 20, 10, 1}).find("smaller one first"), std::string::npos);
  EXPECT_NE(refused({5, -20, 10, 1}).find("at least 0"), std::string::npos);
  EXPECT_NE(refused({5, 0, nan, 1}).find("heights"), std::string::npos);
  EXPECT_NE(refused({5, 0, 10, -1}).find("slope"), std::string::npos);
  EXPECT_NE(refused({-5, 0, 10, 1}).find("peaks"), std::string::npos);
  test::error_of([&] { uplift_profile({0, 100}, {}, Stream(1), quiet); });
  test::error_of([&] { uplift_profile({10, 0}, {}, Stream(1), quiet); });
}

TEST(Profiles, HaveTheSameBitsForAnyThreadsAndLevel) {
  const ProfileLine line{5000, 3000};
  const auto hash = [](const std::vector<double>& curve) {
    Hasher hasher;
    for (const double y : curve) hasher.add(y);
    return hasher.finish();
  };
  test::expect_same_bits([&] { return hash(uplift_profile(line, {9000, 1, 50, 1}, Stream(2), quiet)); });
  test::expect_same_bits([&] { return hash(brownian_profile(line, {0.5, 1000, 1}, Stream(2), quiet)); });
}

TEST(Profiles, StopWhenCancelled) {
  const CancelFlag cancel = true;
  const Context cancelled(nullptr, &cancel);
  EXPECT_THROW(uplift_profile({100, 100}, {}, Stream(1), cancelled), Error);
  EXPECT_THROW(brownian_profile({100, 100}, {}, Stream(1), cancelled), Error);
}

RC_GTEST_PROP(BrownianProfile, EqualsItsPlainTwin, ()) {
  const ProfileLine line = any_line();
  const BrownianProfile model{*rc::gen::element(0.05, 0.5, 0.95), line.length * *rc::gen::element(0.1, 1.0, 3.0),
                              line.length * *rc::gen::element(0.001, 0.02, 5.0)};
  const Stream stream = any_stream();
  const std::vector<double> fast = brownian_profile(line, model, stream, quiet),
                            plain = reference::brownian_profile(line, model, stream);
  RC_ASSERT(fast.size() == plain.size());
  for (size_t i = 0; i < fast.size(); ++i) {
    RC_ASSERT(std::abs(fast[i] - plain[i]) <= 2e-5);
    RC_ASSERT(std::abs(fast[i]) <= 1);
  }
}

TEST(BrownianProfile, HalfTheStepsAreEverySecondSample) {
  const std::vector<double> fine = brownian_profile({801, 900}, {0.5, 900, 1}, Stream(4), quiet),
                            coarse = brownian_profile({401, 900}, {0.5, 900, 1}, Stream(4), quiet);
  for (size_t i = 0; i < coarse.size(); ++i) EXPECT_EQ(coarse[i], fine[2 * i]);
}

TEST(BrownianProfile, HasItsHurstExponent) {
  // Between the ends: from 16 times the detail to a sixteenth of the size.
  for (const double hurst : {0.2, 0.35, 0.5, 0.65, 0.8}) {
    std::vector<std::vector<double>> curves;
    for (uint64_t seed = 0; seed < 24; ++seed)
      curves.push_back(brownian_profile({8193, 8192}, {hurst, 4096, 0.25}, Stream(seed), quiet));
    EXPECT_NEAR(fitted_hurst(curves, {4, 8, 16, 32, 64, 128, 256}), hurst, 0.06) << hurst;
  }
}

TEST(BrownianProfile, RefusesWhatIsNoHurstExponent) {
  for (const double hurst : {0.0, 1.0, -0.5, 3.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_NE(test::error_of([&] {
                brownian_profile({10, 100}, {hurst, 100, 1}, Stream(1), quiet);
              }).find("between 0 and 1"),
              std::string::npos);
  test::error_of([&] { brownian_profile({10, 100}, {0.5, 100, 1e-9}, Stream(1), quiet); });
  test::error_of([&] { brownian_profile({10, 1e9}, {0.5, 1e-3, 1e-3}, Stream(1), quiet); });
  test::error_of([&] { brownian_profile({10, 100}, {0.5, 0, 1}, Stream(1), quiet); });
}

}  // namespace tepui::profiles_test

#include "tepui/core/math.h"

#include <bit>
#include <cmath>
#include <limits>

#include "tepui/core/random.h"
#include "tests/support/support.h"

namespace tepui::math_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

/// |got - exact| in units of the last place of a double near `exact`.
double ulps(double got, long double exact) {
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) && std::isnan(exact) ? 0 : infinity;
  const auto rounded = static_cast<double>(exact);
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : infinity;
  const int exponent = rounded == 0 ? -1074 : std::max(std::ilogb(rounded) - 52, -1074);
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) / std::ldexp(1.0L, exponent));
}

/// The worst error of `f` against `exact` over arguments drawn by `draw`; tests print the argument that breaks a bound.
template <class Draw, class F, class Exact>
void expect_within(double bound, int count, const Draw& draw, const F& f, const Exact& exact) {
  const Stream stream(2026);
  double worst = 0, worst_at = 0;
  for (int i = 0; i < count; ++i) {
    const double x = draw(stream, static_cast<uint64_t>(i));
    const double error = ulps(f(x), exact(static_cast<long double>(x)));
    if (error > worst) {
      worst = error;
      worst_at = x;
    }
  }
  EXPECT_LE(worst, bound) << "at " << std::hexfloat << worst_at;
}

auto uniform(double low, double high) {
  return [=](const Stream& s, uint64_t i) { return s.uniform(i, 0, low, high); };
}

/// Any finite double of the given binary exponents, either sign: a uniform mantissa and exponent.
auto any_double(int low, int high, bool with_sign) {
  return [=](const Stream& s, uint64_t i) {
    const double mantissa = 1 + s.uniform(i, 0);
    const int exponent = low + static_cast<int>(s.uniform(i, 1) * (high - low + 1));
    const double value = std::ldexp(mantissa, exponent);
    return with_sign && s.uniform(i, 2) < 0.5 ? -value : value;
  };
}

constexpr int draws = 100'000;

}  // namespace

TEST(Math, ExpIsWithinOneUlp) {
  const auto exact = [](long double x) { return std::exp(x); };
  expect_within(1, draws, uniform(-1, 1), math::exp, exact);
  expect_within(1, draws, uniform(-708, 709.7), math::exp, exact);
  expect_within(1, draws, any_double(-60, -1, true), math::exp, exact);
  expect_within(2, 20'000, uniform(-746, -708), math::exp, exact);
}

TEST(Math, ExpAtTheEdges) {
  EXPECT_EQ(math::exp(0.0), 1);
  EXPECT_EQ(math::exp(-0.0), 1);
  EXPECT_EQ(math::exp(infinity), infinity);
  EXPECT_EQ(math::exp(-infinity), 0);
  EXPECT_EQ(math::exp(709.782712893384), std::exp(709.782712893384));
  EXPECT_EQ(math::exp(709.7827128933841), infinity);
  EXPECT_EQ(math::exp(-745.1332191019411), smallest);
  EXPECT_EQ(math::exp(-745.14), 0);
  EXPECT_EQ(math::exp(largest), infinity);
  EXPECT_EQ(math::exp(-largest), 0);
  EXPECT_TRUE(std::isnan(math::exp(NAN)));
}

TEST(Math, LogIsNearlyCorrectlyRounded) {
  const auto exact = [](long double x) { return std::log(x); };
  expect_within(0.51, draws, uniform(0.5, 2), math::log, exact);
  expect_within(0.51, draws, any_double(-1022, 1023, false), math::log, exact);
  expect_within(
      0.51, draws, [](const Stream& s, uint64_t i) { return 1 + any_double(-52, -8, true)(s, i); }, math::log, exact);
  expect_within(0.51, 1000, any_double(-1073, -1023, false), math::log, exact);
}

TEST(Math, Log10KeepsItsBound) {
  const auto exact = [](long double x) { return std::log10(x); };
  expect_within(2.5, draws, uniform(0.5, 2), math::log10, exact);
  expect_within(2.5, draws, any_double(-1022, 1023, false), math::log10, exact);
  EXPECT_EQ(math::log10(1.0), 0);
  EXPECT_EQ(math::log10(10.0), 1);
  EXPECT_EQ(math::log10(0.0), -infinity);
  EXPECT_TRUE(std::isnan(math::log10(-1.0)));
}

TEST(Math, LogAtTheEdges) {
  EXPECT_EQ(math::log(1.0), 0);
  EXPECT_EQ(math::log(0.0), -infinity);
  EXPECT_EQ(math::log(-0.0), -infinity);
  EXPECT_EQ(math::log(infinity), infinity);
  EXPECT_TRUE(std::isnan(math::log(-1.0)));
  EXPECT_TRUE(std::isnan(math::log(-infinity)));
  EXPECT_TRUE(std::isnan(math::log(NAN)));
}

TEST(Math, PowIsWithinOneUlp) {
  const Stream stream(7);
  double worst = 0;
  for (uint64_t i = 0; i < draws; ++i) {
    const double x = i % 2 == 0 ? stream.uniform(i, 0, 0.0, 50.0) : any_double(-1000, 1000, false)(stream, i);
    // Exponents that keep the result finite, up to both ends of the range.
    const double y = stream.uniform(i, 3, -744.0, 709.0) / std::log(x);
    const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    const bool subnormal = exact < std::numeric_limits<double>::min();
    worst = std::max(worst, ulps(math::pow(x, y), exact) - (subnormal ? 1 : 0));
  }
  EXPECT_LE(worst, 1);
}

TEST(Math, PowOfWholeNumbersIsExact) {
  for (int base = -9; base <= 9; ++base) {
    double product = 1;
    for (int n = 0; n <= 15; ++n) {
      EXPECT_EQ(math::pow(base, n), product) << base << "^" << n;
      product *= base;
    }
  }
  for (int n = -1074; n <= 1023; ++n) EXPECT_EQ(math::pow(2, n), std::ldexp(1.0, n));
}

TEST(Math, PowHasTheEdgesOfTheStandard) {
  const double values[] = {0.0,        -0.0,        1,       -1,       2,        -2,        0.5,
                           -0.5,       3,           -3,      1e300,    2.5,      -2.5,      infinity,
                           -infinity,  NAN,         largest, -largest, smallest, -smallest, 0x1p53 + 2,
                           0x1p52 + 1, -0x1p52 - 1, 0x1p63,  0x1p70};
  for (const double x : values)
    for (const double y : values) {
      const double expected = std::pow(x, y), got = math::pow(x, y);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(got)) << x << "^" << y;
      else {
        EXPECT_LE(ulps(got, expected), 1) << x << "^" << y;
        EXPECT_EQ(std::signbit(got), std::signbit(expected)) << x << "^" << y;
      }
    }
}

TEST(Math, SineAndCosineAreWithinOneUlp) {
  const auto sine = [](long double x) { return std::sin(x); };
  const auto cosine = [](long double x) { return std::cos(x); };
  for (const auto& [low, high] : {std::pair{-0.8, 0.8}, {-10.0, 10.0}, {-1e4, 1e4}, {-0x1p30, 0x1p30}}) {
    expect_within(1, draws, uniform(low, high), math::sin, sine);
    expect_within(1, draws, uniform(low, high), math::cos, cosine);
  }
  expect_within(1, draws, any_double(-1022, 0, true), math::sin, sine);
  expect_within(1, draws, any_double(-60, 62, true), math::cos, cosine);
}

TEST(Math, SineAndCosineHoldNearTheirZeros) {
  for (int n = 1; n < 200'000; n += 7) {
    const double x = static_cast<double>(n) * (math::pi / 2);
    const long double reference =
        n % 2 == 0 ? std::sin(static_cast<long double>(x)) : std::cos(static_cast<long double>(x));
    // Next to a zero 80-bit reduction is itself good to about 2^-66 of the argument only.
    const double slack = 0x1p-62 * x / std::abs(static_cast<double>(reference)) * 0x1p52;
    EXPECT_LE(ulps(n % 2 == 0 ? math::sin(x) : math::cos(x), reference), 1 + slack) << n;
  }
}

TEST(Math, SineAndCosineOfHugeArguments) {
  const auto sine = [](long double x) { return static_cast<long double>(std::sin(static_cast<double>(x))); };
  const auto cosine = [](long double x) { return static_cast<long double>(std::cos(static_cast<double>(x))); };
  expect_within(1.5, draws, any_double(29, 1023, true), math::sin, sine);
  expect_within(1.5, draws, any_double(29, 1023, true), math::cos, cosine);
  // The double nearest to a multiple of pi/2 (Muller, Elementary Functions), the hardest case there is; some libm's
  // miss its value, here rounded from 2000 bits.
  const double hardest = std::ldexp(6381956970095103.0, 797);
  EXPECT_EQ(math::cos(hardest), -0x1.14ae72e6ba22fp-61);
  EXPECT_TRUE(std::isnan(math::sin(infinity)));
  EXPECT_TRUE(std::isnan(math::cos(-infinity)));
  EXPECT_TRUE(std::isnan(math::tan(NAN)));
  EXPECT_TRUE(std::signbit(math::sin(-0.0)));
}

TEST(Math, TangentIsWithinItsBound) {
  const auto exact = [](long double x) { return std::tan(x); };
  expect_within(2.5, draws, uniform(-1.6, 1.6), math::tan, exact);
  expect_within(2.5, draws, uniform(-1e5, 1e5), math::tan, exact);
}

TEST(Math, ArcFunctionsAreWithinTheirBounds) {
  expect_within(2, draws, any_double(-1022, 1023, true), math::atan, [](long double x) { return std::atan(x); });
  expect_within(2, draws, uniform(-4, 4), math::atan, [](long double x) { return std::atan(x); });
  expect_within(3, draws, uniform(-1, 1), math::asin, [](long double x) { return std::asin(x); });
  expect_within(3, draws, uniform(-1, 1), math::acos, [](long double x) { return std::acos(x); });
  expect_within(
      3, draws, [](const Stream& s, uint64_t i) { return 1 - any_double(-50, -3, false)(s, i); }, math::acos,
      [](long double x) { return std::acos(x); });
  const Stream stream(11);
  double worst = 0;
  for (uint64_t i = 0; i < draws; ++i) {
    const double y = stream.uniform(i, 0, -1, 1), x = stream.uniform(i, 1, -1, 1);
    worst =
        std::max(worst, ulps(math::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
  }
  EXPECT_LE(worst, 2);
}

TEST(Math, Atan2HasTheEdgesOfTheStandard) {
  const double values[] = {0.0, -0.0, 1, -1, infinity, -infinity, NAN, largest, -largest, smallest, -smallest};
  for (const double y : values)
    for (const double x : values) {
      const double expected = std::atan2(y, x), got = math::atan2(y, x);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(got)) << y << ", " << x;
      else
        EXPECT_EQ(std::bit_cast<uint64_t>(got), std::bit_cast<uint64_t>(expected)) << y << ", " << x;
    }
  EXPECT_TRUE(std::isnan(math::acos(1.0000001)));
  EXPECT_TRUE(std::isnan(math::asin(-2.0)));
  EXPECT_EQ(math::acos(1.0), 0);
  EXPECT_EQ(math::acos(-1.0), math::pi);
}

TEST(Math, DegreesAndRadiansAreInverse) {
  EXPECT_EQ(math::radians(180), math::pi);
  EXPECT_EQ(math::degrees(math::pi), 180);
  const Stream stream(3);
  for (uint64_t i = 0; i < 1000; ++i) {
    const double angle = stream.uniform(i, 0, -720, 720);
    EXPECT_NEAR(math::degrees(math::radians(angle)), angle, 1e-12);
  }
}

/// Bits of a few thousand results, so that a compiler or machine that computes otherwise is found out.
TEST(Math, BitsArePinned) {
  const Stream stream(99);
  Hasher hasher;
  for (uint64_t i = 0; i < 2000; ++i) {
    const double x = stream.uniform(i, 0, -30, 30), y = stream.uniform(i, 1, 0.01, 30);
    for (const double value : {math::exp(x), math::log(y), math::pow(y, x), math::sin(x * 1e3), math::cos(x * 1e12),
                               math::tan(x), math::atan2(x, y), math::acos(x / 30)})
      hasher.add(value);
  }
  EXPECT_EQ(hasher.finish().text(), "4792d3cd0561ad609c045b8a52c9fba2");
}

}  // namespace tepui::math_test

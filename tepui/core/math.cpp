#include "tepui/core/math.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tepui::math {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// An unevaluated sum of two doubles, |lo| at most half an ulp of hi: about 106 bits.
struct Pair {
  double hi = 0, lo = 0;
};

/// a + b exactly, for |a| >= |b| (Dekker 1971).
Pair fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly (Knuth).
Pair two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a * b exactly, by Veltkamp's split into halves of 26 bits; |a|, |b| < 2^990.
Pair two_product(double a, double b) {
  constexpr double split = 0x1p27 + 1;
  const double a_big = a * split, b_big = b * split;
  const double a_hi = a_big - (a_big - a), b_hi = b_big - (b_big - b);
  const double a_lo = a - a_hi, b_lo = b - b_hi;
  const double product = a * b;
  return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

Pair add(Pair a, Pair b) {
  const Pair sum = two_sum(a.hi, b.hi);
  return fast_two_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

Pair multiply(Pair a, Pair b) {
  const Pair product = two_product(a.hi, b.hi);
  return fast_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/// c[0] + x (c[1] + x (...)).
template <size_t N>
double polynomial(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (size_t i = N - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

/// 2^exponent, for normal results.
double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52); }

/// value * 2^exponent, rounded once; value near 1, exponent from -1100 to 1024.
double scale(double value, int exponent) {
  const int half = exponent / 2;
  return value * power_of_two(half) * power_of_two(exponent - half);
}

/// exp(x.hi + x.lo) by exp(k ln 2 + r) = 2^k exp(r), |r| <= ln(2)/2, and exp's Taylor series.
double exp_of(Pair x) {
  if (x.hi > 709.79) return infinity;
  if (x.hi < -745.2) return 0;
  constexpr double ln2_hi = 0x1.62e42feep-1, ln2_lo = 0x1.a39ef35793c76p-33, per_ln2 = 0x1.71547652b82fep+0;
  const double k = std::floor(x.hi * per_ln2 + 0.5);
  // k has 11 bits and ln2_hi 32: their product is exact.
  const Pair r = two_sum(x.hi - k * ln2_hi, x.lo - k * ln2_lo);
  static constexpr double terms[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                                     1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                     1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
  const double rest = r.hi * r.hi * polynomial(terms, r.hi) + (r.lo + r.lo * r.hi);
  return scale(1 + (r.hi + rest), static_cast<int>(k));
}

/// log(x) for finite x > 0, to about 2^-66 of its value: x = 2^k m, m in [sqrt(1/2), sqrt(2)), s = (m - 1)/(m + 1),
/// log m = 2 artanh s = 2 s (1 + s^2/3 + s^4/5 + ...).
Pair log_of(double x) {
  int k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    ++k;
  }
  const double numerator = m - 1;
  const Pair denominator = fast_two_sum(1, m);
  const double quotient = numerator / denominator.hi;
  const Pair back = two_product(quotient, denominator.hi);
  const double remainder = ((numerator - back.hi) - back.lo) - quotient * denominator.lo;
  const Pair s = fast_two_sum(quotient, remainder / denominator.hi);

  const Pair t = multiply(s, s);
  static constexpr double terms[] = {1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13, 1.0 / 15,
                                     1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27};
  constexpr Pair third{0x1.5555555555555p-2, 0x1.5555555555555p-56}, ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  const Pair third_term = multiply(t, third);
  const Pair tail = add(third_term, {t.hi * t.hi * polynomial(terms, t.hi), 0});
  const Pair series = multiply({2 * s.hi, 2 * s.lo}, add({1, 0}, tail));
  if (k == 0) return series;
  return add(multiply({static_cast<double>(k), 0}, ln2), series);
}

bool is_whole(double x) { return std::floor(x) == x; }
bool is_odd(double x) { return std::abs(x) < 0x1p53 && is_whole(x) && !is_whole(x * 0.5); }

/// An angle as quarter * pi/2 + rest, |rest| <= about pi/4.
struct Quarters {
  int quarter = 0;
  Pair rest;
};

/// Cody and Waite's reduction: pi/2 in pieces of 23 bits, whose products with a quarter count below 2^30 are exact.
Quarters reduce_moderate(double x) {
  constexpr double pieces[] = {0x1.921fb4p+0, 0x1.4442dp-24, 0x1.846988p-48, 0x1.8cc514p-72, 0x1.80dc1cd129025p-95};
  const double n = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);
  const double exact = (x - n * pieces[0]) - n * pieces[1];
  Pair rest = two_sum(exact, -n * pieces[2]);
  rest = add(rest, {-n * pieces[3], 0});
  rest = add(rest, {-n * pieces[4], 0});
  return {static_cast<int>(static_cast<int64_t>(n) & 3), rest};
}

/// Payne and Hanek's reduction of x >= 2^30: the bits of 2/pi that matter, times the 53 bits of x, modulo 4.
Quarters reduce_huge(double x) {
  // 2/pi behind 64 zero bits.
  static constexpr uint64_t two_over_pi[] = {0,
                                             0xa2f9836e4e441529,
                                             0xfc2757d1f534ddc0,
                                             0xdb6295993c439041,
                                             0xfe5163abdebbc561,
                                             0xb7246e3a424dd2e0,
                                             0x06492eea09d1921c,
                                             0xfe1deb1cb129a73e,
                                             0xe88235f52ebb4484,
                                             0xe99c7026b45f7e41,
                                             0x3991d639835339f4,
                                             0x9c845f8bbdf9283b,
                                             0x1ff897ffde05980f,
                                             0xef2f118b5a0a6d1f,
                                             0x6d367ecf27cb09b7,
                                             0x4f463f669e5fea2d,
                                             0x7527bac7ebe5f17b,
                                             0x3d0739f78a5292ea,
                                             0x6bfb5fb11f8d5d08,
                                             0x56033046fc7b6bab};
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const uint64_t mantissa = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
  const int exponent = static_cast<int>(bits >> 52) - 1075;
  // The window of six 32-bit limbs whose first bit weighs 2 quarters.
  const auto first_bit = static_cast<size_t>(exponent - 2 + 64);
  std::array<uint32_t, 6> limbs{};
  for (size_t i = 0; i < limbs.size(); ++i) {
    const size_t at = first_bit + 32 * i, word = at / 64, shift = at % 64;
    uint64_t window = two_over_pi[word] << shift;
    if (shift > 32) window |= two_over_pi[word + 1] >> (64 - shift);
    limbs[i] = static_cast<uint32_t>(window >> 32);
  }
  // limbs *= mantissa, dropping whole turns; the two halves of the mantissa keep products within 64 bits.
  const auto low = static_cast<uint32_t>(mantissa), high = static_cast<uint32_t>(mantissa >> 32);
  std::array<uint32_t, 6> product{};
  uint64_t carry = 0;
  for (size_t i = limbs.size(); i-- > 0;) {
    const uint64_t part = uint64_t{limbs[i]} * low + carry;
    product[i] = static_cast<uint32_t>(part);
    carry = part >> 32;
  }
  carry = 0;
  for (size_t i = limbs.size() - 1; i-- > 0;) {
    const uint64_t part = uint64_t{limbs[i + 1]} * high + product[i] + carry;
    product[i] = static_cast<uint32_t>(part);
    carry = part >> 32;
  }
  int quarter = static_cast<int>(product[0] >> 30);
  product[0] &= 0x3fffffffu;
  const bool above_half = (product[0] & 0x20000000u) != 0;
  if (above_half) {
    // 1 - fraction, but for one unit in the last of 190 bits.
    for (uint32_t& limb : product) limb = ~limb;
    product[0] &= 0x3fffffffu;
    ++quarter;
  }
  Pair fraction;
  double weight = 0x1p-30;
  for (const uint32_t limb : product) {
    fraction = add(fraction, {static_cast<double>(limb) * weight, 0});
    weight *= 0x1p-32;
  }
  Pair rest = multiply(fraction, {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  if (above_half) rest = {-rest.hi, -rest.lo};
  return {quarter & 3, rest};
}

Quarters reduce(double x) {
  if (std::abs(x) <= 0x1.921fb54442d18p-1) return {0, {x, 0}};
  if (std::abs(x) <= 0x1p30) return reduce_moderate(x);
  const Quarters q = reduce_huge(std::abs(x));
  return x > 0 ? q : Quarters{-q.quarter & 3, {-q.rest.hi, -q.rest.lo}};
}

/// sin(x.hi + x.lo), |x| <= pi/4: Taylor.
double sin_of(Pair x) {
  static constexpr double terms[] = {-1.0 / 6,
                                     1.0 / 120,
                                     -1.0 / 5040,
                                     1.0 / 362880,
                                     -1.0 / 39916800,
                                     1.0 / 6227020800.0,
                                     -1.0 / 1307674368000.0,
                                     1.0 / 355687428096000.0};
  const double square = x.hi * x.hi;
  return x.hi + (x.hi * square * polynomial(terms, square) + (x.lo - 0.5 * square * x.lo));
}

/// cos(x.hi + x.lo), |x| <= pi/4: Taylor, with the rounding of 1 - x^2/2 kept.
double cos_of(Pair x) {
  static constexpr double terms[] = {1.0 / 24,
                                     -1.0 / 720,
                                     1.0 / 40320,
                                     -1.0 / 3628800,
                                     1.0 / 479001600,
                                     -1.0 / 87178291200.0,
                                     1.0 / 20922789888000.0,
                                     -1.0 / 6402373705728000.0};
  const double square = x.hi * x.hi, half = 0.5 * square, head = 1 - half;
  return head + (((1 - head) - half) + (square * square * polynomial(terms, square) - x.hi * x.lo));
}

double sin_at(const Quarters& q) {
  const double value = (q.quarter & 1) != 0 ? cos_of(q.rest) : sin_of(q.rest);
  return (q.quarter & 2) != 0 ? -value : value;
}

double cos_at(const Quarters& q) { return sin_at({(q.quarter + 1) & 3, q.rest}); }

/// atan(t) for t in [0, 1]: atan(c) + atan(u), u = (t - c)/(1 + t c), with c the nearest sixteenth.
Pair atan_of(double t) {
  static constexpr Pair sixteenths[] = {{0, 0},
                                        {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                                        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                        {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                                        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                        {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                                        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                        {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                                        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                        {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
                                        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                        {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                                        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                        {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                                        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                        {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                                        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
  static constexpr double terms[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13};
  const double nearest = std::floor(t * 16 + 0.5), c = nearest * 0.0625;
  const double u = (t - c) / (1 + t * c);
  const double square = u * u;
  const double small = u * square * polynomial(terms, square);
  if (nearest == 0) return fast_two_sum(u, small);
  const Pair base = sixteenths[static_cast<size_t>(nearest)];
  const Pair sum = fast_two_sum(base.hi, u);
  return fast_two_sum(sum.hi, sum.lo + (base.lo + small));
}

constexpr Pair half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr Pair whole_pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

Pair subtract(Pair a, Pair b) { return add(a, {-b.hi, -b.lo}); }

}  // namespace

double exp(double x) {
  if (std::isnan(x)) return x;
  return exp_of({x, 0});
}

double log(double x) {
  if (std::isnan(x) || x == infinity) return x;
  if (x == 0) return -infinity;
  if (x < 0) return nan;
  const Pair value = log_of(x);
  return value.hi + value.lo;
}

double log10(double x) { return log(x) / log(10.0); }

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return nan;
  const double size = std::abs(x);
  if (std::isinf(y)) {
    if (size == 1) return 1;
    return (size > 1) == (y > 0) ? infinity : 0;
  }
  const bool negative = std::signbit(x) && is_odd(y);
  if (size == 0 || size == infinity) {
    const double value = (size == 0) == (y > 0) ? 0 : infinity;
    return negative ? -value : value;
  }
  if (x < 0 && !is_whole(y)) return nan;
  double value = 1;
  if (size != 1) {
    const Pair log_x = log_of(size);
    // |log x| is at least 2^-53: beyond 2^64, y leaves nothing but the extremes.
    if (std::abs(y) > 0x1p64)
      value = (log_x.hi > 0) == (y > 0) ? infinity : 0;
    else
      value = exp_of(multiply(log_x, {y, 0}));
  }
  return negative ? -value : value;
}

double sin(double x) {
  if (!std::isfinite(x)) return nan;
  return x == 0 ? x : sin_at(reduce(x));
}

double cos(double x) { return std::isfinite(x) ? cos_at(reduce(x)) : nan; }

double tan(double x) {
  if (!std::isfinite(x)) return nan;
  if (x == 0) return x;
  const Quarters q = reduce(x);
  return sin_at(q) / cos_at(q);
}

double atan(double x) {
  if (std::isnan(x) || x == 0) return x;
  const double size = std::abs(x);
  const Pair angle = size <= 1 ? atan_of(size) : subtract(half_pi, atan_of(1 / size));
  return std::copysign(angle.hi + angle.lo, x);
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return nan;
  const double rise = std::abs(y), run = std::abs(x);
  Pair angle;
  if (rise == run)
    angle = rise == 0 ? Pair{} : atan_of(1);
  else
    angle = rise < run ? atan_of(rise / run) : subtract(half_pi, atan_of(run / rise));
  if (std::signbit(x)) angle = subtract(whole_pi, angle);
  return std::copysign(angle.hi + angle.lo, y);
}

double asin(double x) {
  if (std::abs(x) > 1) return nan;
  return atan2(x, std::sqrt((1 - x) * (1 + x)));
}

double acos(double x) {
  if (std::abs(x) > 1) return nan;
  return 2 * atan2(std::sqrt(1 - x), std::sqrt(1 + x));
}

}  // namespace tepui::math

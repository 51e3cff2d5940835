// Internal. For kernels alone: included once for every SIMD level, after Highway, so it has no pragma once.
#if defined(TEPUI_COVER_VECTOR_MATH) == defined(HWY_TARGET_TOGGLE)
#ifdef TEPUI_COVER_VECTOR_MATH
#undef TEPUI_COVER_VECTOR_MATH
#else
#define TEPUI_COVER_VECTOR_MATH
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr int64_t most_lanes = 16;
using Floats = hn::CappedTag<float, most_lanes>;
using FloatVec = hn::Vec<Floats>;

HWY_INLINE FloatVec number(float c) { return hn::Set(Floats(), c); }

/// c[0] + x (c[1] + x (c[2] + ...)).
template <size_t n>
HWY_INLINE FloatVec polynomial(FloatVec x, const float (&c)[n]) {
  FloatVec sum = number(c[n - 1]);
  for (size_t i = n - 1; i-- > 0;) sum = hn::Add(number(c[i]), hn::Mul(x, sum));
  return sum;
}

/// e^x, to about 2e-7 of itself; what is below -87 or above 88 counts as that.
HWY_INLINE FloatVec exp(FloatVec x) {
  const Floats d;
  const hn::Rebind<int32_t, Floats> di;
  x = hn::Min(hn::Max(x, number(-87.0f)), number(88.0f));
  const FloatVec whole = hn::Round(hn::Mul(x, number(1.44269504f)));
  // ln 2 in two parts, the first short enough for products with whole numbers to be exact.
  const FloatVec r = hn::Sub(hn::Sub(x, hn::Mul(whole, number(0.693359375f))), hn::Mul(whole, number(-2.12194440e-4f)));
  const FloatVec p =
      polynomial(r, {1, 1, 0.499999994f, 0.166666654f, 0.0416680574f, 0.00833345083f, 0.00138819429f, 0.000198412698f});
  const auto power = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, whole), hn::Set(di, 127)));
  return hn::Mul(p, hn::BitCast(d, power));
}

/// ln x of positive normal numbers, to about 2e-7 of itself or 1e-7.
HWY_INLINE FloatVec log(FloatVec x) {
  const Floats d;
  const hn::Rebind<int32_t, Floats> di;
  const auto bits = hn::BitCast(di, x);
  const FloatVec m = hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(di, 0x7fffff)), hn::Set(di, 0x3f800000)));
  const auto large = hn::Gt(m, number(1.41421356f));
  const FloatVec mantissa = hn::IfThenElse(large, hn::Mul(m, number(0.5f)), m);
  const FloatVec exponent = hn::Add(hn::ConvertTo(d, hn::Sub(hn::ShiftRight<23>(bits), hn::Set(di, 127))),
                                    hn::IfThenElseZero(large, number(1)));
  // ln((1 + s) / (1 - s)) = 2 (s + s^3/3 + s^5/5 + ...)
  const FloatVec s = hn::Div(hn::Sub(mantissa, number(1)), hn::Add(mantissa, number(1))), s2 = hn::Mul(s, s);
  const FloatVec series = hn::Mul(s, polynomial(s2, {2, 0.666666667f, 0.4f, 0.285714286f, 0.222222222f}));
  return hn::Add(hn::Mul(exponent, number(0.693147181f)), series);
}

/// 1 / (1 + e^-x).
HWY_INLINE FloatVec logistic(FloatVec x) { return hn::Div(number(1), hn::Add(number(1), exp(hn::Neg(x)))); }

/// The cubic from 0 at `from` to 1 at `from` + 1 / per.
HWY_INLINE FloatVec smooth(FloatVec x, float from, float per) {
  const FloatVec u = hn::Min(hn::Max(hn::Mul(hn::Sub(x, number(from)), number(per)), hn::Zero(Floats())), number(1));
  return hn::Mul(hn::Mul(u, u), hn::Sub(number(3), hn::Add(u, u)));
}

/// Calls body(rows, results) for vectors of the rows of `count` numbers; the last one may overlap the one before it.
/// No result may be one of the rows.
template <size_t ins, size_t outs, class Body>
HWY_INLINE void over_rows(const std::array<const float*, ins>& rows, const std::array<float*, outs>& results,
                          int64_t count, const Body& body) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (count < lanes) {
    float in[ins][most_lanes] = {}, out[outs][most_lanes];
    std::array<const float*, ins> from;
    std::array<float*, outs> to;
    for (size_t i = 0; i < ins; ++i) std::copy_n(rows[i], count, in[i]), from[i] = in[i];
    for (size_t i = 0; i < outs; ++i) to[i] = out[i];
    body(from, to);
    for (size_t i = 0; i < outs; ++i) std::copy_n(out[i], count, results[i]);
    return;
  }
  for (int64_t next = 0; next < count; next += lanes) {
    const int64_t x = std::min(next, count - lanes);
    std::array<const float*, ins> from = rows;
    std::array<float*, outs> to = results;
    for (const float*& row : from) row += x;
    for (float*& row : to) row += x;
    body(from, to);
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#include "tepui/hydrology/spread_kernels.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/hydrology/spread_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// One lane for each neighbour, or as many as there are.
using D = hn::CappedTag<float, 8>;
using DI = hn::Rebind<int32_t, D>;
using V = hn::Vec<D>;

/// x^p of positive normal numbers, to about 2e-7 of themselves: log2 and exp2 by polynomials, in + - * alone.
HWY_INLINE V power(V x, V p) {
  const D d;
  const DI di;
  const auto constant = [&](float c) HWY_ATTR { return hn::Set(d, c); };
  const V one = constant(1);
  const auto bits = hn::BitCast(di, x);
  const V m = hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(di, 0x7fffff)), hn::Set(di, 0x3f800000)));
  const auto large = hn::Gt(m, constant(1.41421356f));
  const V mantissa = hn::IfThenElse(large, hn::Mul(m, constant(0.5f)), m);
  const V exponent =
      hn::Add(hn::ConvertTo(d, hn::Sub(hn::ShiftRight<23>(bits), hn::Set(di, 127))), hn::IfThenElseZero(large, one));
  // log2((1 + s) / (1 - s)) = 2 / ln 2 (s + s^3/3 + s^5/5 + ...)
  const V s = hn::Div(hn::Sub(mantissa, one), hn::Add(mantissa, one)), s2 = hn::Mul(s, s);
  V log2 = hn::Add(constant(0.577078016f), hn::Mul(s2, constant(0.412198583f)));
  log2 = hn::Add(constant(0.961796694f), hn::Mul(s2, log2));
  log2 = hn::Mul(s, hn::Add(constant(2.88539008f), hn::Mul(s2, log2)));
  const V y = hn::Mul(p, hn::Add(exponent, log2));
  const V whole = hn::Floor(y), t = hn::Sub(y, whole);
  V scale = hn::Add(constant(0.00961813f), hn::Mul(t, constant(0.00133977f)));
  scale = hn::Add(constant(0.0555032650f), hn::Mul(t, scale));
  scale = hn::Add(constant(0.240226463f), hn::Mul(t, scale));
  scale = hn::Add(constant(0.693147182f), hn::Mul(t, scale));
  scale = hn::Add(one, hn::Mul(t, scale));
  const auto biased = hn::Add(hn::ConvertTo(di, whole), hn::Set(di, 127));
  const auto clamped = hn::Max(hn::Min(biased, hn::Set(di, 254)), hn::Set(di, 1));
  return hn::Mul(hn::BitCast(d, hn::ShiftLeft<23>(clamped)), scale);
}

/// The code of the steepest neighbour; of equally steep ones with the lowest ground.
HWY_INLINE size_t steepest_of(const float* slope, float highest, const float* ground, const int64_t* step) {
  const D d;
  const V top = hn::Set(d, highest);
  unsigned found = 0;
  for (size_t k = 0; k < 8; k += hn::Lanes(d)) {
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Eq(hn::Load(d, slope + k), top), bytes);
    found |= static_cast<unsigned>(bytes[0]) << k;
  }
  auto best = static_cast<size_t>(__builtin_ctz(found));
  for (found &= found - 1; found != 0; found &= found - 1) {
    const auto k = static_cast<size_t>(__builtin_ctz(found));
    if (ground[step[k]] < ground[step[best]]) best = k;
  }
  return best;
}

void freeman_shares(const FreemanShares& rule, float z, const float* neighbours, const float* ground, Shares& result) {
  const D d;
  const DI di;
  const size_t lanes = hn::Lanes(d);
  alignas(32) float slope[8];
  const V here = hn::Set(d, z), low = hn::Set(d, std::numeric_limits<float>::min()),
          high = hn::Set(d, std::numeric_limits<float>::max());
  V highest_of = hn::Zero(d);
  for (size_t k = 0; k < 8; k += lanes) {
    const V other = hn::LoadU(d, neighbours + k);
    const V drop = hn::Mul(hn::Sub(here, other), hn::LoadU(d, rule.per_metre.data() + k));
    const V s = hn::IfThenElseZero(hn::Lt(other, here), hn::Min(hn::Max(drop, low), high));
    hn::Store(s, d, slope + k);
    highest_of = hn::Max(highest_of, s);
  }
  const float highest = hn::GetLane(hn::MaxOfLanes(d, highest_of));
  result.steepest = steepest_of(slope, highest, ground, rule.step.data());
  // Weights are integers, so that their sum does not depend on the order of the neighbours.
  alignas(32) int32_t weight[8];
  const V per_highest = hn::Set(d, 1 / highest), least = hn::Set(d, 1e-30f), exponent = hn::Set(d, rule.exponent);
  auto sum = hn::Zero(di);
  for (size_t k = 0; k < 8; k += lanes) {
    const V s = hn::Load(d, slope + k);
    const auto steepest = hn::RebindMask(
        d, hn::Eq(hn::Iota(di, static_cast<int32_t>(k)), hn::Set(di, static_cast<int32_t>(result.steepest))));
    const V ratio = hn::IfThenElse(steepest, hn::Set(d, 1.0f), hn::Max(hn::Mul(s, per_highest), least));
    const V w = hn::Mul(power(ratio, exponent), hn::Set(d, static_cast<float>(1 << share_bits)));
    const auto whole = hn::ConvertTo(di, hn::IfThenElseZero(hn::Gt(s, hn::Zero(d)), w));
    hn::Store(whole, di, weight + k);
    sum = hn::Add(sum, whole);
  }
  using DD = hn::CappedTag<double, 8>;
  const DD dd;
  const hn::Rebind<int32_t, DD> half;
  const auto scale =
      hn::Set(dd, static_cast<double>(1 << share_bits) / static_cast<double>(hn::GetLane(hn::SumOfLanes(di, sum))));
  auto* share = reinterpret_cast<int32_t*>(result.share.data());
  for (size_t k = 0; k < 8; k += hn::Lanes(dd))
    hn::StoreU(hn::DemoteTo(half, hn::Mul(hn::PromoteTo(dd, hn::Load(half, weight + k)), scale)), half, share + k);
}

void lower_row(const float* filled, const float* ground, const int64_t* step, int64_t count, uint8_t* lower) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<int32_t, decltype(d)> di;
  const hn::Rebind<uint8_t, decltype(d)> bytes;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    const auto z = hn::LoadU(d, filled + x);
    auto found = hn::Zero(di);
    for (int k = 0; k < 8; ++k)
      found = hn::Or(found, hn::IfThenElseZero(hn::RebindMask(di, hn::Lt(hn::LoadU(d, filled + x + step[k]), z)),
                                               hn::Set(di, 1 << k)));
    found = hn::IfThenElseZero(hn::RebindMask(di, hn::Eq(z, hn::LoadU(d, ground + x))), found);
    hn::StoreU(hn::DemoteTo(bytes, found), bytes, lower + x);
  }
  for (; x < count; ++x) {
    unsigned found = 0;
    for (int k = 0; k < 8; ++k) found |= static_cast<unsigned>(filled[x + step[k]] < filled[x]) << k;
    lower[x] = static_cast<uint8_t>(filled[x] == ground[x] ? found : 0);
  }
}

void givers_row(const uint8_t* gives, const int64_t* step, int64_t count, uint8_t* number) {
  const hn::ScalableTag<uint8_t> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t x = 0;
  for (; x + lanes <= count; x += lanes) {
    auto sum = hn::Zero(d);
    for (int k = 0; k < 8; ++k) {
      const auto bit = hn::Set(d, static_cast<uint8_t>(1 << d8_opposite(k)));
      // The mask is -1 where it is set.
      sum = hn::Sub(sum, hn::VecFromMask(d, hn::TestBit(hn::LoadU(d, gives + x + step[k]), bit)));
    }
    hn::StoreU(sum, d, number + x);
  }
  for (; x < count; ++x) {
    unsigned sum = 0;
    for (int k = 0; k < 8; ++k) sum += gives[x + step[k]] >> d8_opposite(k) & 1u;
    number[x] = static_cast<uint8_t>(sum);
  }
}

}  // namespace
}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(freeman_shares);
HWY_EXPORT(lower_row);
HWY_EXPORT(givers_row);

FreemanShares::FreemanShares(const D8& d8, double of_slope)
    : step(d8.step), exponent(static_cast<float>(of_slope)), kernel_(HWY_DYNAMIC_DISPATCH(freeman_shares)) {
  for (size_t k = 0; k < 8; ++k) per_metre[k] = static_cast<float>(d8.per_metre[k]);
}

void lower_neighbours(const float* filled, const float* ground, const std::array<int64_t, 8>& step, int64_t count,
                      uint8_t* lower) {
  HWY_DYNAMIC_DISPATCH(lower_row)(filled, ground, step.data(), count, lower);
}

void givers(const uint8_t* gives, const std::array<int64_t, 8>& step, int64_t count, uint8_t* number) {
  HWY_DYNAMIC_DISPATCH(givers_row)(gives, step.data(), count, number);
}

}  // namespace tepui

#endif

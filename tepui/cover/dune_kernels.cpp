#include "tepui/cover/dune_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/cover/dune_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, dune_pad>;
using DI = hn::Rebind<int32_t, D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;

HWY_INLINE V set(float v) { return hn::Set(D(), v); }
HWY_INLINE V load(const float* p) { return hn::LoadU(D(), p); }
HWY_INLINE VI load(const int32_t* p) { return hn::LoadU(DI(), p); }
HWY_INLINE V number(VI v) { return hn::ConvertTo(D(), v); }
HWY_INLINE VI whole(V v) { return hn::ConvertTo(DI(), v); }
HWY_INLINE int64_t lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

void hop(const HopRow& row, int64_t count, const StopRule& rule) {
  const V zero = set(0), one = set(1), shade = set(dune_shade), eddy = set(dune_eddy);
  for (int64_t x = 0; x < count; x += lanes()) {
    const VI lies = load(row.sand + x), flies = load(row.air + x);
    const V wind = load(row.wind + x), sand = number(lies);
    const auto shaded = hn::Eq(wind, shade), turning = hn::Le(wind, eddy);
    V lift = hn::IfThenElse(turning, hn::Sub(eddy, wind), hn::Max(wind, zero));
    V stop = hn::IfThenElse(hn::Gt(sand, zero), set(rule.sand), set(rule.rock));
    stop = hn::IfThenElse(shaded, one, hn::IfThenElse(turning, zero, stop));
    if (row.share != nullptr) {
      const V share = load(row.share + x);
      lift = hn::Mul(lift, share);
      stop = hn::Mul(stop, share);
    }
    const VI up = hn::Min(lies, whole(lift));
    const VI down = hn::Min(flies, whole(hn::Mul(number(flies), stop)));
    const VI now = hn::Add(hn::Sub(lies, up), down);
    hn::StoreU(now, DI(), row.sand + x);
    hn::StoreU(hn::Add(hn::Sub(flies, down), up), DI(), row.air + x);
    VI top = hn::Add(load(row.rock + x), now);
    if (row.share != nullptr) {
      const auto closed = hn::RebindMask(DI(), hn::Le(load(row.share + x), zero));
      top = hn::IfThenElse(closed, hn::Set(DI(), dune_wall), top);
    }
    hn::StoreU(top, DI(), row.top + x);
  }
}

HWY_INLINE V upwind(const float* before, const Slant& slant) {
  const V a = load(before), b = load(before + slant.step);
  return hn::Add(a, hn::Mul(hn::Sub(b, a), set(slant.side)));
}

void cast(const float* before, const int32_t* rock, const int32_t* sand, const Slant& slant, int64_t count,
          float* line) {
  const V drop = set(slant.drop);
  for (int64_t x = 0; x < count; x += lanes()) {
    const V ground = number(sand != nullptr ? hn::Add(load(rock + x), load(sand + x)) : load(rock + x));
    hn::StoreU(hn::Max(ground, hn::Sub(upwind(before + x, slant), drop)), D(), line + x);
  }
}

void mean(const float* before, const float* line, const Slant& slant, const UpwindMean& rule, int64_t count,
          float* mean, float* rise) {
  for (int64_t x = 0; x < count; x += lanes()) {
    const V was = upwind(before + x, slant), here = load(line + x);
    const V now = hn::Add(was, hn::Mul(hn::Sub(here, was), set(rule.fresh)));
    hn::StoreU(now, D(), mean + x);
    hn::StoreU(hn::Add(load(rise + x), hn::Mul(hn::Sub(here, now), set(rule.gain))), D(), rise + x);
  }
}

/// out = 1/4, 1/2, 1/4 of cells `reach` apart.
HWY_INLINE void binomial(const float* in, int64_t reach, int64_t begin, int64_t end, float* out) {
  for (int64_t x = begin; x < end; x += lanes()) {
    const V ends = hn::Add(load(in + x - reach), load(in + x + reach));
    hn::StoreU(hn::Add(hn::Mul(load(in + x), set(0.5f)), hn::Mul(ends, set(0.25f))), D(), out + x);
  }
}
void smooth(float* rise, float* room, int64_t count) {
  binomial(rise, 1, -5, count + 5, room);
  binomial(room, 2, -3, count + 3, rise);
  binomial(rise, 3, 0, count, room);
  for (int64_t x = 0; x < count; x += lanes()) hn::StoreU(load(room + x), D(), rise + x);
}

void wind(const WindRow& row, int64_t count, float* out) {
  const V level = set(row.level), shade = set(dune_shade), eddy = set(dune_eddy);
  for (int64_t x = 0; x < count; x += lanes()) {
    const V ground = hn::Add(number(hn::Add(load(row.rock + x), load(row.sand + x))), level);
    const V more = hn::Add(set(row.lift), load(row.rise + x));
    V v = hn::Min(hn::Max(more, set(0)), set(row.most));
    v = hn::IfThenElse(hn::Lt(ground, load(row.line + x)), shade, v);
    if (row.far != nullptr) {
      v = hn::IfThenElse(hn::Lt(ground, load(row.far + x)), shade, v);
      v = hn::IfThenElse(hn::Lt(ground, load(row.near + x)), hn::Sub(eddy, set(row.lift)), v);
    }
    hn::StoreU(v, D(), out + x);
  }
}

HWY_INLINE V drop_to(VI here, const int32_t* other) {
  return number(hn::Max(hn::Sub(here, load(other)), hn::Zero(DI())));
}

void loose(const LooseRow& row, int64_t count, const SlideRule& rule, float* out) {
  const V zero = set(0), one = set(1);
  const int64_t stride = row.stride;
  for (int64_t x = 0; x < count; x += lanes()) {
    const int32_t* t = row.top + x;
    const VI here = load(t), lies = hn::Sub(here, load(row.rock + x));
    // Rock bears none; cells that no sand gets onto seem to be made of it.
    const auto gives =
        hn::RebindMask(D(), hn::And(hn::Gt(lies, hn::Zero(DI())), hn::Lt(here, hn::Set(DI(), dune_wall))));
    const V w = drop_to(here, t - 1), e = drop_to(here, t + 1), s = drop_to(here, t - stride),
            n = drop_to(here, t + stride);
    const V a = drop_to(here, t - stride - 1), b = drop_to(here, t + stride + 1), c = drop_to(here, t - stride + 1),
            d = drop_to(here, t + stride - 1);
    const V all = hn::Add(hn::Add(hn::Add(w, e), hn::Add(s, n)), hn::Add(hn::Add(a, b), hn::Add(c, d)));
    const V gx = hn::Mul(hn::Max(w, e), set(rule.per_x)), gy = hn::Mul(hn::Max(s, n), set(rule.per_y));
    const V steep = hn::Sqrt(hn::Add(hn::Mul(gx, gx), hn::Mul(gy, gy)));
    const V over = hn::Mul(hn::Sub(one, hn::Div(set(rule.rest), hn::Max(steep, set(1e-6f)))), set(rule.haste));
    V share = hn::Max(over, set(rule.creep));
    if (row.wind != nullptr) {
      // Sand is heavy to carry uphill: wind leaves no slope before it as steep as that behind a crest.
      const V climb = hn::Max(s, hn::Max(a, c));
      const V steeper = hn::Mul(hn::Sub(one, hn::Div(set(rule.face), hn::Max(climb, one))), set(rule.pressed));
      const auto blows = hn::Ge(load(row.wind + x), zero);
      share = hn::Max(share, hn::IfThenElse(blows, steeper, zero));
    }
    const V most = hn::Max(hn::Max(w, e), hn::Max(s, n));
    const V slides = hn::Min(number(lies), hn::Mul(share, most));
    // A little less, so that rounded parts never add up to more than there is.
    const V part = hn::Div(hn::Mul(slides, set(1.0f - 0x1p-18f)), hn::Max(all, one));
    hn::StoreU(hn::IfThenElse(gives, hn::Max(part, zero), zero), D(), out + x);
  }
}

/// What comes from the neighbour less what goes there: the same number, but for its sign, at both ends.
HWY_INLINE VI gain(VI here, const int32_t* other, V own, const float* theirs) {
  const VI above = hn::Sub(load(other), here);
  const V higher = number(above);
  return whole(hn::Mul(higher, hn::IfThenElse(hn::Gt(higher, set(0)), load(theirs), own)));
}

void slide(const int32_t* top, int64_t stride, const float* const loose[3], int64_t count, int32_t* sand) {
  for (int64_t x = 0; x < count; x += lanes()) {
    const int32_t* t = top + x;
    const float *l0 = loose[0] + x, *l1 = loose[1] + x, *l2 = loose[2] + x;
    const VI here = load(t);
    const V own = load(l1);
    VI sum = hn::Add(gain(here, t - 1, own, l1 - 1), gain(here, t + 1, own, l1 + 1));
    sum = hn::Add(sum, hn::Add(gain(here, t - stride, own, l0), gain(here, t + stride, own, l2)));
    sum = hn::Add(sum, hn::Add(gain(here, t - stride - 1, own, l0 - 1), gain(here, t + stride + 1, own, l2 + 1)));
    sum = hn::Add(sum, hn::Add(gain(here, t - stride + 1, own, l0 + 1), gain(here, t + stride - 1, own, l2 - 1)));
    hn::StoreU(hn::Add(load(sand + x), sum), DI(), sand + x);
  }
}

void fall(const FallRow& row, int64_t count, int32_t* const parts[3]) {
  const V zero = set(0);
  for (int64_t x = 0; x < count; x += lanes()) {
    const int32_t* next = row.top + row.stride + x;
    const VI here = load(row.top + x), lies = load(row.sand + x);
    const VI straight = hn::Sub(here, hn::Set(DI(), row.straight)), aslant = hn::Sub(here, hn::Set(DI(), row.aslant));
    const V a = hn::Max(number(hn::Sub(aslant, load(next - 1))), zero);
    const V b = hn::Max(number(hn::Sub(straight, load(next))), zero);
    const V c = hn::Max(number(hn::Sub(aslant, load(next + 1))), zero);
    const V all = hn::Add(hn::Add(a, c), b);
    const V most = hn::Min(hn::Max(b, hn::Max(a, c)), number(lies));
    V part = hn::Div(hn::Mul(most, set(1.0f - 0x1p-18f)), hn::Max(all, set(1)));
    const auto closed = hn::RebindMask(D(), hn::Gt(here, hn::Set(DI(), dune_wall - 1)));
    part = hn::IfThenElse(closed, zero, part);
    const VI ga = whole(hn::Mul(a, part)), gb = whole(hn::Mul(b, part)), gc = whole(hn::Mul(c, part));
    const VI given = hn::Add(hn::Add(ga, gc), gb);
    hn::StoreU(ga, DI(), parts[0] + x);
    hn::StoreU(gb, DI(), parts[1] + x);
    hn::StoreU(gc, DI(), parts[2] + x);
    hn::StoreU(hn::Sub(here, given), DI(), row.top + x);
    hn::StoreU(hn::Sub(lies, given), DI(), row.sand + x);
  }
}

/// What falls onto `count` cells of the next row, whose parts have been extended.
void land(const FallRow& row, int64_t count, int32_t* const parts[3]) {
  const int64_t stride = row.stride;
  for (int64_t x = 0; x < count; x += lanes()) {
    const VI sum = hn::Add(hn::Add(load(parts[0] + x + 1), load(parts[2] + x - 1)), load(parts[1] + x));
    hn::StoreU(hn::Add(load(row.top + stride + x), sum), DI(), row.top + stride + x);
    hn::StoreU(hn::Add(load(row.sand + stride + x), sum), DI(), row.sand + stride + x);
  }
}

}  // namespace
}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

namespace {
HWY_EXPORT(hop);
HWY_EXPORT(cast);
HWY_EXPORT(mean);
HWY_EXPORT(smooth);
HWY_EXPORT(wind);
HWY_EXPORT(loose);
HWY_EXPORT(slide);
HWY_EXPORT(fall);
HWY_EXPORT(land);
}  // namespace

void hop_row(const HopRow& row, int64_t count, const StopRule& rule) { HWY_DYNAMIC_DISPATCH(hop)(row, count, rule); }
void cast_row(const float* before, const int32_t* rock, const int32_t* sand, const Slant& slant, int64_t count,
              float* line) {
  HWY_DYNAMIC_DISPATCH(cast)(before, rock, sand, slant, count, line);
}
void mean_row(const float* before, const float* line, const Slant& slant, const UpwindMean& rule, int64_t count,
              float* mean_, float* rise) {
  HWY_DYNAMIC_DISPATCH(mean)(before, line, slant, rule, count, mean_, rise);
}
void smooth_rise(float* rise, float* room, int64_t count) { HWY_DYNAMIC_DISPATCH(smooth)(rise, room, count); }
void wind_row(const WindRow& row, int64_t count, float* out) { HWY_DYNAMIC_DISPATCH(wind)(row, count, out); }
void loose_row(const LooseRow& row, int64_t count, const SlideRule& rule, float* out) {
  HWY_DYNAMIC_DISPATCH(loose)(row, count, rule, out);
}
void slide_row(const int32_t* top, int64_t stride, const float* const loose_[3], int64_t count, int32_t* sand) {
  HWY_DYNAMIC_DISPATCH(slide)(top, stride, loose_, count, sand);
}

void fall_row(const FallRow& row, int64_t count, int32_t* const parts[3]) {
  HWY_DYNAMIC_DISPATCH(fall)(row, count, parts);
}
void land_row(const FallRow& row, int64_t count, int32_t* const parts[3]) {
  HWY_DYNAMIC_DISPATCH(land)(row, count, parts);
}

}  // namespace tepui

#endif

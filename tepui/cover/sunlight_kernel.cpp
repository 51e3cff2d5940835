#include "tepui/cover/sunlight_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/cover/sunlight_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void light_at(D d, const std::vector<LitDay>& days, const SunRow& row, int64_t x) {
  const auto set = [&](float v) HWY_ATTR { return hn::Set(d, v); };
  const auto zero = hn::Zero(d), one = set(1), half = set(0.5f);
  const auto dx = hn::LoadU(d, row.dx + x), dy = hn::LoadU(d, row.dy + x), sky = hn::LoadU(d, row.sky + x);
  const auto length = hn::Sqrt(hn::Add(one, hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy))));
  auto year = zero, day = zero, first = zero;
  for (size_t k = 0; k < days.size(); ++k) {
    day = zero;
    for (const LitPosition& sun : days[k].positions) {
      const auto a = hn::LoadU(d, row.horizon[sun.sector] + x), b = hn::LoadU(d, row.horizon[sun.sector + 1] + x);
      const auto horizon = hn::Add(a, hn::Mul(set(sun.rest), hn::Sub(b, a)));
      const auto above = hn::Mul(hn::Sub(set(sun.tangent), horizon), set(sun.per_width));
      const auto seen = hn::Min(hn::Max(hn::Add(above, half), zero), one);
      const auto facing = hn::Sub(hn::Sub(set(sun.up), hn::Mul(dx, set(sun.east))), hn::Mul(dy, set(sun.north)));
      day = hn::Add(day, hn::Mul(hn::Mul(seen, set(sun.beam)), hn::Max(facing, zero)));
    }
    day = hn::Add(hn::Div(hn::Mul(day, set(days[k].per_step)), length), hn::Mul(sky, set(days[k].diffuse)));
    year = hn::Add(year, hn::Mul(day, set(days[k].share)));
    if (k == 0) first = day;
  }
  hn::StoreU(year, d, row.year + x);
  hn::StoreU(day, d, row.longest + x);
  hn::StoreU(first, d, row.shortest + x);
}

void light_row_of(const std::vector<LitDay>& days, const SunRow& row) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t x = 0;
  for (; x + lanes <= row.width; x += lanes) light_at(d, days, row, x);
  for (; x < row.width; ++x) light_at(one, days, row, x);
}

}  // namespace
}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(light_row_of);

void light_row(const std::vector<LitDay>& days, const SunRow& row) { HWY_DYNAMIC_DISPATCH(light_row_of)(days, row); }

}  // namespace tepui

#endif

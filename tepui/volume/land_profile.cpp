#include "tepui/volume/land_profile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/volume/land_profile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DD = hn::ScalableTag<double>;
using DF = hn::Rebind<float, DD>;

HWY_INLINE hn::Vec<DF> rise(const LandProfile& p, hn::Vec<DD> above) {
  const DF d;
  const auto x = hn::DemoteTo(d, above), a = hn::Abs(x);
  const auto t = hn::Set(d, p.t);
  auto s = hn::Add(hn::Mul(hn::Set(d, p.cube), a), hn::Set(d, p.square));
  s = hn::Mul(hn::Add(hn::Mul(s, a), hn::Set(d, 1.0f)), a);
  s = hn::Min(s, t);
  return hn::CopySign(hn::IfThenElse(hn::Lt(a, hn::Set(d, p.r)), s, t), x);
}

void layer(const LandProfile& p, const double* h, double z, int64_t count, float* v) {
  const DD dd;
  const DF d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(dd));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(rise(p, hn::Sub(hn::LoadU(dd, h + i), hn::Set(dd, z))), d, v + i);
  for (; i < count; ++i) v[i] = p(static_cast<float>(h[i] - z));
}

void points(const LandProfile& p, const double* h, const double* z, int64_t count, float* v) {
  const DD dd;
  const DF d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(dd));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(rise(p, hn::Sub(hn::LoadU(dd, h + i), hn::LoadU(dd, z + i))), d, v + i);
  for (; i < count; ++i) v[i] = p(static_cast<float>(h[i] - z[i]));
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(layer);
HWY_EXPORT(points);

void land_layer(const LandProfile& profile, const double* h, double z, int64_t count, float* v) {
  HWY_DYNAMIC_DISPATCH(layer)(profile, h, z, count, v);
}

void land_points(const LandProfile& profile, const double* h, const double* z, int64_t count, float* v) {
  HWY_DYNAMIC_DISPATCH(points)(profile, h, z, count, v);
}

}  // namespace tepui

#endif

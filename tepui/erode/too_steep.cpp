#include "tepui/erode/too_steep.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/erode/too_steep.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;

/// Of the square of the steepest gradient: what is below it by so much is so whatever is rounded.
constexpr float surely = 0.999f;

bool mark(const float* row, const float* below, const float* above, const float* steepest, float cell_x, float cell_y,
          int64_t begin, int64_t end, uint8_t* marks) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const hn::Rebind<uint8_t, Floats> d8;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  // (rise to x / cell x)^2 + (rise to y / cell y)^2 < steepest^2
  const float per_x = 1 / (cell_x * cell_x), per_y = 1 / (cell_y * cell_y);
  bool any = false;
  int64_t x = begin;
  for (; x + lanes <= end; x += lanes) {
    const auto z = hn::LoadU(d, row + x), most = hn::LoadU(d, steepest + x);
    const auto to_x = hn::Sub(z, hn::Min(hn::LoadU(d, row + x - 1), hn::LoadU(d, row + x + 1)));
    const auto to_y = hn::Sub(z, hn::Min(hn::LoadU(d, below + x), hn::LoadU(d, above + x)));
    const auto up_x = hn::Max(to_x, hn::Zero(d)), up_y = hn::Max(to_y, hn::Zero(d));
    const auto square =
        hn::Add(hn::Mul(hn::Mul(up_x, up_x), hn::Set(d, per_x)), hn::Mul(hn::Mul(up_y, up_y), hn::Set(d, per_y)));
    const auto steep = hn::Ge(square, hn::Mul(hn::Mul(most, most), hn::Set(d, surely)));
    const auto lower = hn::Gt(hn::Max(to_x, to_y), hn::Zero(d));
    const auto marked = hn::And(steep, lower);
    any = any || !hn::AllFalse(d, marked);
    const auto ones = hn::IfThenElseZero(hn::RebindMask(di, marked), hn::Set(di, 1));
    hn::StoreU(hn::DemoteTo(d8, ones), d8, marks + (x - begin));
  }
  for (; x < end; ++x) {
    const float to_x = row[x] - std::min(row[x - 1], row[x + 1]), to_y = row[x] - std::min(below[x], above[x]);
    const float up_x = std::max(to_x, 0.0f), up_y = std::max(to_y, 0.0f);
    const float square = up_x * up_x * per_x + up_y * up_y * per_y;
    const bool marked = square >= steepest[x] * steepest[x] * surely && std::max(to_x, to_y) > 0;
    any = any || marked;
    marks[x - begin] = marked ? 1 : 0;
  }
  return any;
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(mark);

bool mark_too_steep(const float* row, const float* below, const float* above, const float* steepest, float cell_x,
                    float cell_y, int64_t begin, int64_t end, uint8_t* marks) {
  return HWY_DYNAMIC_DISPATCH(mark)(row, below, above, steepest, cell_x, cell_y, begin, end, marks);
}

}  // namespace tepui

#endif

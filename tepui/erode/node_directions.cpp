#include "tepui/erode/node_directions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/erode/node_directions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tepui/hydrology/d8.h"

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Ints = hn::RebindToSigned<Floats>;

/// Where the neighbour in a direction lies, and where its closeness is stored: its heights and closeness begin at the
/// column of the centre.
struct Side {
  const float* z;
  const uint16_t* close;
  float same;
};

inline Side side_of(const NodeRow& row, int k) {
  const float* z = k == 0 || k == 4 ? row.own : k < 4 ? row.above : row.below;
  const int own = k & 3;
  // A direction from 4 on is stored as its opposite at the neighbour.
  const uint16_t* close = k < 4 ? row.close[own] : k == 4 ? row.close[0] : row.close_below[own];
  const int dx = d8_x[static_cast<size_t>(k)];
  return {z + dx, close == nullptr ? nullptr : close + (k < 4 ? 0 : dx), row.same[own]};
}

void steepest(const NodeRow& row, int64_t begin, int64_t end, uint8_t* codes) {
  const Floats d;
  const Ints di;
  const hn::Rebind<uint16_t, Floats> d16;
  const hn::Rebind<uint8_t, Floats> d8;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  Side sides[8];
  for (int k = 0; k < 8; ++k) sides[k] = side_of(row, k);
  int64_t x = begin;
  for (; x + lanes <= end; x += lanes) {
    const auto z = hn::LoadU(d, row.own + x);
    auto best = hn::Zero(d);
    auto code = hn::Set(di, d8_none);
    for (int k = 0; k < 8; ++k) {
      const auto fall = hn::Sub(z, hn::LoadU(d, sides[k].z + x));
      const auto close = sides[k].close == nullptr
                             ? hn::Set(d, sides[k].same)
                             : hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d16, sides[k].close + x)));
      const auto slope = hn::Mul(fall, close);
      const auto steeper = hn::Gt(slope, best);
      best = hn::IfThenElse(steeper, slope, best);
      code = hn::IfThenElse(hn::RebindMask(di, steeper), hn::Set(di, k), code);
    }
    hn::StoreU(hn::DemoteTo(d8, code), d8, codes + x);
  }
  for (; x < end; ++x) {
    float best = 0;
    int code = d8_none;
    for (int k = 0; k < 8; ++k) {
      const float close = sides[k].close == nullptr ? sides[k].same : static_cast<float>(sides[k].close[x]);
      const float slope = (row.own[x] - sides[k].z[x]) * close;
      if (slope > best) best = slope, code = k;
    }
    codes[x] = static_cast<uint8_t>(code);
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(steepest);

void steepest_in_row(const NodeRow& row, int64_t begin, int64_t end, uint8_t* codes) {
  HWY_DYNAMIC_DISPATCH(steepest)(row, begin, end, codes);
}

}  // namespace tepui

#endif

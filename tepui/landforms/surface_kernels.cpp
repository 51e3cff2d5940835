#include "tepui/landforms/surface_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/landforms/surface_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, CellDarts::rounds>;
using DoubleVec = hn::Vec<Doubles>;

/// v between the corners of a cell, and how it changes.
struct Field {
  DoubleVec v, dx, dy, dz;
};

HWY_INLINE Field field_at(const double* c, DoubleVec x, DoubleVec y, DoubleVec z) {
  const Doubles d;
  const auto number = [&](double n) { return hn::Set(d, n); };
  const auto between = [](DoubleVec from, DoubleVec to, DoubleVec share) {
    return hn::Add(from, hn::Mul(hn::Sub(to, from), share));
  };
  const auto x00 = hn::Add(number(c[0]), hn::Mul(number(c[1] - c[0]), x));
  const auto x10 = hn::Add(number(c[2]), hn::Mul(number(c[3] - c[2]), x));
  const auto x01 = hn::Add(number(c[4]), hn::Mul(number(c[5] - c[4]), x));
  const auto x11 = hn::Add(number(c[6]), hn::Mul(number(c[7] - c[6]), x));
  const auto y0 = between(x00, x10, y), y1 = between(x01, x11, y);
  const auto dx0 = hn::Add(number(c[1] - c[0]), hn::Mul(number((c[3] - c[2]) - (c[1] - c[0])), y));
  const auto dx1 = hn::Add(number(c[5] - c[4]), hn::Mul(number((c[7] - c[6]) - (c[5] - c[4])), y));
  return {between(y0, y1, z), between(dx0, dx1, z), between(hn::Sub(x10, x00), hn::Sub(x11, x01), z), hn::Sub(y1, y0)};
}

void places(const std::array<float, 8>& corner, CellDarts& darts) {
  constexpr int steps = 4;
  const Doubles d;
  const auto zero = hn::Zero(d), one = hn::Set(d, 1.0), half = hn::Set(d, 0.5), far = hn::Set(d, 1.5);
  double c[8];
  for (size_t i = 0; i < 8; ++i) c[i] = static_cast<double>(corner[i]);
  darts.found = 0;
  for (size_t r = 0; r < CellDarts::rounds; r += hn::Lanes(d)) {
    auto x = hn::Load(d, darts.x.data() + r), y = hn::Load(d, darts.y.data() + r), z = hn::Load(d, darts.z.data() + r);
    auto going = hn::Eq(zero, zero), found = hn::Lt(one, zero);
    for (int step = 0; step < steps; ++step) {
      const Field f = field_at(c, x, y, z);
      const auto square = hn::Add(hn::Add(hn::Mul(f.dx, f.dx), hn::Mul(f.dy, f.dy)), hn::Mul(f.dz, f.dz));
      going = hn::And(going, hn::Gt(square, zero));
      const auto there = hn::And(going, hn::Le(hn::Mul(f.v, f.v), hn::Mul(hn::Set(d, 1e-4), square)));
      const auto least = hn::Min(hn::Min(x, y), z), most = hn::Max(hn::Max(x, y), z);
      found = hn::Or(found, hn::And(there, hn::And(hn::Ge(least, zero), hn::Le(most, one))));
      going = hn::AndNot(there, going);
      if (hn::AllFalse(d, going)) break;
      const auto move = hn::Div(f.v, square);
      x = hn::IfThenElse(going, hn::Sub(x, hn::Mul(f.dx, move)), x);
      y = hn::IfThenElse(going, hn::Sub(y, hn::Mul(f.dy, move)), y);
      z = hn::IfThenElse(going, hn::Sub(z, hn::Mul(f.dz, move)), z);
      const auto near = [&](DoubleVec p) { return hn::Le(hn::Abs(hn::Sub(p, half)), far); };
      going = hn::And(going, hn::And(hn::And(near(x), near(y)), near(z)));
    }
    hn::Store(x, d, darts.x.data() + r);
    hn::Store(y, d, darts.y.data() + r);
    hn::Store(z, d, darts.z.data() + r);
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, found, bits);
    darts.found |= (bits[0] & ((1u << hn::Lanes(d)) - 1)) << r;
  }
}

void signs(const float* v, int64_t rows, int64_t count, uint64_t* bits) {
  const hn::CappedTag<float, 16> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t row = 0; row < rows; ++row, v += count) {
    uint64_t all = 0;
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      uint8_t some[8] = {};
      hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, v + i), hn::Zero(d)), some);
      all |= (uint64_t{some[0]} | uint64_t{some[1]} << 8) << i;
    }
    for (; i < count; ++i) all |= static_cast<uint64_t>(v[i] > 0) << i;
    bits[row] = all;
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(places);
HWY_EXPORT(signs);

void find_places(const std::array<float, 8>& corner, CellDarts& darts) { HWY_DYNAMIC_DISPATCH(places)(corner, darts); }

void sign_bits(const float* v, int64_t rows, int64_t count, uint64_t* bits) {
  HWY_DYNAMIC_DISPATCH(signs)(v, rows, count, bits);
}

}  // namespace tepui

#endif

#include "tepui/volume/primitive_kernels.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/volume/primitive_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using Eight = hn::CappedTag<float, 8>;
using EightInts = hn::RebindToSigned<Eight>;

/// Whole numbers up to 2^22 lie in the low bits of their sum with this; rounding is to the nearest, of two to the even.
constexpr float magic = 0x1.8p23f;
constexpr int32_t magic_bits = 0x4b400000;

/// A little more than a centre of 32 bits loses in a float.
constexpr float slack = 512;

/// Which of a group's eight boxes meet the query.
HWY_INLINE uint32_t meeting(const float* group, const float low[3], const float high[3]) {
  const Eight d;
  uint32_t bits = 0;
  for (size_t i = 0; i < 8; i += hn::Lanes(d)) {
    auto mask = hn::Le(hn::LoadU(d, group + i), hn::Set(d, high[0]));
    mask = hn::And(mask, hn::Le(hn::LoadU(d, group + 8 + i), hn::Set(d, high[1])));
    mask = hn::And(mask, hn::Le(hn::LoadU(d, group + 16 + i), hn::Set(d, high[2])));
    mask = hn::And(mask, hn::Ge(hn::LoadU(d, group + 24 + i), hn::Set(d, low[0])));
    mask = hn::And(mask, hn::Ge(hn::LoadU(d, group + 32 + i), hn::Set(d, low[1])));
    mask = hn::And(mask, hn::Ge(hn::LoadU(d, group + 40 + i), hn::Set(d, low[2])));
    uint8_t some[8] = {};
    hn::StoreMaskBits(d, mask, some);
    bits |= static_cast<uint32_t>(some[0]) << i;
  }
  return bits;
}

HWY_INLINE hn::Vec<Eight> outside(hn::Vec<Eight> c, float low, float high) {
  const Eight d;
  const auto away = hn::Max(hn::Sub(hn::Set(d, low), c), hn::Sub(c, hn::Set(d, high)));
  return hn::Max(away, hn::Zero(d));
}

HWY_INLINE void gather_leaf(const PointTree& tree, int64_t leaf, const float low[3], const float high[3],
                            const int32_t shift[3], PointList& list) {
  const Eight d;
  const EightInts di;
  for (int64_t i = leaf * 8; i < leaf * 8 + 8; i += static_cast<int64_t>(hn::Lanes(d))) {
    const auto x = hn::LoadU(di, tree.x + i), y = hn::LoadU(di, tree.y + i), z = hn::LoadU(di, tree.z + i);
    const auto radius = hn::LoadU(d, tree.radius + i);
    const auto ax = outside(hn::ConvertTo(d, x), low[0], high[0]), ay = outside(hn::ConvertTo(d, y), low[1], high[1]),
               az = outside(hn::ConvertTo(d, z), low[2], high[2]);
    const auto square = hn::Add(hn::Add(hn::Mul(ax, ax), hn::Mul(ay, ay)), hn::Mul(az, az));
    const auto reach = hn::Add(radius, hn::Set(d, slack));
    const auto near = hn::And(hn::Lt(square, hn::Mul(reach, reach)), hn::Gt(radius, hn::Zero(d)));
    if (hn::AllFalse(d, near)) continue;
    const auto at = static_cast<size_t>(list.count);
    const auto near_int = hn::RebindMask(di, near);
    const size_t found = hn::CompressStore(hn::Add(x, hn::Set(di, shift[0])), near_int, di, list.x.data() + at);
    hn::CompressStore(hn::Add(y, hn::Set(di, shift[1])), near_int, di, list.y.data() + at);
    hn::CompressStore(hn::Add(z, hn::Set(di, shift[2])), near_int, di, list.z.data() + at);
    hn::CompressStore(radius, near, d, list.radius.data() + at);
    hn::CompressStore(hn::Div(hn::Set(d, 1.0f), hn::Mul(radius, radius)), near, d, list.inverse.data() + at);
    hn::CompressStore(hn::LoadU(d, tree.energy + i), near, d, list.energy.data() + at);
    list.count += static_cast<int64_t>(found);
  }
}

void gather(const PointTree& tree, const float low[3], const float high[3], const int32_t shift[3], PointList& list) {
  struct Group {
    int level;
    int64_t index;
  };
  Group stack[12 * 8];
  int depth = 0;
  stack[depth++] = {tree.levels - 1, 0};
  while (depth > 0) {
    const Group group = stack[--depth];
    uint32_t bits = meeting(tree.boxes[group.level] + group.index * 48, low, high);
    if (group.level == 0) list.reserve(64);
    for (; bits != 0; bits &= bits - 1) {
      const int64_t node = group.index * 8 + __builtin_ctz(bits);
      if (group.level == 0)
        gather_leaf(tree, node, low, high, shift, list);
      else
        stack[depth++] = {group.level - 1, node};
    }
  }
}

/// round(energy (1 - square / radius^2)^3), as a whole number.
HWY_INLINE hn::Vec<DI> contribution(hn::Vec<DF> square, hn::Vec<DF> inverse, hn::Vec<DF> energy) {
  const DF d;
  const DI di;
  const auto u = hn::Max(hn::Sub(hn::Set(d, 1.0f), hn::Mul(square, inverse)), hn::Zero(d));
  const auto cube = hn::Mul(hn::Mul(u, u), u);
  const auto sum = hn::Add(hn::Mul(cube, energy), hn::Set(d, magic));
  return hn::Sub(hn::BitCast(di, sum), hn::Set(di, magic_bits));
}

struct Reach {
  int64_t first, end;
};

/// Squares of how far a centre is along an axis, and which of them are within its reach.
HWY_INLINE Reach squares(const float* at, int64_t count, float centre, float reach, float* out) {
  Reach within{count, 0};
  for (int64_t i = 0; i < count; ++i) {
    const float away = at[i] - centre;
    out[i] = away * away;
    if (out[i] < reach) {
      within.first = std::min(within.first, i);
      within.end = i + 1;
    }
  }
  return within;
}

void brick(const PointList& list, int64_t begin, int64_t end, const BrickAxes& axes, int64_t stride, int32_t* sums) {
  const DF d;
  const DI di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN float x2[512], y2[512], z2[512], xy2[512 + 16];
  for (int64_t i = 0; i < stride; ++i) xy2[i] = far_place * far_place;
  for (int64_t p = begin; p < end; ++p) {
    const auto at = static_cast<size_t>(p);
    const float reach = list.radius[at] * list.radius[at];
    const Reach rx = squares(axes.x, axes.nx, static_cast<float>(list.x[at]), reach, x2);
    const Reach ry = squares(axes.y, axes.ny, static_cast<float>(list.y[at]), reach, y2);
    const Reach rz = squares(axes.z, axes.nz, static_cast<float>(list.z[at]), reach, z2);
    if (rx.first >= rx.end || ry.first >= ry.end || rz.first >= rz.end) continue;
    const int64_t from = ry.first * axes.nx / lanes * lanes, to = ry.end * axes.nx;
    for (int64_t j = from / axes.nx; j < axes.ny && j * axes.nx < to + lanes; ++j)
      for (int64_t i = 0; i < axes.nx; ++i) xy2[j * axes.nx + i] = x2[i] + y2[j];
    const auto inverse = hn::Set(d, list.inverse[at]), energy = hn::Set(d, list.energy[at]);
    for (int64_t k = rz.first; k < rz.end; ++k) {
      const auto z = hn::Set(d, z2[k]);
      int32_t* layer = sums + k * stride;
      for (int64_t i = from; i < to; i += lanes)
        hn::StoreU(hn::Add(hn::LoadU(di, layer + i), contribution(hn::Add(hn::LoadU(d, xy2 + i), z), inverse, energy)),
                   di, layer + i);
    }
  }
}

void scattered(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y, const float* z,
               int64_t padded, int32_t* sums) {
  const DF d;
  const DI di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t p = begin; p < end; ++p) {
    const auto at = static_cast<size_t>(p);
    const auto cx = hn::Set(d, static_cast<float>(list.x[at])), cy = hn::Set(d, static_cast<float>(list.y[at])),
               cz = hn::Set(d, static_cast<float>(list.z[at]));
    const auto inverse = hn::Set(d, list.inverse[at]), energy = hn::Set(d, list.energy[at]);
    for (int64_t i = 0; i < padded; i += lanes) {
      const auto ax = hn::Sub(hn::LoadU(d, x + i), cx), ay = hn::Sub(hn::LoadU(d, y + i), cy),
                 az = hn::Sub(hn::LoadU(d, z + i), cz);
      const auto square = hn::Add(hn::Add(hn::Mul(ax, ax), hn::Mul(ay, ay)), hn::Mul(az, az));
      hn::StoreU(hn::Add(hn::LoadU(di, sums + i), contribution(square, inverse, energy)), di, sums + i);
    }
  }
}

int32_t single(const PointList& list, int64_t begin, int64_t end) {
  const DF d;
  const DI di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto total = hn::Zero(di);
  for (int64_t i = begin; i < end; i += lanes) {
    const auto ax = hn::ConvertTo(d, hn::LoadU(di, list.x.data() + i)),
               ay = hn::ConvertTo(d, hn::LoadU(di, list.y.data() + i)),
               az = hn::ConvertTo(d, hn::LoadU(di, list.z.data() + i));
    const auto square = hn::Add(hn::Add(hn::Mul(ax, ax), hn::Mul(ay, ay)), hn::Mul(az, az));
    auto part = contribution(square, hn::LoadU(d, list.inverse.data() + i), hn::LoadU(d, list.energy.data() + i));
    if (i + lanes > end) {
      const auto rest = hn::RebindMask(di, hn::FirstN(d, static_cast<size_t>(end - i)));
      part = hn::IfThenElseZero(rest, part);
    }
    total = hn::Add(total, part);
  }
  HWY_ALIGN int32_t all[HWY_MAX_BYTES / 4 + 4];
  hn::Store(total, di, all);
  int32_t sum = 0;
  for (int64_t i = 0; i < lanes; ++i) sum += all[i];
  return sum;
}

using DD = hn::ScalableTag<double>;
using Half = hn::Rebind<float, DD>;
using HalfInts = hn::RebindToSigned<Half>;

HWY_INLINE void add_slope(hn::Vec<Half> slope, double* to) {
  const DD dd;
  const auto round = hn::Set(dd, 0x1.8p32);
  const auto whole = hn::Sub(hn::Add(hn::PromoteTo(dd, slope), round), round);
  hn::StoreU(hn::Add(hn::LoadU(dd, to), whole), dd, to);
}

void scattered_gradients(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y,
                         const float* z, int64_t padded, int32_t* sums, double* dx, double* dy, double* dz) {
  const Half d;
  const HalfInts di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t p = begin; p < end; ++p) {
    const auto at = static_cast<size_t>(p);
    const auto cx = hn::Set(d, static_cast<float>(list.x[at])), cy = hn::Set(d, static_cast<float>(list.y[at])),
               cz = hn::Set(d, static_cast<float>(list.z[at]));
    const auto inverse = hn::Set(d, list.inverse[at]), energy = hn::Set(d, list.energy[at]);
    // -6 e/R^2 in metres: quanta of place and energy make a factor of 1/4.
    const auto steep = hn::Set(d, -1.5f * list.energy[at] * list.inverse[at]);
    for (int64_t i = 0; i < padded; i += lanes) {
      const auto ax = hn::Sub(hn::LoadU(d, x + i), cx), ay = hn::Sub(hn::LoadU(d, y + i), cy),
                 az = hn::Sub(hn::LoadU(d, z + i), cz);
      const auto square = hn::Add(hn::Add(hn::Mul(ax, ax), hn::Mul(ay, ay)), hn::Mul(az, az));
      const auto u = hn::Max(hn::Sub(hn::Set(d, 1.0f), hn::Mul(square, inverse)), hn::Zero(d));
      if (hn::AllTrue(d, hn::Le(u, hn::Zero(d)))) continue;
      const auto uu = hn::Mul(u, u);
      const auto sum = hn::Add(hn::Mul(hn::Mul(uu, u), energy), hn::Set(d, magic));
      const auto whole = hn::Sub(hn::BitCast(di, sum), hn::Set(di, magic_bits));
      hn::StoreU(hn::Add(hn::LoadU(di, sums + i), whole), di, sums + i);
      const auto factor = hn::Mul(steep, uu);
      add_slope(hn::Mul(factor, ax), dx + i);
      add_slope(hn::Mul(factor, ay), dy + i);
      add_slope(hn::Mul(factor, az), dz + i);
    }
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(gather);
HWY_EXPORT(brick);
HWY_EXPORT(scattered);
HWY_EXPORT(single);
HWY_EXPORT(scattered_gradients);

void PointList::reserve(int64_t more) {
  const auto size = static_cast<size_t>(count + more + widest_vector);
  if (x.size() >= size) return;
  const size_t grown = std::max(size, 2 * x.size());
  for (auto* list : {&x, &y, &z}) list->resize(grown);
  for (auto* list : {&radius, &inverse, &energy}) list->resize(grown);
}

void gather_points(const PointTree& tree, const float low[3], const float high[3], const int32_t shift[3],
                   PointList& list) {
  HWY_DYNAMIC_DISPATCH(gather)(tree, low, high, shift, list);
}

int64_t brick_stride(int64_t nx, int64_t ny) { return (nx * ny + widest_vector - 1) / widest_vector * widest_vector; }

void add_brick(const PointList& list, int64_t begin, int64_t end, const BrickAxes& axes, int64_t stride,
               int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(brick)(list, begin, end, axes, stride, sums);
}

void add_scattered(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y, const float* z,
                   int64_t padded, int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(scattered)(list, begin, end, x, y, z, padded, sums);
}

int32_t add_single(const PointList& list, int64_t begin, int64_t end) {
  return HWY_DYNAMIC_DISPATCH(single)(list, begin, end);
}

void add_scattered_gradients(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y,
                             const float* z, int64_t padded, int32_t* sums, double* dx, double* dy, double* dz) {
  HWY_DYNAMIC_DISPATCH(scattered_gradients)(list, begin, end, x, y, z, padded, sums, dx, dy, dz);
}

}  // namespace tepui

#endif

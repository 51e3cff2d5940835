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
    // Not CompressStore, which is slow on some machines; the list has room for a whole vector.
    const auto root = hn::LoadU(d, tree.root + i);
    hn::StoreU(hn::Compress(hn::Add(x, hn::Set(di, shift[0])), near_int), di, list.x.data() + at);
    hn::StoreU(hn::Compress(hn::Add(y, hn::Set(di, shift[1])), near_int), di, list.y.data() + at);
    hn::StoreU(hn::Compress(hn::Add(z, hn::Set(di, shift[2])), near_int), di, list.z.data() + at);
    hn::StoreU(hn::Compress(hn::Div(hn::Sqrt(hn::Abs(root)), radius), near), d, list.scale.data() + at);
    hn::StoreU(hn::Compress(root, near), d, list.root.data() + at);
    list.count += static_cast<int64_t>(hn::CountTrue(d, near));
  }
}

void gather(const PointTree& tree, const float low[3], const float high[3], const int32_t shift[3], int64_t most,
            PointList& list) {
  struct Group {
    int level;
    int64_t index;
  };
  Group stack[12 * 8];
  int depth = 0;
  stack[depth++] = {tree.levels - 1, 0};
  while (depth > 0 && list.count <= most) {
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

/// The nearest whole number to max(u, 0)^3.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> cubed(D d, hn::Vec<D> u) {
  const hn::RebindToSigned<D> di;
  u = hn::Max(u, hn::Zero(d));
  const auto sum = hn::Add(hn::Mul(hn::Mul(u, u), u), hn::Set(d, magic));
  return hn::Sub(hn::BitCast(di, sum), hn::Set(di, magic_bits));
}

template <bool negative, class D, class V>
HWY_INLINE void accumulate(D di, V part, int32_t* sums) {
  const auto before = hn::LoadU(di, sums);
  hn::StoreU(negative ? hn::Sub(before, part) : hn::Add(before, part), di, sums);
}

struct Reach {
  int64_t first, end;
};

/// Squares of how far a centre is along an axis, scaled, and which of them are within its reach. Writes beyond `count`,
/// up to a multiple of eight.
HWY_INLINE Reach squares(const float* at, int64_t count, float centre, float scale, float root, float* out) {
  const Eight d;
  Reach within{count, 0};
  for (int64_t i = 0; i < count; i += 8) {
    uint32_t bits = 0;
    for (int64_t k = 0; k < 8; k += static_cast<int64_t>(hn::Lanes(d))) {
      const auto away = hn::Mul(hn::Sub(hn::LoadU(d, at + i + k), hn::Set(d, centre)), hn::Set(d, scale));
      const auto square = hn::Mul(away, away);
      hn::StoreU(square, d, out + i + k);
      uint8_t some[8] = {};
      hn::StoreMaskBits(d, hn::Lt(square, hn::Set(d, root)), some);
      bits |= static_cast<uint32_t>(some[0]) << k;
    }
    if (bits == 0) continue;
    within.first = std::min<int64_t>(within.first, i + __builtin_ctz(bits));
    within.end = i + 32 - __builtin_clz(bits);
  }
  return within;
}

/// Of one primitive: the squares along y and z, and which rows and layers they reach.
struct Rows {
  HWY_ALIGN float y[512], z[512];
  Reach along_y, along_z;
};

template <bool negative>
HWY_INLINE void add_rows(const Rows& rows, hn::Vec<Eight> rest, int64_t row, int64_t layer, int32_t* sums) {
  const Eight d;
  const EightInts di;
  for (int64_t j = rows.along_y.first; j < rows.along_y.end; ++j) {
    const auto left = hn::Sub(rest, hn::Set(d, rows.y[j]));
    int32_t* column = sums + j * row;
    for (int64_t k = rows.along_z.first; k < rows.along_z.end; ++k)
      accumulate<negative>(di, cubed(d, hn::Sub(left, hn::Set(d, rows.z[k]))), column + k * layer);
  }
}

void brick(const PointList& list, int64_t begin, int64_t end, const BrickAxes& axes, int32_t* sums) {
  const Eight d;
  const int64_t row = BrickAxes::row(axes.nx), layer = row * axes.ny;
  Rows rows;
  for (int64_t p = begin; p < end; ++p) {
    const auto at = static_cast<size_t>(p);
    const float scale = list.scale[at], root = std::abs(list.root[at]);
    rows.along_y = squares(axes.y, axes.ny, static_cast<float>(list.y[at]), scale, root, rows.y);
    rows.along_z = squares(axes.z, axes.nz, static_cast<float>(list.z[at]), scale, root, rows.z);
    const auto centre = hn::Set(d, static_cast<float>(list.x[at]));
    for (int64_t i = 0; i < row; i += static_cast<int64_t>(hn::Lanes(d))) {
      const auto away = hn::Mul(hn::Sub(hn::LoadU(d, axes.x + i), centre), hn::Set(d, scale));
      const auto rest = hn::Sub(hn::Set(d, root), hn::Mul(away, away));
      if (list.root[at] < 0)
        add_rows<true>(rows, rest, row, layer, sums + i);
      else
        add_rows<false>(rows, rest, row, layer, sums + i);
    }
  }
}

/// A primitive in every lane.
template <class D>
struct Stroke {
  hn::Vec<D> x, y, z, scale, root;

  HWY_INLINE Stroke(D d, const PointList& list, size_t at)
      : x(hn::Set(d, static_cast<float>(list.x[at]))),
        y(hn::Set(d, static_cast<float>(list.y[at]))),
        z(hn::Set(d, static_cast<float>(list.z[at]))),
        scale(hn::Set(d, list.scale[at])),
        root(hn::Set(d, std::abs(list.root[at]))) {}

  /// The cube root of its field, from distances along the axes.
  HWY_INLINE static hn::Vec<D> rest(hn::Vec<D> ax, hn::Vec<D> ay, hn::Vec<D> az, hn::Vec<D> scale, hn::Vec<D> root) {
    const auto sx = hn::Mul(ax, scale), sy = hn::Mul(ay, scale), sz = hn::Mul(az, scale);
    return hn::Sub(hn::Sub(hn::Sub(root, hn::Mul(sx, sx)), hn::Mul(sy, sy)), hn::Mul(sz, sz));
  }
};

template <bool negative>
HWY_INLINE void add_stroke(const Stroke<DF>& stroke, const float* x, const float* y, const float* z, int64_t padded,
                           int32_t* sums) {
  const DF d;
  const DI di;
  for (int64_t i = 0; i < padded; i += static_cast<int64_t>(hn::Lanes(d))) {
    const auto ax = hn::Sub(hn::LoadU(d, x + i), stroke.x), ay = hn::Sub(hn::LoadU(d, y + i), stroke.y),
               az = hn::Sub(hn::LoadU(d, z + i), stroke.z);
    accumulate<negative>(di, cubed(d, Stroke<DF>::rest(ax, ay, az, stroke.scale, stroke.root)), sums + i);
  }
}

void scattered(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y, const float* z,
               int64_t padded, int32_t* sums) {
  for (int64_t p = begin; p < end; ++p) {
    const auto at = static_cast<size_t>(p);
    const Stroke<DF> stroke(DF(), list, at);
    if (list.root[at] < 0)
      add_stroke<true>(stroke, x, y, z, padded, sums);
    else
      add_stroke<false>(stroke, x, y, z, padded, sums);
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
    const auto root = hn::LoadU(d, list.root.data() + i), scale = hn::LoadU(d, list.scale.data() + i);
    auto part = cubed(d, Stroke<DF>::rest(ax, ay, az, scale, hn::Abs(root)));
    part = hn::IfThenElse(hn::RebindMask(di, hn::Lt(root, hn::Zero(d))), hn::Neg(part), part);
    if (i + lanes > end)
      part = hn::IfThenElseZero(hn::RebindMask(di, hn::FirstN(d, static_cast<size_t>(end - i))), part);
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
                         const float* z, int64_t padded, int32_t* sums, const GradientSums& gradients) {
  const Half d;
  const HalfInts di;
  for (int64_t p = begin; p < end; ++p) {
    const auto at = static_cast<size_t>(p);
    const Stroke<Half> stroke(d, list, at);
    const bool negative = list.root[at] < 0;
    // -6 scale^2 in metres: quanta of place and energy make a factor of 1/4.
    const auto steep = hn::Set(d, (negative ? 1.5f : -1.5f) * (list.scale[at] * list.scale[at]));
    for (int64_t i = 0; i < padded; i += static_cast<int64_t>(hn::Lanes(d))) {
      const auto ax = hn::Sub(hn::LoadU(d, x + i), stroke.x), ay = hn::Sub(hn::LoadU(d, y + i), stroke.y),
                 az = hn::Sub(hn::LoadU(d, z + i), stroke.z);
      const auto u = hn::Max(Stroke<Half>::rest(ax, ay, az, stroke.scale, stroke.root), hn::Zero(d));
      if (hn::AllTrue(d, hn::Eq(u, hn::Zero(d)))) continue;
      if (negative)
        accumulate<true>(di, cubed(d, u), sums + i);
      else
        accumulate<false>(di, cubed(d, u), sums + i);
      const auto factor = hn::Mul(steep, hn::Mul(u, u));
      add_slope(hn::Mul(factor, ax), gradients.x + i);
      add_slope(hn::Mul(factor, ay), gradients.y + i);
      add_slope(hn::Mul(factor, az), gradients.z + i);
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
  const auto size = static_cast<size_t>(count + more + widest_batch);
  if (x.size() >= size) return;
  const size_t grown = std::max(size, 2 * x.size());
  for (auto* list : {&x, &y, &z}) list->resize(grown);
  for (auto* list : {&scale, &root}) list->resize(grown);
}

void gather_points(const PointTree& tree, const float low[3], const float high[3], const int32_t shift[3], int64_t most,
                   PointList& list) {
  HWY_DYNAMIC_DISPATCH(gather)(tree, low, high, shift, most, list);
}

void add_brick(const PointList& list, int64_t begin, int64_t end, const BrickAxes& axes, int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(brick)(list, begin, end, axes, sums);
}

void add_scattered(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y, const float* z,
                   int64_t padded, int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(scattered)(list, begin, end, x, y, z, padded, sums);
}

int32_t add_single(const PointList& list, int64_t begin, int64_t end) {
  return HWY_DYNAMIC_DISPATCH(single)(list, begin, end);
}

void add_scattered_gradients(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y,
                             const float* z, int64_t padded, int32_t* sums, const GradientSums& gradients) {
  HWY_DYNAMIC_DISPATCH(scattered_gradients)(list, begin, end, x, y, z, padded, sums, gradients);
}

}  // namespace tepui

#endif

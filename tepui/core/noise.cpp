#include "tepui/core/noise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/core/noise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <vector>

#ifndef TEPUI_CORE_NOISE_ONCE
#define TEPUI_CORE_NOISE_ONCE

namespace tepui::noise_detail {

/// The most points of one batch: its buffers stay in the first-level cache.
inline constexpr int64_t batch_size = 256;
/// Batches are multiples of it, and it is one of every lane count.
inline constexpr int64_t batch_step = 16;

/// An octave as the kernels read it. In the plane, cell coordinates = plane * (x, y) + offset; in space,
/// = frequency * (Plan::space * (x, y, z)) + offset. In double.
struct OctaveKernel {
  double plane[2][2] = {};
  double frequency = 1;
  double offset[3] = {};
  uint32_t seed = 0, twist = 0;
  float share = 1;
};

struct Plan {
  NoiseKind kind = NoiseKind::simplex;
  NoiseSum sum = NoiseSum::fbm;
  double space[3][3] = {};
  std::vector<OctaveKernel> octaves;
};

/// z is null in the plane; on a row, y[0] holds for every point.
struct Positions {
  const double* x = nullptr;
  const double* y = nullptr;
  const double* z = nullptr;
  bool row = false;
  int64_t count = batch_size;  ///< of a batch, a multiple of batch_step
};

}  // namespace tepui::noise_detail

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using namespace noise_detail;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using DD = hn::ScalableTag<double>;
using VF = hn::Vec<DF>;
using VU = hn::Vec<DU>;
using VD = hn::Vec<DD>;
using MF = hn::Mask<DF>;

/// Lattice cells and the fractions within, from -1/2 to 1/2 around the cells' centres.
struct Cells {
  alignas(64) uint32_t cell[3][batch_size];
  alignas(64) float fraction[3][batch_size];
};

/// The coordinates of a batch in space before the octaves' own frequencies: what they share.
struct SpaceBase {
  alignas(64) double axis[3][batch_size];
};

/// Splits a coordinate into the nearest integer (modulo 2^32) and the rest. Adding 1.5 * 2^52 leaves the integer in the
/// low bits of the sum.
HWY_INLINE void split(VD t, uint32_t* cell, float* fraction) {
  const DD dd;
  const hn::Rebind<float, DD> df;
  const hn::Rebind<uint32_t, DD> du;
  const hn::RebindToUnsigned<DD> du64;
  const VD magic = hn::Set(dd, 0x1.8p52);
  const VD rounded = hn::Add(t, magic);
  hn::Store(hn::TruncateTo(du, hn::BitCast(du64, rounded)), du, cell);
  hn::Store(hn::DemoteTo(df, hn::Sub(t, hn::Sub(rounded, magic))), df, fraction);
}

HWY_INLINE void split_plane(const Positions& p, const OctaveKernel& octave, Cells& cells) {
  const DD dd;
  const auto lanes = static_cast<int64_t>(hn::Lanes(dd));
  for (int axis = 0; axis < 2; ++axis) {
    const VD mx = hn::Set(dd, octave.plane[axis][0]), my = hn::Set(dd, octave.plane[axis][1]);
    const VD offset = hn::Set(dd, octave.offset[axis]);
    VD shift = hn::Add(hn::Mul(my, hn::Set(dd, p.y[0])), offset);
    for (int64_t i = 0; i < p.count; i += lanes) {
      if (!p.row) shift = hn::Add(hn::Mul(my, hn::LoadU(dd, p.y + i)), offset);
      split(hn::Add(hn::Mul(mx, hn::LoadU(dd, p.x + i)), shift), cells.cell[axis] + i, cells.fraction[axis] + i);
    }
  }
}

HWY_INLINE void split_space(const SpaceBase& base, const OctaveKernel& octave, int64_t count, Cells& cells) {
  const DD dd;
  const auto lanes = static_cast<int64_t>(hn::Lanes(dd));
  const VD frequency = hn::Set(dd, octave.frequency);
  for (int axis = 0; axis < 3; ++axis) {
    const VD offset = hn::Set(dd, octave.offset[axis]);
    for (int64_t i = 0; i < count; i += lanes)
      split(hn::Add(hn::Mul(frequency, hn::Load(dd, base.axis[axis] + i)), offset), cells.cell[axis] + i,
            cells.fraction[axis] + i);
  }
}

HWY_INLINE VU finish_hash(VU h, VU twist) {
  const DU du;
  h = hn::Xor(hn::Mul(hn::Xor(h, hn::ShiftRight<16>(h)), hn::Set(du, lattice::mix_1)), twist);
  return hn::Mul(hn::Xor(h, hn::ShiftRight<15>(h)), hn::Set(du, lattice::mix_2));
}

HWY_INLINE VU layer_hash(VU k) {
  const VU m = hn::Mul(k, hn::Set(DU(), lattice::factor_k));
  return hn::Xor(m, hn::ShiftRight<15>(m));
}

/// The sign bit of `sign` flips `v`.
HWY_INLINE VF flip(VF v, VU sign) {
  const DU du;
  return hn::Xor(v, hn::BitCast(DF(), hn::And(sign, hn::Set(du, 0x80000000u))));
}

/// max(0, 1/2 - r^2)^4.
HWY_INLINE VF falloff(VF square) {
  const DF df;
  VF t = hn::Max(hn::Sub(hn::Set(df, 0.5f), square), hn::Zero(df));
  t = hn::Mul(t, t);
  return hn::Mul(t, t);
}

/// A corner's share in the plane. Gradients are unit vectors: (c, s) = ((1 - t^2)/(1 + t^2), 2t/(1 + t^2)) with t from
/// the hash in tan(22.5 deg) * [-1, 1], turned into one of four quadrants.
HWY_INLINE VF corner_2d(VU hash, VF x, VF y) {
  const DF df;
  const DI di;
  const VF t =
      hn::Mul(hn::ConvertTo(df, hn::BitCast(di, hn::ShiftLeft<2>(hash))), hn::Set(df, 0x1.a8279ap-2f * 0x1p-31f));
  const VF one = hn::Set(df, 1.0f);
  const VF q = hn::Div(hn::Set(df, 2.0f), hn::Add(one, hn::Mul(t, t)));
  const MF swap = hn::RebindMask(df, hn::Lt(hn::BitCast(di, hash), hn::Zero(di)));
  const VF major = flip(hn::IfThenElse(swap, y, x), hn::ShiftLeft<1>(hash)), minor = hn::IfThenElse(swap, x, y);
  const VF slope = hn::Add(hn::Mul(hn::Sub(q, one), major), hn::Mul(hn::Mul(q, t), minor));
  return hn::Mul(falloff(hn::Add(hn::Mul(x, x), hn::Mul(y, y))), slope);
}

/// A corner's share in space: gradients to the twelve edges of a cube (Perlin 2002), equally likely.
HWY_INLINE VF corner_3d(VU hash, VF x, VF y, VF z) {
  const DF df;
  const DI di;
  const auto choice = hn::BitCast(di, hn::ShiftLeft<2>(hash));
  const MF first = hn::RebindMask(df, hn::Lt(choice, hn::Set(di, -715827883)));
  const MF last = hn::RebindMask(df, hn::Gt(choice, hn::Set(di, 715827882)));
  const VF u = flip(hn::IfThenElse(last, y, x), hash);
  const VF v = flip(hn::IfThenElse(first, y, z), hn::ShiftLeft<1>(hash));
  const VF square = hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
  return hn::Mul(falloff(square), hn::Add(u, v));
}

struct Simplex2 {
  static constexpr bool space = false;
  static constexpr float scale = static_cast<float>(lattice::simplex_scale_2d);

  HWY_INLINE static VF at(const Cells& cells, int64_t i, VU seed, VU twist) {
    const DF df;
    const DU du;
    const VF fu = hn::Load(df, cells.fraction[0] + i), fv = hn::Load(df, cells.fraction[1] + i);
    constexpr float g = 0.211324865f;  // (3 - sqrt 3)/6
    // Fractions count from the cell's centre: the corner (0, 0) is (-1/2, -1/2).
    const VF unskew = hn::Sub(hn::Mul(hn::Add(fu, fv), hn::Set(df, g)), hn::Set(df, 0.5f - g));
    const VF x0 = hn::Sub(fu, unskew), y0 = hn::Sub(fv, unskew);
    const MF lower = hn::Ge(fu, fv);
    const VF near = hn::Set(df, g), far = hn::Set(df, g - 1);
    const VF x1 = hn::Add(x0, hn::IfThenElse(lower, far, near)), y1 = hn::Add(y0, hn::IfThenElse(lower, near, far));
    const VF last = hn::Set(df, 2 * g - 1);

    const VU fi = hn::Set(du, lattice::factor_i), fj = hn::Set(du, lattice::factor_j);
    const VU base = hn::Add(
        hn::Add(hn::Mul(hn::Load(du, cells.cell[0] + i), fi), hn::Mul(hn::Load(du, cells.cell[1] + i), fj)), seed);
    const VU middle = hn::Add(base, hn::IfThenElse(hn::RebindMask(du, lower), fi, fj));
    const VU end = hn::Add(base, hn::Set(du, lattice::factor_i + lattice::factor_j));
    return hn::Add(hn::Add(corner_2d(finish_hash(base, twist), x0, y0), corner_2d(finish_hash(middle, twist), x1, y1)),
                   corner_2d(finish_hash(end, twist), hn::Add(x0, last), hn::Add(y0, last)));
  }
};

struct Simplex3 {
  static constexpr bool space = true;
  static constexpr float scale = static_cast<float>(lattice::simplex_scale_3d);

  HWY_INLINE static VF at(const Cells& cells, int64_t i, VU seed, VU twist) {
    const DF df;
    const DU du;
    const VF fu = hn::Load(df, cells.fraction[0] + i), fv = hn::Load(df, cells.fraction[1] + i),
             fw = hn::Load(df, cells.fraction[2] + i);
    constexpr float g = 1.0f / 6;
    const VF unskew = hn::Sub(hn::Mul(hn::Add(hn::Add(fu, fv), fw), hn::Set(df, g)), hn::Set(df, 0.5f - 1.5f * g));
    const VF x0 = hn::Sub(fu, unskew), y0 = hn::Sub(fv, unskew), z0 = hn::Sub(fw, unskew);

    // The path from corner (0, 0, 0) to (1, 1, 1) goes first along the axis of the largest fraction.
    const MF uv = hn::Ge(fu, fv), vw = hn::Ge(fv, fw), uw = hn::Ge(fu, fw);
    const MF u1 = hn::And(uv, uw), v1 = hn::AndNot(uv, vw), u2 = hn::Or(uv, uw), w2 = hn::Not(hn::And(uw, vw));
    const MF w1 = hn::Not(hn::Or(uw, vw)), v2 = hn::Or(hn::Not(uv), vw);
    const VF near = hn::Set(df, g), far = hn::Set(df, g - 1), near2 = hn::Set(df, 2 * g), far2 = hn::Set(df, 2 * g - 1);
    const VF x1 = hn::Add(x0, hn::IfThenElse(u1, far, near)), y1 = hn::Add(y0, hn::IfThenElse(v1, far, near)),
             z1 = hn::Add(z0, hn::IfThenElse(w1, far, near));
    const VF x2 = hn::Add(x0, hn::IfThenElse(u2, far2, near2)), y2 = hn::Add(y0, hn::IfThenElse(v2, far2, near2)),
             z2 = hn::Add(z0, hn::IfThenElse(w2, far2, near2));
    const VF last = hn::Set(df, 3 * g - 1);

    const VU fi = hn::Set(du, lattice::factor_i), fj = hn::Set(du, lattice::factor_j);
    const VU plane = hn::Add(
        hn::Add(hn::Mul(hn::Load(du, cells.cell[0] + i), fi), hn::Mul(hn::Load(du, cells.cell[1] + i), fj)), seed);
    const VU k = hn::Load(du, cells.cell[2] + i);
    const VU low = layer_hash(k), high = layer_hash(hn::Add(k, hn::Set(du, 1u)));
    const auto corner_hash = [&](MF u, MF v, MF w) HWY_ATTR {
      VU h = hn::Add(plane, hn::IfThenElse(hn::RebindMask(du, w), high, low));
      h = hn::Add(h, hn::IfThenElseZero(hn::RebindMask(du, u), fi));
      return finish_hash(hn::Add(h, hn::IfThenElseZero(hn::RebindMask(du, v), fj)), twist);
    };
    const VU end = hn::Add(hn::Add(plane, high), hn::Set(du, lattice::factor_i + lattice::factor_j));
    const VF n0 = corner_3d(finish_hash(hn::Add(plane, low), twist), x0, y0, z0);
    const VF n1 = corner_3d(corner_hash(u1, v1, w1), x1, y1, z1);
    const VF n2 = corner_3d(corner_hash(u2, v2, w2), x2, y2, z2);
    const VF n3 = corner_3d(finish_hash(end, twist), hn::Add(x0, last), hn::Add(y0, last), hn::Add(z0, last));
    return hn::Add(hn::Add(n0, n1), hn::Add(n2, n3));
  }
};

/// t^3 (t (6t - 15) + 10): its first and second derivatives vanish at both ends.
HWY_INLINE VF fade(VF centred) {
  const DF df;
  const VF t = hn::Add(centred, hn::Set(df, 0.5f));
  const VF inner = hn::Add(hn::Mul(t, hn::Sub(hn::Mul(t, hn::Set(df, 6.0f)), hn::Set(df, 15.0f))), hn::Set(df, 10.0f));
  return hn::Mul(hn::Mul(hn::Mul(t, t), t), inner);
}

HWY_INLINE VF lerp(VF a, VF b, VF t) { return hn::Add(a, hn::Mul(t, hn::Sub(b, a))); }

/// The hash as a number in [-2^31, 2^31].
HWY_INLINE VF lattice_value(VU base, VU twist) {
  return hn::ConvertTo(DF(), hn::BitCast(DI(), finish_hash(base, twist)));
}

/// Between the four corners of a cell in the plane.
HWY_INLINE VF value_in_plane(VU base, VF fu, VF fv, VU twist) {
  const DU du;
  const VU right = hn::Add(base, hn::Set(du, lattice::factor_i)), fj = hn::Set(du, lattice::factor_j);
  return lerp(lerp(lattice_value(base, twist), lattice_value(right, twist), fu),
              lerp(lattice_value(hn::Add(base, fj), twist), lattice_value(hn::Add(right, fj), twist), fu), fv);
}

struct Value2 {
  static constexpr bool space = false;
  static constexpr float scale = 0x1p-31f;

  HWY_INLINE static VF at(const Cells& cells, int64_t i, VU seed, VU twist) {
    const DF df;
    const DU du;
    const VU base = hn::Add(hn::Add(hn::Mul(hn::Load(du, cells.cell[0] + i), hn::Set(du, lattice::factor_i)),
                                    hn::Mul(hn::Load(du, cells.cell[1] + i), hn::Set(du, lattice::factor_j))),
                            seed);
    return value_in_plane(base, fade(hn::Load(df, cells.fraction[0] + i)), fade(hn::Load(df, cells.fraction[1] + i)),
                          twist);
  }
};

struct Value3 {
  static constexpr bool space = true;
  static constexpr float scale = 0x1p-31f;

  HWY_INLINE static VF at(const Cells& cells, int64_t i, VU seed, VU twist) {
    const DF df;
    const DU du;
    const VU plane = hn::Add(hn::Add(hn::Mul(hn::Load(du, cells.cell[0] + i), hn::Set(du, lattice::factor_i)),
                                     hn::Mul(hn::Load(du, cells.cell[1] + i), hn::Set(du, lattice::factor_j))),
                             seed);
    const VU k = hn::Load(du, cells.cell[2] + i);
    const VF fu = fade(hn::Load(df, cells.fraction[0] + i)), fv = fade(hn::Load(df, cells.fraction[1] + i));
    return lerp(value_in_plane(hn::Add(plane, layer_hash(k)), fu, fv, twist),
                value_in_plane(hn::Add(plane, layer_hash(hn::Add(k, hn::Set(du, 1u)))), fu, fv, twist),
                fade(hn::Load(df, cells.fraction[2] + i)));
  }
};

/// Adds one octave to the batch's sums (and, for ridges, weights).
template <class Basis, NoiseSum sum>
HWY_INLINE void add_octave(const Cells& cells, const OctaveKernel& octave, int64_t count, float* sums, float* weights) {
  const DF df;
  const DU du;
  const auto lanes = static_cast<int64_t>(hn::Lanes(df));
  const VU seed = hn::Set(du, octave.seed), twist = hn::Set(du, octave.twist);
  const VF share = hn::Set(df, octave.share), scale = hn::Set(df, Basis::scale), one = hn::Set(df, 1.0f);
  const VF scaled_share = hn::Mul(share, scale);
  for (int64_t i = 0; i < count; i += lanes) {
    const VF n = Basis::at(cells, i, seed, twist);
    VF term;
    if constexpr (sum == NoiseSum::fbm) {
      term = hn::Mul(n, scaled_share);
    } else if constexpr (sum == NoiseSum::billow) {
      term = hn::Mul(hn::Abs(n), scaled_share);
    } else {
      const VF crest = hn::Max(hn::Sub(one, hn::Mul(hn::Abs(n), scale)), hn::Zero(df));
      const VF weighted = hn::Mul(crest, hn::Load(df, weights + i));
      const VF s = hn::Mul(crest, weighted);
      hn::Store(hn::Min(hn::Add(weighted, weighted), one), df, weights + i);
      term = hn::Mul(s, share);
    }
    hn::Store(hn::Add(hn::Load(df, sums + i), term), df, sums + i);
  }
}

HWY_INLINE void apply_space(const Plan& plan, const Positions& p, SpaceBase& base) {
  const DD dd;
  for (int axis = 0; axis < 3; ++axis) {
    const VD mx = hn::Set(dd, plan.space[axis][0]), my = hn::Set(dd, plan.space[axis][1]),
             mz = hn::Set(dd, plan.space[axis][2]);
    for (int64_t i = 0; i < p.count; i += static_cast<int64_t>(hn::Lanes(dd))) {
      const VD plane = hn::Add(hn::Mul(mx, hn::LoadU(dd, p.x + i)), hn::Mul(my, hn::LoadU(dd, p.y + i)));
      hn::Store(hn::Add(plane, hn::Mul(mz, hn::LoadU(dd, p.z + i))), dd, base.axis[axis] + i);
    }
  }
}

/// All octaves of a whole batch.
template <class Basis, NoiseSum sum>
HWY_NOINLINE void batch(const Plan& plan, const Positions& p, float* sums) {
  alignas(64) float weights[batch_size];
  Cells cells;
  SpaceBase base;
  std::fill_n(sums, p.count, 0.0f);
  std::fill_n(weights, p.count, 1.0f);
  if (Basis::space) apply_space(plan, p, base);
  for (const OctaveKernel& octave : plan.octaves) {
    if (Basis::space)
      split_space(base, octave, p.count, cells);
    else
      split_plane(p, octave, cells);
    add_octave<Basis, sum>(cells, octave, p.count, sums, weights);
  }
  const DF df;
  const VF one = hn::Set(df, 1.0f), minus_one = hn::Set(df, -1.0f);
  for (int64_t i = 0; i < p.count; i += static_cast<int64_t>(hn::Lanes(df))) {
    VF v = hn::Load(df, sums + i);
    if (sum != NoiseSum::fbm) v = hn::Sub(hn::Add(v, v), one);
    hn::Store(hn::Min(hn::Max(v, minus_one), one), df, sums + i);
  }
}

template <class Basis>
void batch_of_sum(const Plan& plan, const Positions& p, float* sums) {
  if (plan.sum == NoiseSum::fbm) return batch<Basis, NoiseSum::fbm>(plan, p, sums);
  if (plan.sum == NoiseSum::ridged) return batch<Basis, NoiseSum::ridged>(plan, p, sums);
  batch<Basis, NoiseSum::billow>(plan, p, sums);
}

/// `sums` is aligned.
void noise_batch(const Plan& plan, const Positions& p, float* sums) {
  if (p.z == nullptr)
    return plan.kind == NoiseKind::simplex ? batch_of_sum<Simplex2>(plan, p, sums)
                                           : batch_of_sum<Value2>(plan, p, sums);
  return plan.kind == NoiseKind::simplex ? batch_of_sum<Simplex3>(plan, p, sums) : batch_of_sum<Value3>(plan, p, sums);
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <memory>

#include "tepui/core/error.h"
#include "tepui/core/frame.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"

namespace tepui {

HWY_EXPORT(noise_batch);

namespace {

using namespace noise_detail;

/// Rotation and skew of the plane: F = (sqrt 3 - 1)/2.
void set_plane(OctaveKernel& kernel, const NoiseOctave& octave, NoiseKind kind) {
  const double f = octave.frequency, c = octave.cosine, s = octave.sine;
  const double skew = kind == NoiseKind::simplex ? 0.5 * (std::sqrt(3.0) - 1) : 0;
  const double rotation[2][2] = {{f * c, -f * s}, {f * s, f * c}};
  for (int column = 0; column < 2; ++column) {
    const double shared = skew * (rotation[0][column] + rotation[1][column]);
    for (int row = 0; row < 2; ++row) kernel.plane[row][column] = rotation[row][column] + shared;
  }
}

/// Rotation and skew of space (F = 1/3): the cell's long diagonal stands upright, so that level cuts through the noise
/// are alike in all directions.
void set_space(Plan& plan) {
  const double a = 1 / std::sqrt(2.0), b = 1 / std::sqrt(6.0), c = 1 / std::sqrt(3.0);
  const double rotation[3][3] = {{a, b, c}, {-a, b, c}, {0, -2 * b, c}};
  const double skew = plan.kind == NoiseKind::simplex ? c : 0;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      plan.space[row][column] = rotation[row][column] + (column == 2 ? skew : 0);
}

Plan make_plan(const NoiseSpec& spec) {
  Plan plan;
  plan.kind = spec.kind;
  plan.sum = spec.sum;
  set_space(plan);
  for (const NoiseOctave& octave : noise_octaves(spec)) {
    OctaveKernel kernel;
    set_plane(kernel, octave, spec.kind);
    kernel.frequency = octave.frequency;
    // The kernels split at the nearest integer, not the one below.
    for (int axis = 0; axis < 3; ++axis) kernel.offset[axis] = octave.offset[axis] - 0.5;
    kernel.seed = octave.seed;
    kernel.twist = octave.twist;
    kernel.share = static_cast<float>(octave.share);
    plan.octaves.push_back(kernel);
  }
  return plan;
}

void run(const Plan& plan, const Positions& all, int64_t count, float* out) {
  alignas(64) float sums[batch_size];
  const auto call = HWY_DYNAMIC_DISPATCH(noise_batch);
  int64_t i = 0;
  for (; i + batch_size <= count; i += batch_size) {
    const Positions p{all.x + i, all.row ? all.y : all.y + i, all.z != nullptr ? all.z + i : nullptr, all.row};
    call(plan, p, sums);
    std::copy_n(sums, batch_size, out + i);
  }
  if (i == count) return;
  // The rest, padded with zeros, no farther than lanes need.
  const int64_t padded = (count - i + batch_step - 1) / batch_step * batch_step;
  alignas(64) double rest[3][batch_size];
  for (double* axis : rest) std::fill_n(axis, padded, 0.0);
  std::copy(all.x + i, all.x + count, rest[0]);
  std::copy_n(all.row ? all.y : all.y + i, all.row ? 1 : count - i, rest[1]);
  if (all.z != nullptr) std::copy(all.z + i, all.z + count, rest[2]);
  call(plan, {rest[0], rest[1], all.z != nullptr ? rest[2] : nullptr, all.row, padded}, sums);
  std::copy_n(sums, count - i, out + i);
}

}  // namespace

void require_fine_positions(const Frame& world, const NoiseSpec& spec, double warp) {
  // Beyond this many lattice units from the origin a double holds no fraction to speak of.
  constexpr double farthest = 0x1p40;
  double reach = 0;
  for (const double edge :
       {world.origin.x, world.origin.y, world.origin.x + world.size.x, world.origin.y + world.size.y})
    reach = std::max(reach, std::abs(edge));
  reach += warp;
  const double finest = noise_octaves(spec).back().frequency;
  if (!(reach * finest < farthest))
    refuse(fmt::format("the finest octave of this noise is {:g} m wide, too fine at {:g} m from the origin", 1 / finest,
                       reach),
           "use a larger scale or less detail: fewer octaves, a smaller lacunarity");
}

std::vector<NoiseOctave> noise_octaves(const NoiseSpec& spec) {
  if (!(spec.scale > 0) || !std::isfinite(spec.scale)) refuse("noise needs a positive scale");
  if (spec.octaves < 1 || spec.octaves > 32) refuse("noise must have 1 to 32 octaves");
  if (!(spec.lacunarity >= 1) || !(spec.lacunarity <= 16)) refuse("the lacunarity of noise must be from 1 to 16");
  if (!(spec.gain >= 0) || !(spec.gain <= 2)) refuse("the gain of noise must be from 0 to 2");
  const Stream stream(spec.key);
  std::vector<NoiseOctave> octaves(static_cast<size_t>(spec.octaves));
  double frequency = 1 / spec.scale, share = 1, total = 0;
  for (size_t k = 0; k < octaves.size(); ++k) {
    NoiseOctave& octave = octaves[k];
    octave.frequency = frequency;
    const double turn = stream.uniform(k, 0, 0, 2 * math::pi);
    octave.cosine = math::cos(turn);
    octave.sine = math::sin(turn);
    for (uint64_t axis = 0; axis < 3; ++axis) octave.offset[axis] = stream.uniform(k, 1 + axis);
    const uint64_t bits = stream.bits(k, 4);
    octave.seed = static_cast<uint32_t>(bits);
    octave.twist = static_cast<uint32_t>(bits >> 32);
    octave.share = share;
    total += share;
    frequency *= spec.lacunarity;
    share *= spec.gain;
  }
  for (NoiseOctave& octave : octaves) octave.share /= total;
  return octaves;
}

double steepest_slope_in_space(const NoiseSpec& spec) {
  assert(spec.kind == NoiseKind::simplex && spec.sum == NoiseSum::fbm);
  double slope = 0;
  for (const NoiseOctave& octave : noise_octaves(spec))
    slope += octave.share * octave.frequency * lattice::simplex_slope_3d;
  return slope;
}

Noise::Noise(const NoiseSpec& spec) : plan_(std::make_shared<const Plan>(make_plan(spec))) {}

void Noise::points(std::span<const double> x, std::span<const double> y, std::span<float> out) const {
  assert(x.size() == out.size() && y.size() == out.size());
  run(*plan_, {x.data(), y.data(), nullptr, false}, static_cast<int64_t>(out.size()), out.data());
}

void Noise::points(std::span<const double> x, std::span<const double> y, std::span<const double> z,
                   std::span<float> out) const {
  assert(x.size() == out.size() && y.size() == out.size() && z.size() == out.size());
  if (out.empty()) return;
  run(*plan_, {x.data(), y.data(), z.data(), false}, static_cast<int64_t>(out.size()), out.data());
}

void Noise::row(std::span<const double> x, double y, std::span<float> out) const {
  assert(x.size() == out.size());
  run(*plan_, {x.data(), &y, nullptr, true}, static_cast<int64_t>(out.size()), out.data());
}

}  // namespace tepui

#endif

#include "tepui/cover/soil_depth.h"

#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/cover/soil_depth.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tepui/cover/vector_math.h"

#ifndef TEPUI_COVER_SOIL_DEPTH_TYPES
#define TEPUI_COVER_SOIL_DEPTH_TYPES

namespace tepui {

/// Nine rows of smooth heights, from south-west to north-east, the resistance and the slope.
using SoilRows = std::array<const float*, 11>;

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

/// D g / (1 - (S/Sc)^2) between two samples: g is their own slope, `cross` that across.
HWY_INLINE FloatVec creep(const SoilLaw& law, FloatVec g, FloatVec cross) {
  const FloatVec square = hn::Mul(hn::Add(hn::Mul(g, g), hn::Mul(cross, cross)), number(law.per_steepest));
  const FloatVec share = hn::Min(square, number(static_cast<float>(most_creep)));
  return hn::Div(hn::Mul(number(law.creep), g), hn::Sub(number(1), share));
}

/// -div q: what creeps in less what creeps away.
HWY_INLINE FloatVec gathered(const SoilLaw& law, const SoilRows& at) {
  const Floats d;
  const auto z = [&](size_t i) HWY_ATTR { return hn::LoadU(d, at[i]); };
  const FloatVec sw = z(0), s = z(1), se = z(2), w = z(3), c = z(4), e = z(5), nw = z(6), n = z(7), ne = z(8);
  const FloatVec px = number(law.per_x), py = number(law.per_y), qx = number(0.25f * law.per_x),
                 qy = number(0.25f * law.per_y);
  const FloatVec up = hn::Sub(n, s), along = hn::Sub(e, w);
  const FloatVec east = creep(law, hn::Mul(hn::Sub(e, c), px), hn::Mul(hn::Add(up, hn::Sub(ne, se)), qy));
  const FloatVec west = creep(law, hn::Mul(hn::Sub(c, w), px), hn::Mul(hn::Add(up, hn::Sub(nw, sw)), qy));
  const FloatVec north = creep(law, hn::Mul(hn::Sub(n, c), py), hn::Mul(hn::Add(along, hn::Sub(ne, nw)), qx));
  const FloatVec south = creep(law, hn::Mul(hn::Sub(c, s), py), hn::Mul(hn::Add(along, hn::Sub(se, sw)), qx));
  return hn::Add(hn::Mul(hn::Sub(east, west), px), hn::Mul(hn::Sub(north, south), py));
}

void soil_row(const SoilLaw& law, const SoilRows& rows, int64_t count, float* depth) {
  const Floats d;
  const FloatVec one = number(1), zero = hn::Zero(d);
  over_rows<11, 1>(rows, {depth}, count, [&](const SoilRows& at, const std::array<float*, 1>& out) HWY_ATTR {
    const FloatVec x = hn::Mul(hn::Min(gathered(law, at), number(law.production)), number(law.years));
    const FloatVec softness = hn::Max(hn::Sub(one, hn::LoadU(d, at[9])), zero);
    const FloatVec made = hn::Mul(number(2 * law.production * law.years), softness);
    const FloatVec a = hn::Abs(x), fading = exp(hn::Neg(a));
    // (1 - e^-a) / a
    const FloatVec share =
        hn::IfThenElse(hn::Lt(a, number(0.02f)), polynomial(a, {1, -0.5f, 0.166666667f, -0.0416666667f}),
                       hn::Div(hn::Sub(one, fading), a));
    const FloatVec sum = hn::Add(hn::IfThenElse(hn::Gt(x, zero), one, fading), hn::Mul(made, share));
    // What crags keep between them, over e^(2 ct/h*) where that is more than 1, as is `sum`.
    const FloatVec gained = hn::Max(x, zero), kept = hn::Sub(one, exp(hn::Mul(made, number(-2))));
    const FloatVec between = hn::Mul(exp(hn::Mul(gained, number(-2))), kept);
    const FloatVec squares = hn::Add(hn::Mul(sum, sum), between);
    const FloatVec h = hn::Add(gained, hn::Mul(number(0.5f), log(hn::Max(squares, number(1e-30f)))));
    const FloatVec slope = hn::LoadU(d, at[10]);
    const FloatVec steep = hn::Mul(hn::Mul(slope, slope), number(law.per_steepest));
    const FloatVec rests = hn::Sub(one, hn::Mul(steep, steep));
    const FloatVec result = hn::Mul(hn::Mul(h, rests), number(static_cast<float>(soil_shield)));
    // Both are positive, and numbers: where heights are too large for differences there is no soil.
    const auto lies = hn::And(hn::Gt(h, zero), hn::And(hn::Gt(rests, zero), hn::Gt(result, zero)));
    hn::StoreU(hn::IfThenElseZero(lies, result), d, out[0]);
  });
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

HWY_EXPORT(soil_row);

namespace {

/// Rows or columns that a bend reads: the middle one, and how far off the others are; 0 where there are too few.
struct Bend {
  int64_t step, first, last;  ///< the middle lies between these

  Bend(int64_t wanted, int64_t samples)
      : step(std::min(wanted, (samples - 1) / 2)), first(step), last(samples - 1 - step) {}
  int64_t middle(int64_t at) const { return std::clamp(at, first, last); }
};

float per_metres(const Bend& bend, double cell) {
  return bend.step == 0 ? 0 : static_cast<float>(1 / (cell * static_cast<double>(bend.step)));
}

}  // namespace

Halo soil_bend(const Frame& frame, double smoothing) {
  const auto step = [&](double cell) {
    return std::max<int64_t>(static_cast<int64_t>(std::min(std::round(0.2 * smoothing / cell), 0x1p40)), 1);
  };
  return {step(frame.cell.x), step(frame.cell.y)};
}

SoilLaw::SoilLaw(const SoilParams& params)
    : creep(static_cast<float>(params.creep / 1000)),
      production(static_cast<float>(params.production / 1000)),
      years(static_cast<float>(params.age / soil_shield)) {
  const double steepest = math::tan(math::radians(params.steepest.degrees));
  per_steepest = static_cast<float>(1 / (steepest * steepest));
}

Grid<float> soil_depth(const SoilGround& ground, const SoilParams& params, const Frame& frame, const Context& context) {
  const Grid<float>& z = ground.smooth;
  const int64_t w = z.width(), h = z.height();
  const Halo wanted = soil_bend(frame, params.smoothing.in(frame));
  const Bend across(wanted.x, w), along(wanted.y, h);
  SoilLaw law(params);
  law.per_x = per_metres(across, frame.cell.x);
  law.per_y = per_metres(along, frame.cell.y);
  Grid<float> depth(w, h);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    thread_local std::vector<float> stencil[9], even;
    for (std::vector<float>& row : stencil) row.resize(static_cast<size_t>(w));
    even.assign(static_cast<size_t>(w), 0.5f);
    for (int64_t y = begin; y < end; ++y) {
      SoilRows rows{};
      const int64_t middle = along.middle(y);
      for (size_t i = 0; i < 9; ++i) {
        const float* from = z.row(middle + (static_cast<int64_t>(i / 3) - 1) * along.step);
        const int64_t off = (static_cast<int64_t>(i % 3) - 1) * across.step;
        float* to = stencil[i].data();
        for (int64_t x = 0; x < across.first; ++x) to[x] = from[across.first + off];
        std::copy_n(from + across.first + off, across.last - across.first + 1, to + across.first);
        for (int64_t x = across.last + 1; x < w; ++x) to[x] = from[across.last + off];
        rows[i] = to;
      }
      rows[9] = ground.resistance.empty() ? even.data() : ground.resistance.row(y);
      rows[10] = ground.slope.row(y);
      HWY_DYNAMIC_DISPATCH(soil_row)(law, rows, w, depth.row(y));
    }
  });
  return depth;
}

}  // namespace tepui

#endif

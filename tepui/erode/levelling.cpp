#include "tepui/erode/levelling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/erode/levelling.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_ERODE_LEVELLING_TYPES
#define TEPUI_ERODE_LEVELLING_TYPES

namespace tepui {

/// Adding this to a double below 2^51 rounds it to an integer, which then stands in the sum's low bits.
inline constexpr double rounder = 0x1.8p52;
inline constexpr int64_t rounder_bits = std::bit_cast<int64_t>(rounder);

/// Changes of up to this many quanta are dropped: more than rounding can feign.
inline constexpr double dropped_quanta = 2;

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Rounded heights, still carrying the rounder.
template <class D, class V>
HWY_INLINE hn::Vec<D> rounded(D d, V z, const LevellingPrecision& p) {
  const auto limit = hn::Set(d, p.limit);
  const auto q = hn::Mul(hn::PromoteTo(d, z), hn::Set(d, 1 / p.quantum));
  return hn::Add(hn::Min(hn::Max(q, hn::Neg(limit)), limit), hn::Set(d, rounder));
}
inline double rounded(float z, const LevellingPrecision& p) {
  return std::clamp(static_cast<double>(z) * (1 / p.quantum), -p.limit, p.limit) + rounder;
}

/// Moves the window's column sums on by a row: adds `entering`, subtracts `leaving`, either of which may be missing.
void slide(const float* entering, const float* leaving, int64_t width, const LevellingPrecision& p, int64_t* columns) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const hn::Rebind<int64_t, decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto bits = [&](const float* row, int64_t x)
                        HWY_ATTR { return hn::BitCast(di, rounded(d, hn::LoadU(df, row + x), p)); };
  const auto scalar_bits = [&](const float* row, int64_t x) { return std::bit_cast<uint64_t>(rounded(row[x], p)); };
  const auto bias = hn::Set(di, rounder_bits);
  int64_t x = 0;
  for (; x + lanes <= width; x += lanes) {
    auto sum = hn::LoadU(di, columns + x);
    if (entering != nullptr) sum = hn::Add(sum, hn::Sub(bits(entering, x), bias));
    if (leaving != nullptr) sum = hn::Sub(sum, hn::Sub(bits(leaving, x), bias));
    hn::StoreU(sum, di, columns + x);
  }
  for (; x < width; ++x) {
    auto sum = static_cast<uint64_t>(columns[x]);
    if (entering != nullptr) sum += scalar_bits(entering, x) - static_cast<uint64_t>(rounder_bits);
    if (leaving != nullptr) sum -= scalar_bits(leaving, x) - static_cast<uint64_t>(rounder_bits);
    columns[x] = static_cast<int64_t>(sum);
  }
}

/// 1 / (samples in the window besides the point) for each column of a row.
void divide_up(const double* across, double rows, int64_t width, double* share) {
  const hn::ScalableTag<double> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto one = hn::Set(d, 1.0), v_rows = hn::Set(d, rows);
  int64_t x = 0;
  for (; x + lanes <= width; x += lanes)
    hn::StoreU(hn::Div(one, hn::Sub(hn::Mul(v_rows, hn::LoadU(d, across + x)), one)), d, share + x);
  for (; x < width; ++x) share[x] = 1 / (rows * across[x] - 1);
}

/// One row of the result. `from` and `to` are the row's prefix sums at each window's ends; `share` comes from
/// divide_up().
void level_row(const float* z, const int64_t* from, const int64_t* to, const double* share, int64_t width,
               const LevellingPrecision& p, float* result) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const hn::Rebind<int64_t, decltype(d)> di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto bias = hn::Set(di, rounder_bits);
  const auto v_rounder = hn::Set(d, rounder), dropped = hn::Set(d, dropped_quanta), half = hn::Set(d, 0.5 * p.quantum);
  const auto zero = hn::Zero(d);
  int64_t x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto height = hn::LoadU(df, z + x);
    const auto point = rounded(d, height, p);
    const auto others =
        hn::Sub(hn::Sub(hn::LoadU(di, to + x), hn::LoadU(di, from + x)), hn::Sub(hn::BitCast(di, point), bias));
    const auto mean = hn::Mul(hn::ConvertTo(d, others), hn::LoadU(d, share + x));
    const auto change = hn::Sub(mean, hn::Sub(point, v_rounder));
    const auto kept = hn::CopySign(hn::Max(hn::Sub(hn::Abs(change), dropped), zero), change);
    hn::StoreU(hn::DemoteTo(df, hn::Add(hn::PromoteTo(d, height), hn::Mul(kept, half))), df, result + x);
  }
  for (; x < width; ++x) {
    const double point = rounded(z[x], p);
    const uint64_t others = static_cast<uint64_t>(to[x]) - static_cast<uint64_t>(from[x]) -
                            (std::bit_cast<uint64_t>(point) - static_cast<uint64_t>(rounder_bits));
    const double change = static_cast<double>(static_cast<int64_t>(others)) * share[x] - (point - rounder);
    const double kept = std::copysign(std::max(std::abs(change) - dropped_quanta, 0.0), change);
    result[x] = static_cast<float>(static_cast<double>(z[x]) + kept * (0.5 * p.quantum));
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(slide);
HWY_EXPORT(divide_up);
HWY_EXPORT(level_row);

namespace {

/// Samples each way along one axis.
int64_t reach_of(double radius, double cell, int64_t count) {
  const double k = std::floor(radius / cell + 0.5);
  return k < static_cast<double>(count) ? static_cast<int64_t>(k) : count;
}

/// Samples that a window of k each way can hold along an axis of the whole world, wherever the land at hand lies in it.
double most_samples(int64_t k, double size, double cell, int64_t end) {
  const double world = std::max(std::floor(size / cell) + 2, static_cast<double>(end));
  return std::min(2 * static_cast<double>(k) + 1, world);
}

class Levelling {
 public:
  Levelling(const Grid<float>& z, int64_t kx, int64_t ky, LevellingPrecision precision)
      : z_(z), kx_(kx), ky_(ky), precision_(precision), samples_across_(static_cast<size_t>(z.width())) {
    for (int64_t x = 0; x < z.width(); ++x)
      samples_across_[static_cast<size_t>(x)] =
          static_cast<double>(std::min(x + kx, z.width() - 1) - std::max<int64_t>(x - kx, 0) + 1);
  }

  Grid<float> run(const Context& context) const {
    // Few blocks, since each begins with the sum of a whole window of rows.
    const int64_t blocks = 4 * thread_count();
    const int64_t rows_per_block = std::max<int64_t>((z_.height() + blocks - 1) / blocks, 1);
    const bool tall = 2 * ky_ + 1 > rows_per_block;
    const Grid<int64_t> strips = tall ? strip_sums(context.stage("sum", 0, 0.25)) : Grid<int64_t>();
    Grid<float> result(z_.width(), z_.height());
    parallel_chunks(z_.height(), rows_per_block, context.stage("level", tall ? 0.25 : 0, 1),
                    [&](int64_t begin, int64_t end) { level(begin, end, strips, result, context); });
    return result;
  }

 private:
  /// Column sums of strips of rows: a window taller than a block adds up these instead of all its rows.
  Grid<int64_t> strip_sums(const Context& context) const {
    Grid<int64_t> strips(z_.width(), (z_.height() + rows_per_strip - 1) / rows_per_strip);
    parallel_chunks(z_.height(), rows_per_strip, context, [&](int64_t begin, int64_t end) {
      int64_t* columns = strips.row(begin / rows_per_strip);
      std::fill_n(columns, z_.width(), 0);
      for (int64_t y = begin; y < end; ++y)
        HWY_DYNAMIC_DISPATCH(slide)(z_.row(y), nullptr, z_.width(), precision_, columns);
    });
    return strips;
  }

  std::vector<int64_t> column_sums(int64_t begin, int64_t end, const Grid<int64_t>& strips) const {
    std::vector<int64_t> columns(static_cast<size_t>(z_.width()), 0);
    for (int64_t y = begin; y < end;) {
      if (!strips.empty() && y % rows_per_strip == 0 && std::min(y + rows_per_strip, z_.height()) <= end) {
        const int64_t* strip = strips.row(y / rows_per_strip);
        for (int64_t& column : columns)
          column = static_cast<int64_t>(static_cast<uint64_t>(column) + static_cast<uint64_t>(*strip++));
        y += rows_per_strip;
      } else {
        HWY_DYNAMIC_DISPATCH(slide)(z_.row(y), nullptr, z_.width(), precision_, columns.data());
        ++y;
      }
    }
    return columns;
  }

  void level(int64_t begin, int64_t end, const Grid<int64_t>& strips, Grid<float>& result,
             const Context& context) const {
    const int64_t width = z_.width(), height = z_.height();
    std::vector<int64_t> columns =
        column_sums(std::max<int64_t>(begin - ky_, 0), std::min(begin + ky_ + 1, height), strips);
    // prefix[kx + x] is the sum of the columns before x; beyond the land it stays what it is at the border.
    std::vector<int64_t> prefix(static_cast<size_t>(width + 2 * kx_ + 1), 0);
    std::vector<double> share(static_cast<size_t>(width));
    int64_t share_rows = 0;
    for (int64_t y = begin; y < end; ++y) {
      context.check();
      const int64_t low = y - ky_, high = y + ky_;
      const float* entering = high < height ? z_.row(high) : nullptr;
      const float* leaving = low > 0 ? z_.row(low - 1) : nullptr;
      if (y > begin) HWY_DYNAMIC_DISPATCH(slide)(entering, leaving, width, precision_, columns.data());
      sum_up(columns, prefix);
      const int64_t rows = std::min(high, height - 1) - std::max<int64_t>(low, 0) + 1;
      if (rows != share_rows)
        HWY_DYNAMIC_DISPATCH(divide_up)(samples_across_.data(), static_cast<double>(rows), width, share.data());
      share_rows = rows;
      HWY_DYNAMIC_DISPATCH(level_row)
      (z_.row(y), prefix.data(), prefix.data() + 2 * kx_ + 1, share.data(), width, precision_, result.row(y));
    }
  }

  void sum_up(const std::vector<int64_t>& columns, std::vector<int64_t>& prefix) const {
    uint64_t sum = 0;
    int64_t* out = prefix.data() + kx_ + 1;
    for (const int64_t column : columns) {
      sum += static_cast<uint64_t>(column);
      *out++ = static_cast<int64_t>(sum);
    }
    std::fill(out, prefix.data() + prefix.size(), static_cast<int64_t>(sum));
  }

  static constexpr int64_t rows_per_strip = 64;

  const Grid<float>& z_;
  int64_t kx_, ky_;
  LevellingPrecision precision_;
  std::vector<double> samples_across_;  ///< in the window, by column
};

}  // namespace

void describe(Fields<LevellingParams>& f) {
  f.about("Soften steps: move each point halfway to the mean of its neighbourhood");
  f.window([](const LevellingParams& p, const Frame& frame) { return levelling_halo(frame, p.radius); }, "radius");
  f("radius", &LevellingParams::radius, Range{0, 1e9}, "half the side of the square neighbourhood")
      .slider(0, 5)
      .sweep("0.4%", "3%", "10%");
}

Halo levelling_halo(const Frame& frame, const Length& radius) {
  return {reach_of(radius.in(frame), frame.cell.x, frame.width),
          reach_of(radius.in(frame), frame.cell.y, frame.height)};
}

LevellingPrecision levelling_precision(const Relief& relief, double window) {
  // A window's sum has to fit 62 bits, a height with its rounder 51. Of a height's bits, 34 are for the relief's scale
  // and what remains for land beyond it, at least 6.
  const int value_bits = std::min(50, 61 - std::ilogb(window));
  const int scale_bits = std::min(34, value_bits - 6);
  const double scale = std::max({std::abs(relief.base), std::abs(relief.top), relief.span()});
  int exponent = 0;
  std::frexp(std::clamp(scale, 0x1p-100, 0x1p127), &exponent);
  return {std::ldexp(1.0, exponent - scale_bits), std::ldexp(1.0, value_bits)};
}

Terrain levelling(const Terrain& in, const LevellingParams& params, const Context& context) {
  const Frame& frame = in.frame();
  const double radius = params.radius.in(frame);
  const int64_t kx = reach_of(radius, frame.cell.x, frame.width), ky = reach_of(radius, frame.cell.y, frame.height);
  const bool alone = (kx == 0 || frame.width == 1) && (ky == 0 || frame.height == 1);
  if (alone) return in;
  const double window =
      most_samples(reach_of(radius, frame.cell.x, INT64_MAX), frame.size.x, frame.cell.x, frame.first_x + frame.width) *
      most_samples(reach_of(radius, frame.cell.y, INT64_MAX), frame.size.y, frame.cell.y, frame.first_y + frame.height);
  const Levelling pass(in.height(), kx, ky, levelling_precision(in.relief(), window));
  return in.with_height(pass.run(context));
}

}  // namespace tepui

#endif

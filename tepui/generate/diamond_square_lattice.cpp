#include "tepui/generate/diamond_square_lattice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/generate/diamond_square_lattice.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_GENERATE_DIAMOND_SQUARE_LATTICE_TYPES
#define TEPUI_GENERATE_DIAMOND_SQUARE_LATTICE_TYPES

namespace tepui {

using RowKey = DiamondSquareLattice::RowKey;

/// Vectors run over the ends of rows by less than this.
inline constexpr int64_t widest_vector = 16;

/// One refinement of the windows of a row of samples: 4 x 4 parents of each sample become 4 x 4 children. The parents'
/// rows from `south` on have the children's rows 2 south + 1 to 2 south + 5 between them.
struct WindowStep {
  RowKey diamond[3], edge_on_odd_row[3];  ///< of the children's rows 2 south + 1, + 3, + 5: odd and even columns
  RowKey edge_on_even_row[2];             ///< of 2 south + 2, + 4
  float diamond_amplitude, edge_amplitude;
  bool odd;              ///< whether the children's window begins at 2 south + 1, else + 2
  const int32_t* start;  ///< of each sample: the column where the children's window begins
};

/// A row of samples between lattice points: windows in the base lattice, their refinement, and the place in the last.
struct WindowRow {
  const float* rows[4];  ///< of the base lattice
  const int32_t* start;  ///< of each sample: the first column of its window, from rows[] on
  const int32_t* base;   ///< the same, in lattice coordinates
  const WindowStep* steps;
  int step_count;
  const float* weight_x;
  float weight_y;
};

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, widest_vector>;
using Ints = hn::RebindToSigned<Floats>;
using Words = hn::RebindToUnsigned<Floats>;
using FloatVec = hn::Vec<Floats>;
using WordVec = hn::Vec<Words>;

/// `amplitude` times the draws of points `index` of a row; as draw_word() below.
HWY_INLINE FloatVec displaced(WordVec index, RowKey key, FloatVec amplitude) {
  const Words dw;
  auto v = hn::Add(index, hn::Set(dw, key.first));
  v = hn::Mul(hn::Xor(v, hn::ShiftRight<16>(v)), hn::Set(dw, 0x7feb352du));
  v = hn::Xor(v, hn::Set(dw, key.second));
  v = hn::Mul(hn::Xor(v, hn::ShiftRight<15>(v)), hn::Set(dw, 0x846ca68bu));
  v = hn::Xor(v, hn::ShiftRight<16>(v));
  return hn::Mul(hn::ConvertTo(Floats(), hn::BitCast(Ints(), v)), amplitude);
}

/// The same order of additions everywhere: a point has the same bits however it is come by.
HWY_INLINE FloatVec mean(FloatVec a, FloatVec b, FloatVec c, FloatVec d) {
  return hn::Mul(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Set(Floats(), 0.25f));
}

HWY_INLINE FloatVec scale(float amplitude) { return hn::Set(Floats(), amplitude * 0x1p-31f); }

/// Centres of squares between two rows of parents.
void diamonds(const float* south, const float* north, int64_t count, int64_t first, RowKey key, float amplitude,
              float* HWY_RESTRICT out) {
  const Floats d;
  const auto a = scale(amplitude);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < count; i += lanes) {
    const auto index = hn::Iota(Words(), static_cast<uint32_t>(first + i));
    const auto m = mean(hn::LoadU(d, south + i), hn::LoadU(d, south + i + 1), hn::LoadU(d, north + i),
                        hn::LoadU(d, north + i + 1));
    hn::StoreU(hn::Add(m, displaced(index, key, a)), d, out + i);
  }
}

/// A row between two rows of parents: middles of edges and centres by turns. Reads centre[-1].
void odd_row(const float* south, const float* north, const float* centre, int64_t count, int64_t first, RowKey key,
             float amplitude, float* HWY_RESTRICT out) {
  const Floats d;
  const auto a = scale(amplitude);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < count; i += lanes) {
    const auto index = hn::Iota(Words(), static_cast<uint32_t>(first + i));
    const auto east = hn::LoadU(d, centre + i);
    const auto m = mean(hn::LoadU(d, centre + i - 1), east, hn::LoadU(d, south + i), hn::LoadU(d, north + i));
    hn::StoreInterleaved2(hn::Add(m, displaced(index, key, a)), east, d, out + 2 * i);
  }
}

/// A row of parents with the middles of the edges between them.
void even_row(const float* parents, const float* centre_south, const float* centre_north, int64_t count, int64_t first,
              RowKey key, float amplitude, float* HWY_RESTRICT out) {
  const Floats d;
  const auto a = scale(amplitude);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < count; i += lanes) {
    const auto index = hn::Iota(Words(), static_cast<uint32_t>(first + i));
    const auto west = hn::LoadU(d, parents + i);
    const auto m =
        mean(west, hn::LoadU(d, parents + i + 1), hn::LoadU(d, centre_south + i), hn::LoadU(d, centre_north + i));
    hn::StoreInterleaved2(west, hn::Add(m, displaced(index, key, a)), d, out + 2 * i);
  }
}

/// The points between the 4 x 4 parents of each sample: rows and columns 1 to 5 of the finer lattice, counted from the
/// parents' first.
HWY_INLINE void refine_window(const FloatVec (&p)[4][4], WordVec column, const WindowStep& step,
                              FloatVec (&child)[5][5]) {
  const Words dw;
  const auto a = scale(step.diamond_amplitude), b = scale(step.edge_amplitude);
  const WordVec columns[3] = {column, hn::Add(column, hn::Set(dw, 1)), hn::Add(column, hn::Set(dw, 2))};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c)
      child[2 * r][2 * c] =
          hn::Add(mean(p[r][c], p[r][c + 1], p[r + 1][c], p[r + 1][c + 1]), displaced(columns[c], step.diamond[r], a));
    for (int c = 1; c < 3; ++c)
      child[2 * r][2 * c - 1] = hn::Add(mean(child[2 * r][2 * c - 2], child[2 * r][2 * c], p[r][c], p[r + 1][c]),
                                        displaced(columns[c], step.edge_on_odd_row[r], b));
  }
  for (int r = 1; r < 3; ++r) {
    for (int c = 0; c < 3; ++c)
      child[2 * r - 1][2 * c] = hn::Add(mean(p[r][c], p[r][c + 1], child[2 * r - 2][2 * c], child[2 * r][2 * c]),
                                        displaced(columns[c], step.edge_on_even_row[r - 1], b));
    for (int c = 1; c < 3; ++c) child[2 * r - 1][2 * c - 1] = p[r][c];
  }
}

void sample_row(const WindowRow& row, int64_t count, float* HWY_RESTRICT out) {
  const Floats d;
  const Ints di;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  FloatVec window[4][4], child[5][5];
  for (int64_t i = 0; i < count; i += lanes) {
    const auto start = hn::LoadU(di, row.start + i);
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) window[r][c] = hn::GatherIndex(d, row.rows[r] + c, start);
    auto column = hn::LoadU(di, row.base + i);
    for (int s = 0; s < row.step_count; ++s) {
      const WindowStep& step = row.steps[s];
      refine_window(window, hn::BitCast(Words(), column), step, child);
      column = hn::LoadU(di, step.start + i);
      const auto odd = hn::RebindMask(d, hn::Eq(hn::And(column, hn::Set(di, 1)), hn::Set(di, 1)));
      const int below = step.odd ? 0 : 1;
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) window[r][c] = hn::IfThenElse(odd, child[r + below][c], child[r + below][c + 1]);
    }
    const auto wx = hn::LoadU(d, row.weight_x + i), wy = hn::Set(d, row.weight_y);
    const auto south = hn::Add(window[0][0], hn::Mul(hn::Sub(window[0][1], window[0][0]), wx));
    const auto north = hn::Add(window[1][0], hn::Mul(hn::Sub(window[1][1], window[1][0]), wx));
    hn::StoreU(hn::Add(south, hn::Mul(hn::Sub(north, south), wy)), d, out + i);
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(diamonds);
HWY_EXPORT(odd_row);
HWY_EXPORT(even_row);
HWY_EXPORT(sample_row);

namespace {

constexpr int position_bits = DiamondSquareLattice::position_bits;
constexpr int64_t tile_columns = 512, tile_rows = 64;
/// Coordinates are hashed as 32 bits.
constexpr double most_points = 0x1p31;
/// Positions are exact to the last of their bits.
constexpr double most_squares = 0x1p16;
/// Of the base lattice, for each sample of a tile: where there would be more, few of them would serve a sample. Where
/// squares are larger than cells there are 16 at most, and some around the tile.
constexpr int64_t most_points_a_sample = 64;

uint32_t draw_word(uint32_t index, RowKey key) {
  uint32_t v = index + key.first;
  v = (v ^ (v >> 16)) * 0x7feb352du;
  v ^= key.second;
  v = (v ^ (v >> 15)) * 0x846ca68bu;
  return v ^ (v >> 16);
}

float draw_value(int64_t x, RowKey key) {
  return static_cast<float>(static_cast<int32_t>(draw_word(static_cast<uint32_t>(x >> 1), key))) * 0x1p-31f;
}

/// A piece of a lattice, with room after each row for whole vectors.
struct Patch {
  int64_t x0 = 0, y0 = 0;  ///< lattice coordinates of the first point stored
  Grid<float> points;

  Patch(int64_t x, int64_t y, int64_t width, int64_t height)
      : x0(x), y0(y), points(width + 2 * widest_vector + 2, height) {}
  float* at(int64_t x, int64_t y) { return points.row(y - y0) + (x - x0); }
  const float* at(int64_t x, int64_t y) const { return points.row(y - y0) + (x - x0); }
};

/// Lattice points [x0, x1] x [y0, y1].
struct Region {
  int64_t x0, y0, x1, y1;

  int64_t points() const { return (x1 - x0 + 1) * (y1 - y0 + 1); }
  /// The points of the coarser lattice that these hang on.
  Region parents() const { return {(x0 - 1) >> 1, (y0 - 1) >> 1, (x1 >> 1) + 1, (y1 >> 1) + 1}; }
};

Patch refine(const DiamondSquareLattice& lattice, int level, const Patch& coarse, const Region& region) {
  const int64_t i0 = (region.x0 - 1) >> 1, i1 = region.x1 >> 1, j0 = (region.y0 - 1) >> 1, j1 = region.y1 >> 1;
  const int64_t count = i1 - i0 + 1;
  Patch fine(2 * i0, 2 * j0, 2 * count, 2 * (j1 - j0 + 1));
  const float diamond = lattice.diamond_amplitude(level), edge = lattice.edge_amplitude(level);
  Grid<float> centres(count + 2 * widest_vector, 2);
  auto& fill_centres = HWY_DYNAMIC_DISPATCH(diamonds);
  auto& fill_odd = HWY_DYNAMIC_DISPATCH(odd_row);
  auto& fill_even = HWY_DYNAMIC_DISPATCH(even_row);
  for (int64_t j = j0; j <= j1; ++j) {
    float* centre = centres.row(j & 1) + 1;
    const float* before = centres.row((j + 1) & 1) + 1;
    const float *south = coarse.at(i0, j), *north = coarse.at(i0, j + 1);
    const auto key = [&](int64_t y, int parity) { return lattice.row_key(level, y, parity); };
    centre[-1] = 0;
    fill_centres(south, north, count, i0, key(2 * j + 1, 1), diamond, centre);
    if (j > j0) fill_even(south, before, centre, count, i0, key(2 * j, 1), edge, fine.at(2 * i0, 2 * j));
    fill_odd(south, north, centre, count, i0, key(2 * j + 1, 0), edge, fine.at(2 * i0, 2 * j + 1));
  }
  return fine;
}

/// The points of a region, refined from the roots.
Patch build(const DiamondSquareLattice& lattice, int level, const Region& region) {
  std::vector<Region> regions(static_cast<size_t>(level) + 1, region);
  for (auto l = static_cast<size_t>(level); l > 0; --l) regions[l - 1] = regions[l].parents();
  const Region& root = regions[0];
  Patch patch(root.x0, root.y0, root.x1 - root.x0 + 1, root.y1 - root.y0 + 1);
  for (int64_t y = root.y0; y <= root.y1; ++y)
    for (int64_t x = root.x0; x <= root.x1; ++x) *patch.at(x, y) = lattice.draw(0, x, y);
  for (int l = 1; l <= level; ++l) patch = refine(lattice, l, patch, regions[static_cast<size_t>(l)]);
  return patch;
}

/// Where one axis of a tile's samples lies in the lattices from `base` to `last`: windows of 4 points that hold, in the
/// last, the sample's square first, and in each other all that the next hangs on.
struct Axis {
  int base;
  std::vector<std::vector<int32_t>> starts;  ///< by level from `base` on, of each sample
  std::vector<float> weights;
  bool lattice_run = true;  ///< the samples are consecutive points of the base lattice

  Axis(const DiamondSquareLattice& lattice, int64_t first, int64_t count, double cell, int base_level, int last)
      : base(base_level),
        starts(static_cast<size_t>(last - base) + 1),
        weights(static_cast<size_t>(count + widest_vector)) {
    for (auto& level : starts) level.resize(weights.size());
    const int shift = position_bits - last;
    for (int64_t n = 0; n < static_cast<int64_t>(weights.size()); ++n) {
      const auto i = static_cast<size_t>(n);
      const int64_t at = lattice.position(first + std::min(n, count - 1), cell);
      int64_t start = at >> shift;
      weights[i] = static_cast<float>(static_cast<double>(at - (start << shift)) * std::ldexp(1.0, -shift));
      starts.back()[i] = static_cast<int32_t>(start);
      for (auto level = starts.size() - 1; level > 0; --level)
        starts[level - 1][i] = static_cast<int32_t>(start = (start - 1) >> 1);
      if (n < count && (last != base || weights[i] != 0 || starts[0][i] != starts[0][0] + n)) lattice_run = false;
    }
  }
  int64_t first() const { return starts.front().front(); }
  int64_t last() const { return starts.front().back() + 3; }
};

/// For a row of samples far apart, 4 x 4 root points each, window beside window.
struct RootWindows {
  const std::vector<int32_t>& starts;
  std::vector<int32_t> columns;
  Grid<float> points;

  explicit RootWindows(const std::vector<int32_t>& of)
      : starts(of), columns(of.size()), points(4 * static_cast<int64_t>(of.size()), 4) {
    for (size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<int32_t>(4 * i);
  }
  void fill(const DiamondSquareLattice& lattice, int64_t south) {
    for (int64_t r = 0; r < 4; ++r) {
      const RowKey keys[2] = {lattice.row_key(0, south + r, 0), lattice.row_key(0, south + r, 1)};
      float* out = points.row(r);
      for (const int64_t start : starts)
        for (int64_t x = start; x < start + 4; ++x) *out++ = draw_value(x, keys[x & 1]);
    }
  }
};

class Sampler {
 public:
  Sampler(const Frame& frame, const DiamondSquareLattice& lattice) : frame_(frame), lattice_(lattice) {
    last_ = lattice.level_of(frame);
    const double cell = std::max(frame.cell.x, frame.cell.y) * (1 + 0x1p-20);
    while (base_ < last_ && std::ldexp(lattice.square(), -base_) > cell) ++base_;
    // All of one more lattice costs less than one more step for each sample.
    if (base_ < last_) ++base_;
  }

  void tile(int64_t x0, int64_t y0, Grid<float>& out) const {
    const int64_t width = std::min(tile_columns, frame_.width - x0), height = std::min(tile_rows, frame_.height - y0);
    const auto axes = [&](int base) {
      return std::pair(Axis(lattice_, frame_.first_x + x0, width, frame_.cell.x, base, last_),
                       Axis(lattice_, frame_.first_y + y0, height, frame_.cell.y, base, last_));
    };
    const auto [x, y] = axes(base_);
    std::vector<float> heights(x.weights.size());
    const auto put = [&](const float* from, int64_t row) { std::copy_n(from, width, out.row(y0 + row) + x0); };
    if (x.lattice_run && y.lattice_run) {
      const Patch patch = build(lattice_, base_, {x.first(), y.first(), x.first() + width - 1, y.first() + height - 1});
      for (int64_t row = 0; row < height; ++row) put(patch.at(x.first(), y.first() + row), row);
    } else if (const Region region{x.first(), y.first(), x.last(), y.last()};
               region.points() <= most_points_a_sample * width * height) {
      const Patch patch = build(lattice_, base_, region);
      std::vector<int32_t> columns = x.starts.front();
      for (int32_t& column : columns) column -= static_cast<int32_t>(patch.x0);
      for (int64_t row = 0; row < height; ++row) {
        const int64_t south = y.starts.front()[static_cast<size_t>(row)];
        sample(patch.at(patch.x0, south), patch.points.width(), columns, x, y, static_cast<size_t>(row), width,
               heights.data());
        put(heights.data(), row);
      }
    } else {
      const auto [root_x, root_y] = axes(0);
      RootWindows windows(root_x.starts.front());
      for (int64_t row = 0; row < height; ++row) {
        windows.fill(lattice_, root_y.starts.front()[static_cast<size_t>(row)]);
        sample(windows.points.data(), windows.points.width(), windows.columns, root_x, root_y, static_cast<size_t>(row),
               width, heights.data());
        put(heights.data(), row);
      }
    }
  }

 private:
  /// A row of samples, from their windows in rows of the base lattice that are `stride` apart.
  void sample(const float* south_row, int64_t stride, const std::vector<int32_t>& columns, const Axis& x, const Axis& y,
              size_t row, int64_t width, float* out) const {
    std::vector<WindowStep> steps(x.starts.size() - 1);
    for (size_t s = 0; s < steps.size(); ++s) {
      const int level = x.base + 1 + static_cast<int>(s);
      const int64_t south = y.starts[s][row];
      WindowStep& step = steps[s];
      for (int r = 0; r < 3; ++r) {
        step.diamond[r] = lattice_.row_key(level, 2 * (south + r) + 1, 1);
        step.edge_on_odd_row[r] = lattice_.row_key(level, 2 * (south + r) + 1, 0);
      }
      for (int r = 0; r < 2; ++r) step.edge_on_even_row[r] = lattice_.row_key(level, 2 * (south + r + 1), 1);
      step.diamond_amplitude = lattice_.diamond_amplitude(level);
      step.edge_amplitude = lattice_.edge_amplitude(level);
      step.odd = (y.starts[s + 1][row] & 1) != 0;
      step.start = x.starts[s + 1].data();
    }
    WindowRow job{{},
                  columns.data(),
                  x.starts[0].data(),
                  steps.data(),
                  static_cast<int>(steps.size()),
                  x.weights.data(),
                  y.weights[row]};
    for (int r = 0; r < 4; ++r) job.rows[r] = south_row + r * stride;
    HWY_DYNAMIC_DISPATCH(sample_row)(job, width, out);
  }

  const Frame& frame_;
  const DiamondSquareLattice& lattice_;
  int base_ = 0;  ///< the level down to which all points of a tile are computed
  int last_ = 0;  ///< the level that the samples need; beyond the base, each for itself
};

/// The coarsest level of which every sample of an axis is a point.
int level_of_axis(const DiamondSquareLattice& lattice, int64_t first, int64_t count, double cell) {
  int64_t bits = 0;
  for (int64_t i = 0; i < count; ++i) bits |= lattice.position(first + i, cell);
  return bits == 0 ? 0 : std::max(0, position_bits - std::countr_zero(static_cast<uint64_t>(bits)));
}

}  // namespace

DiamondSquareLattice::DiamondSquareLattice(const Frame& world, const DiamondSquareParams& params)
    : stream_(params.seed.stream("diamond_square")),
      side_(world.longer_side()),
      square_(params.square.in(world)),
      levels_(params.levels),
      diamond_(static_cast<size_t>(std::max(params.levels, 0)) + 1),
      edge_(diamond_.size()) {
  if (!(params.hurst > 0 && params.hurst < 1))
    refuse(fmt::format("'hurst' is {:g}, but must be between 0 and 1, both excluded", params.hurst), "try 0.9");
  const double squares = std::min(most_squares, std::ldexp(most_points, -params.levels)) - 8;
  if (!(square_ * squares >= world.longer_side()))
    refuse(fmt::format("squares of {:g} m with {} levels are too fine for a world of {:g} m", square_, params.levels,
                       world.longer_side()),
           fmt::format("use a 'square' of at least {:g} m, or fewer 'levels'", world.longer_side() / squares));
  for (size_t l = 1; l < edge_.size(); ++l) {
    diamond_[l] = static_cast<float>(math::pow(2, -params.hurst * (static_cast<double>(l) - 0.5)));
    edge_[l] = static_cast<float>(math::pow(2, -params.hurst * static_cast<double>(l)));
  }
}

int64_t DiamondSquareLattice::position(int64_t index, double cell) const {
  const double steps = std::round(side_ / cell);
  double at = static_cast<double>(index) * cell;
  // Not so of a frame that is no world's.
  if (steps >= 1 && side_ / steps == cell) {
    const int64_t of = static_cast<int64_t>(steps), common = std::gcd(index, of);
    at = static_cast<double>(index / common) * side_ / static_cast<double>(of / common);
  }
  return static_cast<int64_t>(std::floor(at / square_ * 0x1p36 + 0.5));
}

int DiamondSquareLattice::level_of(const Frame& frame) const {
  return std::min(levels_, std::max(level_of_axis(*this, frame.first_x, frame.width, frame.cell.x),
                                    level_of_axis(*this, frame.first_y, frame.height, frame.cell.y)));
}

RowKey DiamondSquareLattice::row_key(int level, int64_t y, int parity) const {
  const uint64_t bits = stream_.bits(static_cast<uint64_t>(y), static_cast<uint64_t>(2 * level + parity));
  return {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
}

float DiamondSquareLattice::draw(int level, int64_t x, int64_t y) const {
  return draw_value(x, row_key(level, y, static_cast<int>(x & 1)));
}

Grid<float> diamond_square_heights(const Frame& frame, const DiamondSquareParams& params, const Context& context) {
  const DiamondSquareLattice lattice(frame, params);
  const Sampler sampler(frame, lattice);
  Grid<float> heights(frame.width, frame.height);
  const int64_t across = (frame.width + tile_columns - 1) / tile_columns;
  const int64_t tiles = across * ((frame.height + tile_rows - 1) / tile_rows);
  parallel_chunks(tiles, 1, context, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile)
      sampler.tile(tile % across * tile_columns, tile / across * tile_rows, heights);
  });
  return heights;
}

}  // namespace tepui

#endif

// Separable resampling. Sums are in double, so that constants come through with their bits.
#include "tepui/terrain/resample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/terrain/resample.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using DF = hn::Rebind<float, D>;
using V = hn::Vec<D>;

inline V load(const double* p) { return hn::LoadU(D(), p); }
inline V load(const float* p) { return hn::PromoteTo(D(), hn::LoadU(DF(), p)); }

/// Results are kept as they are in double, and within [low, high] in float.
inline void store(V v, double, double, double* p) { hn::StoreU(v, D(), p); }
inline void store(V v, double low, double high, float* p) {
  const D d;
  hn::StoreU(hn::DemoteTo(DF(), hn::Min(hn::Max(v, hn::Set(d, low)), hn::Set(d, high))), DF(), p);
}
inline void store_one(double v, double, double, double* p) { *p = v; }
inline void store_one(double v, double low, double high, float* p) {
  const double raised = v > low ? v : low;
  *p = static_cast<float>(raised < high ? raised : high);
}

/// out[x] = the sum over k of weights[k] * rows[k][x].
template <class In, class Out>
void sum_rows(const In* const* rows, const double* weights, int64_t taps, int64_t width, double low, double high,
              Out* out) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t x = 0;
  if (taps == 4) {
    // Cubic convolution: worth its own loop.
    const V w0 = hn::Set(d, weights[0]), w1 = hn::Set(d, weights[1]), w2 = hn::Set(d, weights[2]),
            w3 = hn::Set(d, weights[3]);
    const In *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    for (; x + lanes <= width; x += lanes) {
      V sum = hn::Mul(w0, load(r0 + x));
      sum = hn::Add(sum, hn::Mul(w1, load(r1 + x)));
      sum = hn::Add(sum, hn::Mul(w2, load(r2 + x)));
      sum = hn::Add(sum, hn::Mul(w3, load(r3 + x)));
      store(sum, low, high, out + x);
    }
  }
  for (; x + lanes <= width; x += lanes) {
    V sum = hn::Mul(hn::Set(d, weights[0]), load(rows[0] + x));
    for (int64_t k = 1; k < taps; ++k) sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[k]), load(rows[k] + x)));
    store(sum, low, high, out + x);
  }
  for (; x < width; ++x) {
    double sum = weights[0] * static_cast<double>(rows[0][x]);
    for (int64_t k = 1; k < taps; ++k) sum += weights[k] * static_cast<double>(rows[k][x]);
    store_one(sum, low, high, out + x);
  }
}

void rows_to_double(const float* const* rows, const double* weights, int64_t taps, int64_t width, double* out) {
  sum_rows(rows, weights, taps, width, 0, 0, out);
}
void rows_to_float(const double* const* rows, const double* weights, int64_t taps, int64_t width, double low,
                   double high, float* out) {
  sum_rows(rows, weights, taps, width, low, high, out);
}

}  // namespace
}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

HWY_EXPORT(rows_to_double);
HWY_EXPORT(rows_to_float);

/// Positions are divided and multiplied on their way here; what is nearer to an old sample than this share of a cell is
/// on it.
constexpr double on_sample = 1e-6;

/// A new cell is void where more than this share of it was: rounding apart, half of it.
constexpr float void_share = 0.5f + 1e-6f;

/// One axis of the old samples and of the new ones.
struct Line {
  int64_t old_samples, new_samples;
  double ratio;  ///< new cell / old cell
  double start;  ///< of new sample 0, in old cells from old sample 0
  double at(int64_t j) const {
    const double u = start + static_cast<double>(j) * ratio;
    const double nearest = std::round(u);
    return std::abs(u - nearest) < on_sample ? nearest : u;
  }
};

std::array<Line, 2> lines(const Frame& from, const Frame& to) {
  return {Line{from.width, to.width, to.cell.x / from.cell.x, (to.x(0) - from.x(0)) / from.cell.x},
          Line{from.height, to.height, to.cell.y / from.cell.y, (to.y(0) - from.y(0)) / from.cell.y}};
}

/// Which old samples make up each new one along an axis: sample j is the sum over k of weight(k, j) * old[first[j] +
/// k].
struct Axis {
  int64_t samples = 0;
  int64_t taps = 0;
  std::vector<int64_t> first;   ///< never falls
  std::vector<double> weights;  ///< all of sample 0, then of sample 1, ...
  bool finer = false;           ///< the new samples lie closer, or as close

  double weight(int64_t tap, int64_t sample) const { return weights[static_cast<size_t>(sample * taps + tap)]; }
};

bool finer(const Line& line) { return line.ratio <= 1 + 1e-9; }

void require_inside(const Line& line, const Frame& from, const Frame& to, const char* axis) {
  const double last = line.at(line.new_samples - 1);
  if (line.at(0) >= -1 - on_sample && last <= static_cast<double>(line.old_samples) + on_sample) return;
  const bool x = *axis == 'x';
  const auto extent = [x](const Frame& f) {
    return x ? fmt::format("{:g} to {:g} m", f.x(0), f.x(f.width - 1))
             : fmt::format("{:g} to {:g} m", f.y(0), f.y(f.height - 1));
  };
  refuse(
      fmt::format("the samples wanted reach along {} from {}, the land only from {}", axis, extent(to), extent(from)),
      "crop the grid to the land first");
}

/// The old samples' weights in one new sample, before they are laid out side by side.
struct Taps {
  int64_t first = 0;
  std::vector<double> weights;
};

Taps single(int64_t index) { return {index, {1.0}}; }

/// Of old sample i, that part of [i - 1/2, i + 1/2] that the new sample's cell covers.
Taps box_taps(const Line& line, double u) {
  const double end = static_cast<double>(line.old_samples) - 0.5;
  const double low = std::max(u - line.ratio / 2, -0.5), high = std::min(u + line.ratio / 2, end);
  const int64_t last_sample = line.old_samples - 1;
  if (!(high - low > on_sample)) return single(u < 0 ? 0 : last_sample);
  Taps taps;
  taps.first = std::clamp<int64_t>(static_cast<int64_t>(std::floor(low + 0.5)), 0, last_sample);
  const int64_t last = std::clamp<int64_t>(static_cast<int64_t>(std::ceil(high - 0.5)), taps.first, last_sample);
  for (int64_t i = taps.first; i <= last; ++i) {
    const double centre = static_cast<double>(i);
    taps.weights.push_back(std::max(std::min(high, centre + 0.5) - std::max(low, centre - 0.5), 0.0));
  }
  return taps;
}

/// Keys 1981, Eq. 4; the sample beyond a border lies on the line through the two before it.
Taps cubic_taps(const Line& line, double position) {
  const int64_t n = line.old_samples;
  const double u = std::clamp(position, 0.0, static_cast<double>(n - 1));
  const int64_t i = static_cast<int64_t>(std::floor(u));
  const double t = u - static_cast<double>(i);
  std::array<double, 4> w{((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t,
                          (0.5 * t - 0.5) * t * t};
  if (i == 0) {
    w[1] += 2 * w[0];
    w[2] -= w[0];
  }
  if (i + 2 == n) {
    w[2] += 2 * w[3];
    w[1] -= w[3];
  }
  Taps taps;
  taps.first = std::max<int64_t>(i - 1, 0);
  for (int64_t k = taps.first; k <= std::min(i + 2, n - 1); ++k)
    taps.weights.push_back(w[static_cast<size_t>(k - i + 1)]);
  return taps;
}

Taps nearest_tap(const Line& line, double u) {
  return single(std::clamp<int64_t>(static_cast<int64_t>(std::ceil(u - 0.5)), 0, line.old_samples - 1));
}

/// Every sample gets as many taps as the one with most; those it does not need weigh nothing.
Axis lay_out(const Line& line, const std::vector<Taps>& all, bool normalise) {
  Axis axis;
  axis.samples = line.new_samples;
  axis.finer = finer(line);
  for (const Taps& taps : all) axis.taps = std::max(axis.taps, static_cast<int64_t>(taps.weights.size()));
  axis.first.resize(all.size());
  axis.weights.assign(static_cast<size_t>(axis.taps) * all.size(), 0.0);
  for (size_t j = 0; j < all.size(); ++j) {
    const Taps& taps = all[j];
    axis.first[j] = std::min(taps.first, line.old_samples - axis.taps);
    double sum = 0;
    for (const double w : taps.weights) sum += w;
    double* weights = axis.weights.data() + j * static_cast<size_t>(axis.taps) + (taps.first - axis.first[j]);
    for (const double w : taps.weights) *weights++ = normalise ? w / sum : w;
  }
  return axis;
}

Axis continuous_axis(const Line& line) {
  std::vector<Taps> all(static_cast<size_t>(line.new_samples));
  for (size_t j = 0; j < all.size(); ++j) {
    const double u = line.at(static_cast<int64_t>(j));
    all[j] = finer(line) ? cubic_taps(line, u) : box_taps(line, u);
  }
  return lay_out(line, all, !finer(line));
}

Axis category_axis(const Line& line) {
  std::vector<Taps> all(static_cast<size_t>(line.new_samples));
  for (size_t j = 0; j < all.size(); ++j) {
    const double u = line.at(static_cast<int64_t>(j));
    all[j] = finer(line) ? nearest_tap(line, u) : box_taps(line, u);
  }
  return lay_out(line, all, false);
}

struct Bounds {
  double low = -static_cast<double>(std::numeric_limits<float>::max());
  double high = static_cast<double>(std::numeric_limits<float>::max());
};

/// Columns of the old rows that any new sample reads.
std::pair<int64_t, int64_t> columns_read(const Axis& ax) { return {ax.first.front(), ax.first.back() + ax.taps}; }

/// put(x, the sum over k of weight(k, x) * row[first[x] + k]) for every new column. Scalar: gathers cost more than they
/// save, and the sums of neighbouring columns overlap in the processor all the same.
template <int64_t fixed_taps, class Put>
void sum_columns(const double* row, const Axis& ax, const Put& put) {
  const int64_t taps = fixed_taps > 0 ? fixed_taps : ax.taps;
  const double* weights = ax.weights.data();
  for (int64_t x = 0; x < ax.samples; ++x, weights += taps) {
    const double* z = row + ax.first[static_cast<size_t>(x)];
    double sum = weights[0] * z[0];
    for (int64_t k = 1; k < taps; ++k) sum += weights[k] * z[k];
    put(x, sum);
  }
}

template <class Put>
void sum_columns(const double* row, const Axis& ax, const Put& put) {
  (ax.taps == 4 ? sum_columns<4, Put> : sum_columns<0, Put>)(row, ax, put);
}

/// Sums rows first: where rows get fewer, each old row is read once or twice.
void coarser_rows(const Grid<float>& in, const Axis& ax, const Axis& ay, Bounds bounds, const Context& context,
                  Grid<float>& out) {
  const auto to_double = HWY_DYNAMIC_DISPATCH(rows_to_double);
  const auto [begin_x, end_x] = columns_read(ax);
  parallel_chunks(out.height(), rows_per_chunk(in.width()), context,
                  [&, x0 = begin_x, x1 = end_x](int64_t begin, int64_t end) {
                    std::vector<double> row(static_cast<size_t>(in.width()));
                    std::vector<const float*> rows(static_cast<size_t>(ay.taps));
                    std::vector<double> weights(rows.size());
                    for (int64_t j = begin; j < end; ++j) {
                      for (int64_t k = 0; k < ay.taps; ++k) {
                        rows[static_cast<size_t>(k)] = in.row(ay.first[static_cast<size_t>(j)] + k) + x0;
                        weights[static_cast<size_t>(k)] = ay.weight(k, j);
                      }
                      to_double(rows.data(), weights.data(), ay.taps, x1 - x0, row.data() + x0);
                      float* cells = out.row(j);
                      sum_columns(row.data(), ax, [&](int64_t x, double z) {
                        cells[x] = static_cast<float>(std::clamp(z, bounds.low, bounds.high));
                      });
                    }
                  });
}

/// Sums columns first: where rows get more, each old row is brought to the new columns once and kept while it is
/// needed.
void finer_rows(const Grid<float>& in, const Axis& ax, const Axis& ay, Bounds bounds, const Context& context,
                Grid<float>& out) {
  const auto promote = HWY_DYNAMIC_DISPATCH(rows_to_double);
  const auto to_float = HWY_DYNAMIC_DISPATCH(rows_to_float);
  const auto [begin_x, end_x] = columns_read(ax);
  // Rows at a chunk's border are made twice: chunks of many rows keep that small.
  const int64_t grain = std::max<int64_t>(rows_per_chunk(out.width()), 64);
  parallel_chunks(out.height(), grain, context, [&, x0 = begin_x, x1 = end_x](int64_t begin, int64_t end) {
    const size_t width = static_cast<size_t>(out.width());
    std::vector<double> old_row(static_cast<size_t>(in.width()));
    std::vector<double> kept(width * static_cast<size_t>(ay.taps));
    std::vector<const double*> rows(static_cast<size_t>(ay.taps));
    std::vector<double> weights(rows.size());
    const auto slot = [&](int64_t y) { return kept.data() + static_cast<size_t>(y % ay.taps) * width; };
    int64_t next = ay.first[static_cast<size_t>(begin)];
    for (int64_t j = begin; j < end; ++j) {
      const int64_t first = ay.first[static_cast<size_t>(j)];
      for (next = std::max(next, first); next < first + ay.taps; ++next) {
        const float* source = in.row(next) + x0;
        const double one = 1;
        promote(&source, &one, 1, x1 - x0, old_row.data() + x0);
        double* kept_row = slot(next);
        sum_columns(old_row.data(), ax, [&](int64_t x, double z) { kept_row[x] = z; });
      }
      for (int64_t k = 0; k < ay.taps; ++k) {
        rows[static_cast<size_t>(k)] = slot(first + k);
        weights[static_cast<size_t>(k)] = ay.weight(k, j);
      }
      to_float(rows.data(), weights.data(), ay.taps, out.width(), bounds.low, bounds.high, out.row(j));
    }
  });
}

/// The samples [begin, begin + count) of an axis, whose old samples are counted from `old_begin`.
Axis slice(const Axis& axis, int64_t begin, int64_t count, int64_t old_begin) {
  Axis part;
  part.samples = count;
  part.taps = axis.taps;
  part.finer = axis.finer;
  const auto first = axis.first.begin() + begin;
  part.first.assign(first, first + count);
  for (int64_t& old : part.first) old -= old_begin;
  const auto weights = axis.weights.begin() + begin * axis.taps;
  part.weights.assign(weights, weights + count * axis.taps);
  return part;
}

/// The axes of a window. They are cut from those of the whole, so that no sum depends on the window.
struct Axes {
  Axis x, y;
};
template <class MakeAxis>
Axes axes_of(const Frame& from, const Frame& to, const Frame& part, const Frame& window, const MakeAxis& make) {
  const auto [line_x, line_y] = lines(from, to);
  return {slice(make(line_x), window.first_x - to.first_x, window.width, part.first_x - from.first_x),
          slice(make(line_y), window.first_y - to.first_y, window.height, part.first_y - from.first_y)};
}

Grid<float> resample_continuous(const Grid<float>& in, const Axes& axes, Bounds bounds, const Context& context) {
  const auto& [ax, ay] = axes;
  Grid<float> out(ax.samples, ay.samples);
  (ay.finer ? finer_rows : coarser_rows)(in, ax, ay, bounds, context, out);
  return out;
}

/// The class with the largest sum of areas; of equals the lowest. `areas` is room for the sums.
float majority(std::vector<std::pair<float, double>>& areas) {
  const auto* best = areas.data();
  for (const auto& candidate : areas) {
    const double slack = 1e-9 * std::max(best->second, candidate.second);
    const bool larger = candidate.second > best->second + slack;
    const bool equal = candidate.second >= best->second - slack;
    if (larger || (equal && candidate.first < best->first)) best = &candidate;
  }
  return best->first;
}

Grid<float> resample_category(const Grid<float>& in, const Axes& axes, const Context& context) {
  const auto& [ax, ay] = axes;
  Grid<float> out(ax.samples, ay.samples);
  const int64_t grain = std::max<int64_t>(rows_per_chunk(out.width()) / (ax.taps * ay.taps), 1);
  parallel_chunks(out.height(), grain, context, [&, &ax = ax, &ay = ay](int64_t begin, int64_t end) {
    std::vector<std::pair<float, double>> areas;
    for (int64_t j = begin; j < end; ++j)
      for (int64_t i = 0; i < out.width(); ++i) {
        areas.clear();
        for (int64_t l = 0; l < ay.taps; ++l)
          for (int64_t k = 0; k < ax.taps; ++k) {
            const double area = ax.weight(k, i) * ay.weight(l, j);
            if (area == 0) continue;
            const float value = in(ax.first[static_cast<size_t>(i)] + k, ay.first[static_cast<size_t>(j)] + l);
            const auto found = std::ranges::find(areas, value, &std::pair<float, double>::first);
            if (found == areas.end())
              areas.emplace_back(value, area);
            else
              found->second += area;
          }
        out(i, j) = majority(areas);
      }
  });
  return out;
}

/// Whether the frame's samples are all that its world has.
bool whole_world(const Frame& f) {
  const auto reaches = [](int64_t samples, double cell, double size) {
    return static_cast<double>(samples) * cell >= size * (1 - 1e-12);
  };
  return f.first_x == 0 && f.first_y == 0 && reaches(f.width, f.cell.x, f.size.x) &&
         reaches(f.height, f.cell.y, f.size.y);
}

/// The rectangle of the land at hand: the world's, or the crop's as a world of its own.
Frame extent_of(const Frame& f) {
  if (whole_world(f)) return f;
  Frame extent = f;
  extent.origin = {f.x(0), f.y(0)};
  extent.size = {f.cell.x * static_cast<double>(std::max<int64_t>(f.width - 1, 1)),
                 f.cell.y * static_cast<double>(std::max<int64_t>(f.height - 1, 1))};
  return extent;
}

Frame frame_of_cell(const Frame& extent, double cell) {
  if (!(cell > 0))
    refuse(fmt::format("a cell of {:g} m is too small", cell), "it is the distance between samples in metres");
  const auto samples = [cell](double size) {
    const double count = std::floor(size / cell + 1e-9) + 1;
    if (!(count < 1e9))
      refuse(fmt::format("cells of {:g} m make {:g} samples on a side of {:g} m", cell, count, size),
             "use a larger cell");
    return static_cast<int64_t>(count);
  };
  Frame frame;
  frame.origin = extent.origin;
  frame.size = extent.size;
  frame.cell = {cell, cell};
  frame.width = samples(extent.size.x);
  frame.height = samples(extent.size.y);
  return frame;
}

Frame target_frame(const Frame& from, const Frame* like, const ResampleParams& params) {
  const int given = (like != nullptr) + params.resolution.has_value() + params.cell.has_value();
  if (given != 1)
    refuse(given == 0 ? "'resample' needs a target" : "'resample' has two targets",
           "give one of 'like', 'resolution' and 'cell'");
  if (like != nullptr) return *like;
  const Frame extent = extent_of(from);
  return params.cell ? frame_of_cell(extent, params.cell->in(from))
                     : make_world(extent.size, *params.resolution, extent.origin);
}

/// Places keep their geographic position, whatever the index they now have.
std::shared_ptr<const Georeference> carry_geo(const Frame& from, const Frame& to) {
  if (!from.geo) return to.geo;
  Georeference geo = *from.geo;
  const auto carry = [](double& origin, double& step, double from_origin, double from_cell, double to_origin,
                        double to_cell) {
    origin += step * ((to_origin - from_origin) / from_cell);
    step *= to_cell / from_cell;
  };
  carry(geo.origin.x, geo.step.x, from.origin.x, from.cell.x, to.origin.x, to.cell.x);
  carry(geo.origin.y, geo.step.y, from.origin.y, from.cell.y, to.origin.y, to.cell.y);
  return std::make_shared<const Georeference>(std::move(geo));
}

}  // namespace

void describe(Fields<ResampleParams>& f) {
  f.about("Change the resolution of land: area means when coarser, bicubic when finer; classes stay classes");
  f.reach(Reach::window);
  f.example("circular_faults | materials | gradation | {} resolution=65");
  f("resolution", &ResampleParams::resolution, Range{1, 1e6},
    "samples on the longer side of the land; auto: from 'cell' or 'like'")
      .slider(1, 8193)
      .sweep("33", "65", "257");
  f("cell", &ResampleParams::cell, Range{1e-6}, "distance between samples; auto: from 'resolution' or 'like'")
      .slider(1e-6, 100);
}

Frame resampled_frame(const Frame& from, const Frame* like, const ResampleParams& params) {
  Frame to = target_frame(from, like, params);
  if (to == from && (from.geo || !to.geo)) return from;
  if (from.width == 0 || from.height == 0 || to.width == 0 || to.height == 0)
    refuse("land without samples cannot be resampled");
  const auto [line_x, line_y] = lines(from, to);
  require_inside(line_x, from, to, "x");
  require_inside(line_y, from, to, "y");
  to.geo = carry_geo(from, to);
  return to;
}

Frame resampled_source(const Frame& from, const Frame& to, const Frame& window) {
  if (to == from) return window;
  const auto [line_x, line_y] = lines(from, to);
  const auto read = [](const Line& line, int64_t begin, int64_t count) {
    const Axis numbers = slice(continuous_axis(line), begin, count, 0),
               classes = slice(category_axis(line), begin, count, 0);
    return std::pair{std::min(columns_read(numbers).first, columns_read(classes).first),
                     std::max(columns_read(numbers).second, columns_read(classes).second)};
  };
  const auto [x0, x1] = read(line_x, window.first_x - to.first_x, window.width);
  const auto [y0, y1] = read(line_y, window.first_y - to.first_y, window.height);
  return from.window(x0, y0, x1 - x0, y1 - y0);
}

Terrain resampled_window(const Terrain& part, const Frame& from, const Frame& to, const Frame& window,
                         const Context& context) {
  Terrain out(window, part.relief());
  const bool same = to == from;
  const Axes numbers = same ? Axes() : axes_of(from, to, part.frame(), window, continuous_axis);
  const Axes classes = same ? Axes() : axes_of(from, to, part.frame(), window, category_axis);
  const double share = 1.0 / static_cast<double>(std::max<size_t>(part.layers().size(), 1));
  double done = 0;
  for (const Layer& layer : part.layers()) {
    const Context step = context.stage(layer.name, done, done + share);
    done += share;
    if (same) {
      out = out.with(layer);
      continue;
    }
    const Bounds bounds = layer.kind == LayerKind::mask ? Bounds{0, 1} : Bounds{};
    Grid<float> cells = layer.kind == LayerKind::category ? resample_category(layer.grid(), classes, step)
                                                          : resample_continuous(layer.grid(), numbers, bounds, step);
    if (layer.kind == LayerKind::mask && layer.name == "void")
      for (float& cell : cells.cells()) cell = cell > void_share ? 1 : 0;
    out = out.with(layer.holding(std::move(cells)));
  }
  return out;
}

Terrain resample(const Terrain& in, const Terrain* like, const ResampleParams& params, const Context& context) {
  const Frame to = resampled_frame(in.frame(), like != nullptr ? &like->frame() : nullptr, params);
  if (to == in.frame() && to.geo == in.frame().geo) return in;
  return resampled_window(in, in.frame(), to, to, context);
}

}  // namespace tepui

#endif

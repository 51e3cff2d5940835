#include "tepui/terrain/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr int64_t grain = 65536;
constexpr int64_t half_keys = 65536;

/// Unsigned numbers in the order of the floats; -0 counts as 0.
uint32_t order_key(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value + 0.0f);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

float from_order_key(uint32_t key) { return std::bit_cast<float>(key & 0x80000000u ? key & 0x7fffffffu : ~key); }

/// The sum of term(i) over [begin, end) in eight interleaved partial sums: a fixed order that a processor can overlap.
template <class Term>
double ordered_sum(int64_t begin, int64_t end, const Term& term) {
  std::array<double, 8> part{};
  int64_t i = begin;
  for (; i + 8 <= end; i += 8)
    for (int64_t k = 0; k < 8; ++k) part[static_cast<size_t>(k)] += term(i + k);
  for (int64_t k = 0; i < end; ++i, ++k) part[static_cast<size_t>(k)] += term(i);
  return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

template <class Term>
double parallel_sum(int64_t count, const Context& context, const Term& term) {
  return parallel_reduce(
      count, grain, context, 0.0, [&](int64_t begin, int64_t end) { return ordered_sum(begin, end, term); },
      [](double a, double b) { return a + b; });
}

using Counts = std::vector<int64_t>;

/// How many cells have each value of bin(cell) in [0, bins); a negative bin is not counted.
template <class Bin>
Counts count_bins(const Grid<float>& cells, int64_t bins, const Context& context, const Bin& bin) {
  // At most 16 tables, each of a run of cells: counts are whole numbers, so their sum knows no order.
  const int64_t run = std::max(grain, (cells.size() + 15) / 16);
  return parallel_reduce(
      cells.size(), run, context, Counts(),
      [&](int64_t begin, int64_t end) {
        Counts counts(static_cast<size_t>(bins));
        for (int64_t i = begin; i < end; ++i) {
          if ((i & (grain - 1)) == 0) context.check();
          const int64_t b = bin(cells.data()[i]);
          if (b >= 0) ++counts[static_cast<size_t>(b)];
        }
        return counts;
      },
      [](Counts a, const Counts& b) {
        if (a.empty()) return b;
        for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
      });
}

/// The bin that holds rank `rank` (from 0), and how many cells come before that bin.
std::pair<int64_t, int64_t> bin_of_rank(const Counts& counts, int64_t rank) {
  int64_t before = 0;
  for (size_t b = 0; b < counts.size(); ++b) {
    if (rank < before + counts[b]) return {static_cast<int64_t>(b), before};
    before += counts[b];
  }
  fail("a rank beyond the cells");
}

}  // namespace

std::vector<double> percentiles(const Grid<float>& cells, const std::vector<int64_t>& percent, const Context& context) {
  if (cells.empty()) refuse("a layer without cells has no percentiles");
  // A count of the keys' upper halves, then of the lower halves within the bins that hold the ranks.
  const Counts upper = count_bins(cells, half_keys, context.stage("percentiles", 0, 0.4),
                                  [](float v) { return static_cast<int64_t>(order_key(v) >> 16); });
  std::vector<double> result;
  int64_t counted_bin = -1;
  Counts lower;
  const double part = 0.6 / static_cast<double>(percent.size());
  for (const int64_t p : percent) {
    const int64_t rank = std::max<int64_t>((cells.size() * p + 99) / 100, 1) - 1;
    const auto [bin, before] = bin_of_rank(upper, rank);
    if (bin != counted_bin) {
      const double done = 0.4 + part * static_cast<double>(result.size());
      lower = count_bins(cells, half_keys, context.stage("percentiles", done, done + part), [wanted = bin](float v) {
        const uint32_t key = order_key(v);
        return key >> 16 == static_cast<uint32_t>(wanted) ? static_cast<int64_t>(key & 0xffffu) : int64_t{-1};
      });
      counted_bin = bin;
    }
    const auto [low, ignored] = bin_of_rank(lower, rank - before);
    result.push_back(static_cast<double>(from_order_key(static_cast<uint32_t>(bin << 16 | low))));
  }
  return result;
}

LayerStatistics statistics(const Grid<float>& cells, const Context& context) {
  if (cells.empty()) refuse("a layer without cells has no statistics");
  const float* z = cells.data();
  const int64_t count = cells.size();
  LayerStatistics result;
  result.cells = count;

  using Extremes = std::pair<float, float>;
  const Extremes extremes = parallel_reduce(
      count, grain, context.stage("extremes", 0, 0.1), Extremes{z[0], z[0]},
      [&](int64_t begin, int64_t end) {
        const auto [low, high] = std::minmax_element(z + begin, z + end);
        return Extremes{*low, *high};
      },
      [](const Extremes& a, const Extremes& b) {
        return Extremes{std::min(a.first, b.first), std::max(a.second, b.second)};
      });
  result.min = extremes.first;
  result.max = extremes.second;

  const double cell_count = static_cast<double>(count);
  const double mean =
      parallel_sum(count, context.stage("mean", 0.1, 0.2), [&](int64_t i) { return static_cast<double>(z[i]); }) /
      cell_count;
  const double squares = parallel_sum(count, context.stage("deviation", 0.2, 0.3), [&](int64_t i) {
    const double d = static_cast<double>(z[i]) - mean;
    return d * d;
  });
  result.mean = std::clamp(mean, result.min, result.max);
  result.deviation = std::sqrt(squares / cell_count);

  const std::vector<double> p = percentiles(cells, {1, 5, 50, 95, 99}, context.stage("percentiles", 0.3, 0.9));
  result.percentile_1 = p[0];
  result.percentile_5 = p[1];
  result.median = p[2];
  result.percentile_95 = p[3];
  result.percentile_99 = p[4];

  const double span = result.max - result.min;
  constexpr int64_t bins = LayerStatistics::bins;
  const double scale = span > 0 ? static_cast<double>(bins) / span : 0;
  const Counts counts = count_bins(cells, bins, context.stage("histogram", 0.9, 1), [&](float v) {
    return std::min(static_cast<int64_t>((static_cast<double>(v) - result.min) * scale), bins - 1);
  });
  std::ranges::copy(counts, result.histogram.begin());
  return result;
}

std::vector<int64_t> class_counts(const Grid<float>& cells, const Context& context) {
  Counts counts = count_bins(cells, half_keys, context, [](float v) {
    if (!(v >= 0 && v < static_cast<float>(half_keys)) || v != std::floor(v))
      refuse(fmt::format("{} is not a class", v), "classes are whole numbers from 0 to 65535");
    return static_cast<int64_t>(v);
  });
  while (!counts.empty() && counts.back() == 0) counts.pop_back();
  return counts;
}

Comparison compare(const Grid<float>& a, const Grid<float>& b, const Context& context) {
  if (a.width() != b.width() || a.height() != b.height())
    refuse(fmt::format("{} x {} samples cannot be compared with {} x {}", a.width(), a.height(), b.width(), b.height()),
           "use 'resample' to bring one onto the other's grid");
  struct Part {
    bool equal = true;
    double max_abs = 0, sum = 0, squares = 0;
  };
  const float* za = a.data();
  const float* zb = b.data();
  const Part total = parallel_reduce(
      a.size(), grain, context, Part(),
      [&](int64_t begin, int64_t end) {
        Part part;
        part.equal = std::memcmp(za + begin, zb + begin, static_cast<size_t>(end - begin) * sizeof(float)) == 0;
        const auto difference = [&](int64_t i) { return static_cast<double>(zb[i]) - static_cast<double>(za[i]); };
        for (int64_t i = begin; i < end; ++i) part.max_abs = std::max(part.max_abs, std::abs(difference(i)));
        part.sum = ordered_sum(begin, end, difference);
        part.squares = ordered_sum(begin, end, [&](int64_t i) { return difference(i) * difference(i); });
        return part;
      },
      [](const Part& p, const Part& q) {
        return Part{p.equal && q.equal, std::max(p.max_abs, q.max_abs), p.sum + q.sum, p.squares + q.squares};
      });
  Comparison result;
  result.equal = total.equal;
  result.max_abs = total.max_abs;
  if (!a.empty()) {
    const double count = static_cast<double>(a.size());
    result.mean = total.sum / count;
    result.rmse = std::sqrt(total.squares / count);
  }
  return result;
}

}  // namespace tepui

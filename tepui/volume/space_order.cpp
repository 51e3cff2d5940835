#include "tepui/volume/space_order.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr int digit_bits = 12, index_bits = 22, digits = 3;
constexpr size_t digit_values = size_t{1} << digit_bits;
constexpr int64_t chunk = 1 << 17;
static_assert(most_in_order == int64_t{1} << index_bits);

struct Extent {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
};

Extent extent_of(const double* const axes[3], int64_t count) {
  const auto measure = [&](int64_t begin, int64_t end) {
    Extent e;
    for (int k = 0; k < 3; ++k)
      for (int64_t i = begin; i < end; ++i) {
        if (!std::isfinite(axes[k][i])) continue;
        e.low[k] = std::min(e.low[k], axes[k][i]);
        e.high[k] = std::max(e.high[k], axes[k][i]);
      }
    return e;
  };
  return parallel_reduce(count, chunk, Context(), Extent(), measure, [](Extent a, const Extent& b) {
    for (int k = 0; k < 3; ++k) a.low[k] = std::min(a.low[k], b.low[k]), a.high[k] = std::max(a.high[k], b.high[k]);
    return a;
  });
}

/// One stable pass of a counting sort by the digit at `shift`, chunk by chunk.
void sort_by_digit(const std::vector<uint64_t>& from, std::vector<uint64_t>& to, int shift) {
  const auto count = static_cast<int64_t>(from.size());
  const auto digit = [shift](uint64_t key) { return key >> shift & (digit_values - 1); };
  std::vector<std::array<uint32_t, digit_values>> places(static_cast<size_t>((count + chunk - 1) / chunk));
  parallel_chunks(count, chunk, Context(), [&](int64_t begin, int64_t end) {
    auto& own = places[static_cast<size_t>(begin / chunk)];
    own.fill(0);
    for (int64_t i = begin; i < end; ++i) ++own[digit(from[static_cast<size_t>(i)])];
  });
  uint32_t next = 0;
  for (size_t value = 0; value < digit_values; ++value)
    for (auto& own : places) {
      const uint32_t many = own[value];
      own[value] = next;
      next += many;
    }
  parallel_chunks(count, chunk, Context(), [&](int64_t begin, int64_t end) {
    auto& own = places[static_cast<size_t>(begin / chunk)];
    for (int64_t i = begin; i < end; ++i) {
      const uint64_t key = from[static_cast<size_t>(i)];
      to[own[digit(key)]++] = key;
    }
  });
}

}  // namespace

std::vector<uint32_t> order_in_space(const double* x, const double* y, const double* z, int64_t count) {
  const double* const axes[3] = {x, y, z};
  std::vector<uint32_t> order(static_cast<size_t>(count));
  const Extent extent = extent_of(axes, count);
  double side = 0;
  for (int k = 0; k < 3; ++k) side = std::max(side, extent.high[k] - extent.low[k]);
  if (count <= 64 || !(side > 0 && std::isfinite(side))) {
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint32_t>(i);
    return order;
  }
  const double scale = 4095.999 / side;
  std::vector<uint64_t> keys(order.size()), other(order.size());
  parallel_chunks(count, chunk, Context(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      uint64_t key = 0;
      for (int k = 0; k < 3; ++k) {
        const double cell = (axes[k][i] - extent.low[k]) * scale;
        // What is no number, or infinite, comes first or last.
        key |= spread_bits(cell > 0 ? static_cast<uint64_t>(std::min(cell, 4095.0)) : 0) << k;
      }
      keys[static_cast<size_t>(i)] = key << index_bits | static_cast<uint64_t>(i);
    }
  });
  for (int pass = 0; pass < digits; ++pass) {
    sort_by_digit(keys, other, index_bits + pass * digit_bits);
    std::swap(keys, other);
  }
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<uint32_t>(keys[i] & ((uint64_t{1} << index_bits) - 1));
  return order;
}

}  // namespace tepui

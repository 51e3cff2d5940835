#pragma once  // internal

#include <cstdint>
#include <vector>

namespace tepui {

/// Takes the lowest 21 bits apart, two empty ones after each.
constexpr uint64_t spread_bits(uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffu;
  v = (v | v << 16) & 0x1f0000ff0000ffu;
  v = (v | v << 8) & 0x100f00f00f00f00fu;
  v = (v | v << 4) & 0x10c30c30c30c30c3u;
  return (v | v << 2) & 0x1249249249249249u;
}

/// Points that are put in order at once.
inline constexpr int64_t most_in_order = int64_t{1} << 22;

/// The indices of points along a Morton curve through the cube around them, 4096 cells a side: those near each other in
/// space come near each other. In parallel; points without a place come anywhere.
std::vector<uint32_t> order_in_space(const double* x, const double* y, const double* z, int64_t count);

}  // namespace tepui

#pragma once  // internal

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tepui {

/// Sets of the numbers 0 to count - 1 that are merged; at first each number is a set of its own. A set goes by its
/// lowest number.
class MergedSets {
 public:
  explicit MergedSets(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  /// The lowest number of the set that has this number.
  int32_t find(int32_t i) {
    while (parent_[static_cast<size_t>(i)] != i) {
      int32_t& up = parent_[static_cast<size_t>(i)];
      up = parent_[static_cast<size_t>(up)];
      i = up;
    }
    return i;
  }

  /// Whether they were two sets.
  bool merge(int32_t a, int32_t b) {
    a = find(a), b = find(b);
    if (a == b) return false;
    parent_[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    return true;
  }

 private:
  std::vector<int32_t> parent_;
};

}  // namespace tepui

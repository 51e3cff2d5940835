#pragma once  // internal

#include <bit>
#include <cstdint>
#include <vector>

namespace tepui {

/// Different numbers below a count, of which the least leaves first. There is a bit for each, and for every 64 of a
/// layer's a bit in the next, so that it takes a few steps to find the least of millions.
class RankQueue {
 public:
  explicit RankQueue(size_t count) {
    do {
      count = (count + 63) / 64;
      layers_.emplace_back(count, 0);
    } while (count > 1);
  }

  bool empty() const { return layers_.back()[0] == 0; }

  void push(size_t number) {
    for (std::vector<uint64_t>& layer : layers_) {
      uint64_t& word = layer[number / 64];
      const bool known = word != 0;
      word |= uint64_t{1} << number % 64;
      if (known) return;
      number /= 64;
    }
  }

  size_t pop() {
    size_t least = 0;
    for (size_t k = layers_.size(); k-- > 0;)
      least = 64 * least + static_cast<size_t>(std::countr_zero(layers_[k][least]));
    size_t number = least;
    for (std::vector<uint64_t>& layer : layers_) {
      uint64_t& word = layer[number / 64];
      word &= word - 1;
      if (word != 0) break;
      number /= 64;
    }
    return least;
  }

 private:
  std::vector<std::vector<uint64_t>> layers_;
};

}  // namespace tepui

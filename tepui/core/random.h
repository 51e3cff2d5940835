#pragma once

#include <cstdint>
#include <string_view>

namespace tepui {

/// A bijective 64-bit mixer (Stafford's variant 13 of the MurmurHash3 finaliser, as in SplitMix64: Steele et al. 2014).
constexpr uint64_t mix_bits(uint64_t v) {
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
  v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
  return v ^ (v >> 31);
}

/// A counter-based random stream: draw number `index`, channel `channel`, always gives the same value, in any order, on
/// any thread.
class Stream {
 public:
  explicit constexpr Stream(uint64_t key) : key_(key) {}

  constexpr uint64_t bits(uint64_t index, uint64_t channel = 0) const {
    return mix_bits(mix_bits(key_ + 0x9e3779b97f4a7c15u * (index + 1)) + 0xd1342543de82ef95u * (channel + 1));
  }
  /// Uniform in [0, 1), with 53 bits.
  constexpr double uniform(uint64_t index, uint64_t channel = 0) const {
    return static_cast<double>(bits(index, channel) >> 11) * 0x1p-53;
  }
  constexpr double uniform(uint64_t index, uint64_t channel, double low, double high) const {
    return low + (high - low) * uniform(index, channel);
  }
  constexpr uint64_t key() const { return key_; }

 private:
  uint64_t key_;
};

/// The `seed` parameter of an operator that draws random numbers. The recipe's own seed is filled in by the evaluator.
struct Seed {
  int64_t node = 0;
  uint64_t recipe = 0;

  /// The stream of hash(recipe seed, operator name, node seed).
  Stream stream(std::string_view operator_name) const;
  friend bool operator==(const Seed&, const Seed&) = default;
};

}  // namespace tepui

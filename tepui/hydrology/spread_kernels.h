#pragma once  // internal

#include <array>
#include <cstdint>

#include "tepui/hydrology/d8.h"

namespace tepui {

/// Parts of an amount for the eight neighbours.
struct Shares {
  std::array<uint32_t, 8> share;  ///< Of 2^24, for those that receive.
  size_t steepest = 0;            ///< It gets what the others leave.
};
inline constexpr int share_bits = 24;

/// Freeman's rule (1991): a cell gives to all lower neighbours by slope^exponent. All eight are worked out at once.
class FreemanShares {
 public:
  FreemanShares(const D8& d8, double exponent);

  /// Of a cell at height z with these neighbours, some of them lower; those at z or above receive nothing. Where
  /// several are the steepest, because they lie in one lake, it is the one with the lowest ground.
  Shares operator()(float z, const std::array<float, 8>& neighbours, const float* ground) const {
    Shares shares;
    kernel_(*this, z, neighbours.data(), ground, shares);
    return shares;
  }

  std::array<float, 8> per_metre;
  std::array<int64_t, 8> step;
  float exponent;

 private:
  void (*kernel_)(const FreemanShares&, float, const float*, const float*, Shares&);
};

/// A bit for each lower neighbour, by its code, of `count` cells of a row that have all eight; 0 where the filled
/// height is not the ground's. `step` are the steps to the neighbours.
void lower_neighbours(const float* filled, const float* ground, const std::array<int64_t, 8>& step, int64_t count,
                      uint8_t* lower);

/// How many of its eight neighbours give to each of `count` cells of a row; `gives` has a bit for each receiver.
void givers(const uint8_t* gives, const std::array<int64_t, 8>& step, int64_t count, uint8_t* number);

}  // namespace tepui

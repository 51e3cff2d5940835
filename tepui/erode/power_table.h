#pragma once  // internal

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tepui {

/// x^m for positive normal x, from a table over the mantissa: within 1e-7 of the value, several times as fast as pow,
/// and the same bits everywhere.
class PowerTable {
 public:
  explicit PowerTable(double m);

  double operator()(double x) const {
    const auto bits = std::bit_cast<uint64_t>(x);
    const double whole = of_exponent_[static_cast<size_t>(bits >> 52)];
    const auto place = static_cast<size_t>((bits >> (52 - mantissa_bits)) & (entries - 1));
    const double rest = static_cast<double>(bits & rest_mask) * rest_scale;
    return whole * (of_mantissa_[place] + rest * (of_mantissa_[place + 1] - of_mantissa_[place]));
  }

 private:
  static constexpr int mantissa_bits = 11;
  static constexpr uint64_t entries = uint64_t{1} << mantissa_bits;
  static constexpr uint64_t rest_mask = (uint64_t{1} << (52 - mantissa_bits)) - 1;
  static constexpr double rest_scale = 1.0 / static_cast<double>(uint64_t{1} << (52 - mantissa_bits));

  std::vector<double> of_exponent_, of_mantissa_;
};

}  // namespace tepui

#include "tepui/erode/power_table.h"

#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

PowerTable::PowerTable(double m) : of_exponent_(2048), of_mantissa_(entries + 1) {
  for (size_t e = 1; e < 2047; ++e) of_exponent_[e] = math::pow(std::ldexp(1.0, static_cast<int>(e) - 1023), m);
  for (size_t i = 0; i <= entries; ++i)
    of_mantissa_[i] = math::pow(1 + static_cast<double>(i) / static_cast<double>(entries), m);
}

}  // namespace tepui

#pragma once  // internal

#include <algorithm>
#include <cstdint>

#include "tepui/core/params.h"

namespace tepui {

/// Heights as whole multiples of a power of two above a base, so chosen that no height, and no difference of two, needs
/// more than 24 bits: floats hold them exactly, as quanta and as metres, and sums and differences do not round.
struct HeightQuanta {
  double quantum = 1;  ///< metres, a power of two
  double base = 0;     ///< metres, a whole number of quanta
  double most = 0;     ///< quanta of the highest

  /// Of heights within this range; the same again of what its heights become. Refuses a range that a layer of
  /// differences could not hold.
  static HeightQuanta of(Interval heights);

  /// The nearest that there is.
  float quanta(double height) const {
    // Nothing is below 0, where a cast would round up. Times an inverse, which is exact, because that is quicker.
    return static_cast<float>(static_cast<int32_t>(std::clamp((height - base) * (1 / quantum) + 0.5, 0.0, most)));
  }
  float height(float quanta) const { return static_cast<float>(base + static_cast<double>(quanta) * quantum); }
  float depth(float quanta) const { return static_cast<float>(static_cast<double>(quanta) * quantum); }
};

}  // namespace tepui

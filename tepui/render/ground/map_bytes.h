#pragma once  // internal

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tepui/render/ground/ground.h"

// Looks of the ground in the bytes of maps and of vertices.

namespace tepui {

/// To the nearest byte; 0 for what is not a number.
uint8_t byte_of(double v);

/// Bytes of sRGB from linear light, rounded to the nearest encoded value; the same on every machine.
class SrgbBytes {
 public:
  SrgbBytes();
  uint8_t operator()(float linear) const {
    const float v = clamp01(linear);
    uint8_t byte = starts_[static_cast<size_t>(v * scale)];
    while (byte < 255 && v >= limits_[byte]) ++byte;
    return byte;
  }

 private:
  static constexpr float scale = 4096;
  std::array<float, 255> limits_{};  ///< above the i-th it is i + 1
  std::array<uint8_t, 4097> starts_{};
};

/// A picture of weights: its name and what its channels hold.
struct WeightMapName {
  std::string name;
  std::vector<std::string> channels;
};
/// Those of all kinds of ground, so many to a picture: 1 ("weight_rock") or 4 ("weights_0"), the last filled up with
/// "none".
std::vector<WeightMapName> weight_map_names(size_t channels);

/// Shares as bytes that sum up to 255: what rounding down leaves goes to the largest remainders.
std::array<uint8_t, ground_kinds> weight_bytes(const std::array<double, ground_kinds>& shares);

}  // namespace tepui

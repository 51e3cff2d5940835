#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/hash.h"

namespace tepui {

/// An 8-bit picture, sRGB, row 0 at the top, pixels packed.
struct Image {
  static constexpr std::string_view kind_name = "image";

  int width = 0, height = 0;
  int channels = 3;  ///< 1 grey, 3 RGB, 4 RGBA
  std::vector<uint8_t> pixels;
  /// The light it was made of, where that is asked for: linear red, green, blue and opacity of every pixel, before
  /// exposure and tone mapping.
  std::vector<float> light{};
  std::map<std::string, std::string> text{};  ///< what it says of itself: recipe, seed, version

  Image() = default;
  Image(int w, int h, int c)
      : width(w),
        height(h),
        channels(c),
        pixels(static_cast<size_t>(w) * static_cast<size_t>(h) * static_cast<size_t>(c)) {}
  uint8_t* at(int x, int y) {
    return pixels.data() + (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) *
                               static_cast<size_t>(channels);
  }
  const uint8_t* at(int x, int y) const { return const_cast<Image*>(this)->at(x, y); }

  size_t bytes() const { return pixels.size() + light.size() * sizeof(float); }
  /// Of its size, its pixels, its light and its text.
  Hash hash() const;
};

}  // namespace tepui

#pragma once

#include <cstdint>
#include <vector>

namespace tepui {

/// An 8-bit picture, sRGB, row 0 at the top, pixels packed.
struct Image {
  int width = 0, height = 0;
  int channels = 3;  ///< 1 grey, 3 RGB, 4 RGBA
  std::vector<uint8_t> pixels;

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
};

}  // namespace tepui

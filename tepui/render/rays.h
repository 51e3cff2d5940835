#pragma once

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/io/image.h"
#include "tepui/render/colour.h"

namespace tepui {

/// Which ray of the picture it is: what its random numbers are drawn by.
struct RaySample {
  uint64_t pixel = 0;
  uint64_t number = 0;  ///< of the pixel's rays, from 0
};

/// The colour of a pixel from look(x, y, sample), with x and y in [-1, 1] and up positive. Four samples on a turned
/// square; where they differ, an edge runs through the pixel and twelve more are taken, so that all sixteen stand on
/// different rows and columns.
template <class Look>
Rgb look_at_pixel(const Look& look, int x, double y, int width, int height, uint64_t index) {
  uint64_t number = 0;
  const auto sample = [&](int i) {
    // Bit reversal of i gives the column: the Hammersley points of sixteen.
    const int column = ((i & 1) << 3) | ((i & 2) << 1) | ((i & 4) >> 1) | ((i & 8) >> 3);
    return look(2 * (x + (column + 0.5) / 16) / width - 1, 1 - 2 * (y + (i + 0.5) / 16) / height,
                RaySample{index, number++});
  };
  constexpr int first[4] = {1, 6, 11, 12};
  Rgb sum;
  float dimmest = 2, brightest = 0;
  for (const int i : first) {
    const Rgb colour = sample(i);
    const float seen = std::sqrt(luminance(colour));
    dimmest = std::min(dimmest, seen);
    brightest = std::max(brightest, seen);
    sum = sum + colour;
  }
  if (brightest - dimmest < 0.12f) return sum * 0.25f;
  for (int i = 0; i < 16; ++i)
    if (i != 1 && i != 6 && i != 11 && i != 12) sum = sum + sample(i);
  return sum * (1.0f / 16);
}

/// A picture of what look(x, y, sample) gives, ready for the screen; the same for any number of threads.
template <class Look>
Image draw_rays(int width, int height, const Context& context, const Look& look) {
  Image image(width, height, 3);
  const Stream dither(0x6469'7468u);
  parallel_chunks(height, 4, context, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int x = 0; x < width; ++x) {
        const uint64_t index = static_cast<uint64_t>(row * width + x);
        const Rgb colour = look_at_pixel(look, x, static_cast<double>(row), width, height, index);
        store_srgb(colour, static_cast<float>(dither.uniform(index)), image.at(x, static_cast<int>(row)));
      }
  });
  return image;
}

}  // namespace tepui

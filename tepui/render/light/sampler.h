#pragma once  // internal

#include <cstdint>

#include "tepui/core/random.h"
#include "tepui/core/vec.h"

namespace tepui {

/// The random numbers of one path: for each use a pair from a Sobol' sequence over the pixel's samples, scrambled after
/// Owen by hashing (Burley 2020, with the hash of Laine and Karras 2011), so that few samples cover the square evenly.
/// The same numbers for the same pixel and sample, in any order, on any thread.
class PathSampler {
 public:
  PathSampler(uint64_t pixel, uint64_t sample)
      : pixel_(static_cast<uint32_t>(mix_bits(pixel + 0x7465'7075'69u))), sample_(static_cast<uint32_t>(sample)) {}

  /// Pair number `use`, in [0, 1).
  Vec2 pair(uint32_t use) const {
    const uint32_t seed = static_cast<uint32_t>(mix_bits((static_cast<uint64_t>(use) << 32) | pixel_));
    const uint32_t index = scrambled(sample_, seed);
    return {unit(scrambled(reversed(index), seed ^ 0x9e37'79b9u)), unit(scrambled(second(index), seed ^ 0x85eb'ca6bu))};
  }

 private:
  static double unit(uint32_t bits) { return static_cast<double>(bits) * 0x1p-32; }

  static uint32_t reversed(uint32_t v) {
    v = (v << 16) | (v >> 16);
    v = ((v & 0x00ff'00ffu) << 8) | ((v & 0xff00'ff00u) >> 8);
    v = ((v & 0x0f0f'0f0fu) << 4) | ((v & 0xf0f0'f0f0u) >> 4);
    v = ((v & 0x3333'3333u) << 2) | ((v & 0xcccc'ccccu) >> 2);
    return ((v & 0x5555'5555u) << 1) | ((v & 0xaaaa'aaaau) >> 1);
  }
  /// The second dimension of Sobol's sequence: Pascal's triangle modulo 2.
  static uint32_t second(uint32_t index) {
    uint32_t result = 0;
    for (uint32_t direction = 1u << 31; index != 0; index >>= 1, direction ^= direction >> 1)
      if ((index & 1u) != 0) result ^= direction;
    return result;
  }
  /// Each bit is flipped or not by a hash of the bits above it.
  static uint32_t scrambled(uint32_t v, uint32_t seed) {
    v = reversed(v);
    v += seed;
    v ^= v * 0x6c50'b47cu;
    v ^= v * 0xb82f'1e52u;
    v ^= v * 0xc7af'e638u;
    v ^= v * 0x8d22'f6e6u;
    return reversed(v);
  }

  uint32_t pixel_, sample_;
};

}  // namespace tepui

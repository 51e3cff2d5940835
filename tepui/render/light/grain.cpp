#include "tepui/render/light/grain.h"

#include <array>
#include <cstdint>

#include "tepui/core/random.h"

namespace tepui {

namespace {

constexpr int64_t side = 256;

struct Tile {
  std::array<float, side * side> values;
  Tile() {
    const Stream stream(0x6772'6169'6eu);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(2 * stream.uniform(i) - 1);
  }
};

const float* tile() {
  static const Tile shared;
  return shared.values.data();
}

/// Without a call to floor(), which is slow where SSE4 may not be assumed.
int64_t whole_below(double v) {
  const int64_t cut = static_cast<int64_t>(v);
  return cut - (v < static_cast<double>(cut) ? 1 : 0);
}

inline float read(const float* values, double x, double y) {
  const int64_t fx = whole_below(x), fy = whole_below(y);
  const int64_t x0 = fx & (side - 1), x1 = (fx + 1) & (side - 1);
  const float *south = values + (fy & (side - 1)) * side, *north = values + ((fy + 1) & (side - 1)) * side;
  float u = static_cast<float>(x - static_cast<double>(fx)), v = static_cast<float>(y - static_cast<double>(fy));
  u = u * u * (3 - 2 * u);
  v = v * v * (3 - 2 * v);
  const float a = south[x0] + u * (south[x1] - south[x0]), b = north[x0] + u * (north[x1] - north[x0]);
  return a + v * (b - a);
}

}  // namespace

float grain(double x, double y) { return read(tile(), x, y); }

float grain_sum(double x, double y, int octaves) {
  const float* values = tile();
  float sum = 0, weight = 0.62f;
  for (int i = 0; i < octaves; ++i) {
    sum += weight * read(values, x, y);
    weight *= 0.5f;
    // Twice the frequency, turned by the angle whose tangent is 3/4.
    const double turned = 1.6 * x - 1.2 * y + 17.3;
    y = 1.2 * x + 1.6 * y + 5.1;
    x = turned;
  }
  return sum;
}

}  // namespace tepui

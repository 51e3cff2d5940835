#include "tepui/render/ground/crowns.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tepui/core/random.h"
#include "tepui/render/light/colour.h"

namespace tepui {

Crown crown_at(Vec2 at, float share, float footprint, uint64_t species) {
  Crown crown;
  const float seen = footprint > 0 ? smooth_step(1.0f, 2.5f, 1 / footprint) : 1;
  crown.cover = share;
  crown.light = crown_light;
  if (!(seen > 0) || !(share > 0)) return crown;
  const Stream stream(0x6372'6f77'6e73u + species);
  const auto x0 = static_cast<int64_t>(std::floor(at.x)), y0 = static_cast<int64_t>(std::floor(at.y));
  const float radius = 0.42f + 0.43f * share;
  float top = 0, own = 0, tilt_x = 0, tilt_y = 0;
  for (int64_t y = y0 - 1; y <= y0 + 1; ++y)
    for (int64_t x = x0 - 1; x <= x0 + 1; ++x) {
      const uint64_t bits = stream.bits(static_cast<uint64_t>(y), static_cast<uint64_t>(x));
      const auto draw = [bits](int shift) { return static_cast<float>((bits >> shift) & 0xffffu) * 0x1p-16f; };
      if (draw(0) >= share) continue;
      const float dx = static_cast<float>(at.x - static_cast<double>(x)) - 0.15f - 0.7f * draw(16),
                  dy = static_cast<float>(at.y - static_cast<double>(y)) - 0.15f - 0.7f * draw(32);
      const float size = radius * (0.75f + 0.4f * draw(48)), off = (dx * dx + dy * dy) / (size * size);
      if (off >= 1) continue;
      const float height = (1 - off) * (0.6f + 0.4f * draw(8));
      if (height <= top) continue;
      top = height;
      own = 2 * draw(24) - 1;
      const float fall = -2 / size;
      tilt_x = fall * dx / size * 0.5f, tilt_y = fall * dy / size * 0.5f;
    }
  // The edge is a crown's own, not a line.
  const float in = smooth_step(0.0f, 0.12f, top);
  crown.cover = share + seen * (in - share);
  crown.light = crown_light + seen * (0.4f + 0.7f * std::sqrt(top) - crown_light);
  crown.own = seen * own;
  crown.tilt[0] = seen * in * tilt_x;
  crown.tilt[1] = seen * in * tilt_y;
  return crown;
}

}  // namespace tepui

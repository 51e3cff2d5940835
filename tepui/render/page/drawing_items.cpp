#include "tepui/render/page/drawing_items.h"

namespace tepui {

uint32_t gradient_colour(const std::vector<GradientStop>& stops, double y) {
  size_t below = 0;
  while (below < stops.size() && stops[below].y <= y) ++below;
  if (below == 0) return stops.front().rgb;
  if (below == stops.size()) return stops.back().rgb;
  const GradientStop &a = stops[below - 1], &b = stops[below];
  const double t = (y - a.y) / (b.y - a.y);
  uint32_t rgb = 0;
  for (const unsigned shift : {16u, 8u, 0u}) {
    const double from = a.rgb >> shift & 255u, to = b.rgb >> shift & 255u;
    rgb |= static_cast<uint32_t>(from + (to - from) * t + 0.5) << shift;
  }
  return rgb;
}

}  // namespace tepui

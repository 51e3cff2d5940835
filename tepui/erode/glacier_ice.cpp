#include "tepui/erode/glacier_ice.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/between_samples.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr double field_depth = 28;          // metres of ice on ground that slopes
constexpr double holds = 0.8, sheds = 1.3;  // slopes on which it lies, and does not
constexpr double full_field = 150;          // metres above the snow line

constexpr double half_covered = 0.5;  // share of ice around from which it is as thick as its surface is high

/// Weights 1 2 1 along both axes, on every sample.
Grid<float> blurred(const Grid<float>& map, const Context& context) {
  const int64_t w = map.width(), h = map.height();
  Grid<float> out(w, h);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < w; ++x) {
        const int64_t a = std::max<int64_t>(x - 1, 0), b = std::min(x + 1, w - 1);
        const auto row = [&](int64_t r) {
          const float* z = map.row(std::clamp<int64_t>(r, 0, h - 1));
          return z[a] + 2 * z[x] + z[b];
        };
        out(x, y) = (row(y - 1) + 2 * row(y) + row(y + 1)) / 16;
      }
  });
  return out;
}

/// The share of the field that lies on the slope of a smooth ground, and at its height.
Grid<float> field_on(const Grid<float>& smooth, const Lattice& lattice, const IceClimate& climate) {
  const int64_t w = smooth.width(), h = smooth.height();
  Grid<float> share(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const int64_t x0 = std::max<int64_t>(x - 1, 0), x1 = std::min(x + 1, w - 1);
      const int64_t y0 = std::max<int64_t>(y - 1, 0), y1 = std::min(y + 1, h - 1);
      const auto slope = [](float a, float b, double length) {
        return length > 0 ? (static_cast<double>(b) - static_cast<double>(a)) / length : 0;
      };
      const double east = slope(smooth(x0, y), smooth(x1, y), static_cast<double>(x1 - x0) * lattice.cell.x);
      const double north = slope(smooth(x, y0), smooth(x, y1), static_cast<double>(y1 - y0) * lattice.cell.y);
      const double above = static_cast<double>(smooth(x, y)) - static_cast<double>(climate.snow_line(x, y));
      const double held = 1 - math::smoothstep(holds, sheds, std::sqrt(east * east + north * north));
      share(x, y) = static_cast<float>(held * math::smoothstep(0, full_field, above));
    }
  return share;
}

}  // namespace

TroughIce all_ice(const Grid<float>& ground, const Lattice& own, const TroughIce& glaciers, const Lattice& lattice,
                  const IceClimate& climate, const Context& context) {
  const Grid<float> smooth = blurred(blurred(point_samples(ground, lattice, context), context), context);
  Grid<float> cover = field_on(smooth, lattice, climate);
  Grid<float> surface(lattice.width, lattice.height);
  for (int64_t i = 0; i < surface.size(); ++i) {
    const float field = smooth.data()[i] + static_cast<float>(field_depth) * (2 * cover.data()[i] - 1);
    surface.data()[i] = std::max(glaciers.top.data()[i], field);
    if (glaciers.top.data()[i] > no_trough) cover.data()[i] = 1;
  }
  surface = blurred(surface, context);
  TroughIce out{Grid<float>(own.width, own.height), Grid<float>(own.width, own.height)};
  parallel_chunks(own.height, rows_per_chunk(own.width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < own.width; ++x) {
        const BetweenSamples at(lattice.width, lattice.height, static_cast<double>(x) / lattice.step,
                                static_cast<double>(y) / lattice.step);
        const double share = math::smoothstep(0, half_covered, static_cast<double>(at(cover)));
        const double z = ground(x, y), deep = std::max(0.0, static_cast<double>(at(surface)) - z);
        out.top(x, y) = to_cell(z + share * deep);
        out.flux(x, y) = at(glaciers.flux);
      }
  });
  return out;
}

}  // namespace tepui

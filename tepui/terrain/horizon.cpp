#include "tepui/terrain/horizon.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Parallel lines across the grid. Steps run along the axis the direction follows most; line k crosses step i at
/// k + i * slope on the other axis.
struct SweepLines {
  bool along_x = true;
  bool ahead_is_up = true;  ///< the light lies towards larger steps
  int64_t steps = 0, across = 0;
  double slope = 0;
  float spacing = 1;  ///< metres between steps
  int64_t first = 0, count = 0;
};

SweepLines lay_lines(int64_t width, int64_t height, Vec2 cell, double azimuth) {
  const double sx = math::sin(azimuth) / cell.x, sy = math::cos(azimuth) / cell.y;
  SweepLines lines;
  lines.along_x = std::abs(sx) >= std::abs(sy);
  const double major = lines.along_x ? sx : sy, minor = lines.along_x ? sy : sx;
  lines.ahead_is_up = major > 0;
  lines.steps = lines.along_x ? width : height;
  lines.across = lines.along_x ? height : width;
  lines.slope = minor / major;
  // The main directions hit samples exactly; rounding of the sine must not blur them.
  if (std::abs(lines.slope - std::round(lines.slope)) < 1e-9) lines.slope = std::round(lines.slope);
  lines.spacing = static_cast<float>(1 / std::abs(major));
  const double drift = static_cast<double>(lines.steps - 1) * lines.slope;
  lines.first = static_cast<int64_t>(std::floor(std::min(0.0, -drift)));
  const double last = static_cast<double>(lines.across - 1) + std::max(0.0, -drift);
  lines.count = static_cast<int64_t>(std::ceil(last)) - lines.first + 2;
  return lines;
}

struct Crest {
  float place, z;
};

/// One line's upper hull while it is swept away from the light.
class Hull {
 public:
  explicit Hull(int64_t steps) : crests_(static_cast<size_t>(steps)) {}

  /// The tangent to the highest crest ahead of a new point, which then joins the hull.
  float look_back(float place, float z) {
    while (count_ >= 2) {
      const Crest a = crests_[count_ - 1], b = crests_[count_ - 2];
      if ((a.z - z) * (place - b.place) > (b.z - z) * (place - a.place)) break;
      --count_;
    }
    const float tangent = count_ == 0 ? 0 : (crests_[count_ - 1].z - z) / (place - crests_[count_ - 1].place);
    crests_[count_++] = {place, z};
    return std::max(tangent, 0.0f);
  }
  void clear() { count_ = 0; }

 private:
  std::vector<Crest> crests_;
  size_t count_ = 0;
};

/// Sweeps lines [begin, end) side by side, which keeps both axes' reads within cache lines. `swept` is laid out as the
/// grid is, sheared: [line][step] along x, [step][line] along y.
void sweep(const Grid<float>& height, const SweepLines& lines, int64_t begin, int64_t end, Grid<float>& swept) {
  std::vector<Hull> hulls(static_cast<size_t>(end - begin), Hull(lines.steps));
  const float* z = height.data();
  const int64_t step_stride = lines.along_x ? 1 : height.width(), across_stride = lines.along_x ? height.width() : 1;
  for (int64_t n = 0; n < lines.steps; ++n) {
    const int64_t step = lines.ahead_is_up ? lines.steps - 1 - n : n;
    const float place = static_cast<float>(n) * lines.spacing;
    for (int64_t line = begin; line < end; ++line) {
      const double at = static_cast<double>(lines.first + line) + static_cast<double>(step) * lines.slope;
      if (at <= -1 || at >= static_cast<double>(lines.across)) continue;
      const double inside = std::clamp(at, 0.0, static_cast<double>(lines.across - 1));
      const int64_t low = static_cast<int64_t>(inside);
      const float part = static_cast<float>(inside - static_cast<double>(low));
      const float* sample = z + step * step_stride + low * across_stride;
      const float here = part > 0 ? sample[0] + part * (sample[across_stride] - sample[0]) : sample[0];
      const float tangent = hulls[static_cast<size_t>(line - begin)].look_back(place, here);
      (lines.along_x ? swept(step, line) : swept(line, step)) = tangent;
    }
  }
}

/// atan of v >= 0 within 2e-5 (Abramowitz and Stegun 4.4.47): the sky needs millions of them.
float quick_atan(float v) {
  const bool beyond = v > 1;
  const float x = beyond ? 1 / v : v, s = x * x;
  const float angle = x * (0.9998660f + s * (-0.3302995f + s * (0.1801410f + s * (-0.0851330f + s * 0.0208351f))));
  return beyond ? std::numbers::pi_v<float> / 2 - angle : angle;
}

}  // namespace

Grid<float> horizon_map(const Grid<float>& height, Vec2 cell, double azimuth, const Context& context) {
  const SweepLines lines = lay_lines(height.width(), height.height(), cell, azimuth);
  Grid<float> swept = lines.along_x ? Grid<float>(lines.steps, lines.count) : Grid<float>(lines.count, lines.steps);
  parallel_chunks(lines.count, 16, context.stage("horizon", 0, 0.8),
                  [&](int64_t begin, int64_t end) { sweep(height, lines, begin, end, swept); });
  Grid<float> result(height.width(), height.height());
  parallel_chunks(height.height(), 16, context.stage("horizon", 0.8, 1), [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < height.width(); ++x) {
        const int64_t step = lines.along_x ? x : y, across = lines.along_x ? y : x;
        const double at = static_cast<double>(across - lines.first) - static_cast<double>(step) * lines.slope;
        const int64_t low = static_cast<int64_t>(at);
        const float part = static_cast<float>(at - static_cast<double>(low));
        const float a = lines.along_x ? swept(step, low) : swept(low, step);
        float& out = result(x, y);
        out = a;
        if (part > 0) out = a + part * ((lines.along_x ? swept(step, low + 1) : swept(low + 1, step)) - a);
      }
  });
  return result;
}

Grid<float> sky_light(const Grid<float>& height, Vec2 cell, const Grid<float>& dx, const Grid<float>& dy,
                      const Context& context) {
  constexpr int azimuths = 16;
  Grid<float> result(height.width(), height.height(), 0.0f);
  for (int k = 0; k < azimuths; ++k) {
    const Context part = context.stage("sky", static_cast<double>(k) / azimuths, static_cast<double>(k + 1) / azimuths);
    const double azimuth = (k + 0.5) * 2 * std::numbers::pi / azimuths;
    const Grid<float> horizon = horizon_map(height, cell, azimuth, part);
    const float east = static_cast<float>(math::sin(azimuth)), north = static_cast<float>(math::cos(azimuth));
    parallel_chunks(height.height(), 16, part, [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y) {
        const float *gx = dx.row(y), *gy = dy.row(y), *tangent = horizon.row(y);
        float* sum = result.row(y);
        for (int64_t x = 0; x < height.width(); ++x) {
          // The normal is (-rise, 1) in the plane of this azimuth; light arrives above both the horizon and the
          // surface's own plane.
          const float rise = gx[x] * east + gy[x] * north;
          const float t = std::max(tangent[x], rise);
          const float cosine2 = 1 / (1 + t * t), angle = quick_atan(std::max(t, 0.0f));
          const float length = std::sqrt(1 + gx[x] * gx[x] + gy[x] * gy[x]);
          const float level = 0.5f * (std::numbers::pi_v<float> / 2 - angle) - 0.5f * t * cosine2;
          sum[x] += (2.0f / azimuths) * (0.5f * cosine2 - rise * level) / length;
        }
      }
    });
  }
  return result;
}

}  // namespace tepui

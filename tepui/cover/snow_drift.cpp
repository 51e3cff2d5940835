#include "tepui/cover/snow_drift.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/relative_height.h"

namespace tepui {

namespace {

/// The same samples with x and y exchanged.
template <class T>
Grid<T> turned(const Grid<T>& in, const Context& context) {
  constexpr int64_t block = 32;
  Grid<T> out(in.height(), in.width());
  parallel_chunks((in.height() + block - 1) / block, 1, context, [&](int64_t begin, int64_t end) {
    for (int64_t y0 = begin * block; y0 < std::min(end * block, in.height()); y0 += block)
      for (int64_t x0 = 0; x0 < in.width(); x0 += block)
        for (int64_t x = x0; x < std::min(x0 + block, in.width()); ++x)
          for (int64_t y = y0; y < std::min(y0 + block, in.height()); ++y) out(y, x) = in(x, y);
  });
  return out;
}

struct Offset {
  int64_t x, y;
  float per_metre;
};

/// Samples upwind, ever farther apart.
std::vector<Offset> upwind(Vec2 cell, double azimuth) {
  std::vector<Offset> list;
  const double east = math::sin(azimuth), north = math::cos(azimuth);
  for (double way = std::max(10.0, std::min(cell.x, cell.y)); way <= std::max(300.0, 2 * std::max(cell.x, cell.y));
       way *= 1.3) {
    const auto x = static_cast<int64_t>(std::floor(way * east / cell.x + 0.5));
    const auto y = static_cast<int64_t>(std::floor(way * north / cell.y + 0.5));
    if ((x == 0 && y == 0) || (!list.empty() && list.back().x == x && list.back().y == y)) continue;
    const double dx = static_cast<double>(x) * cell.x, dy = static_cast<double>(y) * cell.y;
    list.push_back({x, y, static_cast<float>(1 / std::sqrt(dx * dx + dy * dy))});
  }
  return list;
}

/// Adds the fall of the steepest line upwind to a row.
void add_fall(const Grid<float>& z, const std::vector<Offset>& offsets, int64_t y, std::vector<float>& steepest,
              float weight, float* sum) {
  constexpr float none = -1e30f;
  const int64_t w = z.width();
  std::fill(steepest.begin(), steepest.end(), none);
  const float* here = z.row(y);
  for (const Offset& o : offsets) {
    if (y + o.y < 0 || y + o.y >= z.height()) continue;
    const float* there = z.row(y + o.y) + o.x;
    const int64_t end = std::min(w, w - o.x);
    for (int64_t x = std::max<int64_t>(0, -o.x); x < end; ++x) {
      const float rise = (there[x] - here[x]) * o.per_metre;
      float& most = steepest[static_cast<size_t>(x)];
      most = most > rise ? most : rise;
    }
  }
  for (int64_t x = 0; x < w; ++x)
    if (const float most = steepest[static_cast<size_t>(x)]; most > none) sum[x] -= weight * most;
}

}  // namespace

Grid<float> wind_exposure(const Terrain& ground, double wind_from, const Context& context) {
  const Grid<float>& z = ground.height();
  const Terrain above = relative_height(ground, {RelativeHeightMeasure::mean, metres(70)}, context);
  const Grid<float>& relative = above.layer("relative_height").grid();
  std::vector<std::vector<Offset>> winds;
  for (const double turn : {-20.0, 0.0, 20.0})
    winds.push_back(upwind(ground.frame().cell, wind_from + math::radians(turn)));
  Grid<float> exposure(z.width(), z.height());
  parallel_chunks(z.height(), rows_per_chunk(z.width()), context, [&](int64_t begin, int64_t end) {
    std::vector<float> steepest(static_cast<size_t>(z.width()));
    for (int64_t y = begin; y < end; ++y) {
      float* row = exposure.row(y);
      for (int64_t x = 0; x < z.width(); ++x) row[x] = 0.09f * relative(x, y);
      for (const std::vector<Offset>& offsets : winds) add_fall(z, offsets, y, steepest, 0.4f, row);
    }
  });
  return exposure;
}

SnowDrift::SnowDrift(const Terrain& ground, double wind_from, double drift, const Context& context) {
  const Vec2 cell = ground.frame().cell;
  const double sx = -math::sin(wind_from) / cell.x, sy = -math::cos(wind_from) / cell.y;
  along_x_ = std::abs(sx) > std::abs(sy);
  const double major = along_x_ ? sx : sy, minor = along_x_ ? sy : sx;
  forward_ = major > 0;
  const double across = minor / std::abs(major), low = std::floor(across);
  shift_ = static_cast<int64_t>(low);
  split_ = static_cast<int64_t>((across - low) * 65536 + 0.5);
  const double step = 1 / std::abs(major);
  const Grid<float> exposure = wind_exposure(ground, wind_from, context);
  loss_ = Grid<uint16_t>(exposure.width(), exposure.height());
  caught_ = Grid<uint16_t>(exposure.width(), exposure.height());
  parallel_chunks(exposure.size(), 65536, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double e = static_cast<double>(exposure.data()[i]);
      const double open = std::clamp((e + 0.1) / 0.2, 0.0, 1.0), reach = 25 * math::exp(open * math::log(160));
      loss_.data()[i] = static_cast<uint16_t>(std::clamp(2.2 * drift * e, 0.0, 0.85) * 65536);
      caught_.data()[i] = static_cast<uint16_t>(std::min(65536 * (1 - math::exp(-step / reach)), 65535.0));
    }
  });
  if (along_x_) loss_ = turned(loss_, context), caught_ = turned(caught_, context);
}

int64_t SnowDrift::blow(double wind, const Context& context, Grid<int64_t>& snow) const {
  if (along_x_) snow = turned(snow, context);
  const int64_t w = snow.width(), h = snow.height(), strength = static_cast<int64_t>(wind * 65536);
  // Flux that arrives, with room for what leaves at both sides; the wind moves it by -1, 0 or 1 samples.
  std::vector<int64_t> arriving(static_cast<size_t>(w + 4), 0), leaving(arriving.size(), 0);
  int64_t blown = 0;
  for (int64_t n = 0; n < h; ++n) {
    const int64_t y = forward_ ? n : h - 1 - n;
    int64_t* lies = snow.row(y);
    const uint16_t *loss = loss_.row(y), *caught = caught_.row(y);
    std::fill(leaving.begin(), leaving.end(), 0);
    int64_t *in = arriving.data() + 2, *out = leaving.data() + 2 + shift_;
    for (int64_t x = 0; x < w; ++x) {
      const int64_t taken = lies[x] * (loss[x] * strength >> 16) >> 16, kept = in[x] * caught[x] >> 16;
      lies[x] += kept - taken;
      const int64_t on = in[x] - kept + taken, farther = on * split_ >> 16;
      out[x] += on - farther;
      out[x + 1] += farther;
    }
    int64_t *ends = leaving.data() + 2, *last = ends + w;
    for (int64_t k = -2; k < 0; ++k) blown += ends[k], ends[k] = 0;
    for (int64_t k = 0; k < 2; ++k) blown += last[k], last[k] = 0;
    std::swap(arriving, leaving);
    if (n % 64 == 0) context.check();
  }
  for (const int64_t flux : arriving) blown += flux;
  if (along_x_) snow = turned(snow, context);
  return blown;
}

}  // namespace tepui

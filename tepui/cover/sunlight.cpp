#include "tepui/cover/sunlight.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/sunlight_kernel.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/horizon.h"

namespace tepui {

namespace {

/// Kasten and Young 1989, Eq. 3.
double air_mass(double elevation) {
  return 1 / (math::sin(elevation) + 0.50572 * math::pow(math::degrees(elevation) + 6.07995, -1.6364));
}

std::vector<LitDay> lit_days(const std::vector<SunDay>& days) {
  std::vector<LitDay> lit;
  for (const SunDay& day : days) {
    LitDay& made = lit.emplace_back();
    made.share = static_cast<float>(day.share);
    made.per_step = 1.0f / day_steps;
    made.diffuse = static_cast<float>(day.diffuse);
    for (const SunPosition& sun : day.positions) {
      const double level = std::sqrt(1 - static_cast<double>(sun.up) * static_cast<double>(sun.up));
      const double tangent = std::min(static_cast<double>(sun.up) / std::max(level, 1e-6), 1e4);
      const double at = sun.azimuth / (2 * math::pi) * horizon_sectors;
      const int sector = std::min(static_cast<int>(at), horizon_sectors - 1);
      made.positions.push_back({sun.east, sun.north, sun.up, sun.beam, static_cast<float>(tangent),
                                static_cast<float>(1 / (0.04 * (1 + tangent * tangent))),
                                static_cast<float>(at - sector), sector});
    }
  }
  return lit;
}

}  // namespace

std::vector<SunDay> sun_days(double latitude) {
  std::vector<SunDay> days;
  const double tilt = math::radians(23.44), sin_place = math::sin(latitude), cos_place = math::cos(latitude);
  for (int k = -3; k <= 3; ++k) {
    SunDay day;
    day.share = (k == -3 || k == 3 ? 1.0 : 2.0) / 12;
    const double along = math::radians(30.0 * k) * (latitude < 0 ? -1 : 1);
    const double sin_sun = math::sin(tilt) * math::sin(along), cos_sun = std::sqrt(1 - sin_sun * sin_sun);
    for (int step = 0; step < day_steps; ++step) {
      const double hour = 2 * math::pi * ((step + 0.5) / day_steps - 0.5);
      const double east = -cos_sun * math::sin(hour);
      const double north = cos_place * sin_sun - sin_place * cos_sun * math::cos(hour);
      const double up = sin_place * sin_sun + cos_place * cos_sun * math::cos(hour);
      if (up <= 0) continue;
      double azimuth = math::atan2(east, north);
      if (azimuth < 0) azimuth += 2 * math::pi;
      const double beam = 1361 * math::pow(0.72, math::pow(air_mass(math::asin(std::min(up, 1.0))), 0.678));
      day.positions.push_back({azimuth, static_cast<float>(east), static_cast<float>(north), static_cast<float>(up),
                               static_cast<float>(beam)});
      day.diffuse += 80 * up / day_steps;
    }
    days.push_back(std::move(day));
  }
  return days;
}

Sunlight sunlight(const Grid<float>& height, Vec2 cell, const Grid<float>& dx, const Grid<float>& dy, double latitude,
                  const Context& context) {
  const Grid<float> sky = sky_light(height, cell, dx, dy, context.stage("sky", 0, 0.4));
  std::vector<Grid<float>> horizons;
  for (int k = 0; k < horizon_sectors; ++k)
    horizons.push_back(
        horizon_map(height, cell, 2 * math::pi * k / horizon_sectors,
                    context.stage("horizons", 0.4 + 0.4 * k / horizon_sectors, 0.4 + 0.4 * (k + 1) / horizon_sectors)));
  const std::vector<LitDay> days = lit_days(sun_days(latitude));
  const int64_t w = height.width(), h = height.height();
  Sunlight light{Grid<float>(w, h), Grid<float>(w, h), Grid<float>(w, h)};
  parallel_chunks(h, std::max<int64_t>(rows_per_chunk(w) / 16, 1), context.stage("sun", 0.8, 1),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t y = begin; y < end; ++y) {
                      SunRow row{};
                      for (int k = 0; k <= horizon_sectors; ++k)
                        row.horizon[k] = horizons[static_cast<size_t>(k % horizon_sectors)].row(y);
                      row.dx = dx.row(y), row.dy = dy.row(y), row.sky = sky.row(y);
                      row.year = light.year.row(y), row.longest = light.longest.row(y);
                      row.shortest = light.shortest.row(y);
                      row.width = w;
                      light_row(days, row);
                    }
                  });
  return light;
}

}  // namespace tepui

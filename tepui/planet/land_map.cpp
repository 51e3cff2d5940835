#include "tepui/planet/land_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

namespace {

constexpr double farthest_height = 1e5;

bool counts_in_degrees(const Georeference& geo) {
  return geo.crs.starts_with("GEOGCRS[") || geo.crs.starts_with("GEOGCS[") || geo.crs.starts_with("GEODCRS[") ||
         geo.crs.starts_with("BOUNDCRS[SOURCECRS[GEOGCRS[");
}

/// Of Catmull and Rom's spline, of the four samples around a place that lies `t` from the second to the third.
void spline_weights(double t, double weights[4]) {
  weights[0] = 0.5 * t * (-1 + t * (2 - t));
  weights[1] = 0.5 * (2 + t * t * (-5 + 3 * t));
  weights[2] = 0.5 * t * (1 + t * (4 - 3 * t));
  weights[3] = 0.5 * t * t * (t - 1);
}

double row_mean(const Grid<float>& height, int64_t y, int64_t count) {
  double sum = 0;
  for (int64_t x = 0; x < count; ++x) sum += static_cast<double>(height(x, y));
  return sum / static_cast<double>(count);
}

}  // namespace

LandMap::LandMap(const Terrain& map) : map_(map) {
  const Frame& frame = map.frame();
  around_ = frame.width;
  if (frame.geo && !frame.geo->crs.empty()) {
    const Georeference& geo = *frame.geo;
    if (!counts_in_degrees(geo))
      refuse("the planet's map is in a projection, not in degrees", "'reproject crs=EPSG:4326' it first");
    step_x_ = geo.step.x;
    step_y_ = geo.step.y;
    west_ = geo.origin.x + static_cast<double>(frame.first_x) * step_x_;
    south_ = geo.origin.y + static_cast<double>(frame.first_y) * step_y_;
    around_ = static_cast<int64_t>(std::llround(360 / step_x_));
    if (frame.width < around_)
      refuse(
          fmt::format("the planet's map goes {:.6g} of 360 degrees around", static_cast<double>(frame.width) * step_x_),
          "give a map of the whole planet");
  } else {
    step_x_ = 360 / static_cast<double>(frame.width);
    step_y_ = 180 / static_cast<double>(frame.height);
    west_ = -180 + step_x_ / 2;
    south_ = -90 + step_y_ / 2;
  }
  if (frame.width < 4 || frame.height < 2) refuse("the planet's map has too few samples", "4 x 2 are the fewest");
  const Grid<float>& height = map_.height();
  for (const float z : height.cells())
    if (!(std::abs(static_cast<double>(z)) <= farthest_height))
      refuse(fmt::format("the planet's map has a height of {:.6g} m", static_cast<double>(z)),
             "heights are in metres above the sea, within 100 km");
  south_pole_ = row_mean(height, 0, around_);
  north_pole_ = row_mean(height, frame.height - 1, around_);
}

double LandMap::row(int64_t y, const double* weights, int64_t column) const {
  const Grid<float>& height = map_.height();
  if (y < 0) return south_pole_;
  if (y >= map_.frame().height) return north_pole_;
  double sum = 0;
  for (int64_t k = 0; k < 4; ++k)
    sum += weights[k] * static_cast<double>(height(((column + k - 1) % around_ + around_) % around_, y));
  return sum;
}

double LandMap::height(Vec3 direction) const {
  const double turn = (math::degrees(longitude(direction)) - west_) / step_x_;
  const double x = std::floor(turn), y_at = (math::degrees(latitude(direction)) - south_) / step_y_;
  const double inside = std::clamp(y_at, -1.0, static_cast<double>(map_.frame().height));
  const double y = std::floor(inside);
  double across[4], along[4];
  spline_weights(turn - x, across);
  spline_weights(inside - y, along);
  double sum = 0;
  for (int64_t k = 0; k < 4; ++k)
    sum += along[k] * row(static_cast<int64_t>(y) + k - 1, across, static_cast<int64_t>(x));
  return sum;
}

}  // namespace tepui

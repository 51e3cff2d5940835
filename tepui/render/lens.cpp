#include "tepui/render/lens.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tepui {

namespace {

struct ScreenBox {
  double left = 1e30, right = -1e30, low = 1e30, high = -1e30, near = 1e30;
};

}  // namespace

Lens fit_lens(const std::vector<Vec3>& outline, Vec3 lowest, Vec3 highest, const PictureParams& params, double aspect) {
  const double azimuth = std::fmod(params.view_azimuth.degrees, 360.0) * std::numbers::pi / 180;
  const double elevation = params.view_elevation.degrees * std::numbers::pi / 180;
  const Vec3 back{std::sin(azimuth) * std::cos(elevation), std::cos(azimuth) * std::cos(elevation),
                  std::sin(elevation)};
  Lens lens;
  lens.forward = back * -1;
  lens.right = {-std::cos(azimuth), std::sin(azimuth), 0};
  lens.up = {-std::sin(azimuth) * std::sin(elevation), -std::cos(azimuth) * std::sin(elevation), std::cos(elevation)};
  lens.half_y = std::tan(17 * std::numbers::pi / 180) * std::min(1.0, 1.5 / aspect);
  lens.half_x = lens.half_y * aspect;
  const Vec3 middle = (lowest + highest) * 0.5;
  const auto seen_from = [&](double distance) {
    ScreenBox box;
    for (const Vec3& point : outline) {
      const Vec3 p = point - middle;
      const double depth = distance - dot(p, back);
      const double x = dot(p, lens.right) / depth, y = dot(p, lens.up) / depth;
      box = {std::min(box.left, x), std::max(box.right, x), std::min(box.low, y), std::max(box.high, y),
             std::min(box.near, depth)};
    }
    return box;
  };
  // Room at the sides, and more at the top for the sky.
  const double wide = 2 * lens.half_x * 0.95, tall = 2 * lens.half_y * 0.84;
  double low = 0, high = 1;
  const double size = length(highest - lowest);
  const auto fits = [&](double distance) {
    const ScreenBox box = seen_from(distance);
    return box.near > 0.05 * size && box.right - box.left <= wide && box.high - box.low <= tall;
  };
  low = 0.05 * size;
  high = size;
  for (int i = 0; i < 60 && !fits(high); ++i) high *= 2;
  for (int i = 0; i < 50; ++i) (fits(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  const ScreenBox box = seen_from(high);
  lens.eye = middle + back * high;
  lens.near = box.near;
  lens.shift_x = 0.5 * (box.left + box.right);
  lens.shift_y = 0.5 * (box.low + box.high) + 0.06 * lens.half_y;
  return lens;
}

}  // namespace tepui

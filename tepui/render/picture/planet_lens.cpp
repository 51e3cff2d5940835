#include "tepui/render/picture/planet_lens.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

namespace {

/// Share of half the picture that a whole planet fills.
constexpr double filled = 0.9;
/// Pixels that an edge of a triangle fills at most, about.
constexpr double edge_pixels = 5;
/// Finer would take gigabytes.
constexpr double finest_detail = 0.004;

}  // namespace

PlanetView planet_view_of(double radius, const PictureParams& params, double aspect, int rows) {
  PlanetView view;
  view.radius = radius;
  Lens& lens = view.lens;
  lens.half_y = math::tan(math::radians(0.5 * params.view_angle()));
  lens.half_x = lens.half_y * aspect;
  const double narrow = math::atan(filled * std::min(lens.half_x, lens.half_y));
  const double whole = radius * (1 / math::sin(narrow) - 1), altitude = params.altitude.value_or(whole);
  const auto degrees = [](const std::optional<Angle>& angle, double usual) { return angle ? angle->degrees : usual; };
  view.sight.below = direction_at(math::radians(degrees(params.latitude, 20)),
                                  math::radians(std::fmod(degrees(params.longitude, 0) + params.turn.degrees, 360.0)));
  view.sight.altitude = altitude / radius;
  view.sight.detail = std::max(lens.footprint(edge_pixels, rows), finest_detail);

  const double dip = math::degrees(math::acos(1 / (1 + view.sight.altitude)));
  const double usual = altitude >= 0.7 * whole ? -90 : -dip - 0.2 * params.view_angle();
  const double pitch = math::radians(std::clamp(degrees(params.pitch, usual), -90.0, 90.0));
  const double heading = math::radians(std::fmod(degrees(params.heading, 0), 360.0));
  const Vec3 down_at = view.sight.below;
  const auto [east, north] = local_axes(down_at);
  const Vec3 ahead = north * math::cos(heading) + east * math::sin(heading);
  lens.forward = normalised(ahead * math::cos(pitch) + down_at * math::sin(pitch));
  lens.right = normalised(cross(ahead, down_at));
  lens.up = cross(lens.right, lens.forward);
  return view;
}

void PlanetView::stand(const PlanetScene& scene) { lens.eye = scene.eye() * radius; }

Vec3 PlanetView::looked_at() const {
  const double along = -dot(lens.eye, lens.forward), closest = length(cross(lens.eye, lens.forward));
  const double half = std::sqrt(std::max((radius - closest) * (radius + closest), 0.0));
  return normalised(lens.eye + lens.forward * std::max(along - half, 0.0));
}

}  // namespace tepui

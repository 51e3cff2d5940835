#include "tepui/render/picture/planet_lens.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

namespace {

/// Share of half the picture that a whole planet fills.
constexpr double filled = 0.9;

}  // namespace

PlanetView planet_view_of(const PlanetScene& scene, const PictureParams& params, double aspect) {
  const double radius = scene.planet().radius();
  PlanetView view;
  Lens& lens = view.lens;
  lens.half_y = math::tan(math::radians(0.5 * params.view_angle()));
  lens.half_x = lens.half_y * aspect;
  const double narrow = math::atan(filled * std::min(lens.half_x, lens.half_y));
  const double whole = radius * (1 / math::sin(narrow) - 1);
  view.altitude = params.altitude.value_or(whole);
  const Vec3 down_at = direction_at(math::radians(params.latitude.value_or(Angle{20}).degrees),
                                    math::radians(params.longitude.value_or(Angle{0}).degrees + params.turn.degrees));
  const double height = radius * scene.surface(down_at) + view.altitude;
  lens.eye = down_at * (radius + height);

  const double dip = math::degrees(math::acos(radius / std::max(radius + height, radius)));
  const double usual = view.altitude >= 0.7 * whole ? -90 : -dip - 0.2 * params.view_angle();
  const double pitch = math::radians(std::clamp(params.pitch ? params.pitch->degrees : usual, -90.0, 90.0));
  const double heading = math::radians(std::fmod(params.heading.value_or(Angle{0}).degrees, 360.0));
  const auto [east, north] = local_axes(down_at);
  const Vec3 ahead = north * math::cos(heading) + east * math::sin(heading);
  lens.forward = normalised(ahead * math::cos(pitch) + down_at * math::sin(pitch));
  lens.right = normalised(cross(ahead, down_at));
  lens.up = cross(lens.right, lens.forward);

  const double along = -dot(lens.eye, lens.forward);
  const double square = along * along - dot(lens.eye, lens.eye) + radius * radius;
  const double far = square > 0 && along > 0 ? along - std::sqrt(square) : std::max(along, 0.0);
  view.looked_at = normalised(lens.eye + lens.forward * std::max(far, 0.0));
  return view;
}

}  // namespace tepui

#include "tepui/render/picture/lens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

struct ScreenBox {
  double left = 1e30, right = -1e30, low = 1e30, high = -1e30, near = 1e30;
};

struct Bearing {
  double azimuth, elevation;  ///< of the eye as seen from the subject, degrees
  double opening;             ///< half the field of view, degrees
  double room_x, room_y;      ///< share of the picture that the subject may fill
  double raise;               ///< of the subject's middle over the picture's, as a share of half the picture
};

Bearing bearing_of(Camera camera) {
  switch (camera) {
    case Camera::front:
      return {180, 10, 13, 0.94, 0.80, -0.04};
    case Camera::orbit:
      return {208, 52, 15, 0.94, 0.90, -0.02};
    default:
      return {236, 24, 17, 0.95, 0.84, -0.06};
  }
}

/// The axes of a lens at an azimuth and elevation from what it looks at, degrees.
void aim(Lens& lens, double azimuth, double elevation) {
  const double a = math::radians(std::fmod(azimuth, 360.0)), e = math::radians(elevation);
  const double sa = math::sin(a), ca = math::cos(a), se = math::sin(e), ce = math::cos(e);
  lens.forward = {-sa * ce, -ca * ce, -se};
  lens.right = {-ca, sa, 0};
  lens.up = {-sa * se, -ca * se, ce};
}

ScreenBox seen_from(const Lens& lens, const std::vector<Vec3>& outline, Vec3 eye) {
  ScreenBox box;
  for (const Vec3& point : outline) {
    const Vec3 p = point - eye;
    const double depth = dot(p, lens.forward);
    box.near = std::min(box.near, depth);
    if (depth <= 0) continue;
    const double x = dot(p, lens.right) / depth, y = dot(p, lens.up) / depth;
    box = {std::min(box.left, x), std::max(box.right, x), std::min(box.low, y), std::max(box.high, y), box.near};
  }
  return box;
}

/// As near as the outline allows, shifted so that it sits in the picture's middle.
Lens fit_outside(const Subject& subject, const PictureParams& params, double aspect) {
  const Bearing bearing = bearing_of(params.camera);
  Lens lens;
  aim(lens, bearing.azimuth + params.turn.degrees, std::clamp(bearing.elevation + params.tilt.degrees, 1.0, 89.0));
  lens.half_y = math::tan(math::radians(bearing.opening)) * std::min(1.0, 1.5 / aspect);
  lens.half_x = lens.half_y * aspect;
  Vec3 low = subject.low, high = subject.high;
  low.z = std::min(low.z, subject.floor);
  const Vec3 middle = (low + high) * 0.5;
  const double size = length(high - low), wide = 2 * lens.half_x * bearing.room_x,
               tall = 2 * lens.half_y * bearing.room_y;
  const auto fits = [&](double distance) {
    const ScreenBox box = seen_from(lens, subject.outline, middle - lens.forward * distance);
    return box.near > 0.05 * size && box.right - box.left <= wide && box.high - box.low <= tall;
  };
  double near = 0.05 * size, far = size;
  for (int i = 0; i < 60 && !fits(far); ++i) far *= 2;
  for (int i = 0; i < 50; ++i) (fits(0.5 * (near + far)) ? far : near) = 0.5 * (near + far);
  lens.eye = middle - lens.forward * far;
  const ScreenBox box = seen_from(lens, subject.outline, lens.eye);
  lens.near = box.near;
  lens.shift_x = 0.5 * (box.left + box.right);
  lens.shift_y = 0.5 * (box.low + box.high) - bearing.raise * lens.half_y;
  return lens;
}

Lens fit_above(const Subject& subject, double aspect, Vec2 margin) {
  Lens lens;
  lens.parallel = true;
  lens.forward = {0, 0, -1};
  lens.right = {1, 0, 0};
  lens.up = {0, 1, 0};
  const double wide = 0.5 * (subject.high.x - subject.low.x) + margin.x,
               tall = 0.5 * (subject.high.y - subject.low.y) + margin.y;
  lens.half_y = std::max(tall, wide / aspect);
  lens.half_x = lens.half_y * aspect;
  lens.eye = {0.5 * (subject.low.x + subject.high.x), 0.5 * (subject.low.y + subject.high.y), subject.high.z + 1};
  lens.near = 1;
  if (subject.wide_samples) lens.margin = margin;
  return lens;
}

/// How good the view towards a point is: how much of the land is in sight ahead, and how much of it stands up.
double view_from(const Subject& subject, Vec3 eye, Vec2 towards) {
  constexpr int lattice = 24, steps = 48;
  const double aim_x = towards.x - eye.x, aim_y = towards.y - eye.y, aim = std::hypot(aim_x, aim_y);
  double worth = 0;
  for (int j = 0; j < lattice; ++j)
    for (int i = 0; i < lattice; ++i) {
      const Vec2 at{subject.low.x + (i + 0.5) / lattice * (subject.high.x - subject.low.x),
                    subject.low.y + (j + 0.5) / lattice * (subject.high.y - subject.low.y)};
      const double dx = at.x - eye.x, dy = at.y - eye.y, away = std::hypot(dx, dy);
      if (dx * aim_x + dy * aim_y < 0.8 * away * aim) continue;
      const double z = subject.ground_at(at).value_or(subject.floor) + 0.002;
      bool open = true;
      for (int k = 1; k < steps && open; ++k) {
        const double t = static_cast<double>(k) / steps;
        open = subject.ground_at({eye.x + t * dx, eye.y + t * dy}).value_or(subject.floor) <= eye.z + t * (z - eye.z);
      }
      // What is close fills the picture and hides the rest.
      if (open)
        worth +=
            std::min(1.0, away / 0.25) * (0.06 + 2 * std::min(0.5, std::max(0.0, z - eye.z) / std::max(away, 0.1)));
    }
  return worth;
}

/// A visitor near the edge of the land, where the view is best, who looks across it.
Lens stand_on_ground(const Subject& subject, const PictureParams& params, double aspect) {
  const Vec3 middle{0.5 * (subject.low.x + subject.high.x), 0.5 * (subject.low.y + subject.high.y), 0};
  const double half_x = 0.5 * (subject.high.x - subject.low.x), half_y = 0.5 * (subject.high.y - subject.low.y);
  const double above = std::max(1.8 / subject.metres * subject.lift, 0.012);
  // Around what may overhang, and on a plain without any country, from outside.
  const bool outside = !subject.ground_at({middle.x, middle.y});
  Lens lens;
  double best = -1;
  for (int step = -6; step <= 6; ++step)
    for (const double reach : {1.15, 1.0, 0.85, 0.7, 0.55}) {
      const double azimuth = math::radians(std::fmod(222 + params.turn.degrees + 7.0 * step, 360.0));
      const double sx = math::sin(azimuth), sy = math::cos(azimuth), far = outside ? 1 + reach : reach;
      Vec2 at{middle.x + far * half_x * sx, middle.y + far * half_y * sy};
      if (!outside) {
        at = {std::clamp(at.x, subject.low.x, subject.high.x), std::clamp(at.y, subject.low.y, subject.high.y)};
      }
      double z = subject.ground_at(at).value_or(subject.floor);
      if (subject.sea) z = std::max(z, *subject.sea);
      z = std::max(z, subject.inland_water_at(at).value_or(z));
      const Vec3 eye{at.x, at.y, z + above};
      const double worth = outside ? -std::abs(step) : view_from(subject, eye, {middle.x, middle.y});
      if (best == -1 || worth > best) best = worth, lens.eye = eye;
    }
  const Vec3 to = middle - lens.eye;
  aim(lens, math::degrees(math::atan2(-to.x, -to.y)), params.tilt.degrees);
  lens.half_y = math::tan(math::radians(0.5 * params.view_angle())) * std::min(1.0, 1.5 / aspect);
  lens.half_x = lens.half_y * aspect;
  // The highest point ahead stays within the picture, with some sky, and the horizon in its lower half.
  double top = 0;
  constexpr int lattice = 96;
  for (int j = 0; j <= lattice; ++j)
    for (int i = 0; i <= lattice; ++i) {
      const Vec2 at{subject.low.x + i * 2 * half_x / lattice, subject.low.y + j * 2 * half_y / lattice};
      const Vec3 p = Vec3{at.x, at.y, subject.ground_at(at).value_or(subject.high.z)} - lens.eye;
      const double depth = dot(p, lens.forward);
      if (depth > 0.05 && std::abs(dot(p, lens.right)) < depth * lens.half_x)
        top = std::max(top, dot(p, lens.up) / depth);
    }
  const double sky = 0.22, lowest_horizon = 0.62;
  lens.shift_y = std::clamp(top - (1 - sky) * lens.half_y, -0.4 * lens.half_y, lowest_horizon * lens.half_y);
  if (top > lens.shift_y + (1 - sky) * lens.half_y) {
    lens.half_y = top / (lowest_horizon + 1 - sky);
    lens.half_x = lens.half_y * aspect;
    lens.shift_y = lowest_horizon * lens.half_y;
  }
  return lens;
}

Lens look_freely(const Subject& subject, const PictureParams& params, double aspect) {
  Lens lens;
  if (!params.eye || !params.target)
    refuse("the camera free needs an eye and a target", "for example eye=0,-500,300 target=0,0,100, in metres");
  lens.eye = subject.placed(*params.eye);
  const Vec3 to = subject.placed(*params.target) - lens.eye;
  if (!(length(to) > 0))
    refuse("the eye and the target are the same point", "for example eye=0,-500,300 target=0,0,100, in metres");
  lens.forward = to * (1 / length(to));
  Vec3 right = cross(lens.forward, {0, 0, 1});
  // Straight up or down, north is up.
  if (length(right) < 1e-6) right = {1, 0, 0};
  lens.right = right * (1 / length(right));
  lens.up = cross(lens.right, lens.forward);
  lens.half_y = math::tan(math::radians(0.5 * params.view_angle()));
  lens.half_x = lens.half_y * aspect;
  const auto height = [&](double z) { return z / subject.lift * subject.metres + subject.centre.z; };
  if (subject.inside(lens.eye)) {
    const double ground = height(subject.ground_at({lens.eye.x, lens.eye.y}).value_or(subject.floor));
    refuse(fmt::format("the eye is inside the rock, {:.3g} m below the surface", ground - params.eye->z),
           fmt::format("the ground there is at {:.6g} m: raise the eye above it", ground));
  }
  if (subject.sea && lens.eye.z <= *subject.sea && lens.eye.x >= subject.sea_left && lens.eye.x <= subject.sea_right &&
      lens.eye.y >= subject.sea_front && lens.eye.y <= subject.sea_back)
    refuse("the eye is under water", fmt::format("raise it above {:.6g} m", height(*subject.sea)));
  if (const auto level = subject.inland_water_at({lens.eye.x, lens.eye.y}); level && lens.eye.z <= *level)
    refuse("the eye is under water", fmt::format("raise it above {:.6g} m", height(*level)));
  return lens;
}

}  // namespace

Lens::Ray Lens::ray(double x, double y) const {
  const double a = shift_x + x * half_x, b = shift_y + y * half_y;
  if (parallel) return {eye + right * a + up * b, forward};
  const Vec3 d = forward + right * a + up * b;
  return {eye, d * (1 / length(d))};
}

std::optional<Vec2> Lens::seen(Vec3 point) const {
  const Vec3 p = point - eye;
  const double depth = parallel ? 1 : dot(p, forward);
  if (depth <= 0) return std::nullopt;
  return Vec2{(dot(p, right) / depth - shift_x) / half_x, (dot(p, up) / depth - shift_y) / half_y};
}

Vec2 viewer_of(const PictureParams& params) {
  if (params.camera == Camera::top || params.camera == Camera::ground || params.camera == Camera::free ||
      params.camera == Camera::inside)
    return {};
  const double azimuth = math::radians(std::fmod(bearing_of(params.camera).azimuth + params.turn.degrees, 360.0));
  return {math::sin(azimuth), math::cos(azimuth)};
}

Lens make_lens(const Subject& subject, const PictureParams& params, double aspect, Vec2 margin) {
  switch (params.camera) {
    case Camera::top:
      return fit_above(subject, aspect, margin);
    case Camera::ground:
      return stand_on_ground(subject, params, aspect);
    case Camera::free:
    case Camera::inside:
      return look_freely(subject, params, aspect);
    default:
      return fit_outside(subject, params, aspect);
  }
}

}  // namespace tepui

#include "tepui/render/picture/land_scene.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/render/light/sky.h"
#include "tepui/render/picture/land_paint.h"
#include "tepui/render/picture/land_subject.h"
#include "tepui/render/picture/lens.h"

namespace tepui {

namespace {

/// Of the picture, width over height.
double aspect_of(const Frame& frame, const PictureParams& params) {
  const Vec2 size = params.wanted_size();
  if (size.x > 0 && size.y > 0) return size.x / size.y;
  if (params.camera != Camera::top) return 16.0 / 9;
  return static_cast<double>(frame.width) * frame.cell.x / (static_cast<double>(frame.height) * frame.cell.y);
}

std::array<double, 3> numbers(Rgb c) {
  return {static_cast<double>(c.r), static_cast<double>(c.g), static_cast<double>(c.b)};
}

void put_light(GlbScene& scene, const PictureParams& params) {
  const double elevation = math::radians(params.sun_elevation.degrees);
  const Sky sky(math::radians(std::fmod(params.sun_azimuth.degrees, 360.0)), elevation, 0.5 * params.haze);
  scene.to_sun = sky.to_sun();
  scene.sun = numbers(sky.sun());
  const std::array<double, 3> falling = numbers(sky.falling());
  for (size_t k = 0; k < 3; ++k)
    scene.sky[k] = std::max(0.0, math::pi * falling[k] - math::sin(elevation) * scene.sun[k]);
}

}  // namespace

GlbScene scene_of_picture(const Terrain& land, const PictureParams& params, std::optional<double> sea_level,
                          const Context& context) {
  const LandPaint paint(land, params, sea_level, context);
  const bool stands_in = params.camera == Camera::ground || params.camera == Camera::free;
  const Base base = params.base != Base::by_camera ? params.base : stands_in ? Base::horizon : Base::block;
  const LandSubject subject(land, paint, base, params, sea_level, context);
  const Frame& frame = land.frame();
  const Vec2 margin = frame.cell * (0.5 / subject.metres);
  const Lens lens = make_lens(subject, params, aspect_of(frame, params), margin);
  const double metres = subject.metres;
  GlbScene scene;
  scene.eye = lens.eye * metres + subject.centre;
  scene.right = lens.right, scene.up = lens.up, scene.forward = lens.forward;
  scene.parallel = lens.parallel;
  const double unit = lens.parallel ? metres : 1;
  scene.half_x = lens.half_x * unit, scene.half_y = lens.half_y * unit;
  scene.shift_x = lens.shift_x * unit, scene.shift_y = lens.shift_y * unit;
  double farthest = 0;
  for (const Vec3& corner : subject.outline) farthest = std::max(farthest, length(corner - lens.eye) * metres);
  scene.far = 2 * std::max(farthest, metres);
  scene.near = scene.far * 1e-4;
  put_light(scene, params);
  return scene;
}

}  // namespace tepui

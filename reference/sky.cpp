#include "reference/sky.h"

#include <optional>

#include "tepui/render/light/atmosphere.h"

namespace tepui::reference {

namespace {

using namespace atmosphere;

// The planet's centre is the origin; the viewer stands at (0, 0, ground_radius).

using Bands = std::array<double, bands>;

/// Distance at which a ray from inside leaves a sphere around the planet, or nothing if it misses it ahead.
std::optional<double> leaves(Vec3 from, Vec3 direction, double radius) {
  const double b = dot(from, direction), d = b * b - dot(from, from) + radius * radius;
  if (d < 0 || -b + std::sqrt(d) < 0) return std::nullopt;
  return -b + std::sqrt(d);
}

std::optional<double> meets_ground(Vec3 from, Vec3 direction) {
  const double b = dot(from, direction), d = b * b - dot(from, from) + ground_radius * ground_radius;
  if (b >= 0 || d < 0) return std::nullopt;
  return std::max(-b - std::sqrt(d), 0.0);
}

Bands through(const Matter& matter, Vec3 from, Vec3 direction, double distance, int steps) {
  Densities sum;
  for (int k = 0; k < steps; ++k) {
    const double a = static_cast<double>(k) / steps, b = (k + 1.0) / steps;
    const double t = distance * (a * a + b * b) / 2, dt = distance * (b * b - a * a);
    const Densities d = densities(std::max(length(from + direction * t) - ground_radius, 0.0));
    sum = {sum.molecules + d.molecules * dt, sum.haze + d.haze * dt, sum.ozone + d.ozone * dt};
  }
  Bands left;
  for (size_t i = 0; i < bands; ++i) left[i] = math::exp(-static_cast<double>(matter.takes(i, sum)));
  return left;
}

/// Sunlight at a point; nothing in the planet's shadow.
Bands sunlight_at(const Matter& matter, Vec3 at, Vec3 to_sun) {
  const double radius = length(at), cosine = dot(at, to_sun) / radius;
  const double dip = std::sqrt(std::max(1 - ground_radius * ground_radius / (radius * radius), 0.0));
  if (cosine < -dip) return Bands{};
  return through(matter, at, to_sun, *leaves(at, to_sun, top_radius), 40);
}

/// Radiance of light scattered at least twice before it is scattered again at a point.
Bands later_light(const Matter& matter, Vec3 at, Vec3 to_sun) {
  constexpr int rings = 12, spokes = 4, steps = 24;
  Bands second{}, again{};
  for (int ring = 0; ring < rings; ++ring)
    for (int spoke = 0; spoke < spokes; ++spoke) {
      const double z = -1 + (2 * ring + 1.0) / rings, level = std::sqrt(1 - z * z);
      const double angle = 2 * math::pi * (spoke + 0.5) / spokes;
      const Vec3 up = at * (1 / length(at)), east{1, 0, 0};
      const Vec3 side = cross(up, east) * (1 / length(cross(up, east))), front = cross(side, up);
      const Vec3 d = up * z + side * (level * math::sin(angle)) + front * (level * math::cos(angle));
      const std::optional<double> ground = meets_ground(at, d);
      const double far = ground ? *ground : *leaves(at, d, top_radius);
      Bands left;
      left.fill(1);
      for (int k = 0; k < steps; ++k) {
        const double a = static_cast<double>(k) / steps, b = (k + 1.0) / steps;
        const double t = far * (a * a + b * b) / 2, dt = far * (b * b - a * a);
        const Vec3 p = at + d * t;
        const Bands sun = sunlight_at(matter, p, to_sun);
        const Densities here = densities(std::max(length(p) - ground_radius, 0.0));
        for (size_t i = 0; i < bands; ++i) {
          const double scatters = static_cast<double>(matter.molecules[i]) * here.molecules +
                                  static_cast<double>(matter.haze_scatters[i]) * here.haze;
          const double takes = static_cast<double>(matter.takes(i, here)), step = math::exp(-takes * dt);
          // Exact if the air is even over the step.
          const double added = left[i] * scatters * (1 - step) / takes / (rings * spokes);
          second[i] += added * sun[i] / (4 * math::pi);
          again[i] += added;
          left[i] *= step;
        }
      }
      if (!ground) continue;
      const Vec3 foot = (at + d * far) * (ground_radius / length(at + d * far));
      const Bands sun = sunlight_at(matter, foot, to_sun);
      const double back = static_cast<double>(ground_albedo) * std::max(dot(foot, to_sun) / ground_radius, 0.0);
      for (size_t i = 0; i < bands; ++i) second[i] += left[i] * sun[i] * back / math::pi / (rings * spokes);
    }
  for (size_t i = 0; i < bands; ++i) second[i] /= 1 - again[i];
  return second;
}

Spectrum single(const Bands& light) {
  Spectrum result;
  for (size_t i = 0; i < bands; ++i) result[i] = static_cast<float>(light[i]);
  return result;
}

}  // namespace

SkyLight::SkyLight(double elevation, double haze) : elevation_(elevation), haze_(haze) {}

Rgb SkyLight::sun() const {
  const Vec3 to_sun{0, math::cos(elevation_), math::sin(elevation_)};
  return to_rgb(single(sunlight_at(Matter(haze_), {0, 0, ground_radius}, to_sun)));
}

Rgb SkyLight::radiance(Vec3 direction, bool later) const {
  const Matter matter(haze_);
  const int steps = later ? 48 : 200;
  const Vec3 to_sun{0, math::cos(elevation_), math::sin(elevation_)}, viewer{0, 0, ground_radius};
  const double far = *leaves(viewer, direction, top_radius);
  const double cosine = dot(direction, to_sun);
  const double molecules = static_cast<double>(molecules_phase(static_cast<float>(cosine)));
  const double haze = static_cast<double>(haze_phase(static_cast<float>(cosine)));
  // By molecules and later light, and by haze: the two that are brought into the gamut of colours separately.
  Bands smooth{}, sharp{}, left;
  left.fill(1);
  for (int k = 0; k < steps; ++k) {
    const double a = static_cast<double>(k) / steps, b = (k + 1.0) / steps;
    const double t = far * (a * a + b * b) / 2, dt = far * (b * b - a * a);
    const Vec3 p = viewer + direction * t;
    const Densities here = densities(std::max(length(p) - ground_radius, 0.0));
    const Bands sun = sunlight_at(matter, p, to_sun);
    const Bands rest = later ? later_light(matter, p, to_sun) : Bands{};
    for (size_t i = 0; i < bands; ++i) {
      const double takes = static_cast<double>(matter.takes(i, here)), step = math::exp(-takes * dt);
      const double added = left[i] * (1 - step) / takes;
      left[i] *= step;
      const double by_molecules = static_cast<double>(matter.molecules[i]) * here.molecules * added;
      const double by_haze = static_cast<double>(matter.haze_scatters[i]) * here.haze * added;
      smooth[i] += by_molecules * sun[i] * molecules + (by_molecules + by_haze) * rest[i];
      sharp[i] += by_haze * sun[i] * haze;
    }
  }
  return to_rgb(single(smooth)) + to_rgb(single(sharp));
}

}  // namespace tepui::reference

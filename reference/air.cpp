#include "reference/air.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tepui::reference {

namespace {

using namespace atmosphere;
using Bands = std::array<double, bands>;

/// The planet in units of an eighth of its air's height scale, which are kilometres on the Earth.
struct Planet {
  Matter matter;
  double unit, radius, top, amount, ground;

  explicit Planet(const AirSpec& spec)
      : matter(spec.haze),
        unit(spec.height_scale / 8),
        radius(spec.radius / unit),
        top(radius + 100),
        amount(spec.amount),
        ground(static_cast<double>(spec.ground)) {}
};

/// Where a line meets a sphere around the planet's centre, the nearer place first.
struct Crossing {
  double first, last;
};
std::optional<Crossing> crossing(Vec3 from, Vec3 direction, double radius) {
  const double b = dot(from, direction), d = b * b - dot(from, from) + radius * radius;
  if (d < 0) return std::nullopt;
  return Crossing{-b - std::sqrt(d), -b + std::sqrt(d)};
}

Densities at(const Planet& planet, Vec3 p) { return densities(std::max(length(p) - planet.radius, 0.0)); }

Bands through(const Planet& planet, Vec3 from, Vec3 direction, double distance, int steps) {
  Densities sum;
  const double dt = distance / steps;
  for (int k = 0; k < steps; ++k) {
    const Vec3 p = from + direction * ((k + 0.5) * dt);
    if (length(p) > planet.top) continue;
    const Densities d = at(planet, p);
    sum = {sum.molecules + d.molecules * dt, sum.haze + d.haze * dt, sum.ozone + d.ozone * dt};
  }
  Bands left;
  for (size_t i = 0; i < bands; ++i)
    left[i] = math::exp(-planet.amount * static_cast<double>(planet.matter.takes(i, sum)));
  return left;
}

Bands sunlight_at(const Planet& planet, Vec3 from, Vec3 to_sun, int steps) {
  const auto ground = crossing(from, to_sun, planet.radius), air = crossing(from, to_sun, planet.top);
  if (ground && dot(from, to_sun) < 0) return Bands{};
  return through(planet, from, to_sun, air ? std::max(air->last, 0.0) : 0, steps);
}

/// The places along a ray at which light is summed: evenly, in the part that is in the air and above the ground.
struct Steps {
  double begin = 0, dt = 0;
  bool ground = false;
};
Steps steps_of(const Planet& planet, Vec3 from, Vec3 direction, int count) {
  const auto air = crossing(from, direction, planet.top), ground = crossing(from, direction, planet.radius);
  if (!air || air->last <= 0) return {};
  const bool met = ground && ground->last > 0 && dot(from, direction) < 0;
  const double begin = std::max(air->first, 0.0), end = met ? std::max(ground->first, 0.0) : air->last;
  return {begin, (end - begin) / count, met};
}

Bands later_light(const Planet& planet, Vec3 place, Vec3 to_sun) {
  constexpr int rings = 12, spokes = 4, steps = 30;
  Bands second{}, again{};
  const Vec3 up = place * (1 / length(place)), other = std::abs(up.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 side = cross(up, other) * (1 / length(cross(up, other))), front = cross(side, up);
  for (int ring = 0; ring < rings; ++ring)
    for (int spoke = 0; spoke < spokes; ++spoke) {
      const double z = -1 + (2 * ring + 1.0) / rings, level = std::sqrt(1 - z * z);
      const double angle = 2 * math::pi * (spoke + 0.5) / spokes;
      const Vec3 d = up * z + side * (level * math::sin(angle)) + front * (level * math::cos(angle));
      const Steps way = steps_of(planet, place, d, steps);
      Bands left;
      left.fill(1);
      for (int k = 0; k < steps; ++k) {
        const Vec3 p = place + d * (way.begin + (k + 0.5) * way.dt);
        const Bands sun = sunlight_at(planet, p, to_sun, 40);
        const Densities here = at(planet, p);
        for (size_t i = 0; i < bands; ++i) {
          const double scatters = planet.amount * (static_cast<double>(planet.matter.molecules[i]) * here.molecules +
                                                   static_cast<double>(planet.matter.haze_scatters[i]) * here.haze);
          const double step = math::exp(-planet.amount * static_cast<double>(planet.matter.takes(i, here)) * way.dt);
          const double added = left[i] * scatters * way.dt * std::sqrt(step) / (rings * spokes);
          second[i] += added * sun[i] / (4 * math::pi);
          again[i] += added;
          left[i] *= step;
        }
      }
      if (!way.ground) continue;
      const Vec3 end = place + d * (way.begin + steps * way.dt), foot = end * (planet.radius / length(end));
      const Bands sun = sunlight_at(planet, foot * (1 + 1e-12), to_sun, 40);
      const double back = planet.ground * std::max(dot(foot, to_sun) / planet.radius, 0.0);
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

Spectrum AirLight::transmittance(Vec3 from, Vec3 to) const {
  const Planet planet(spec_);
  const double far = length(to - from) / planet.unit;
  if (!(far > 0)) return single(through(planet, from, {0, 0, 1}, 0, 1));
  return single(through(planet, from * (1 / planet.unit), (to - from) * (1 / (far * planet.unit)), far, 20000));
}

Spectrum AirLight::sunlight(Vec3 at, Vec3 to_sun) const {
  const Planet planet(spec_);
  return single(sunlight_at(planet, at * (1 / planet.unit), to_sun, 5000));
}

Spectrum AirLight::along(Vec3 from, Vec3 direction, Vec3 to_sun, bool later) const {
  const Planet planet(spec_);
  const int steps = later ? 140 : 1500;
  const Vec3 start = from * (1 / planet.unit);
  const double cosine = dot(direction, to_sun);
  const double by_molecules = static_cast<double>(molecules_phase(static_cast<float>(cosine)));
  const double by_haze = static_cast<double>(haze_phase(static_cast<float>(cosine)));
  const Steps way = steps_of(planet, start, direction, steps);
  Bands sum{}, left;
  left.fill(1);
  for (int k = 0; k < steps; ++k) {
    const Vec3 p = start + direction * (way.begin + (k + 0.5) * way.dt);
    const Densities here = at(planet, p);
    const Bands sun = sunlight_at(planet, p, to_sun, 200);
    const Bands rest = later ? later_light(planet, p, to_sun) : Bands{};
    for (size_t i = 0; i < bands; ++i) {
      const double step = math::exp(-planet.amount * static_cast<double>(planet.matter.takes(i, here)) * way.dt);
      const double weight = planet.amount * left[i] * way.dt * std::sqrt(step);
      const double molecules = static_cast<double>(planet.matter.molecules[i]) * here.molecules * weight;
      const double haze = static_cast<double>(planet.matter.haze_scatters[i]) * here.haze * weight;
      sum[i] += (molecules * by_molecules + haze * by_haze) * sun[i] + (molecules + haze) * rest[i];
      left[i] *= step;
    }
  }
  return single(sum);
}

}  // namespace tepui::reference

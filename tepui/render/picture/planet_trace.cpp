#include "tepui/render/picture/planet_trace.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/render/light/sampler.h"

namespace tepui {

namespace {

using atmosphere::Spectrum;
using atmosphere::to_rgb;

constexpr float per_pi = 0.31830989f;
constexpr double sun_half_width = 0.00465;

Spectrum operator*(Spectrum a, const Spectrum& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
  return a;
}
Spectrum operator*(Spectrum a, float s) {
  for (float& v : a) v *= s;
  return a;
}
Spectrum operator+(Spectrum a, const Spectrum& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

/// The share of light that water mirrors, by the cosine of the angle at which it comes in (Schlick 1994).
float fresnel(double cosine) {
  const double away = 1 - std::clamp(cosine, 0.0, 1.0), square = away * away;
  return static_cast<float>(0.02 + 0.98 * square * square * away);
}

/// Pictures from space are developed so that most of the blue veil of thin air is gone, what it adds and what it takes;
/// towards the horizon all of it stays.
Air::Way cleared(Air::Way way) {
  constexpr float least = 0.3f;
  const float kept = 1 - (1 - least) * std::min(1.0f, way.through[3] * 1.15f);
  for (size_t i = 0; i < way.light.size(); ++i) {
    way.light[i] *= kept;
    way.through[i] = 1 - (1 - way.through[i]) * kept;
  }
  return way;
}

}  // namespace

PlanetTracer::PlanetTracer(const PlanetScene& scene, const Lens& lens, const Air& air, Vec3 to_sun, Season season,
                           Rgb gains)
    : scene_(scene),
      lens_(lens),
      air_(air),
      to_sun_(to_sun),
      season_(season),
      gains_(gains),
      radius_(scene.planet().radius()) {}

/// What water mirrors: the sky, and the sun on its waves (Cox and Munk 1954).
Rgb PlanetTracer::mirrored(const PlanetPoint& point, Vec3 direction, float roughness, const Spectrum& sun,
                           Shared& shared) const {
  // The water of rivers is level, whatever the slope down which they run.
  const Vec3 normal = point.spot.water > 0 ? point.normal : point.up;
  const double waves = static_cast<double>(roughness), level = -dot(direction, normal);
  // Whoever looks along waves sees their near sides.
  const double facing = std::sqrt(std::max(level, 0.0) * std::max(level, 0.0) + 0.5 * waves);
  if (!shared.mirrored) {
    const Vec3 back = normalised(direction + point.up * (2 * facing));
    shared.mirrored = air_.along(point.at * radius_, back, to_sun_, Air::no_end, 8).light;
  }
  Spectrum light = *shared.mirrored * fresnel(facing);
  const Vec3 half = normalised(to_sun_ - direction);
  const double up = dot(half, normal);
  if (up > 0.1 && dot(to_sun_, point.up) > -0.05) {
    const double square = up * up;
    const double share = math::exp(-(1 - square) / (square * waves)) / (math::pi * waves * square * square);
    // And waves hide each other.
    const double seen = 4 * std::max(facing, 0.3);
    light = light + sun * (fresnel(-dot(direction, half)) * static_cast<float>(share / seen));
  }
  return to_rgb(light * shared.way->through);
}

Rgb PlanetTracer::ground(const PlanetPoint& point, Vec3 direction, Shared& shared) const {
  const PlanetLook look = planet_look(point.spot, season_);
  const Vec3 at = point.at * radius_;
  Spectrum sun = air_.sunlight(at, to_sun_);
  const double height = dot(point.up, to_sun_);
  const bool lit = height > -0.02 && (height > 0.7 || !scene_.blocked(point.start, to_sun_));
  if (!lit) sun = Spectrum{};
  const Spectrum sky = air_.skylight(at, to_sun_);
  // From the sun; from the open sky, raised as in pictures of land; and from the ground around, which is lit as the
  // level is.
  const double facing = std::max(dot(point.normal, to_sun_), 0.0), up = dot(point.normal, point.up);
  const float open = static_cast<float>(0.5 + 0.5 * up) * atmosphere::sky_lift;
  const float around = air_.spec().ground * static_cast<float>(0.6 - 0.4 * up);
  const Spectrum level = air_.sunlight(at, to_sun_) * (static_cast<float>(std::max(height, 0.0)) * per_pi) + sky;
  const Spectrum falling = sun * (static_cast<float>(facing) * per_pi) + sky * open + level * around;
  Rgb light = look.albedo * to_rgb(falling * shared.way->through);
  // Banks and what grows on them keep most of the sun from rivers.
  if (look.water > 0 && point.spot.water <= 0) sun = sun * 0.08f;
  if (look.water > 0) light = light + mirrored(point, direction, look.roughness, sun, shared) * look.water;
  return light;
}

/// The sun itself.
Rgb PlanetTracer::disc(Vec3 direction) const {
  const double off = length(cross(direction, to_sun_));
  if (off > sun_half_width || dot(direction, to_sun_) < 0) return {};
  const float bright = static_cast<float>(1 / (math::pi * sun_half_width * sun_half_width));
  return to_rgb(air_.sunlight(lens_.eye, to_sun_) * bright);
}

FilmSample PlanetTracer::look(double x, double y, int rows, double shift, Shared& shared) const {
  constexpr int steps = 28;
  constexpr double alike = 0.1;
  const Lens::Ray ray = lens_.ray(x, y);
  const Vec3 from = ray.from * (1 / radius_);
  FilmSample sample;
  const std::optional<RayHit> hit = scene_.hit(from, ray.direction);
  const double far = hit ? hit->distance * radius_ : Air::no_end;
  if (!shared.way || !hit || !(std::abs(far - shared.far) < alike * far)) {
    shared = {air_.along(ray.from, ray.direction, to_sun_, far, steps, shift), far, {}};
    if (hit) shared.way = cleared(*shared.way);
  }
  const Air::Way& way = *shared.way;
  Rgb light = to_rgb(way.light);
  if (hit) {
    const double footprint = lens_.footprint(hit->distance, rows);
    const PlanetPoint point = scene_.seen(*hit, from, ray.direction, footprint);
    light = light + ground(point, ray.direction, shared);
    sample.normal = point.normal;
    sample.depth = static_cast<float>(hit->distance);
  } else if (!way.ground) {
    light = light + disc(ray.direction);
  }
  sample.direct = light * gains_;
  return sample;
}

void PlanetTracer::trace(Film& film, int count, const Context& context) const {
  constexpr int group = 4;
  // A tent three quarters of a pixel to each side: edges without stairs, detail without blur.
  const auto tent = [](double u) { return 0.75 * (u < 0.5 ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u)); };
  parallel_chunks(film.height, 1, context, [&](int64_t begin, int64_t end) {
    for (int row = static_cast<int>(begin); row < static_cast<int>(end); ++row)
      for (int x = 0; x < film.width; ++x) {
        const uint64_t pixel =
            static_cast<uint64_t>(row) * static_cast<uint64_t>(film.width) + static_cast<uint64_t>(x);
        Shared shared;
        for (int k = film.samples; k < film.samples + count; ++k) {
          if (k % group == 0) shared = {};
          const PathSampler numbers(pixel, static_cast<uint64_t>(k));
          const Vec2 p = numbers.pair(0);
          const double px = 2 * (x + 0.5 + tent(p.x)) / film.width - 1;
          const double py = 1 - 2 * (row + 0.5 + tent(p.y)) / film.height;
          film.add(x, row, look(px, py, film.height, numbers.pair(1).x, shared));
        }
      }
  });
  film.samples += count;
}

}  // namespace tepui

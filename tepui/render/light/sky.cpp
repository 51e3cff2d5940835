#include "tepui/render/light/sky.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/render/light/atmosphere.h"

namespace tepui {

namespace {

using namespace atmosphere;

// The table's rows run from the horizon to the zenith, its columns from the sun's azimuth to the opposite one: the sky
// is symmetric about the sun. Both coordinates need square roots only.
constexpr int rows = 64, columns = 48;

/// The sine of the elevation at a row's coordinate in [0, 1] and back. Even in angle at the zenith, where the sky is
/// smooth in every direction, and dense at the horizon.
double height_at(double row) {
  const double s = 1 - row * row;
  return 1 - s * s;
}
float row_at(float height) { return std::sqrt(height / (1 + std::sqrt(std::max(1 - height, 0.0f)))); }

/// Directions on the level at a column's coordinate in [0, 1]: the angle of a square rather than of a circle.
Vec2 level_at(double column) {
  const double along = 1 - 2 * column, across = 1 - std::abs(along);
  const double norm = std::sqrt(along * along + across * across);
  return {along / norm, across / norm};
}

Spectrum mixed(const Spectrum& a, const Spectrum& b, float t) {
  Spectrum r;
  for (size_t i = 0; i < bands; ++i) r[i] = a[i] + (b[i] - a[i]) * t;
  return r;
}

/// A table of spectra over the unit square, with bilinear lookups.
struct SpectrumTable {
  int width = 0, height = 0;
  std::vector<Spectrum> cells;

  SpectrumTable(int w, int h) : width(w), height(h), cells(static_cast<size_t>(w * h)) {}
  Spectrum& at(int x, int y) { return cells[static_cast<size_t>(y * width + x)]; }
  Spectrum at(double u, double v) const {
    const double x = std::clamp(u, 0.0, 1.0) * (width - 1), y = std::clamp(v, 0.0, 1.0) * (height - 1);
    const int x0 = std::min(static_cast<int>(x), width - 2), y0 = std::min(static_cast<int>(y), height - 2);
    const float fx = static_cast<float>(x - x0), fy = static_cast<float>(y - y0);
    const Spectrum* cell = &cells[static_cast<size_t>(y0 * width + x0)];
    return mixed(mixed(cell[0], cell[1], fx), mixed(cell[width], cell[width + 1], fx), fy);
  }
};

/// Distance from a point at `radius` to the top of the air, by the cosine to the zenith.
double to_top(double radius, double cosine) {
  return -radius * cosine + std::sqrt(radius * radius * (cosine * cosine - 1) + top_radius * top_radius);
}

/// The share of sunlight that reaches a point through the air above it. Coordinates of Bruneton and Neyret 2008 in
/// their later form: distances to the top of the air, so that the horizon is resolved.
class Transmittance {
 public:
  explicit Transmittance(const Matter& matter) : table_(96, 32) {
    parallel_chunks(table_.height, 1, Context(), [&](int64_t begin, int64_t end) {
      for (int y = static_cast<int>(begin); y < end; ++y)
        for (int x = 0; x < table_.width; ++x) table_.at(x, y) = integrate(matter, x, y);
    });
  }

  /// 0 in the planet's shadow, whose edge is as soft as the sun is wide.
  Spectrum operator()(double radius, double cosine) const {
    const double rise = std::sqrt(std::max(radius * radius - ground_radius * ground_radius, 0.0));
    const double near = top_radius - radius, far = rise + span;
    const Spectrum through = table_.at((to_top(radius, cosine) - near) / (far - near), rise / span);
    constexpr double width = 0.00465;
    const double lit = (cosine + rise / radius) * radius / (2 * width * ground_radius) + 0.5;
    if (lit >= 1) return through;
    return mixed(Spectrum{}, through, static_cast<float>(std::max(lit, 0.0)));
  }

 private:
  /// From the ground along the horizon to the top of the air.
  inline static const double span = std::sqrt(top_radius * top_radius - ground_radius * ground_radius);

  Spectrum integrate(const Matter& matter, int x, int y) const {
    constexpr int steps = 64;
    const double rise = span * y / (table_.height - 1);
    const double radius = std::sqrt(rise * rise + ground_radius * ground_radius);
    const double near = top_radius - radius, far = rise + span;
    const double length = near + (far - near) * x / (table_.width - 1);
    const double cosine =
        length > 0 ? std::clamp((span * span - rise * rise - length * length) / (2 * radius * length), -1.0, 1.0) : 1;
    double molecules = 0, haze = 0, ozone = 0;
    for (int k = 0; k < steps; ++k) {
      // Shorter steps at the start, where a ray from the ground is in the thickest air.
      const double s = (k + 0.5) / steps, t = length * s * s, dt = length * 2 * s / steps;
      const double r = std::sqrt(radius * radius + t * (2 * radius * cosine + t));
      const Densities d = densities(r - ground_radius);
      molecules += d.molecules * dt;
      haze += d.haze * dt;
      ozone += d.ozone * dt;
    }
    Spectrum through;
    for (size_t i = 0; i < bands; ++i)
      through[i] = static_cast<float>(math::exp(-static_cast<double>(matter.takes(i, {molecules, haze, ozone}))));
    return through;
  }

  SpectrumTable table_;
};

/// A step along a ray through the air: where it is, and what a unit of light per steradian that all matter there
/// scatters, molecules or haze, adds at the ray's start.
struct Step {
  double at = 0, radius = 0;
  Spectrum molecules{}, haze{};
};

/// A ray's steps, and the share of light that comes through all of them.
struct Path {
  std::vector<Step> steps;
  Spectrum through{};
};

Path path(const Matter& matter, double radius, double cosine, double length, int count) {
  Path result;
  result.steps.resize(static_cast<size_t>(count));
  result.through.fill(1);
  for (int k = 0; k < count; ++k) {
    Step& step = result.steps[static_cast<size_t>(k)];
    const double s = (k + 0.5) / count, dt = length * 2 * s / count;
    step.at = length * s * s;
    step.radius = std::sqrt(radius * radius + step.at * (2 * radius * cosine + step.at));
    const Densities d = densities(step.radius - ground_radius);
    for (size_t i = 0; i < bands; ++i) {
      // Exact for the step if what it scatters is even over it (Hillaire 2020, Sec. 5.3).
      const float takes = matter.takes(i, d);
      const float left = static_cast<float>(math::exp(-static_cast<double>(takes) * dt));
      const float added = result.through[i] * (takes > 0 ? (1 - left) / takes : static_cast<float>(dt));
      step.molecules[i] = added * matter.molecules[i] * static_cast<float>(d.molecules);
      step.haze[i] = added * matter.haze_scatters[i] * static_cast<float>(d.haze);
      result.through[i] *= left;
    }
  }
  return result;
}

/// Light that was scattered twice or more, taken as equal from all sides: its radiance at a height for a sun at a
/// cosine to the zenith there (Hillaire 2020, Eqs 5-10).
class LaterLight {
 public:
  LaterLight(const Matter& matter, const Transmittance& to_sun, double elevation) : table_(12, 24) {
    // Rays that see the ground's air end at most 8 degrees of the planet away.
    const double zenith = math::pi / 2 - elevation, reach = math::radians(8.5);
    low_ = math::cos(zenith + reach);
    high_ = math::cos(std::max(zenith - reach, 0.0));
    parallel_chunks(table_.height, 1, Context(), [&](int64_t begin, int64_t end) {
      for (int y = static_cast<int>(begin); y < end; ++y) fill(matter, to_sun, y);
    });
  }

  Spectrum operator()(double radius, double cosine) const {
    const double height = std::max(radius - ground_radius, 0.0) / (top_radius - ground_radius);
    return table_.at((cosine - low_) / (high_ - low_), std::sqrt(height));
  }

 private:
  void fill(const Matter& matter, const Transmittance& to_sun, int y) {
    constexpr int rings = 16, spokes = 4, count = 24;
    const double share = static_cast<double>(y) / (table_.height - 1);
    const double radius = ground_radius + (top_radius - ground_radius) * share * share;
    const size_t width = static_cast<size_t>(table_.width);
    std::vector<Spectrum> second(width, Spectrum{});
    Spectrum again{};
    for (int ring = 0; ring < rings; ++ring) {
      const double cosine = -1 + (2 * ring + 1.0) / rings, sine = std::sqrt(1 - cosine * cosine);
      const double under = radius * radius * (cosine * cosine - 1) + ground_radius * ground_radius;
      const bool down = cosine < 0 && under > 0;
      const double length = down ? -radius * cosine - std::sqrt(under) : to_top(radius, cosine);
      const Path way = path(matter, radius, cosine, length, count);
      for (const Step& step : way.steps)
        for (size_t i = 0; i < bands; ++i) again[i] += (step.molecules[i] + step.haze[i]) / rings;
      for (size_t x = 0; x < width; ++x) {
        const double sun = low_ + (high_ - low_) * static_cast<double>(x) / static_cast<double>(width - 1);
        const double sun_sine = std::sqrt(std::max(1 - sun * sun, 0.0));
        for (int spoke = 0; spoke < spokes; ++spoke) {
          const double to_ray = cosine * sun + sine * sun_sine * math::cos(math::pi * (spoke + 0.5) / spokes);
          add(way, to_sun, radius * sun, to_ray, down ? length : -1, second[x]);
        }
      }
    }
    for (size_t x = 0; x < width; ++x)
      for (size_t i = 0; i < bands; ++i)
        table_.at(static_cast<int>(x), y)[i] = second[x][i] / (rings * spokes) / (1 - again[i]);
  }

  /// The light of the sun scattered once, evenly to all sides, along a path and by the ground at its end;
  /// a distance below 0 to the ground for none.
  static void add(const Path& way, const Transmittance& to_sun, double sun_height, double to_ray, double ground,
                  Spectrum& sum) {
    constexpr float even = static_cast<float>(1 / (4 * math::pi));
    for (const Step& step : way.steps) {
      const Spectrum light = to_sun(step.radius, (sun_height + step.at * to_ray) / step.radius);
      for (size_t i = 0; i < bands; ++i) sum[i] += (step.molecules[i] + step.haze[i]) * light[i] * even;
    }
    const double cosine = (sun_height + ground * to_ray) / ground_radius;
    if (ground < 0 || cosine <= 0) return;
    const Spectrum light = to_sun(ground_radius, cosine);
    const float back = ground_albedo * static_cast<float>(cosine / math::pi);
    for (size_t i = 0; i < bands; ++i) sum[i] += way.through[i] * light[i] * back;
  }

  SpectrumTable table_;
  double low_ = 0, high_ = 1;
};

}  // namespace

struct Sky::Builder {
  Matter matter;
  Transmittance to_sun;
  LaterLight later;
  double sun_height, sun_level;  ///< sine and cosine of the elevation

  Builder(double elevation, double haze)
      : matter(haze),
        to_sun(matter),
        later(matter, to_sun, elevation),
        sun_height(math::sin(elevation)),
        sun_level(math::cos(elevation)) {}

  std::vector<Cell> cells() const {
    std::vector<Cell> result(static_cast<size_t>((rows + 1) * (columns + 1)));
    parallel_chunks(rows + 1, 1, Context(), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const double height = height_at(static_cast<double>(row) / rows), level = std::sqrt(1 - height * height);
        const Path way = path(matter, ground_radius, height, to_top(ground_radius, height), 48);
        for (int column = 0; column <= columns; ++column) {
          const double along = level_at(static_cast<double>(column) / columns).x;
          result[static_cast<size_t>(row * (columns + 1) + column)] =
              cell(way, height * sun_height + level * along * sun_level);
        }
      }
    });
    return result;
  }

  /// `cosine` of the angle between the ray and the sun.
  Cell cell(const Path& way, double cosine) const {
    const float phase = molecules_phase(static_cast<float>(cosine));
    Spectrum smooth{}, sharp{};
    for (const Step& step : way.steps) {
      const double sun = (ground_radius * sun_height + step.at * cosine) / step.radius;
      const Spectrum light = to_sun(step.radius, sun), rest = later(step.radius, sun);
      for (size_t i = 0; i < bands; ++i) {
        smooth[i] += step.molecules[i] * phase * light[i] + (step.molecules[i] + step.haze[i]) * rest[i];
        sharp[i] += step.haze[i] * light[i];
      }
    }
    const Rgb a = to_rgb(smooth) * sky_lift, b = to_rgb(sharp) * sky_lift;
    return {{a.r, a.g, a.b, 0, b.r, b.g, b.b, 0}};
  }
};

Rgb white_balance(Rgb light, double elevation) {
  const double made_up = 0.5 + 0.4 * static_cast<double>(smooth_step(5, 40, static_cast<float>(elevation)));
  const auto gain = [&](float v) {
    return static_cast<float>(math::pow(static_cast<double>(luminance(light) / v), made_up));
  };
  const Rgb gains{gain(light.r), gain(light.g), gain(light.b)};
  return gains * (luminance(light) / luminance(light * gains));
}

Sky::Sky(double azimuth, double elevation, double haze) {
  assert(std::isfinite(azimuth) && elevation >= 0 && elevation <= math::pi / 2 + 1e-9 && haze >= 0 && haze <= 1);
  // In steps far below what the eye sees, so that rounding in a full turn is lost.
  constexpr double turn = 2 * math::pi, fine = 1 << 24;
  double part = std::round(std::remainder(azimuth, turn) / turn * fine) / fine;
  if (part == -0.5) part = 0.5;
  sun_x_ = math::sin(part * turn);
  sun_y_ = math::cos(part * turn);
  const Builder builder(elevation, haze);
  to_sun_ = {builder.sun_level * sun_x_, builder.sun_level * sun_y_, builder.sun_height};
  level_ = static_cast<float>(builder.sun_level);
  sun_radius_ = 2 * math::radians(0.2666);
  cells_ = builder.cells();
  sun_ = to_rgb(builder.to_sun(ground_radius, builder.sun_height));
  balance(elevation);
}

/// Balances and scales all light, and sums what falls on level ground.
void Sky::balance(double elevation) {
  const Rgb before = sun_ * static_cast<float>(to_sun_.z / math::pi) + sky_on_level();
  const float exposure = 0.25f + 0.75f * smooth_step(0, 7, static_cast<float>(math::degrees(elevation)));
  const Rgb gains = white_balance(before, math::degrees(elevation)) * (exposure / luminance(before));
  for (Cell& cell : cells_) {
    const float by[8] = {gains.r, gains.g, gains.b, 0, gains.r, gains.g, gains.b, 0};
    for (int i = 0; i < 8; ++i) cell.part[i] *= by[i];
  }
  sun_ = sun_ * gains;
  falling_ = before * gains;

  constexpr int spokes = 64;
  for (int k = 0; k < spokes; ++k) {
    const double angle = math::pi * (k + 0.5) / spokes;
    const float along = static_cast<float>(math::cos(angle)), across = static_cast<float>(math::sin(angle));
    ring_mean_ = ring_mean_ + looked_up(0, along, across, along * level_) * (1.0f / spokes);
  }
  below_ = mix(ring_mean_, falling_ * ground_albedo, 0.5f);
}

/// What falls on level ground from the sky alone, divided by pi.
Rgb Sky::sky_on_level() const {
  constexpr int rings = 128, spokes = 96;
  double r = 0, g = 0, b = 0;
  for (int i = 0; i < rings; ++i) {
    const double low = height_at(static_cast<double>(i) / rings), high = height_at((i + 1.0) / rings);
    const double height = height_at((i + 0.5) / rings), level = std::sqrt(1 - height * height);
    const double weight = (high * high - low * low) / spokes;
    for (int k = 0; k < spokes; ++k) {
      const double angle = math::pi * (k + 0.5) / spokes;
      const double along = level * math::cos(angle), across = level * math::sin(angle);
      const Rgb c = looked_up(static_cast<float>(height), static_cast<float>(along), static_cast<float>(across),
                              static_cast<float>(height * to_sun_.z + along * static_cast<double>(level_)));
      r += weight * static_cast<double>(c.r);
      g += weight * static_cast<double>(c.g);
      b += weight * static_cast<double>(c.b);
    }
  }
  return {static_cast<float>(r), static_cast<float>(g), static_cast<float>(b)};
}

Sky Sky::uniform(Rgb radiance) {
  Sky sky;
  sky.falling_ = sky.ring_mean_ = sky.below_ = radiance;
  return sky;
}

Rgb Sky::looked_up(float height, float along, float across, float cosine) const {
  const float row = row_at(height) * rows, level = std::abs(along) + across;
  const float column = level > 0 ? (0.5f - 0.5f * along / level) * columns : 0;
  const int y = std::min(static_cast<int>(row), rows - 1), x = std::min(static_cast<int>(column), columns - 1);
  const float fy = row - static_cast<float>(y), fx = column - static_cast<float>(x);
  const Cell* low = &cells_[static_cast<size_t>(y * (columns + 1) + x)];
  const Cell* high = low + columns + 1;
  float part[8];
  for (int i = 0; i < 8; ++i) {
    const float a = low[0].part[i] + (low[1].part[i] - low[0].part[i]) * fx;
    const float b = high[0].part[i] + (high[1].part[i] - high[0].part[i]) * fx;
    part[i] = a + (b - a) * fy;
  }
  const float phase = haze_phase(cosine);
  return {part[0] + part[4] * phase, part[1] + part[5] * phase, part[2] + part[6] * phase};
}

Rgb Sky::radiance(Vec3 d) const {
  if (cells_.empty()) return below_;
  if (d.z < 0) return mix(air(d), below_, static_cast<float>(std::min(d.z * d.z, 1.0)));
  const double along = d.x * sun_x_ + d.y * sun_y_, across = std::abs(d.x * sun_y_ - d.y * sun_x_);
  return looked_up(static_cast<float>(std::min(d.z, 1.0)), static_cast<float>(along), static_cast<float>(across),
                   static_cast<float>(along) * level_ + static_cast<float>(d.z * to_sun_.z));
}

Rgb Sky::air(Vec3 d) const {
  const double level = std::sqrt(d.x * d.x + d.y * d.y);
  if (cells_.empty() || level < 1e-9) return ring_mean_;
  const float along = static_cast<float>((d.x * sun_x_ + d.y * sun_y_) / level);
  const float across = static_cast<float>(std::abs(d.x * sun_y_ - d.y * sun_x_) / level);
  // The azimuth of a steep direction means little.
  return mix(looked_up(0, along, across, along * level_), ring_mean_, static_cast<float>(std::min(d.z * d.z, 1.0)));
}

}  // namespace tepui

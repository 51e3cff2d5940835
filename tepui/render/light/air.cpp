#include "tepui/render/light/air.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

using namespace atmosphere;

constexpr double air_top = 100;
/// Half the angle that the sun is wide.
constexpr double sun_width = 0.00465;

/// exp(-depth) within 1e-6, in operations that compilers make vectors of.
inline float exp_minus(float depth) {
  const float y = std::max(depth * -1.44269504f, -120.0f);
  const int whole = static_cast<int>(y);
  const float x = (y - static_cast<float>(whole)) * 0.693147181f;  // in (-ln 2, 0]
  const float high = ((x * (1 / 5040.0f) + 1 / 720.0f) * x + 1 / 120.0f) * x + 1 / 24.0f;
  const float sum = (((high * x + 1 / 6.0f) * x + 0.5f) * x + 1.0f) * x + 1.0f;
  return sum * std::bit_cast<float>((whole + 127) << 23);
}

/// (1 - exp(-depth)) / depth, the mean of what is let through within a step.
inline float mean_let_through(float depth, float left) {
  return depth < 0.06f ? 1 - depth * (0.5f - depth * (1 / 6.0f - depth * (1 / 24.0f))) : (1 - left) / depth;
}

/// As atmosphere::densities, within 1e-6: rays have many steps.
struct StepDensities {
  float molecules, haze, ozone;
};
StepDensities step_densities(double height) {
  const float h = static_cast<float>(std::max(height, 0.0));
  return {exp_minus(h * (1 / 8.0f)), exp_minus(h * (1 / 1.2f)), std::max(0.0f, 1 - std::abs(h - 25) * (1 / 15.0f))};
}

/// The cosine of the sun's angle to the zenith at a column's coordinate in [0, 1] and back: dense at the horizon.
double sun_at_column(double x) { return (2 * x - 1) * std::abs(2 * x - 1); }
double column_of_sun(double cosine) {
  return 0.5 + 0.5 * std::copysign(std::sqrt(std::min(std::abs(cosine), 1.0)), cosine);
}

Matter matter_of(const AirSpec& spec) {
  Matter matter(spec.haze);
  for (Spectrum* all : {&matter.molecules, &matter.haze_scatters, &matter.haze_takes, &matter.ozone})
    for (float& v : *all) v *= static_cast<float>(spec.amount);
  return matter;
}

}  // namespace

Air::Air(const AirSpec& spec)
    : spec_(spec),
      matter_(matter_of(spec)),
      unit_(spec.height_scale / 8),
      radius_(spec.radius / unit_),
      longest_(std::sqrt(air_top * (2 * radius_ + air_top))),
      sun_(256, 64),
      later_(64, 32),
      sky_(64, 12) {
  assert(spec.radius > 0 && spec.height_scale > 0 && spec.amount >= 0 && spec.haze >= 0 && spec.haze <= 1);
  fill(sun_, &Air::table_sun);
  fill(later_, &Air::table_later);
  fill(sky_, &Air::table_sky);
}

double Air::top() const { return air_top * unit_; }

Spectrum Air::Table::at(double u, double v) const {
  const double x = std::clamp(u, 0.0, 1.0) * (width - 1), y = std::clamp(v, 0.0, 1.0) * (height - 1);
  const int x0 = std::min(static_cast<int>(x), width - 2), y0 = std::min(static_cast<int>(y), height - 2);
  const float fx = static_cast<float>(x - x0), fy = static_cast<float>(y - y0);
  const Spectrum* low = &cells[static_cast<size_t>(y0 * width + x0)];
  const Spectrum* high = low + width;
  Spectrum r;
  for (size_t i = 0; i < bands; ++i) {
    const float a = low[0][i] + (low[1][i] - low[0][i]) * fx, b = high[0][i] + (high[1][i] - high[0][i]) * fx;
    r[i] = a + (b - a) * fy;
  }
  return r;
}

void Air::fill(Table& table, Spectrum (Air::*at)(double, double) const) {
  parallel_chunks(table.height, 1, Context(), [&](int64_t begin, int64_t end) {
    for (int y = static_cast<int>(begin); y < end; ++y)
      for (int x = 0; x < table.width; ++x)
        table.at(x, y) =
            (this->*at)(static_cast<double>(x) / (table.width - 1), static_cast<double>(y) / (table.height - 1));
  });
}

// The squares of radii are written as differences to the ground's, so that no digits are lost on a large planet.

double Air::height_after(const Ray& ray, double far) const {
  const double r = radius_ + ray.height;
  const double over = ray.height * (2 * radius_ + ray.height) + far * (2 * r * ray.cosine + far);
  return over / (std::sqrt(std::max(radius_ * radius_ + over, 0.0)) + radius_);
}

double Air::sun_after(const Ray& ray, double far) const {
  const double r = radius_ + height_after(ray, far);
  return r > 0 ? ((radius_ + ray.height) * ray.sun + far * ray.to_sun) / r : 1;
}

double Air::to_ground(const Ray& ray) const {
  const double down = -(radius_ + ray.height) * ray.cosine, over = ray.height * (2 * radius_ + ray.height);
  const double square = down * down - over;
  if (down <= 0 || square < 0) return -1;
  return std::max(over / (down + std::sqrt(square)), 0.0);
}

double Air::to_top(double height, double cosine) const {
  const double up = (radius_ + height) * cosine;
  const double left = (air_top - height) * (2 * radius_ + air_top + height);
  const double root = std::sqrt(std::max(up * up + left, 0.0));
  return up > 0 ? left / (up + root) : root - up;
}

/// How much matter lies on a ray, as the length of a way through the densest of each kind: Gauss's rule, with shorter
/// parts where the ray is low.
Densities Air::depths(const Ray& ray, double far) const {
  constexpr int parts = 12;
  constexpr double node[4] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
  constexpr double weight[4] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};
  const double lowest = std::clamp(-(radius_ + ray.height) * ray.cosine, 0.0, far);
  Densities sum;
  for (const double end : {0.0, far}) {
    if (end == lowest) continue;
    for (int k = 0; k < parts; ++k)
      for (int j = 0; j < 4; ++j) {
        const double s = (k + node[j]) / parts, dt = std::abs(end - lowest) * 2 * s * weight[j] / parts;
        const Densities d = densities(std::max(height_after(ray, lowest + (end - lowest) * s * s), 0.0));
        sum = {sum.molecules + d.molecules * dt, sum.haze + d.haze * dt, sum.ozone + d.ozone * dt};
      }
  }
  return sum;
}

Spectrum Air::left_of(const Densities& depths) const {
  Spectrum left;
  for (size_t i = 0; i < bands; ++i) left[i] = exp_minus(matter_.takes(i, depths));
  return left;
}

/// Coordinates of Bruneton and Neyret 2008 in their later form: distances to the top of the air, so that the horizon
/// is resolved.
Spectrum Air::table_sun(double x, double y) const {
  const double rise = longest_ * y, height = rise * rise / (std::sqrt(rise * rise + radius_ * radius_) + radius_);
  const double near = air_top - height, far = rise + longest_, way = near + (far - near) * x;
  const double r = radius_ + height;
  const double cosine = way > 0 ? (near * (2 * radius_ + air_top + height) - way * way) / (2 * r * way) : 1;
  return left_of(depths({height, std::clamp(cosine, -1.0, 1.0)}, way));
}

Spectrum Air::sunlight_at(double height, double cosine) const {
  const double h = std::clamp(height, 0.0, air_top), rise = std::sqrt(h * (2 * radius_ + h)), r = radius_ + h;
  const double lit = (cosine * r + rise) / (2 * sun_width * radius_) + 0.5;
  if (lit <= 0) return {};
  const double near = air_top - h, far = rise + longest_;
  Spectrum left = sun_.at((to_top(h, cosine) - near) / (far - near), rise / longest_);
  if (lit < 1)
    for (float& v : left) v *= static_cast<float>(lit);
  return left;
}

Spectrum Air::later_at(double height, double cosine) const {
  return later_.at(column_of_sun(cosine), std::sqrt(std::clamp(height / air_top, 0.0, 1.0)));
}

/// Visits the steps of a ray from its start, shorter where it is low, and returns the share that comes through all. The
/// light of a step is looked up `shift` of its length into it.
template <class Visit>
Spectrum Air::walk(const Ray& ray, double far, int steps, double shift, const Visit& visit) const {
  Spectrum through;
  through.fill(1);
  if (!(far > 0)) return through;
  const double lowest = std::clamp(-(radius_ + ray.height) * ray.cosine, 0.0, far);
  int down = static_cast<int>(std::lround(steps * lowest / far));
  if (lowest > 0 && lowest < far && steps > 1) down = std::clamp(down, 1, steps - 1);
  const auto edge = [&](int k) {
    const double s = k <= down ? static_cast<double>(down - k) / std::max(down, 1)
                               : static_cast<double>(k - down) / std::max(steps - down, 1);
    return k <= down ? lowest - lowest * s * s : lowest + (far - lowest) * s * s;
  };
  double begin = 0;
  for (int k = 0; k < steps; ++k) {
    const double end = edge(k + 1), middle = 0.5 * (begin + end);
    const float dt = static_cast<float>(end - begin);
    const StepDensities d = step_densities(height_after(ray, middle));
    Step step;
    step.at = begin + shift * (end - begin);
    step.height = height_after(ray, step.at);
    Spectrum depth, left;
    for (size_t i = 0; i < bands; ++i)
      depth[i] =
          (matter_.molecules[i] * d.molecules + matter_.haze_takes[i] * d.haze + matter_.ozone[i] * d.ozone) * dt;
    for (size_t i = 0; i < bands; ++i) left[i] = exp_minus(depth[i]);
    for (size_t i = 0; i < bands; ++i) {
      // Exact for the step if what it scatters is even over it (Hillaire 2020, Sec. 5.3).
      const float added = through[i] * dt * mean_let_through(depth[i], left[i]);
      step.molecules[i] = added * matter_.molecules[i] * d.molecules;
      step.haze[i] = added * matter_.haze_scatters[i] * d.haze;
      through[i] *= left[i];
    }
    visit(step);
    begin = end;
  }
  return through;
}

/// Light that was scattered twice or more, taken as equal from all sides (Hillaire 2020, Eqs 5-10).
Spectrum Air::table_later(double x, double y) const {
  constexpr int rings = 16, spokes = 4, count = 24;
  constexpr float even = static_cast<float>(1 / (4 * math::pi));
  const double height = air_top * y * y, sun = sun_at_column(x), sun_sine = std::sqrt(std::max(1 - sun * sun, 0.0));
  Spectrum second{}, again{};
  for (int ring = 0; ring < rings; ++ring) {
    const double cosine = -1 + (2 * ring + 1.0) / rings, sine = std::sqrt(1 - cosine * cosine);
    const Ray way{height, cosine};
    const double ground = to_ground(way), far = ground >= 0 ? ground : to_top(height, cosine);
    std::array<Ray, spokes> rays;
    for (int k = 0; k < spokes; ++k)
      rays[static_cast<size_t>(k)] = {height, cosine, sun,
                                      cosine * sun + sine * sun_sine * math::cos(math::pi * (k + 0.5) / spokes)};
    const Spectrum through = walk(way, far, count, 0.5, [&](const Step& step) {
      Spectrum light{};
      for (const Ray& ray : rays) {
        const Spectrum one = sunlight_at(step.height, sun_after(ray, step.at));
        for (size_t i = 0; i < bands; ++i) light[i] += one[i];
      }
      for (size_t i = 0; i < bands; ++i) {
        const float scatters = step.molecules[i] + step.haze[i];
        second[i] += scatters * light[i] * (even / spokes);
        again[i] += scatters;
      }
    });
    if (ground < 0) continue;
    for (const Ray& ray : rays) {
      const double level = sun_after(ray, ground);
      if (level <= 0) continue;
      const Spectrum light = sunlight_at(0, level);
      const float back = spec_.ground * static_cast<float>(level / math::pi) / spokes;
      for (size_t i = 0; i < bands; ++i) second[i] += through[i] * light[i] * back;
    }
  }
  for (size_t i = 0; i < bands; ++i) second[i] /= rings - again[i];
  return second;
}

Spectrum Air::scattered(const Ray& ray, double far, int steps, double shift, Spectrum& through) const {
  const float cosine = static_cast<float>(ray.to_sun);
  const float by_molecules = molecules_phase(cosine), by_haze = haze_phase(cosine);
  Spectrum light{};
  through = walk(ray, far, steps, shift, [&](const Step& step) {
    const double sun = sun_after(ray, step.at);
    const Spectrum first = sunlight_at(step.height, sun), rest = later_at(step.height, sun);
    for (size_t i = 0; i < bands; ++i)
      light[i] += (step.molecules[i] * by_molecules + step.haze[i] * by_haze) * first[i] +
                  (step.molecules[i] + step.haze[i]) * rest[i];
  });
  return light;
}

Spectrum Air::table_sky(double x, double y) const {
  constexpr int rings = 10, spokes = 10, steps = 16;
  const double height = air_top * y * y, sun = sun_at_column(x), sun_sine = std::sqrt(std::max(1 - sun * sun, 0.0));
  Spectrum sum{};
  for (int ring = 0; ring < rings; ++ring) {
    // Rings of the same share of what falls on the level.
    const double cosine = std::sqrt((ring + 0.5) / rings), sine = std::sqrt(1 - cosine * cosine);
    for (int k = 0; k < spokes; ++k) {
      const double to_sun = cosine * sun + sine * sun_sine * math::cos(math::pi * (k + 0.5) / spokes);
      Spectrum through;
      const Spectrum light = scattered({height, cosine, sun, to_sun}, to_top(height, cosine), steps, 0.5, through);
      for (size_t i = 0; i < bands; ++i) sum[i] += light[i] / (rings * spokes);
    }
  }
  return sum;
}

Spectrum Air::transmittance(Vec3 from, Vec3 to) const {
  Spectrum clear;
  clear.fill(1);
  // From the same end whichever way it is asked for, so that both have the same bits.
  const auto order = [](Vec3 p) { return std::array{dot(p, p), p.x, p.y, p.z}; };
  if (order(to) < order(from)) std::swap(from, to);
  const double far = length(to - from);
  if (!(far > 0)) return clear;
  const Vec3 direction = (to - from) * (1 / far);
  const std::optional<Span> in = span(from, direction, far);
  if (!in) return clear;
  return left_of(depths(ray(from + direction * in->from, direction, {0, 0, 1}), (in->to - in->from) / unit_));
}

/// The part of a ray that is in the air, in metres from its start; nothing where there is none.
std::optional<Air::Span> Air::span(Vec3 from, Vec3 direction, double far) const {
  const double outer = (radius_ + air_top) * unit_, closest = length(cross(from, direction));
  if (closest >= outer) return std::nullopt;
  const double middle = -dot(from, direction), half = std::sqrt((outer - closest) * (outer + closest));
  const Span in{std::max(middle - half, 0.0), std::min(middle + half, far)};
  if (!(in.to > in.from)) return std::nullopt;
  return in;
}

Air::Ray Air::ray(Vec3 from, Vec3 direction, Vec3 to_sun) const {
  const double r = length(from);
  const Vec3 up = r > 0 ? from * (1 / r) : Vec3{0, 0, 1};
  const auto cosine = [](Vec3 a, Vec3 b) { return std::clamp(dot(a, b), -1.0, 1.0); };
  return {r / unit_ - radius_, cosine(up, direction), cosine(up, to_sun), cosine(direction, to_sun)};
}

Spectrum Air::sunlight(Vec3 at, Vec3 to_sun) const {
  const Ray to = ray(at, to_sun, to_sun);
  if (to.height <= air_top) return sunlight_at(to.height, to.cosine);
  // Outside, the planet is in the way or the air is, or nothing.
  Spectrum clear;
  clear.fill(1);
  const std::optional<Span> in = span(at, to_sun, no_end);
  if (!in) return clear;
  const Ray entered = ray(at + to_sun * in->from, to_sun, to_sun);
  return sunlight_at(air_top, entered.cosine);
}

Spectrum Air::skylight(Vec3 at, Vec3 to_sun) const {
  const Ray to = ray(at, to_sun, to_sun);
  if (to.height > air_top) return {};
  return sky_.at(column_of_sun(to.sun), std::sqrt(std::max(to.height / air_top, 0.0)));
}

Air::Way Air::along(Vec3 from, Vec3 direction, Vec3 to_sun, double far, int steps, double shift) const {
  Way way;
  way.through.fill(1);
  way.length = far;
  const std::optional<Span> in = span(from, direction, far);
  if (!in) return way;
  const Ray inside = ray(from + direction * in->from, direction, to_sun);
  double distance = (in->to - in->from) / unit_;
  if (far == no_end) {
    const double ground = to_ground(inside);
    way.ground = ground >= 0;
    if (way.ground) distance = ground;
    way.length = in->from + distance * unit_;
  }
  way.light = scattered(inside, distance, steps, shift, way.through);
  return way;
}

}  // namespace tepui

#include "tepui/planet/planet_climate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/planet/sphere_fields.h"
#include "tepui/planet/sphere_noise.h"

namespace tepui {

namespace {

constexpr int climate_level = 6;
constexpr int passes = 90;
constexpr int64_t vertex_grain = 1024;
constexpr double year_rain = 32;    // metres a year of moisture 1 that falls at rate 1
constexpr double season_shift = 9;  // degrees by which the belts follow the sun
constexpr double mixing = 0.12;     // share of its air that a place shares with its neighbours in a step

double square(double x) { return x * x; }
double bell(double x, double width) { return math::exp(-square(x / width)); }

/// East and north, of about 1: trade winds, westerlies and polar easterlies, by the latitude in degrees.
Vec2 wind_at(double degrees) {
  const double side = degrees < 0 ? -1 : 1, far = std::fabs(degrees);
  const double within = math::sin(math::pi * (far < 90 ? far : 0) / 30);  // positive, negative, positive
  const double power = far < 30 ? 1 : far < 60 ? 1.15 : 0.5;
  const double calm = 0.3 * bell(far, 10);
  return {-within * power - calm, -side * within * power * (far < 60 ? 0.5 : 0.35)};
}

/// How readily air gives up its moisture by its place in the belts: rising at the equator and along the polar front,
/// sinking at 30 degrees.
double rising_air(double degrees) {
  const double far = std::fabs(degrees);
  return 0.020 + 0.075 * bell(degrees, 9) + 0.028 * bell(far - 52, 15) - 0.0165 * bell(far - 27, 9);
}

struct Column {
  double holds = 0;  ///< moisture at saturation
  double gains = 0;  ///< share of what is missing that the ground gives in a step
  double falls = 0;  ///< share that falls in a step
};

/// One season's air over a coarse mesh.
class Air {
 public:
  Air(const SphereMesh& mesh, const Neighbours& around, std::span<const float> height,
      std::span<const float> temperature, double shift, double wind, const Context& context)
      : mesh_(mesh), around_(around), context_(context) {
    const size_t count = mesh.directions.size();
    columns_.resize(count);
    upwind_.resize(around.vertex.size());
    parallel_chunks(static_cast<int64_t>(count), vertex_grain, context, [&](int64_t begin, int64_t end) {
      for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v)
        prepare(v, height, temperature, shift, wind);
    });
  }

  /// Rain in units of moisture a step, once the air has settled.
  std::vector<float> rain() {
    std::vector<double> moisture(columns_.size()), next(columns_.size());
    for (size_t v = 0; v < moisture.size(); ++v) moisture[v] = columns_[v].gains > 0.03 ? 0.7 * columns_[v].holds : 0;
    std::vector<float> fallen(columns_.size());
    for (int pass = 0; pass < passes; ++pass) {
      parallel_chunks(static_cast<int64_t>(moisture.size()), vertex_grain, context_, [&](int64_t begin, int64_t end) {
        for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
          const Column& column = columns_[v];
          double arrives = 0, mean = 0;
          const auto first = static_cast<size_t>(around_.first[v]), last = static_cast<size_t>(around_.first[v + 1]);
          for (size_t k = first; k < last; ++k) {
            const double there = moisture[static_cast<size_t>(around_.vertex[k])];
            arrives += static_cast<double>(upwind_[k]) * there;
            mean += there;
          }
          double here = (1 - mixing) * arrives + mixing * mean / static_cast<double>(last - first);
          here += column.gains * std::max(0.0, column.holds - here);
          const double over = 0.5 * std::max(0.0, here - column.holds);
          const double falls = column.falls * here + over;
          fallen[v] = static_cast<float>(falls);
          next[v] = here - falls;
        }
      });
      moisture.swap(next);
    }
    return fallen;
  }

 private:
  void prepare(size_t v, std::span<const float> height, std::span<const float> temperature, double shift, double wind) {
    const Vec3 here = mesh_.directions[v];
    const LocalAxes axes = local_axes(here);
    const double degrees = math::degrees(latitude(here)) - shift;
    const Vec2 speed = wind_at(degrees);
    const Vec3 way = axes.east * speed.x + axes.north * speed.y;
    const auto first = static_cast<size_t>(around_.first[v]), last = static_cast<size_t>(around_.first[v + 1]);
    double sum = 0, climb = 0, power = 0;
    const double ground = std::max(0.0, static_cast<double>(height[v]));
    for (size_t k = first; k < last; ++k) {
      const auto there = static_cast<size_t>(around_.vertex[k]);
      const double along = -dot(way, normalised(mesh_.directions[there] - here));
      upwind_[k] = static_cast<float>(along > 0 ? square(along) : 0);
      sum += static_cast<double>(upwind_[k]);
      climb += static_cast<double>(upwind_[k]) * (ground - std::max(0.0, static_cast<double>(height[there])));
      power = std::max(power, along);
    }
    for (size_t k = first; k < last; ++k)
      upwind_[k] =
          static_cast<float>(sum > 0 ? static_cast<double>(upwind_[k]) / sum : 1.0 / static_cast<double>(last - first));
    if (sum > 0) climb /= sum;
    const double warm = static_cast<double>(temperature[v]) - lapse_rate * ground;
    Column& column = columns_[v];
    column.holds = math::exp(0.055 * (warm - 27));
    column.gains = height[v] < 0 ? 0.075 : 0.011;
    const double lift = std::clamp(power * climb / 1000, 0.0, 1.5);
    column.falls = std::clamp((rising_air(degrees) + 0.14 * lift) / wind, 0.002, 0.6);
  }

  const SphereMesh& mesh_;
  const Neighbours& around_;
  const Context& context_;
  std::vector<Column> columns_;
  std::vector<float> upwind_;
};

struct Warmth {
  std::vector<float> mean, season;
};

Warmth warmth(const SphereMesh& mesh, const Neighbours& around, std::span<const float> height, const ClimateSpec& spec,
              const Context& context) {
  const size_t count = mesh.directions.size();
  std::vector<float> inland(count);
  for (size_t v = 0; v < count; ++v) inland[v] = height[v] > 0 ? 1.0f : 0.0f;
  even_out(inland, mesh, around, 0.11, context);
  const std::vector<float> noise = noise_at(mesh.directions, {.scale = 0.5, .octaves = 4, .key = spec.key}, context);
  Warmth all{std::vector<float>(count), std::vector<float>(count)};
  for (size_t v = 0; v < count; ++v) {
    const double z = square(mesh.directions[v].z);
    const double land = static_cast<double>(inland[v]);
    // Near the means of the Earth's sea level at every latitude; the middle of a continent is colder near the poles.
    const double mean = 27 - 22 * z - 25 * z * z + 3 * static_cast<double>(noise[v]) - 5 * z * (land - 0.4);
    all.mean[v] = static_cast<float>(mean + spec.warmer);
    all.season[v] = static_cast<float>(spec.seasons * (1.5 + 26 * z * (0.22 + 0.78 * land)));
  }
  return all;
}

}  // namespace

std::vector<float> fallen_moisture(const SphereMesh& mesh, const Neighbours& around, std::span<const float> height,
                                   std::span<const float> warmth, double shift, double wind, const Context& context) {
  return Air(mesh, around, height, warmth, shift, wind, context).rain();
}

PlanetClimate make_climate(const SphereMesh& mesh, std::span<const std::array<int32_t, 2>> parents,
                           std::span<const float> height, const ClimateSpec& spec, const Context& context) {
  const SphereMesh coarse = icosphere(std::min(climate_level, mesh.level), 0, 0, context);
  const Neighbours around = neighbours(coarse);
  const size_t count = coarse.directions.size();
  std::vector<float> ground(height.begin(), height.begin() + static_cast<std::ptrdiff_t>(count));
  for (float& h : ground) h = std::max(h, -200.0f);
  even_out(ground, coarse, around, edge_of_level(climate_level), context);
  for (size_t v = 0; v < count; ++v)
    if ((height[v] < 0) != (ground[v] < 0)) ground[v] = height[v] < 0 ? -1.0f : 1.0f;
  const Warmth warm = warmth(coarse, around, ground, spec, context);
  std::vector<float> year[2];
  for (int season = 0; season < 2; ++season) {
    std::vector<float> now(count);
    for (size_t v = 0; v < count; ++v) {
      const float summer = (coarse.directions[v].z > 0) == (season == 0) ? 0.6f : -0.6f;
      now[v] = warm.mean[v] + summer * warm.season[v];
    }
    const double shift = (season == 0 ? 1 : -1) * season_shift * spec.seasons;
    year[season] = fallen_moisture(coarse, around, ground, now, shift, spec.wind, context);
  }
  PlanetClimate climate{warm.mean, warm.season, std::vector<float>(count), std::vector<float>(count), {}};
  for (size_t v = 0; v < count; ++v) {
    const bool north = coarse.directions[v].z > 0;
    const float summer = year[north ? 0 : 1][v], winter = year[north ? 1 : 0][v];
    climate.rain[v] = static_cast<float>(year_rain * spec.rain) * (summer + winter);
    climate.summer_rain[v] = summer / std::max(summer + winter, 1e-6f);
  }
  even_out(climate.rain, coarse, around, 0.8 * edge_of_level(climate_level), context);
  for (std::vector<float>* field : {&climate.temperature, &climate.season, &climate.rain, &climate.summer_rain})
    *field = raised(*field, parents);
  climate.runoff.resize(height.size());
  for (size_t v = 0; v < height.size(); ++v)
    climate.runoff[v] = static_cast<float>(runoff_of(
        static_cast<double>(climate.rain[v]),
        static_cast<double>(climate.temperature[v]) - lapse_rate * std::max(0.0, static_cast<double>(height[v]))));
  return climate;
}

double runoff_of(double rain, double temperature) {
  const double warm = std::max(temperature, 0.0);
  const double most = (300 + 25 * warm + 0.05 * warm * warm * warm) / 1000;  // what could evaporate, metres
  const double ratio = rain / most;
  const double evaporated = ratio < 0.316 ? rain : rain / std::sqrt(0.9 + ratio * ratio);
  return std::max(rain - evaporated, 0.01 * rain);
}

int koppen_class(double temperature, double season, double rain, double summer_rain) {
  const double millimetres = rain * 1000, hot = temperature + season, cold = temperature - season;
  const double dry_half = std::min(summer_rain, 1 - summer_rain);
  const double driest = millimetres / 6 * dry_half * 0.7;  // of a month, where the dry half is uneven itself
  const double limit = 20 * temperature + (summer_rain >= 0.7 ? 280 : summer_rain <= 0.3 ? 0 : 140);
  if (hot < 10) return hot > 0 ? 29 : 30;
  if (millimetres < limit) {
    const bool desert = millimetres < 0.5 * limit, warm = temperature >= 18;
    return desert ? (warm ? 4 : 5) : (warm ? 6 : 7);
  }
  if (cold >= 18) return driest >= 60 ? 1 : driest >= 100 - millimetres / 25 ? 2 : 3;
  // The share of the year above 10 degrees, of a year that swings like a sine.
  const double reach = std::clamp((10 - temperature) / std::max(season, 1e-9), -1.0, 1.0);
  const double warm_months = 12 * math::acos(reach) / math::pi;
  const bool mild = cold > 0;
  const int letter = hot >= 22 ? 0 : warm_months >= 4 ? 1 : cold < -38 && !mild ? 3 : 2;
  const bool dry_summer = summer_rain<0.36, dry_winter = summer_rain> 0.8;
  if (mild) return (dry_summer ? 8 : dry_winter ? 11 : 14) + std::min(letter, 2);
  return (dry_summer ? 17 : dry_winter ? 21 : 25) + letter;
}

}  // namespace tepui

#include "tepui/render/ground/planet_skin.h"

#include <algorithm>
#include <cmath>

#include "tepui/render/ground/planet_ground.h"
#include "tepui/render/ground/solid_grain.h"

namespace tepui {

namespace {

constexpr double least_water = 0.5;  // metres
constexpr Rgb lasting_snow{0.76f, 0.79f, 0.82f};

/// Noise in [-1, 1] whose largest features have a size, without what is smaller than a pixel.
double noise(Vec3 at, double size, double footprint) {
  constexpr int most = 14;
  const double cell = footprint / size;
  const int octaves = cell > 0 ? std::clamp(1 - std::ilogb(cell), 1, most) : most;
  return static_cast<double>(
      solid_grain_value(at * (1 / size), {.octaves = octaves, .footprint = static_cast<float>(cell), .fall = 0.8f}));
}

}  // namespace

PlanetSkin::PlanetSkin(const Mesh& mesh) : mesh_(mesh) {
  constexpr std::array<const char*, count> names = {"height",      "water",  "snow", "ice",
                                                    "temperature", "season", "rain", "slope"};
  for (size_t k = 0; k < count; ++k) values_[k] = mesh.attribute(names[k]);
  if (std::ranges::find(values_, nullptr) != values_.end()) {
    values_ = {};
    return;
  }
  shown_.assign(mesh.positions().size(), 0);
  for (const MeshTriangle& t : mesh.triangles()) {
    const auto wet = [&](uint32_t v) { return values_[water]->values[v] > 0; };
    if (wet(t[0]) && wet(t[1]) && wet(t[2])) shown_[t[0]] = shown_[t[1]] = shown_[t[2]] = 1;
  }
}

double PlanetSkin::shown_depth(const MeshTriangle& triangle, const std::array<double, 3>& shares) const {
  double sum = 0;
  for (size_t k = 0; k < 3; ++k)
    if (shown_[triangle[k]] != 0) sum += shares[k] * static_cast<double>(values_[water]->values[triangle[k]]);
  return sum;
}

Rgb PlanetSkin::albedo(const MeshTriangle& triangle, const std::array<double, 3>& shares, Vec3 at, double footprint,
                       Season time) const {
  const auto value = [&](Value which) {
    double sum = 0;
    for (size_t k = 0; k < 3; ++k) sum += shares[k] * static_cast<double>(values_[which]->values[triangle[k]]);
    return sum;
  };
  PlanetSpot spot;
  spot.patches = noise(at, 60e3, footprint);
  spot.fine = noise(at, 3e3, footprint);
  spot.height = value(height);
  spot.slope = value(slope);
  const double depth = shown_depth(triangle, shares);
  spot.water = depth > least_water ? depth : 0;
  spot.lake = spot.water > 0 && spot.height > 0;
  spot.ice = value(ice);
  if (spot.ice > 0) spot.water = 0;
  spot.temperature = value(temperature);
  spot.season = value(season);
  spot.rain = value(rain);
  const Rgb ground = planet_look(spot, time).albedo;
  return spot.water > 0 ? ground : mix(ground, lasting_snow, static_cast<float>(value(snow)));
}

}  // namespace tepui

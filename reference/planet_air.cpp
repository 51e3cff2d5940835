#include "reference/planet_air.h"

#include <algorithm>
#include <cmath>

namespace tepui::reference {

namespace {

constexpr double degree = 3.14159265358979323846 / 180;

/// Trade winds, westerlies and polar easterlies, and a little wind from the east along the equator.
Vec3 wind_over(Vec3 place, double shift) {
  const double north = std::asin(std::clamp(place.z / length(place), -1.0, 1.0)) / degree - shift;
  const double far = std::fabs(north), turn = far < 90 ? std::sin(6 * far * degree) : 0;
  const double east = -turn * (far < 30 ? 1 : far < 60 ? 1.15 : 0.5) - 0.3 * std::exp(-far * far / 100);
  const double out = -turn * (far < 30 ? 0.5 : far < 60 ? 0.575 : 0.175);
  const LocalAxes axes = local_axes(place);
  return axes.east * east + axes.north * (north < 0 ? -out : out);
}

/// The share of its moisture that air gives up without mountains.
double rises(double north) {
  const auto bell = [](double x, double width) { return std::exp(-(x / width) * (x / width)); };
  const double far = std::fabs(north);
  return 0.020 + 0.075 * bell(north, 9) + 0.028 * bell(far - 52, 15) - 0.0165 * bell(far - 27, 9);
}

}  // namespace

std::vector<double> fallen_moisture(const SphereMesh& mesh, std::span<const float> height,
                                    std::span<const float> warmth, double shift, double wind) {
  const Neighbours around = neighbours(mesh);
  const size_t count = mesh.directions.size();
  const auto ground = [&](size_t v) { return std::max(static_cast<double>(height[v]), 0.0); };
  const auto holds = [&](size_t v) {
    return std::exp(0.055 * (static_cast<double>(warmth[v]) - 6.5e-3 * ground(v) - 27));
  };
  std::vector<double> moisture(count, 0), fallen(count, 0);
  for (size_t v = 0; v < count; ++v)
    if (height[v] < 0) moisture[v] = 0.7 * holds(v);
  for (int step = 0; step < 90; ++step) {
    std::vector<double> next(count);
    for (size_t v = 0; v < count; ++v) {
      const Vec3 here = mesh.directions[v], way = wind_over(here, shift);
      double weights = 0, arrives = 0, climbs = 0, mean = 0, power = 0;
      const auto near = around.of(static_cast<int32_t>(v));
      for (const int32_t from : near) {
        const auto w = static_cast<size_t>(from);
        const double against = std::max(-dot(way, normalised(mesh.directions[w] - here)), 0.0);
        // What is too little for single precision is none: the poles' air is still.
        const double weight = static_cast<double>(static_cast<float>(against * against));
        weights += weight;
        arrives += weight * moisture[w];
        climbs += weight * (ground(v) - ground(w));
        mean += moisture[w] / static_cast<double>(near.size());
        power = std::max(power, against);
      }
      if (weights > 0)
        arrives /= weights, climbs /= weights;
      else
        arrives = mean;
      double here_now = 0.88 * arrives + 0.12 * mean;
      here_now += (height[v] < 0 ? 0.075 : 0.011) * std::max(holds(v) - here_now, 0.0);
      const double north = std::asin(std::clamp(here.z / length(here), -1.0, 1.0)) / degree - shift;
      const double lift = std::clamp(power * climbs / 1000, 0.0, 1.5);
      const double share = std::clamp((rises(north) + 0.14 * lift) / wind, 0.002, 0.6);
      fallen[v] = share * here_now + 0.5 * std::max(here_now - holds(v), 0.0);
      next[v] = here_now - fallen[v];
    }
    moisture = std::move(next);
  }
  return fallen;
}

}  // namespace tepui::reference

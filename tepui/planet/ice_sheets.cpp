#include "tepui/planet/ice_sheets.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/planet/front.h"
#include "tepui/planet/sphere_fields.h"

namespace tepui {

namespace {

constexpr double thickest = 4200;  // metres
/// Twice the yield stress of ice over its weight: a sheet on flat ground is sqrt(this * distance from its edge) thick
/// (Nye 1952); 10^5 Pa / (917 kg/m3 * 9.8 m/s2) = 11 m.
constexpr double plastic = 22;

std::vector<int32_t> covered_cells(const Neighbours& around, std::span<const double> top, std::span<const uint8_t> sea,
                                   const Ice& ice, std::span<const float> rain, const IceSpec& spec) {
  std::vector<int32_t> covered(top.size());
  for (size_t v = 0; v < top.size(); ++v)
    covered[v] = sea[v] == 0 && ice_balance(top[v], static_cast<double>(ice.snow_line[v]), static_cast<double>(rain[v]),
                                            spec) > 0
                     ? 1
                     : 0;
  // A cell of its own among others is a glacier, not a sheet; a hole in a sheet fills.
  for (int round = 0; round < 2; ++round) {
    const std::vector<int32_t> before = covered;
    for (size_t v = 0; v < top.size(); ++v) {
      int number = 0;
      const auto near = around.of(static_cast<int32_t>(v));
      for (const int32_t w : near) number += before[static_cast<size_t>(w)];
      const int all = static_cast<int>(near.size());
      if (before[v] != 0 && 3 * number < all) covered[v] = 0;
      if (before[v] == 0 && 3 * number > 2 * all && sea[v] == 0) covered[v] = 1;
    }
  }
  return covered;
}

}  // namespace

double snow_line(double temperature, double season, double rain, const IceSpec& spec) {
  const double snowfall = std::clamp(rain / 1.5, 0.0, 1.0);
  const double heat = spec.least_heat + spec.summer_heat * season;
  return (temperature - spec.colder + heat - spec.snow_cooling * snowfall) / lapse_rate;
}

double ice_balance(double height, double snow_line, double rain, const IceSpec& spec) {
  const double most = std::min(spec.most_snow, 1.1 * rain);
  return std::clamp(spec.gradient * (height - snow_line), -spec.most_melt, most);
}

Ice make_ice(const SphereMesh& mesh, const Neighbours& around, std::span<const std::array<int32_t, 2>> parents,
             const Drainage& water, std::span<const uint8_t> sea, std::span<const double> areas,
             const PlanetClimate& climate, const IceSpec& spec, const Context& context) {
  const size_t count = sea.size();
  Ice ice{std::vector<float>(count), std::vector<float>(count, 0), std::vector<float>(count, 0)};
  for (size_t v = 0; v < count; ++v)
    ice.snow_line[v] = static_cast<float>(snow_line(static_cast<double>(climate.temperature[v]),
                                                    static_cast<double>(climate.season[v]),
                                                    static_cast<double>(climate.rain[v]), spec));

  std::vector<double> flow(count, 0);
  for (size_t v = 0; v < count; ++v)
    if (sea[v] == 0)
      flow[v] = areas[v] * earth_radius * earth_radius *
                ice_balance(water.surface[v], static_cast<double>(ice.snow_line[v]),
                            static_cast<double>(climate.rain[v]), spec);
  for (auto it = water.order.rbegin(); it != water.order.rend(); ++it) {
    const auto v = static_cast<size_t>(*it);
    if (flow[v] <= 0) {
      flow[v] = 0;
      continue;
    }
    const auto down = static_cast<size_t>(water.receiver[v]);
    if (sea[down] == 0) flow[down] += flow[v];
  }
  for (size_t v = 0; v < count; ++v) ice.flow[v] = static_cast<float>(flow[v]);

  std::vector<float> bed(count);
  for (size_t v = 0; v < count; ++v) bed[v] = static_cast<float>(std::max(water.surface[v], 0.0));
  std::vector<float> smooth = bed;
  even_out(smooth, mesh, around, 0.016, context);
  std::vector<double> top(water.surface);
  // Where ice lies, its surface is higher and colder, so that it spreads; two rounds are enough.
  for (int round = 0; round < 2; ++round) {
    const std::vector<int32_t> covered = covered_cells(around, top, sea, ice, climate.rain, spec);
    Front edge = front_between(mesh, covered);
    smooth_places(edge, 2);
    const std::vector<int32_t> nearest = nearest_points(edge, mesh, parents, context);
    std::vector<float> thickness(count, 0);
    for (size_t v = 0; v < count; ++v) {
      if (covered[v] == 0) continue;
      const double inside =
          edge.empty() ? 1e7
                       : arc(mesh.directions[v], edge.points[static_cast<size_t>(nearest[v])].place) * earth_radius;
      thickness[v] = static_cast<float>(std::min(thickest, std::sqrt(plastic * inside)));
    }
    even_out(thickness, mesh, around, 0.008, context);
    for (size_t v = 0; v < count; ++v) {
      // The surface hardly feels the bed's hills; peaks stand out of it.
      const float own = covered[v] == 0 ? 0.0f : std::max(0.0f, thickness[v] - 0.7f * (bed[v] - smooth[v]));
      ice.thickness[v] = own;
      top[v] = water.surface[v] + 0.5 * static_cast<double>(own);
    }
  }
  return ice;
}

}  // namespace tepui

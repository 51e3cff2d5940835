#include "tepui/erode/ice_balance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

// As on the planet (planet/ice_sheets.h): what makes melting days warmer than the mean of the year, and the snow line
// lower where plenty of snow falls (Mieloszyk 2017, Eqs. 10 and 11, with the lapse rate of air).
constexpr double lapse = 6.5e-3;  // kelvin a metre
constexpr double least_heat = 5, summer_heat = 0.55, snow_cooling = 3.8;
constexpr double plenty_of_rain = 1500;  // mm a year
constexpr double ice_of_rain = 1.1e-3;   // metres of ice for a mm of rain
constexpr double line_of_sun = 1.5;      // metres for a W/m2 of summer's light more than the land's mean
constexpr double small_flux = 2.5e5;     // m3 a year, of a glacier of half a square kilometre,
constexpr double small_width = 400;      // which is so wide
constexpr double small_thickness = 80;   // and so thick
constexpr double section = 2.0 / 3;      // of width times thickness
constexpr double low_share = 0.02;       // of heights that are left out below and above

double mean_of(const Grid<float>& map) {
  double sum = 0;
  for (const float v : map.cells()) sum += static_cast<double>(v);
  return map.empty() ? 0 : sum / static_cast<double>(map.size());
}

Grid<float> layer_on(const Terrain& land, const char* name, const Lattice& lattice, const Context& context) {
  const Layer* layer = land.find(name);
  return layer == nullptr ? Grid<float>() : point_samples(layer->grid(), lattice, context);
}

}  // namespace

double IceClimate::balance(int64_t cell, double height) const {
  const double above = height - static_cast<double>(snow_line.data()[cell]);
  return std::clamp(gradient * above, -most_melt, static_cast<double>(most.data()[cell]));
}

double usual_snow_line(const Grid<float>& heights) {
  if (heights.empty()) return 0;
  std::vector<float> sorted(heights.cells().begin(), heights.cells().end());
  std::ranges::sort(sorted);
  const double last = static_cast<double>(sorted.size() - 1);
  const auto at = [&](double share) { return static_cast<double>(sorted[static_cast<size_t>(share * last + 0.5)]); };
  return 0.5 * (at(low_share) + at(1 - low_share));
}

IceClimate ice_climate(const Terrain& land, const Lattice& lattice, const GlaciersParams& params,
                       const Context& context) {
  IceClimate out;
  out.gradient = params.gradient;
  out.most = Grid<float>(lattice.width, lattice.height, to_cell(params.most_snow));
  const Grid<float> rain = layer_on(land, "rain", lattice, context);
  for (int64_t i = 0; i < rain.size(); ++i)
    out.most.data()[i] = to_cell(std::clamp(ice_of_rain * static_cast<double>(rain.data()[i]), 0.0, params.most_snow));
  const Layer* temperature = land.find("temperature");
  const Grid<float> height = point_samples(land.height(), lattice, context);
  if (params.snow_line || temperature == nullptr) {
    const double line = params.snow_line ? *params.snow_line : usual_snow_line(height);
    out.snow_line = Grid<float>(lattice.width, lattice.height, to_cell(line));
  } else {
    const Grid<float> mean = point_samples(temperature->grid(), lattice, context);
    const Grid<float> summer = layer_on(land, "temperature_summer", lattice, context);
    out.snow_line = Grid<float>(lattice.width, lattice.height);
    for (int64_t i = 0; i < mean.size(); ++i) {
      const double t = static_cast<double>(mean.data()[i]);
      const double season = summer.empty() ? 0 : std::max(0.0, static_cast<double>(summer.data()[i]) - t);
      const double fall = rain.empty() ? 0 : std::clamp(static_cast<double>(rain.data()[i]) / plenty_of_rain, 0.0, 1.0);
      const double above = (t - params.colder + least_heat + summer_heat * season - snow_cooling * fall) / lapse;
      out.snow_line.data()[i] = to_cell(static_cast<double>(height.data()[i]) + above);
    }
  }
  const Grid<float> sun = layer_on(land, "sun_summer", lattice, context);
  const double mean = mean_of(sun);
  for (int64_t i = 0; i < sun.size(); ++i)
    out.snow_line.data()[i] = to_cell(static_cast<double>(out.snow_line.data()[i]) +
                                      line_of_sun * (static_cast<double>(sun.data()[i]) - mean));
  return out;
}

double glacier_width(double flux) { return flux > 0 ? small_width * std::sqrt(std::sqrt(flux / small_flux)) : 0; }

double glacier_thickness(double flux) {
  if (!(flux > 0)) return 0;
  const double eighth = std::sqrt(std::sqrt(std::sqrt(flux / small_flux)));
  return small_thickness * eighth * eighth * eighth;
}

double glacier_speed(double flux) {
  return flux > 0 ? flux / (section * glacier_width(flux) * glacier_thickness(flux)) : 0;
}

}  // namespace tepui

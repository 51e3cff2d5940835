#include "tepui/planet/global_stage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/planet/drainage.h"
#include "tepui/planet/ice_sheets.h"
#include "tepui/planet/sphere_fields.h"
#include "tepui/planet/sphere_noise.h"

namespace tepui {

namespace {

constexpr double mesh_jitter = 0.3;
constexpr double fastest_uplift = 3.3e-4;  // metres a year
constexpr int steps_on_map = 1;
constexpr double least_steepness = 2.5, most_steepness = 340;
/// Of slopes between vertices, some of which go from hill to hill and not along a stream: more of those that are
/// gentle.
constexpr double half_kept = 90;

struct Sphere {
  SphereMesh mesh;
  Neighbours around;
  std::vector<std::array<int32_t, 2>> parents;
  std::vector<double> areas;  ///< of the unit sphere
};

Sphere make_sphere(int level, uint64_t key, const Context& context) {
  Sphere sphere{icosphere(level, mesh_jitter, key, context), {}, icosphere_parents(level), {}};
  sphere.around = neighbours(sphere.mesh);
  sphere.areas = cell_areas(sphere.mesh);
  return sphere;
}

std::vector<Half> halves(const std::vector<float>& numbers) { return {numbers.begin(), numbers.end()}; }

/// The crust that lies under the heights of a map: continents above the shelves' edge, a floor as old as it is deep,
/// belts where it is high. Plates are those that the key draws.
void lay_under(Crust& crust, const Sphere& sphere, const LandMap& map, const Context& context) {
  constexpr double shelf_edge = -500, belt_foot = 1500, belt_heart = 5000;
  parallel_chunks(static_cast<int64_t>(crust.height.size()), 1024, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      const double height = map.height(sphere.mesh.directions[v]);
      crust.height[v] = static_cast<float>(height);
      crust.age[v] = height > shelf_edge ? -1 : static_cast<float>(sea_floor_age(-height));
      crust.belt[v] = static_cast<float>(math::smoothstep(belt_foot, belt_heart, height));
      crust.worn_belt[v] = crust.basalt[v] = 0;
    }
  });
}

/// Hard where old roots of mountains and young volcanoes stand, soft in the basins between; never less than 0.4.
std::vector<float> rock_hardness(const Sphere& sphere, const Crust& crust, uint64_t key, const Context& context) {
  std::vector<float> hardness =
      noise_at(sphere.mesh.directions, {.scale = 0.11, .octaves = 6, .gain = 0.6, .key = key}, context);
  for (size_t v = 0; v < hardness.size(); ++v)
    hardness[v] = std::clamp(
        1 + 0.9f * hardness[v] + 0.7f * crust.belt[v] + 0.5f * crust.worn_belt[v] + 0.5f * crust.basalt[v], 0.4f, 3.0f);
  return hardness;
}

std::vector<Province> provinces_of(const Crust& crust, std::span<const float> hardness) {
  constexpr float much = 0.3f, soft = 1.05f, low = 350;
  std::vector<Province> provinces(hardness.size());
  for (size_t v = 0; v < provinces.size(); ++v)
    provinces[v] = crust.basalt[v] > much                        ? Province::volcanic
                   : crust.age[v] >= 0                           ? Province::ocean_floor
                   : crust.belt[v] > much                        ? Province::young_belt
                   : crust.worn_belt[v] > much                   ? Province::old_belt
                   : hardness[v] < soft && crust.height[v] < low ? Province::basin
                                                                 : Province::craton;
  return provinces;
}

/// Lakes and the surface that is handed on.
void set_heights(GlobalLand& land, const std::vector<double>& bed, const Drainage& water,
                 std::span<const uint8_t> sea) {
  constexpr double least_lake = 4;
  land.height = water.surface;
  land.lake_depth.assign(bed.size(), 0);
  for (size_t v = 0; v < bed.size(); ++v)
    if (sea[v] == 0 && water.surface[v] - bed[v] > least_lake)
      land.lake_depth[v] = static_cast<float>(water.surface[v] - bed[v]);
}

void set_water(GlobalLand& land, const Drainage& water, std::span<const uint8_t> sea, std::span<const double> areas,
               std::span<const float> runoff) {
  const size_t count = sea.size();
  std::vector<double> yearly(count, 0);
  for (size_t v = 0; v < count; ++v)
    if (sea[v] == 0) yearly[v] = static_cast<double>(runoff[v]) * areas[v] * earth_radius * earth_radius;
  const double all = std::accumulate(yearly.begin(), yearly.end(), 0.0);
  land.unit = all > 0 ? all * 0x1p-60 : 1;
  std::vector<int64_t> own(count);
  for (size_t v = 0; v < count; ++v) own[v] = static_cast<int64_t>(yearly[v] / land.unit);
  land.receiver = water.receiver;
  land.discharge = accumulated(water, std::move(own));
}

/// How steeply streams cut each place: what the land's own slopes tell, evened out, of rock as hard as it is.
std::vector<float> steepness_of(const Sphere& sphere, const GlobalLand& land, const Drainage& water,
                                std::span<const uint8_t> sea, std::span<const float> hardness, const Context& context) {
  const size_t count = sea.size();
  std::vector<double> own(count);
  for (size_t v = 0; v < count; ++v) own[v] = sea[v] == 0 ? sphere.areas[v] * earth_radius * earth_radius : 0;
  const std::vector<double> area = accumulated(water, own);
  std::vector<float> steepness(count, static_cast<float>(least_steepness));
  parallel_chunks(static_cast<int64_t>(count), 4096, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      if (sea[v] != 0) continue;
      const auto down = static_cast<size_t>(water.receiver[v]);
      const double far = arc(sphere.mesh.directions[v], sphere.mesh.directions[down]) * earth_radius;
      const double fall = land.height[v] - std::max(land.height[down], sea[down] != 0 ? 0.0 : -1e9);
      const double slope = std::max(fall, 0.0) / far;
      steepness[v] = static_cast<float>(std::min(slope * math::pow(area[v], 0.45), 3 * most_steepness));
    }
  });
  even_out(steepness, sphere.mesh, sphere.around, 0.012, context);
  for (size_t v = 0; v < count; ++v) {
    const double kept = static_cast<double>(steepness[v]) / (static_cast<double>(steepness[v]) + half_kept);
    steepness[v] = std::clamp(steepness[v] * static_cast<float>(kept) * std::sqrt(hardness[v]),
                              static_cast<float>(least_steepness), static_cast<float>(most_steepness));
  }
  return steepness;
}

void set_ice(GlobalLand& land, const Sphere& sphere, const Drainage& water, std::span<const uint8_t> sea,
             const PlanetClimate& climate, const GlobalSpec& spec, const Context& context) {
  const size_t count = sea.size();
  IceSpec at_height{};
  at_height.colder = spec.ice_age;
  land.ice_gradient = at_height.gradient;
  land.most_snow = at_height.most_snow;
  const bool any = spec.ice && spec.glaciation != Glaciation::before;
  Ice ice = make_ice(sphere.mesh, sphere.around, sphere.parents, water, sea, sphere.areas, climate, at_height, context);
  land.snow_line = ice.snow_line;
  land.snow_line_rise = spec.glaciation == Glaciation::height ? 0 : spec.ice_age / lapse_rate;
  if (!any) ice.flow.assign(count, 0), ice.thickness.assign(count, 0);
  land.ice_flow = ice.flow;
  if (any && spec.glaciation != Glaciation::height)
    ice = make_ice(sphere.mesh, sphere.around, sphere.parents, water, sea, sphere.areas, climate, IceSpec{}, context);
  land.ice_flow_now = std::move(ice.flow);
  land.ice = std::move(ice.thickness);
}

}  // namespace

GlobalLand global_land(const GlobalSpec& spec, const Context& context) {
  const Stream stream(spec.key);
  GlobalLand land;
  land.key = stream.bits(0, 1);
  const Sphere sphere = make_sphere(spec.level, stream.bits(0, 2), context);
  context.progress(0.1);
  TectonicSpec tectonics = spec.tectonics;
  tectonics.key = stream.bits(0, 3);
  Crust crust = make_crust(sphere.mesh, sphere.around, sphere.parents, sphere.areas, tectonics, context);
  if (spec.map != nullptr) lay_under(crust, sphere, *spec.map, context);
  context.progress(0.35);
  const std::vector<float> hardness = rock_hardness(sphere, crust, stream.bits(0, 4), context);
  land.hardness = halves(hardness);
  land.province = provinces_of(crust, hardness);
  ClimateSpec weather = spec.climate;
  weather.key = stream.bits(0, 5);
  const PlanetClimate climate = make_climate(sphere.mesh, sphere.parents, crust.height, weather, context);
  context.progress(0.45);

  std::vector<double> height(crust.height.begin(), crust.height.end());
  const std::vector<uint8_t> sea = find_seas(height, sphere.around);
  if (spec.rivers) {
    std::vector<float> uplift(crust.belt);
    // What a map shows has been cut already: water only finds its way.
    const int steps = spec.map == nullptr ? spec.steps : std::min(spec.steps, steps_on_map);
    for (float& rate : uplift) rate *= static_cast<float>(fastest_uplift);
    std::vector<double> areas(sphere.areas);
    for (size_t v = 0; v < areas.size(); ++v)
      areas[v] *=
          earth_radius * earth_radius * std::sqrt(std::clamp(static_cast<double>(climate.runoff[v]) / 0.35, 0.05, 4.0));
    incise(sphere.mesh, sphere.around, height, sea, areas, uplift, hardness, {.steps = steps},
           context.stage("rivers", 0.45, 0.85));
  }
  const Drainage water = drain(sphere.mesh, sphere.around, height, sea, context);
  set_heights(land, height, water, sea);
  set_water(land, water, sea, sphere.areas, climate.runoff);
  land.steepness = halves(steepness_of(sphere, land, water, sea, hardness, context));
  land.temperature = halves(climate.temperature);
  land.season = halves(climate.season);
  land.rain = halves(climate.rain);
  land.summer_rain = halves(climate.summer_rain);
  land.runoff = halves(climate.runoff);
  land.lapse = lapse_rate;
  set_ice(land, sphere, water, sea, climate, spec, context);
  land.plate.assign(crust.plate.begin(), crust.plate.end());
  land.plate_turns = std::move(crust.plate_turns);
  land.stress = std::move(crust.stress);
  land.crust_age = halves(crust.age);
  land.mesh = sphere.mesh;
  return land;
}

}  // namespace tepui

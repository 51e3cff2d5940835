#include "tepui/render/ground/planet_ground.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

namespace {

float single(double v) { return static_cast<float>(v); }
float step(double low, double high, double v) { return single(math::smoothstep(low, high, v)); }

// Reflectances as satellites measure them over whole landscapes, shadows of trees and rocks with them.
constexpr Rgb pale_sand{0.43f, 0.32f, 0.205f}, red_sand{0.34f, 0.205f, 0.115f}, stony_desert{0.215f, 0.165f, 0.12f},
    cold_desert{0.235f, 0.20f, 0.155f}, steppe{0.175f, 0.145f, 0.078f}, savanna{0.088f, 0.092f, 0.036f},
    meadow{0.062f, 0.080f, 0.030f}, rainforest{0.019f, 0.044f, 0.013f}, broadleaf{0.030f, 0.050f, 0.018f},
    conifers{0.020f, 0.033f, 0.017f}, tundra{0.082f, 0.074f, 0.047f}, bare_rock{0.135f, 0.120f, 0.105f},
    dark_rock{0.075f, 0.068f, 0.062f}, snow{0.76f, 0.79f, 0.82f}, old_ice{0.50f, 0.56f, 0.61f};
constexpr Rgb deep_sea{0.0022f, 0.0080f, 0.0240f}, cold_sea{0.0045f, 0.0120f, 0.0215f},
    shelf_sea{0.0070f, 0.0270f, 0.0370f}, lake_water{0.0065f, 0.0125f, 0.0150f}, river_water{0.022f, 0.028f, 0.022f},
    sea_sand{0.20f, 0.185f, 0.135f}, sea_weed{0.045f, 0.05f, 0.035f};

double temperature_now(const PlanetSpot& spot, Season season) {
  switch (season) {
    case Season::summer:
      return spot.temperature + spot.season;
    case Season::winter:
      return spot.temperature - spot.season;
    default:
      return spot.temperature;
  }
}

Rgb desert_colour(const PlanetSpot& spot) {
  const float red = step(-0.15, 0.45, spot.broad), stony = step(0.9, 1.7, spot.hardness + 0.35 * spot.patches);
  const Rgb warm = mix(mix(pale_sand, red_sand, red), stony_desert, 0.8f * stony);
  return mix(cold_desert, warm, step(4, 15, spot.temperature));
}

Rgb forest_colour(const PlanetSpot& spot) {
  const Rgb mild = mix(conifers, broadleaf, step(3, 10, spot.temperature));
  return mix(mild, rainforest, step(16, 23, spot.temperature));
}

/// Land without snow and ice.
Rgb land_colour(const PlanetSpot& spot, Season season) {
  // The rain that the warmth would dry up, after Koeppen's limit of dry climates.
  const double limit = std::max(0.02 * spot.temperature + 0.14, 0.10);
  const double wet = spot.rain / limit * (1 + 0.45 * spot.patches + 0.15 * spot.shade);
  const double warmest = spot.temperature + spot.season + 1.5 * spot.patches;
  Rgb ground = mix(desert_colour(spot), steppe, step(0.35, 1.05, wet));
  const Rgb grass = mix(meadow, savanna, step(12, 19, spot.temperature));
  ground = mix(ground, grass, step(0.9, 1.8, wet));
  ground = mix(ground, forest_colour(spot), 0.93f * step(1.5, 2.8, wet));
  const Rgb cold = mix(mix(bare_rock, tundra, step(0.3, 1.5, wet)), ground, step(7.5, 11.5, warmest));
  ground = mix(mix(bare_rock, dark_rock, step(1.0, 2.2, spot.hardness)), cold, step(1, 6, warmest));
  if (season == Season::winter || season == Season::autumn) {
    const float bare = 0.5f * (1 - step(0, 10, temperature_now(spot, Season::winter))) * step(0.5, 1.5, wet);
    ground = mix(ground, {0.070f, 0.060f, 0.040f}, (season == Season::winter ? 1.0f : 0.6f) * bare);
  }
  // Soil and plants do not hold on steep slopes.
  const float steep = step(0.45, 0.9, spot.slope);
  return mix(ground, mix(bare_rock, ground, 0.35f), steep) * (1 + 0.3f * single(spot.fine));
}

PlanetLook sea_look(const PlanetSpot& spot) {
  PlanetLook look;
  look.water = 1;
  const Rgb open = mix(cold_sea, deep_sea, step(2, 20, spot.temperature + 4 * spot.broad));
  const Rgb body = spot.lake ? lake_water : mix(open, shelf_sea, single(0.8 * math::exp(-spot.water / 90)));
  const Rgb bed = mix(sea_weed, sea_sand, step(14, 24, spot.temperature) * step(-0.3, 0.5, spot.patches));
  const auto left = [&](double metres) { return single(math::exp(-spot.water / metres)); };
  const Rgb shown = spot.lake ? Rgb{left(0.5), left(1.2), left(0.8)} : Rgb{left(1.5), left(8), left(11)};
  look.albedo = body + (bed + body * -1.0f) * shown;
  // Cox and Munk 1954 for winds of 3 to 9 m/s.
  look.roughness = single(spot.lake ? 0.010 : std::max(0.016 + 0.013 * spot.broad + 0.008 * spot.patches, 0.005));
  return look;
}

/// Share of a sea or a lake that is frozen.
float frozen(const PlanetSpot& spot, Season season) {
  const double swing = season == Season::summer ? 0.35 : season == Season::winter ? -0.35 : 0;
  const double cold =
      spot.temperature + (spot.lake ? 2 : 1) * swing * spot.season + 2.5 * spot.patches + 7 * spot.broad;
  return spot.lake ? 1 - step(-5, -1, cold) : 1 - step(-9, -6, cold);
}

}  // namespace

PlanetLook planet_look(const PlanetSpot& spot, Season season) {
  PlanetLook look;
  if (spot.water > 0) {
    look = sea_look(spot);
    const float ice = frozen(spot, season);
    look.albedo = mix(look.albedo, mix(old_ice, snow, 0.6f), 0.9f * ice);
    look.water = 1 - ice;
  } else {
    look.albedo = land_colour(spot, season);
    const double now = temperature_now(spot, season) - 2.5 * spot.shade - 1.5 * spot.patches;
    // Where slopes are steep, snow slides off.
    const double lies = (1 - math::smoothstep(-4, 2, now)) * math::smoothstep(0.02, 0.12, spot.rain) *
                        (1 - 0.75 * math::smoothstep(0.5, 1.1, spot.slope));
    look.albedo = mix(look.albedo, river_water, single(spot.river));
    look.albedo = mix(look.albedo, snow, single(lies));
    look.water = single(0.6 * spot.river * (1 - lies));
    look.roughness = 0.01f;
  }
  if (spot.ice > 0) {
    // Towards its margin ice melts in summer down to the grey and blue of old ice.
    const double warm = temperature_now(spot, season) + 2 * spot.patches;
    const float melting = step(-2, 6, warm), whole = step(0, 150, spot.ice);
    const Rgb firn = mix(snow, {0.66f, 0.70f, 0.735f}, 0.5f + 0.5f * single(spot.patches));
    look.albedo = mix(look.albedo, mix(firn, old_ice, 0.85f * melting), whole);
    look.water *= 1 - whole;
  }
  return look;
}

}  // namespace tepui

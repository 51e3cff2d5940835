#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/planet/planet_value.h"

namespace tepui {

struct PlanetRockParams {
  double latitude = 0, longitude = 0;  // degrees
  double variation = 0.15;
};
void describe(Fields<PlanetRockParams>& f);

/// The rock beneath a place of a planet, for land that `planet_patch` has cut there: the world's middle lies at the
/// latitude and longitude. What lies where follows the planet's provinces, whose borders noise makes ragged:
///
///   ocean floor   level flows of basalt
///   craton        steep bands of gneiss and schist between granite
///   young belt    limestone, sandstone and shale in open folds
///   old belt      marble, quartzite and slate in tight, steep folds
///   volcanic      basalt and tuff, gently tilted
///   basin         level mudstone, siltstone and sandstone
///
/// Beds have thicknesses and rocks of their own, drawn from the planet's key and their place in the column, so that
/// patches that overlap have the same rock. The planet's hardness makes the same rock harder here and softer there by
/// up to `variation`.
Geology planet_rock(const Frame& world, const Planet& in, const PlanetRockParams& params, const Context& context);

}  // namespace tepui

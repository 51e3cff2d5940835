#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/cover/plants_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

void describe(Fields<PlantsParams>& f);

/// What grows on the land: the layers `grass`, `shrub`, `conifer` and `broadleaf`, shares of the ground from 0 to 1
/// that add up to one with what stays bare.
///
/// Each kind has a score by its niche (plant_niches.h): a sum of logistic terms of
///   warmth     `temperature_summer` against `tree_line`; warmer by sun, colder on crests, and by chance, so that the
///              line is ragged
///   winter     `temperature_winter`
///   moisture   ln(rain / what could evaporate), the latter by Priestley and Taylor 1972 from `sun` and temperature,
///              more where water gathers (the topographic wetness index over 40 m) or stands beside, less on thin soil
///   soil, slope over 20 m, `avalanches` in a year, waterlogged ground, chance over `stands` and a sixth of it
/// and a share is e^(2 score) over the sum of all, bare ground with score 0 (more on blocks, sand and walls) among
/// them. Numbers above 0 of `grass`, `shrub`, `conifer`, `broadleaf` favour a kind: they are added to its score.
///
/// The same niches hold from the tundra to the tropics: meadows above the tree line, boreal conifers and bogs,
/// temperate broadleaf, steppe, chaparral, savanna, deserts with shrubs along their channels.
///
/// Needs the layers of `climate` and `soil`. Water gathers by the layer `drainage`, if there is one, else in hollows.
/// Nothing grows in `water`. `mask` scales the shares.
Terrain plants(const Terrain& in, const Terrain* mask, const PlantsParams& params, const Context& context);

}  // namespace tepui

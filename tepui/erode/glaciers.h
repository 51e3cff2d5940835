#pragma once

#include "tepui/core/context.h"
#include "tepui/erode/glaciers_params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The glaciers of an ice age on any land: where they lay, and what they have made of it.
///
/// Ice grows above the snow line by `gradient` metres a year for every metre of height, up to `most_snow`, and melts
/// below it. It gathers downhill (glacier_flow.h; Mieloszyk 2017, Eqs. 10-13), and what flows decides how wide, thick
/// and fast a glacier is. Where it flows it wears the valley into a trough whose floor lies deeper the faster the ice
/// was (glacier_paths.h), with a cross profile of the form that Eqs. 14-18 of Mieloszyk tend to: the distance from the
/// middle to the power 1.75 (troughs.h). So side valleys, whose ice was slower, hang over the main one; floors are
/// deepest where much ice flowed, and rise again towards the end, so that lakes can lie there (`lakes`). Glaciers begin
/// in cirques (cirques.h), and where they ended lie moraines (moraines.h).
///
/// The snow line follows from the layers of `climate`, if there are some: `colder` kelvin below it, lower where much
/// snow falls and in the shade. `rock` and `variety` make the ice carve more here and less there; rock of resistance 1
/// never wears. Nothing changes where `mask` is 0.
///
/// Layers: `ice` (metres; at the height of the ice age only, and then part of `height`, as snow is), `ice_flow` (m3 a
/// year through the glacier that lies there), `wear` (metres that the ice took away), `moraine` (metres of till that it
/// laid down, which is part of the height) and `sediment` (what is loose: what was there and was not worn, and till).
/// Height has changed by moraine + ice - wear exactly, all of which are whole quanta. Told are what snow became ice,
/// melted and left the land, which are equal to the last quantum, and the rock worn, laid down and carried off.
///
/// Ice flows on at most 257 samples along the longer side, so that glaciers are alike at any resolution.
Terrain glaciers(const Terrain& in, const Geology* rock, const Terrain* mask, const GlaciersParams& params,
                 const Context& context);

}  // namespace tepui

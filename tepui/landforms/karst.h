#pragma once

#include "tepui/core/context.h"
#include "tepui/landforms/karst_params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// The caves that water dissolves below a land, as lines (Paris et al. 2019, section 6.3, after the invasion
/// percolation of Wilkinson and Willemsen 1983): from sinks, the hollows of the land and points that are given, water
/// enters the rock, and goes on wherever, of all places that it has reached, the rock resists least; chance helps a
/// little. `galleries` carves them into a volume.
///
/// Each passage is a line with its `order` (Strahler's, counted from the ends to the sink), its `sink` (from 1) and
/// its `kind` (passage, join or blind), and at every vertex its `radius` and its `depth` below the ground. Sinks and
/// springs are points, named and numbered, after the lines.
///
/// Where we differ: the printed rule goes into all of the lower half of directions and keeps everything, which makes a
/// sponge. Here six directions out of eight are nearly level, so that water spreads along beds, and two are steep, so
/// that it drops down joints; of each sink only the ways to its lowest places in the open air are kept, or the way to
/// the lowest place at all where there is none, joins where the waters of two sinks touch, and a few blind passages.
/// Springs that are given are followed upwards until they meet a sink's water. `form` has the printed rule.
///
/// Water stays where `mask`, `region` and the other limits of an operator's place give at least half of its
/// intensity, above the volume's floor and the sea, and within its sides.
///
/// `growth` gives the part of the very same caves that water finds first, so that stages grow.
Lines karst(const Frame& world, const Volume& in, const Geology* rock, const Lines* sinks, const Lines* springs,
            const Terrain* mask, const Lines* region, const KarstParams& params, const Context& context);

}  // namespace tepui

#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/vec.h"
#include "tepui/render/page/legend.h"
#include "tepui/terrain/terrain.h"

// What maps are painted from.

namespace tepui {

/// The map's pixels, and the samples that are drawn in them.
struct MapShape {
  Vec2 size;
  int64_t width = 0, height = 0;  ///< of the samples, or fewer
};
/// Of the size asked for, 0 for a side that the land decides: small land gets whole pixels to a sample.
MapShape map_shape(const Frame& frame, Vec2 asked);

/// Where the map's pixels lie, in metres of the world: samples stand for the middle of their pixels.
PlotArea map_area(const Frame& frame, Vec2 size);

/// The samples, or where there are more of them than pixels, one for each block: the mean, or the most frequent class.
Grid<float> reduced(const Layer& layer, const MapShape& shape, const Context& context);
/// The land's heights alone, the same way.
Terrain reduced_land(const Terrain& land, const MapShape& shape, const Context& context);

/// How bright land is beside level ground, under a sun in the north-west at 45 degrees.
Grid<float> hillshade(const Terrain& land, const MapShape& shape, const Context& context);

}  // namespace tepui

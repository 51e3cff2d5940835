#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// From the world's south-west corner. Unlike elsewhere, a per cent is of the side it is measured along: 0..50 % of x
/// is the western half, and 0..100 % is all there is.
struct CropParams {
  LengthInterval x{percent(0), percent(100)};
  LengthInterval y{percent(0), percent(100)};
};
void describe(Fields<CropParams>&);

/// The samples within a rectangle, its border included. They keep the world and their place in it: what is generated on
/// the crop has the same bits as on the whole. Throws when no sample lies inside.
Terrain crop(const Terrain& in, const CropParams& params, const Context& context);

/// Where the crop of land on `frame` lies.
Frame crop_frame(const Frame& frame, const CropParams& params);

/// The samples [x0, x0 + width) x [y0, y0 + height) of the land.
Terrain window(const Terrain& in, int64_t x0, int64_t y0, int64_t width, int64_t height, const Context& context);

/// The samples of another frame on the same lattice, which must lie within the land's.
Terrain window(const Terrain& in, const Frame& frame, const Context& context);

}  // namespace tepui

#pragma once  // internal

#include "tepui/render/picture/picture_params.h"
#include "tepui/terrain/lines.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Where a visitor of a cave is and looks, in metres of the world.
struct InsideView {
  Vec3 eye, target;
  double room = 1;  ///< the usual distance of the walls around the eye
};

/// The view that the camera `inside` asks for. On a line it looks along it, at a point some way ahead, so that bends
/// smaller than the gallery do not turn the view; at a point without a target it looks where the cave goes on for
/// longest. Then `turn` and `tilt` turn the head. Refuses an eye in the rock, and says where the nearest open place is;
/// a line that is not there; and an eye that is neither on a line nor given.
InsideView inside_view(const Volume& volume, const PictureParams& params, const Lines* along);

/// The open place nearest to one in the rock, found on a lattice of half metres that grows coarser with distance;
/// nothing if there is none within 200 m.
std::optional<Vec3> nearest_open(const Volume& volume, Vec3 at);

}  // namespace tepui

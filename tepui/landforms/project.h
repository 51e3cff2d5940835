#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Places on the surface of a volume.
struct ProjectedPlaces {
  std::vector<Vec3> at,
      normal;  ///< normals lead out of the rock; both are the old place and zeros where none was found
  std::vector<uint8_t> found;
};

/// Moves places onto the surface f = T, by at most `reach` metres each: along the gradient in a few steps of Newton's,
/// and where these do not get there, to where the field changes its sign along the gradient's line. `outwards` are
/// directions to search along instead, one for each place, for fields that are level near their surface; or none.
/// Within half a per cent of `reach` of the surface, as the gradient there tells.
ProjectedPlaces project(const Volume& volume, std::span<const Vec3> places, double reach, const Context& context,
                        std::span<const Vec3> outwards = {});

}  // namespace tepui

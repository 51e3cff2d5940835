#pragma once

#include "tepui/core/image.h"

namespace tepui {

/// Pictures over a mesh that has texture coordinates, as glTF means them; any may be missing. Over a land: north at the
/// top.
struct MeshTextures {
  const Image* colour = nullptr;     ///< sRGB
  const Image* normal = nullptr;     ///< against the mesh's own normals: x eastwards along the surface, as u must run
  const Image* occlusion = nullptr;  ///< share of ambient light that arrives; grey
  const Image* roughness = nullptr;  ///< 0 a mirror, 255 matt; grey, of the occlusion's size where there are both
  bool charted = false;              ///< u does not run eastwards: tangents follow from the coordinates
  bool closed = false;               ///< the surface is, but for the seams of its charts
  double roughness_factor = 0.9;     ///< of the material, where there is no picture of it
};

}  // namespace tepui

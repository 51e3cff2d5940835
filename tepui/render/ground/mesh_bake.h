#pragma once

#include "tepui/geology/geology.h"
#include "tepui/mesh/atlas.h"
#include "tepui/render/ground/bake.h"

namespace tepui {

/// A mesh and its maps.
struct MeshBake {
  Atlas atlas;  ///< its mesh has the mesh's own normals and no colours of vertices, which would tint the maps
  Bake maps;    ///< without `slope` and `water`; with `roughness`
};

/// What is known of what a mesh is the surface of.
struct MeshOrigin {
  const Geology* rock = nullptr;  ///< nullptr: its attributes tell, if they do
  const Terrain* land = nullptr;  ///< what lies on this lies on the mesh, where its surface still is the land's
};

/// The natural look of a volume's or a mesh's surface as maps over an atlas, with a texel as footprint: `colour`
/// (sRGB), `normal` (against the normals of the mesh, in its tangent space, Y+), `roughness` (perceptual, grey),
/// `occlusion` (the share of the light around that rock close by lets through), `weights`. `size` is that of each side,
/// 2048 unless it is given. Texels beyond a chart repeat what is nearest of it as far as the gutter goes. The same bits
/// for any number of threads.
MeshBake bake(const Mesh& mesh, const BakeParams& params, const MeshOrigin& origin, std::optional<double> sea_level,
              const Context& context);

}  // namespace tepui

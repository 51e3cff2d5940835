#pragma once

#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/skin.h"
#include "tepui/mesh/mesh.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct MeshPaintParams {
  SkinParams skin{};
  std::optional<double> sea_level{};  ///< metres
  const Terrain* land = nullptr;      ///< what the mesh is of was made of this: what lies on it lies on the mesh
};

/// The names of the attributes that painting adds: `roughness`, and `weight_KIND` of every kind of ground that there
/// is.
inline constexpr const char *roughness_attribute = "roughness", *weight_prefix = "weight_";

/// The natural look of a volume's or a mesh's surface, as its pictures have it, on the vertices, of the rock that its
/// attributes `resistance` and `strata` tell of: the ground's own
/// colour with the mesh's cells as footprint, in place of other colours; its small relief in the normals; its
/// roughness; the shares of the kinds of ground, in steps of 1/255 that sum up to 1. Attributes of which there would be
/// more than 16 are left out. The view of a planet gets its colours by PlanetSkin, and nothing else. The same bits for
/// any number of threads.
Mesh painted(const Mesh& mesh, const MeshPaintParams& params, const Context& context);

/// Of the vertices' own, by the area around them; 0.9 where the mesh tells nothing of it.
double mean_roughness(const Mesh& mesh);

/// Metres: how far apart the vertices around each one are.
std::vector<float> footprints(const Mesh& mesh, const Context& context);
/// Its own, or means over the facets around each place where it has none.
std::vector<MeshPoint> normals_of(const Mesh& mesh, const Context& context);

}  // namespace tepui

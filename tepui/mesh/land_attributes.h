#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The layers of a land, but for its height, as attributes of the vertices above and below each place: between samples
/// straight, classes by the nearest sample; beyond the land as at its border. Attributes that the mesh has already
/// stay, and so do the first 16.
Mesh with_layers(const Mesh& mesh, const Terrain& land, const Context& context);

}  // namespace tepui

#pragma once  // internal

#include <optional>

#include "tepui/core/context.h"
#include "tepui/io/tiles.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/ground/inland_water.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The surface of a land's water as a mesh of its own, for files: that of its lakes and rivers, and of the sea. It runs
/// on into the banks, where the ground hides it, so that the ground itself draws the shore.
///
/// Lakes and seas are few triangles, and no sample of a river lies further off than a fiftieth of a cell. `window` is
/// the part of the land that is wanted: the surfaces of neighbours meet. Metres around `centre`. Nothing where all is
/// dry.
Mesh water_surface(const Terrain& land, const InlandWater& inland, std::optional<double> sea_level,
                   const TileWindow& window, Vec3 centre, const Context& context);

}  // namespace tepui

#pragma once

#include "tepui/core/context.h"
#include "tepui/mesh/land_triangulation.h"
#include "tepui/mesh/mesh.h"
#include "tepui/mesh/source.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The error of a land's mesh whose loss nobody sees: a fifth of a cell. In a picture that shows a sample on two pixels
/// that is less than half a pixel.
double unseen_error(const Frame& frame);

/// The surface of a land as triangulate_land gives it: places and texture coordinates of its vertices are those that
/// LandMesh gives their samples, normals are the means of the triangles around, by their area.
Mesh simple_land(const Terrain& land, const LandTriangulationParams& params, const Context& context);

/// The surface of a tile of a land, whose sheet and frame these are, so that tiles of one error meet: its places are
/// metres around the land's middle, and on its border they and the normals are the sheet's. Texture coordinates are
/// those of the tile as a land of its own. No error keeps every sample.
Mesh simple_tile(const LandMesh& land, const Frame& whole, const Terrain& tile, double error, const Context& context);

/// A land's surface, and the error that it was made with.
struct SmallLand {
  Mesh mesh;
  double error = 0;
};
/// A land's surface within unseen_error; of land so rough that this takes more than a tenth of its samples, half as
/// much again until it does not, at most four times. Files stay of a size that goes with the land's.
SmallLand small_land(const Terrain& land, const Context& context);

}  // namespace tepui

#pragma once  // internal

#include "tepui/core/grid.h"
#include "tepui/mesh/mesh.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The normals of a mesh where the middles of a picture's texels lie on it, by its texture coordinates, as programs
/// that draw it find them: between those of the corners, made unit length. Row 0 is the lowest of the picture. Texels
/// beyond the mesh have the normal of the nearest row and column with some; a picture in which a whole row or column
/// between others has none keeps zeros there.
Grid<MeshPoint> draw_normals(const Mesh& mesh, int width, int height);

/// The normals of a land's full mesh (LandMesh).
class SheetNormals {
 public:
  explicit SheetNormals(const Terrain& land)
      : z_(land.find("height") != nullptr ? &land.height() : nullptr), cell_(land.frame().cell) {}

  /// Of a place in samples.
  Vec3 at(double u, double v) const;

 private:
  Vec3 vertex(int64_t x, int64_t y) const;

  const Grid<float>* z_;
  Vec2 cell_;
};

}  // namespace tepui

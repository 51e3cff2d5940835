#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// A mesh made ready for drawing: the longer side of its box in plan is 1, so that meshes of any size are alike.
struct MeshModel {
  std::vector<MeshPoint> positions;
  std::vector<MeshTriangle> triangles;
  std::vector<MeshPoint> normals;  ///< of the mesh's own vertices; 0 where unknown
  double sharpest = 0.5;           ///< cosine between a facet and a corner's normal from which on it is an edge
  std::vector<MeshColour> colours;
  size_t own_triangles = 0;  ///< those beyond are the walls of a sheet
  bool sheet = false;        ///< all of it faces up and it has a rim
  Vec3 low, high;            ///< of the mesh
  double floor = 0;          ///< below the mesh
};

/// Heights are drawn `exaggeration` times as high. Where the mesh has no normals they are smoothed over its vertices.
MeshModel make_model(const Mesh& mesh, double exaggeration, const Context& context);

}  // namespace tepui

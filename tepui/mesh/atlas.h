#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

struct AtlasParams {
  int size = 2048;  ///< texels along each side of the picture
  int gutter = 4;   ///< texels around every chart that no other chart comes near
};

/// A mesh laid flat on a square picture, in charts that do not overlap.
struct Atlas {
  Mesh mesh;                      ///< with texture coordinates; a vertex on a seam is there once for every chart
  std::vector<uint32_t> sources;  ///< of each of its vertices: which vertex of the given mesh it is
  std::vector<uint32_t> charts;   ///< of every triangle, in the order of the given mesh
  std::vector<double> per_metre;  ///< of every chart: texels on a metre of its plane
  int size = 0, gutter = 0;
};

/// Lays out a mesh: charts by direction (make_charts), as large as all find room, placed largest first where their own
/// outlines fit; all at one scale, but for the floor below a solid, which nobody sees, at an eighth of it. What it had
/// of texture coordinates is lost. The same bits for any number of threads. Refuses a mesh that is cut into more pieces
/// than the picture has room for.
Atlas make_atlas(const Mesh& mesh, const AtlasParams& params, const Context& context);

/// For every vertex the direction along the surface in which u grows, in the vertex's plane, and 1, or -1 where the
/// picture is mirrored, as MikkTSpace (Mikkelsen 2008) and glTF have it: by the triangles around it.
std::vector<std::array<float, 4>> tangents_of(const Mesh& mesh);

}  // namespace tepui

#pragma once

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// Some samples of a land, and triangles between them that cover it.
struct LandTriangulation {
  std::vector<uint32_t> samples;        ///< y * width + x of each vertex, rising
  std::vector<MeshTriangle> triangles;  ///< of vertices, counter-clockwise from above; no two overlap
};

/// How a land is made into few triangles.
struct LandTriangulationParams {
  double error = 0;   ///< metres; no sample lies further above or below the triangles
  bool tile = false;  ///< part of a larger land, see below
};

/// The surface of a land with few triangles: in each block of 256 cells, samples are added where the surface is worst
/// until it is good enough, as a Delaunay triangulation in plan (Garland & Heckbert 1995, greedy insertion). The lines
/// between blocks and the border are reduced first, from nothing but their own samples (Douglas & Peucker 1973, by
/// height), so that blocks, and tiles of one land that share their border samples, meet without cracks, and blocks are
/// made in parallel. Level land that is no tile is two triangles. At least 2 x 2 samples and fewer than 2^32.
LandTriangulation triangulate_land(const Grid<float>& heights, const LandTriangulationParams& params,
                                   const Context& context);

}  // namespace tepui

#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// How far to go.
struct CollapseLimits {
  int64_t triangles = 0;      ///< ends when no more than these are left
  double error = 0;           ///< metres that either surface may lie off the other in the end; 0: any
  bool locks_border = false;  ///< vertices on edges with one triangle all stay
  double longest = 0;         ///< metres: no move makes an edge longer than this; 0: any
};

/// Takes vertices out of a mesh one after the other, each by moving it onto a neighbour, the least change of shape
/// first, and returns the triangles that are left; their corners are vertices of `mesh`, of several at one place the
/// first. Triangles without three places are left out.
///
/// The change is the sum of squared distances to the planes of all triangles that came together in the two vertices,
/// weighted by their areas, and to planes upright on the border: Garland, Heckbert 1997. A move is left undone that
/// would change what is connected with what (the link condition: Dey et al. 1999), turn a triangle over or make it a
/// needle, or, where there is an error, bring a vertex that was taken out, or one of up to three points on an edge of
/// the input, farther than that off the triangles around, or the middle of a new side or triangle off the input.
///
/// In passes: of every vertex the best move, then as many of the best half of these as do not touch each other. The
/// same bits for any number of threads.
std::vector<MeshTriangle> collapse_edges(const Mesh& mesh, const CollapseLimits& limits, const Context& context);

}  // namespace tepui

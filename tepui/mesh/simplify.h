#pragma once

#include <cstdint>
#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

struct SimplifyParams {
  std::optional<int64_t> triangles = {};
  std::optional<double> share = {};
  std::optional<double> error = {};
  std::optional<double> longest = {};
  bool keep_border = false;
};
void describe(Fields<SimplifyParams>& f);

/// Fewer triangles for the same surface: vertices are taken out by moving them onto a neighbour, those first whose
/// absence is seen least, so that flat ground goes before ridges and cliff edges. Goes on to `triangles`, or that
/// `share` of the mesh's, or until each further step would leave vertices or edges of the input, or middles of new
/// sides and triangles, farther than `error` metres off the other surface. The first of them that is reached ends it;
/// with none of them a tenth of the triangles is left. No edge becomes longer than `longest`: what vertices tell, such
/// as colours, stays as close together. `keep_border` leaves every vertex of an open edge where it is: neighbouring
/// tiles still fit.
///
/// A mesh that is closed stays closed, one that is a manifold stays one, with the same components and handles; where
/// that prevents going as far as requested, a warning says so. Vertices keep their normals, colours and attributes; of
/// several at one place the first is kept for all. Triangles and vertices come in an order that graphics cards like.
/// Tells `triangles`.
///
/// Garland, Heckbert 1997 (quadrics); Dey et al. 1999 (links). The same bits for any number of threads.
Mesh simplify(const Mesh& in, const SimplifyParams& params, const Context& context);

}  // namespace tepui

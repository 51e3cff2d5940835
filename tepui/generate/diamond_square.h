#pragma once

#include "tepui/core/context.h"
#include "tepui/generate/diamond_square_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Midpoint displacement on squares (Fournier, Fussell and Carpenter 1982; the diamond and square steps as Miller 1986
/// tells them apart, displacements as Saupe 1988). Root squares with sides of `square` tile the plane from the world's
/// south-west corner. Their corners lie at u; each of `levels` refinements halves the spacing:
///
///     diamond, l = 1, 2, ...   centre of a square  = mean of its 4 corners                    + 2^(-H (l - 1/2)) u
///     square                   middle of an edge   = mean of its 2 ends and 2 nearest centres + 2^(-H l) u
///
/// u is uniform in [-1, 1], a hash of the seed, the level and the place on its lattice. Between the points of the
/// finest lattice, square / 2^levels apart, the land is bilinear. It is scaled to `height` over the range measured, or,
/// with `normalise: "none"`, so that [-1, 1], the range of the root corners, is [0, height]: `height` is then the
/// method's amplitude, which finer displacements overshoot a little.
///
/// What is promised: a lattice point never changes once it is there, and `levels` does not depend on the samples. So
/// the land is a function of the position alone, and samples that two resolutions, crops or tiles share have the same
/// bits, wherever they lie. Positions are rounded to 2^-36 of the square, so that samples meant to be on the lattice
/// are. Where they all are (257, 513, ... samples over a square) no lattice finer than the cells is computed; elsewhere
/// only the few points that a sample hangs on.
///
/// Where we differ: there is no border to treat in its own way, as squares continue beyond the world; and
/// nothing is stored, as every tile refines its own few points from the roots up. Where cells are smaller than the
/// finest lattice, the land between is smooth: ask for more levels.
Terrain diamond_square(const Frame& world, const DiamondSquareParams& params, const Context& context);

}  // namespace tepui

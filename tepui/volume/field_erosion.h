#pragma once  // internal

#include "tepui/geology/geology.h"
#include "tepui/volume/region.h"
#include "tepui/volume/solid.h"

namespace tepui {

/// The erosion node as the paper has it, in units of the field (Paris et al. 2019, section 6):
///
///   f'(p) = max(f(p) - A f_D(p) (1 - rho(p)), min(f(p), 0)),
///
/// rho being the resistance of the rock and f_D the weight of the region. The paper has no A and no limit at 0; with it
/// f keeps its support. A is s(depth) with the s of `implicitize` at its usual R = 2T, s(d) = d - d^2 / 4T: so rock of
/// no resistance is taken down to `depth` below land, in metres straight down. `depth` is below 2T.
///
/// Gradients are f's minus central differences of what is taken, over a quarter of the depth, so that the edge of a bed
/// has a normal.
SolidPointer field_erosion(SolidPointer part, Geology rock, const Region& region, double depth, double threshold);

}  // namespace tepui

#pragma once

#include "tepui/volume/region.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct StrataErosionParams : RegionParams {
  Length depth = metres(6);
};
void describe(Fields<StrataErosionParams>& f);

/// Takes away soft rock from all surfaces, so that beds stand out and overhang (Paris et al. 2019, section 6):
///
///   f'(p) = max(f(p) - A f_D(p) (1 - rho(p)), min(f(p), 0)),
///
/// rho being the resistance of the rock and f_D the weight of the region. The paper has no A and no limit at 0; with it
/// f keeps its support. A is s(depth) with the s of `implicitize` at its usual R = 2T, s(d) = d - d^2 / 4T: so rock of
/// no resistance is taken down to `depth` below land, in metres straight down, and less than that behind a wall, where
/// the field of land is steeper. A depth of 2T or more, with which A would reach T, is refused.
///
/// `rock` is the geology to go by, else that of the volume; the volume's own stays. Gradients are f's minus central
/// differences of what is taken, over a quarter of the depth, so that the edge of a bed has a normal.
Volume strata_erosion(const Frame& world, const Volume& in, const Geology* rock, const StrataErosionParams& params,
                      const Context& context);

}  // namespace tepui

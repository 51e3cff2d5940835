#pragma once

#include "tepui/terrain/lines.h"
#include "tepui/volume/region.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct SmoothParams : RegionParams {
  Length size = percent(1);
  double strength = 1;
};
void describe(Fields<SmoothParams>& f);

/// Rounds rock with splines (Schoenberg 1946): what is smaller than `size` goes, edges and thin fins among it, and
/// crevices fill.
///
///   v'(p) = v(p) + W(p) (S(p) - v(p)),   S(p) = sum c_i B(p / h - i),
///
/// B being the cubic B-spline of a lattice of cell h, the largest power of two metres that is no longer than `size`,
/// and c_i the field at its points, held within [-T, T]. W is the weight of the region times the strength, at most 1;
/// what the strength is above 1 (as far as 8) rounds more: for every whole one c is replaced by its mean with the
/// weights 1, 2, 1 along each axis.
///
/// With `along` it works around lines and points in place of the region: within their numbers `radius` (metres; without
/// one that of the parameters) and with their `strength`, and `size` is half the radius. Where lines overlap their
/// strengths add up. Lines of unlike radius are taken one after the other, the wide ones first.
///
/// Outside the field's bits are the same. The lattice is filled where it is asked, once, so that a place costs no more
/// than a look at its 64 neighbours, however many lines and such nodes lie upon each other.
Volume smooth(const Frame& world, const Volume& in, const Lines* along, const SmoothParams& params,
              const Context& context);

}  // namespace tepui

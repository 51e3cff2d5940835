#pragma once  // internal

#include <vector>

#include "tepui/volume/solid.h"

// The nodes behind `union`, `intersection`, `difference` and `blend`.

namespace tepui {

enum class Csg { united, intersected, subtracted };

/// v of several solids of one threshold T, from those of two at a time, from the first to the last:
///
///   united       max(a, b) + q     rock where there is any
///   intersected  min(a, b) - q     rock where all are rock
///   subtracted   min(a, -b, T) - q rock of the first that is of no other
///
/// where q rounds the seam: with d the distance of the two numbers that are compared,
///
///   q = s/4 max(0, 1 - d/s)^2 min(1, f_a / T, f_b / T) where both fields are above 0, else 0.
///
/// and f_b of `subtracted` is that of the part taken away. So q is 0 for a `smooth` s of 0 and wherever one of the
/// fields is, and fields keep their support. Solids whose support lies elsewhere are not asked. Of one solid: itself.
SolidPointer csg(Csg kind, std::vector<SolidPointer> parts, double smooth, double threshold);

/// f times so much, below 0 too.
SolidPointer times(SolidPointer part, double factor, double threshold);

}  // namespace tepui

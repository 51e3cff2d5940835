#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/generate/circular_faults_params.h"
#include "tepui/generate/disc_rows.h"

// What circular_faults() is made of, before it is normalised.

namespace tepui {

using CircularFault = Disc;

/// Faults [first, first + count) of the world's faults. Each depends on the seed, its index and the world only. Radii
/// too small to hold a position (2^-48 of the longer side) are 0; those beyond 2^40 longer sides, which lift the whole
/// land by 1 alike, are that.
std::vector<CircularFault> draw_circular_faults(const Frame& world, const CircularFaultsParams& params, int64_t first,
                                                int64_t count);

/// The sum of all faults at the samples of `frame`, each sample a function of its position only. Adds up batches of
/// 4096 faults in fault order, so that a million of them still sum precisely.
Grid<float> sum_circular_faults(const Frame& frame, const CircularFaultsParams& params, const Context& context);

}  // namespace tepui

#pragma once  // internal

#include <functional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/generate/uplift_params.h"

// What uplift() is made of, before it is normalised.

namespace tepui {

struct UpliftPeak {
  Vec2 place;         ///< metres east and north of the world's south-west corner
  double height = 0;  ///< metres
};

/// Peaks [first, first + count) of the world's peaks. Each depends on the seed, its index and the world only.
std::vector<UpliftPeak> draw_uplift_peaks(const Frame& world, const UpliftParams& params, int64_t first, int64_t count);

/// Gives the peaks [first, first + count).
using PeakSource = std::function<std::vector<UpliftPeak>(int64_t first, int64_t count)>;

/// The mean of the peaks' cones at the samples of `frame`, each sample a function of its position only. A cone costs as
/// much as it covers. Adds up batches of 4096 peaks in their order, so that a million of them still sum precisely.
Grid<float> mean_uplift(const Frame& frame, int64_t peaks, double ruggedness, const PeakSource& source,
                        const Context& context);

Grid<float> mean_uplift(const Frame& frame, const UpliftParams& params, const Context& context);

}  // namespace tepui

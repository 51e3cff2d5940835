#pragma once  // internal

#include <algorithm>
#include <cstdint>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/between_samples.h"
#include "tepui/terrain/cells.h"

namespace tepui {

/// Every second sample of a map, each the mean of its neighbourhood with weights 1 2 1 along both axes.
Grid<float> low_pass(const Grid<float>& map, const Context& context);

/// Adds to a map what its low-pass lacks of `target`, linearly between the samples of the latter: afterwards the map's
/// broad shape is that of the target, and its detail is its own. `share(sample)` scales what is added.
template <class Share>
void restore_low_pass(Grid<float>& map, const Grid<float>& target, const Share& share, const Context& context) {
  Grid<float> lacking = low_pass(map, context);
  for (int64_t i = 0; i < lacking.size(); ++i) lacking.data()[i] = target.data()[i] - lacking.data()[i];
  const int64_t w = map.width();
  parallel_chunks(map.height(), rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const float* south = lacking.row(y / 2);
      const float* north = lacking.row(std::min((y + 1) / 2, lacking.height() - 1));
      float* z = map.row(y);
      for (int64_t x = 0; x < w; ++x) {
        const int64_t a = x / 2, b = std::min((x + 1) / 2, lacking.width() - 1);
        z[x] += 0.25f * ((south[a] + south[b]) + (north[a] + north[b])) * share(y * w + x);
      }
    }
  });
}

/// The same for what the low-pass of the low-pass lacks: a map's shape is free over twice the distance.
template <class Share>
void restore_wide_low_pass(Grid<float>& map, const Grid<float>& target, const Share& share, const Context& context) {
  Grid<float> lacking = low_pass(map, context);
  for (int64_t i = 0; i < lacking.size(); ++i) lacking.data()[i] = target.data()[i] - lacking.data()[i];
  lacking = low_pass(lacking, context);
  const int64_t w = map.width();
  parallel_chunks(map.height(), rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < w; ++x)
        map(x, y) +=
            between_samples(lacking, static_cast<double>(x) * 0.25, static_cast<double>(y) * 0.25) * share(y * w + x);
  });
}

}  // namespace tepui

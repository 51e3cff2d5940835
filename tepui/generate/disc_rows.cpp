#include "tepui/generate/disc_rows.h"

#include <algorithm>
#include <cmath>

namespace tepui {

FloatPair float_pair(double value) {
  const auto high = static_cast<float>(value);
  return {high, static_cast<float>(value - static_cast<double>(high))};
}

IndexRange covered(double low, double high, double per_metre, int64_t first, int64_t count) {
  if (!(low * per_metre <= high * per_metre)) return {0, 0};
  const double last = static_cast<double>(first + count);
  const double begin = std::clamp(std::floor(low * per_metre), static_cast<double>(first), last);
  const double end = std::clamp(std::floor(high * per_metre) + 2, static_cast<double>(first), last);
  return {static_cast<int64_t>(begin) - first, static_cast<int64_t>(end) - first};
}

DiscBins bin_by_rows(const std::vector<Disc>& discs, const Frame& frame) {
  const int64_t blocks = (frame.height + rows_per_block - 1) / rows_per_block;
  std::vector<IndexRange> touched(discs.size());
  DiscBins bins;
  bins.starts.assign(static_cast<size_t>(blocks) + 1, 0);
  for (size_t i = 0; i < discs.size(); ++i) {
    const auto& [centre, radius] = discs[i];
    if (radius == 0) continue;
    const IndexRange rows =
        covered(centre.y - radius, centre.y + radius, 1 / frame.cell.y, frame.first_y, frame.height);
    touched[i] = {rows.begin / rows_per_block, (rows.end + rows_per_block - 1) / rows_per_block};
    if (rows.begin >= rows.end) touched[i] = {0, 0};
    for (int64_t block = touched[i].begin; block < touched[i].end; ++block)
      ++bins.starts[static_cast<size_t>(block) + 1];
  }
  for (size_t block = 1; block < bins.starts.size(); ++block) bins.starts[block] += bins.starts[block - 1];
  bins.discs.resize(bins.starts.back());
  std::vector<size_t> next = bins.starts;
  for (size_t i = 0; i < discs.size(); ++i)
    for (int64_t block = touched[i].begin; block < touched[i].end; ++block)
      bins.discs[next[static_cast<size_t>(block)]++] = static_cast<int32_t>(i);
  return bins;
}

DiscColumns::DiscColumns(const Frame& frame, double unit)
    : padded_((frame.width + widest_vector - 1) / widest_vector * widest_vector), high_(padded_, 1), low_(padded_, 1) {
  for (int64_t x = 0; x < padded_; ++x) {
    const FloatPair position = float_pair(static_cast<double>(frame.first_x + x) * frame.cell.x * unit);
    high_.data()[x] = position.high;
    low_.data()[x] = position.low;
  }
}

}  // namespace tepui

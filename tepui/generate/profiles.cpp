#include "tepui/generate/profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "tepui/core/error.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/generate/brownian.h"

namespace tepui {

namespace {

constexpr int64_t peaks_per_batch = 1 << 12;
constexpr int64_t samples_per_chunk = 1 << 10;

void check(const ProfileLine& line) {
  if (line.samples < 1) refuse(fmt::format("a line of {} samples has no points", line.samples));
  if (!(line.length > 0) || !std::isfinite(line.length))
    refuse(fmt::format("a line {:g} m long has no length", line.length));
}

/// Adds the tents to the samples [begin, end), each to those that it may cover: beyond its foot it adds 0.
void add_tents(const ProfileLine& line, const std::vector<ProfilePeak>& peaks, double ruggedness, int64_t begin,
               int64_t end, double* y) {
  const double per_metre = static_cast<double>(line.samples - 1) / line.length;
  const auto first = static_cast<double>(begin), last = static_cast<double>(end);
  for (const auto& [position, height] : peaks) {
    if (!(height > 0)) continue;
    const double radius = std::min(height / ruggedness, line.length);
    const auto from = static_cast<int64_t>(std::clamp((position - radius) * per_metre - 2, first, last));
    const auto to = static_cast<int64_t>(std::clamp((position + radius) * per_metre + 3, first, last));
    for (int64_t i = from; i < to; ++i) y[i] += std::max(0.0, height - ruggedness * std::abs(line.x(i) - position));
  }
}

}  // namespace

std::vector<ProfilePeak> draw_profile_peaks(const ProfileLine& line, const UpliftProfile& model, const Stream& stream,
                                            int64_t first, int64_t count) {
  if (!(model.low >= 0) || !(model.high >= model.low) || !std::isfinite(model.high))
    refuse(fmt::format("peak heights cannot be from {:g} to {:g} m", model.low, model.high),
           "write two heights of at least 0, the smaller one first");
  if (!(model.ruggedness >= 0) || !std::isfinite(model.ruggedness))
    refuse(fmt::format("a ruggedness of {:g} is not a slope", model.ruggedness), "write a number of at least 0");
  std::vector<ProfilePeak> peaks(static_cast<size_t>(count));
  for (size_t i = 0; i < peaks.size(); ++i) {
    const auto index = static_cast<uint64_t>(first) + i;
    peaks[i] = {stream.uniform(index, 0, 0, line.length), stream.uniform(index, 1, model.low, model.high)};
  }
  return peaks;
}

std::vector<double> uplift_profile(const ProfileLine& line, const UpliftProfile& model, const Stream& stream,
                                   const Context& context) {
  check(line);
  if (model.peaks < 0) refuse(fmt::format("the number of peaks cannot be {}", model.peaks));
  std::vector<double> y(static_cast<size_t>(line.samples), 0.0);
  const auto share = [&](int64_t done) { return static_cast<double>(done) / static_cast<double>(model.peaks); };
  for (int64_t first = 0; first < model.peaks; first += peaks_per_batch) {
    const int64_t count = std::min(peaks_per_batch, model.peaks - first);
    const std::vector<ProfilePeak> peaks = draw_profile_peaks(line, model, stream, first, count);
    parallel_chunks(
        line.samples, samples_per_chunk, context.stage("peaks", share(first), share(first + count)),
        [&](int64_t begin, int64_t end) { add_tents(line, peaks, model.ruggedness, begin, end, y.data()); });
  }
  if (model.peaks > 0)
    for (double& value : y) value /= static_cast<double>(model.peaks);
  return y;
}

std::vector<double> brownian_profile(const ProfileLine& line, const BrownianProfile& model, const Stream& stream,
                                     const Context& context) {
  check(line);
  const NoiseSpec spec = brownian_spec(model.hurst, model.size, model.detail, stream.bits(0));
  if (!(line.length / model.detail < 0x1p39))
    refuse(fmt::format("detail of {:g} m is too fine for a line of {:g} m", model.detail, line.length));
  const Noise noise(spec);
  std::vector<double> curve(static_cast<size_t>(line.samples));
  parallel_chunks(line.samples, samples_per_chunk, context, [&](int64_t begin, int64_t end) {
    const auto count = static_cast<size_t>(end - begin);
    std::vector<double> x(count);
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) x[i] = line.x(begin + static_cast<int64_t>(i));
    noise.row(x, 0, values);
    std::ranges::copy(values, curve.begin() + begin);
  });
  return curve;
}

}  // namespace tepui

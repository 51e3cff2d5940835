#include "reference/profiles.h"

#include <algorithm>
#include <cmath>

#include "reference/noise.h"
#include "tepui/generate/brownian.h"

namespace tepui::reference {

std::vector<double> uplift_profile(const ProfileLine& line, const UpliftProfile& model, const Stream& stream) {
  std::vector<double> y(static_cast<size_t>(line.samples), 0.0);
  if (model.peaks == 0) return y;
  for (const auto& [position, height] : draw_profile_peaks(line, model, stream, 0, model.peaks))
    for (int64_t i = 0; i < line.samples; ++i)
      y[static_cast<size_t>(i)] += std::max(0.0, height - model.ruggedness * std::abs(line.x(i) - position));
  for (double& value : y) value /= static_cast<double>(model.peaks);
  return y;
}

std::vector<double> brownian_profile(const ProfileLine& line, const BrownianProfile& model, const Stream& stream) {
  const NoiseSpec spec = brownian_spec(model.hurst, model.size, model.detail, stream.bits(0));
  const std::vector<NoiseOctave> octaves = noise_octaves(spec);
  std::vector<double> curve;
  for (int64_t i = 0; i < line.samples; ++i) curve.push_back(noise(spec, octaves, line.x(i), 0));
  return curve;
}

}  // namespace tepui::reference

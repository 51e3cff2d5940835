#include "tepui/erode/weak_bed.h"

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

constexpr int most_looks = 64;

}  // namespace

WeakBeds::WeakBeds(const Terrain& land, const Geology* rock, HeightQuanta quanta, float relief)
    : frame_(land.frame()), rock_(rock), quanta_(quanta), relief_(relief) {
  const Layer* hardness = land.find("hardness");
  if (rock == nullptr && hardness != nullptr) hardness_ = &hardness->grid();
}

WeakBed WeakBeds::find(int64_t x, int64_t y, float rim, float foot) const {
  const float face = rim - foot;
  if (hardness_ != nullptr) return {1.0f - std::clamp((*hardness_)(x, y), 0.0f, 1.0f), 0, face};
  if (rock_ == nullptr) return {1, 0, face};
  double px[most_looks], py[most_looks], pz[most_looks];
  float softness[most_looks];
  const int count = std::clamp(static_cast<int>(std::ceil(face * most_looks / relief_)), 1, most_looks);
  const double thickness = static_cast<double>(face) / count;
  for (int i = 0; i < count; ++i) {
    px[i] = frame_.x(x);
    py[i] = frame_.y(y);
    pz[i] = quanta_.base + (static_cast<double>(rim) - (i + 0.5) * thickness) * quanta_.quantum;
  }
  rock_->resistance({px, py, pz, count}, softness);
  for (float& s : std::span(softness, static_cast<size_t>(count))) s = 1.0f - s;
  const float weakest = *std::max_element(softness, softness + count);
  const auto is_weak = [&](float s) { return s >= 0.5f * weakest; };
  const float* top = std::find_if(softness, softness + count, is_weak);
  const float* bottom = std::find_if_not(top, static_cast<const float*>(softness + count), is_weak);
  const auto depth = [&](const float* look) {
    return static_cast<float>(static_cast<double>(look - softness) * thickness);
  };
  return {weakest, depth(top), bottom == softness + count ? face : depth(bottom)};
}

}  // namespace tepui

#include "tepui/render/ground/map_bytes.h"

#include <algorithm>
#include <utility>

#include "tepui/core/srgb.h"

namespace tepui {

uint8_t byte_of(double v) { return v > 0 ? static_cast<uint8_t>(std::min(v + 0.5, 255.0)) : uint8_t{0}; }

SrgbBytes::SrgbBytes() {
  for (size_t i = 0; i < limits_.size(); ++i)
    limits_[i] = static_cast<float>(linear_from_srgb((static_cast<double>(i) + 0.5) / 255));
  uint8_t byte = 0;
  for (size_t i = 0; i < starts_.size(); ++i) {
    while (byte < 255 && static_cast<float>(i) / scale >= limits_[byte]) ++byte;
    starts_[i] = byte;
  }
}

std::vector<WeightMapName> weight_map_names(size_t channels) {
  const auto kind = [](size_t k) {
    return k < ground_kinds ? std::string(ground_kind_name(static_cast<GroundKind>(k))) : std::string("none");
  };
  std::vector<WeightMapName> maps;
  for (size_t k = 0; k < ground_kinds; k += channels) {
    WeightMapName map{channels == 1 ? "weight_" + kind(k) : "weights_" + std::to_string(k / channels), {}};
    for (size_t c = 0; c < channels; ++c) map.channels.push_back(kind(k + c));
    maps.push_back(std::move(map));
  }
  return maps;
}

std::array<uint8_t, ground_kinds> weight_bytes(const std::array<double, ground_kinds>& shares) {
  std::array<uint8_t, ground_kinds> bytes{};
  std::array<double, ground_kinds> rest{};
  double sum = 0;
  for (const double share : shares) sum += share;
  int left = 255;
  for (size_t k = 0; k < ground_kinds; ++k) {
    const double exact = shares[k] / sum * 255;
    bytes[k] = static_cast<uint8_t>(exact);
    rest[k] = exact - bytes[k];
    left -= bytes[k];
  }
  for (; left > 0; --left) {
    const auto most = static_cast<size_t>(std::ranges::max_element(rest) - rest.begin());
    ++bytes[most];
    rest[most] = -1;
  }
  return bytes;
}

}  // namespace tepui

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/plates.h"

namespace tepui {

struct HotSpotSpec {
  int count = 24;
  uint64_t key = 0;
};

/// What plumes below the plates have added to every vertex's height, in metres: a swell and a young volcano above each
/// plume, and older, lower ones along the way by which its plate came. Continents, which are thicker, rise less.
std::vector<float> hot_spots(const SphereMesh& mesh, const Plates& plates, std::span<const uint8_t> continental,
                             const HotSpotSpec& spec, const Context& context);

}  // namespace tepui

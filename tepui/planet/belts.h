#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/front.h"
#include "tepui/planet/plates.h"

namespace tepui {

/// What a border of plates builds at a place of it, and on which side.
enum class BorderKind { none, collision, cordillera, island_arc, rift, ridge, transform };

struct Border {
  BorderKind kind = BorderKind::none;
  double rate = 0;  ///< of closing or opening, metres a year, at least 0
  int upper = 0;    ///< the side that overrides: 0 or 1 of the front point's sides
};

/// What each point of a front builds, from its motion and the crust beside it. `continental` says of every vertex
/// whether a continent's crust lies there.
std::vector<Border> borders_built(const Front& front, std::span<const BorderMotion> motions, const Plates& plates,
                                  const SphereMesh& mesh, const Neighbours& around,
                                  std::span<const uint8_t> continental);

/// What the borders add to the height of every vertex, in metres, and the part of it that is still rising.
struct Belts {
  std::vector<float> height;
  std::vector<float> near_belt;  ///< 1 in the heart of a belt, 0 away from every one
};

struct BeltSpec {
  double strength = 1;  ///< of all heights; belts of a long-gone age have a fraction
  bool worn = false;    ///< only what lasts: low, broad, without trenches
  uint64_t key = 0;
};

Belts belts(const SphereMesh& mesh, const Front& front, std::span<const Border> borders, const Plates& plates,
            std::span<const int32_t> nearest, std::span<const uint8_t> continental, const BeltSpec& spec,
            const Context& context);

}  // namespace tepui

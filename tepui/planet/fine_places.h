#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/fine_land.h"
#include "tepui/planet/region.h"

namespace tepui {

/// Where a place lies in a piece of refined land.
struct FinePlace {
  int32_t triangle = -1;          ///< -1: in none of them
  std::array<float, 3> shares{};  ///< of its corners, which sum to 1
};

/// Finds the triangles of many places at once, all within the cap. A place on the edge between triangles is in the one
/// of the smallest number.
std::vector<FinePlace> find_places(const FineLand& land, std::span<const Vec3> places, const Cap& cap,
                                   const Context& context);

}  // namespace tepui

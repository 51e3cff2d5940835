#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/planet/ice_sheets.h"

// Eq. 13 of Mieloszyk 2017 on the global stage's mesh, plainly: what every vertex passes on is worked out again and
// again until nothing changes.

namespace tepui::reference {

struct IceBudget {
  std::vector<double> flow;      ///< m3 a year that leave every vertex on land
  double grown = 0, melted = 0;  ///< m3 a year, on all land
  double calved = 0;             ///< m3 a year that flow into seas
};

IceBudget ice_flow(const Drainage& water, std::span<const uint8_t> sea, std::span<const double> areas,
                   const PlanetClimate& climate, const IceSpec& spec);

}  // namespace tepui::reference

#pragma once

#include <string>
#include <vector>

#include "tepui/core/vec.h"
#include "tepui/cover/scatter_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui::reference {

struct ScatteredPoint {
  Vec3 at;
  std::string species;
  double height = 0, crown = 0, turn = 0, lean = 0, form = 0;
  friend bool operator==(const ScatteredPoint&, const ScatteredPoint&) = default;
};

/// tepui/cover/scatter.h, candidate by candidate.
std::vector<ScatteredPoint> scatter(const Terrain& land, const Terrain* mask, const ScatterParams& params);

}  // namespace tepui::reference

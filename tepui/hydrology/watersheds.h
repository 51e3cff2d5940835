#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct WatershedsParams {
  double area = 0;           // square metres
  Length snap = percent(1);  // of given points
  std::optional<double> sea_level{};
};
void describe(Fields<WatershedsParams>&);

/// Adds the layer `watershed`: which land drains to which outlet, as whole numbers from 1, the largest watershed first;
/// 0 is land of none of them and the sea. Without `points`, an outlet is each sample where water leaves the land or
/// reaches the sea; watersheds smaller than `area` are left out. With points, the outlets are the samples within `snap`
/// of each point that drain most, and land belongs to the first outlet downstream.
Terrain watersheds(const Terrain& in, const Lines* points, const WatershedsParams& params, const Context& context);

}  // namespace tepui

#pragma once

#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct TableMountainParams {
  int64_t faults = 300;
  LengthInterval radius{percent(2), percent(20)};
  Length height = percent(15);
  FaultLimit limit = FaultLimit::none;
  Length distance = percent(10);
  int64_t count = 3;
  std::optional<std::vector<double>> hardness = {};
  int64_t combine_top = 1;
  double erosion = 0.5;
  bool caprock = true;
  Length levelling = percent(0.4);
  Seed seed = {};
};
void describe(Fields<TableMountainParams>& f);

/// Mesas and buttes at once: `circular_faults` piles up a massif, `materials` sorts its rock by height, `hardness` says
/// how hard each is, `gradation` wears the soft rock down and keeps the caprock, `levelling` takes the edge off.
/// Warszawski et al. 2019, Fig. 1. The same to the last bit, layers included, as these five in a row with these
/// parameters; they have the equations and say where we differ.
Terrain table_mountain(const Frame& world, const TableMountainParams& params, const Context& context);

}  // namespace tepui

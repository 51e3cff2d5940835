#pragma once

#include "tepui/core/params.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

/// Where the centres of faults may lie.
enum class FaultLimit {
  none,           ///< anywhere in the extent
  along_x,        ///< within a distance of the line through the extent's middle, along x
  around_centre,  ///< within a distance of the extent's centre
};

struct CircularFaultsParams {
  int64_t faults = 300;
  LengthInterval radius{percent(2), percent(20)};
  Length height = percent(15);
  FaultLimit limit = FaultLimit::none;
  Length distance = percent(10);
  Normalise normalise = Normalise::world;
  Seed seed;
};
void describe(Fields<CircularFaultsParams>& f);

}  // namespace tepui

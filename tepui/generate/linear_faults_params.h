#pragma once

#include "tepui/core/params.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

struct LinearFaultsParams {
  int64_t faults = 100;
  Length height = percent(15);
  Normalise normalise = Normalise::world;
  Seed seed;
};
void describe(Fields<LinearFaultsParams>& f);

}  // namespace tepui

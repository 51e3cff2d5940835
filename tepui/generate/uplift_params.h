#pragma once

#include "tepui/core/params.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

struct UpliftParams {
  int64_t peaks = 150;
  LengthInterval peak_height{percent(1), percent(20)};
  double ruggedness = 1;
  Length height = percent(15);
  Normalise normalise = Normalise::world;
  Seed seed;
};
void describe(Fields<UpliftParams>& f);

}  // namespace tepui

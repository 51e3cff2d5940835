#pragma once

#include "tepui/core/params.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

struct DiamondSquareParams {
  Length square = percent(50);
  double hurst = 0.9;
  int levels = 16;
  Length height = percent(15);
  Normalise normalise = Normalise::world;
  Seed seed;
};
void describe(Fields<DiamondSquareParams>& f);

}  // namespace tepui

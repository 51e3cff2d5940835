#pragma once

#include "tepui/core/params.h"

namespace tepui {

/// Of `soil`.
struct SoilParams {
  double age = 12000;        // years
  double production = 0.15;  // mm a year, of bare rock
  double creep = 3;          // m2 in 1000 years
  Angle steepest{42};
  Length smoothing = metres(50);
  double rockfall = 0;  // metres, of the steepest walls
  double runoff = 500;  // mm a year
  Seed seed;
};

}  // namespace tepui

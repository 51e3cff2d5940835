#pragma once

#include "tepui/core/params.h"

namespace tepui {

/// Of `plants`.
struct PlantsParams {
  double tree_line = 8.3;  // degrees Celsius, of the warmest month
  double grass = 0, shrub = 0, conifer = 0, broadleaf = 0;
  double variety = 1;
  Length stands = metres(420);
  Seed seed;
};

}  // namespace tepui

#pragma once

#include <cstdint>

#include "tepui/erode/droplet_run.h"

namespace tepui::reference {

/// All droplets, one after the other, each straight from the equations (droplets.h); changes are spread sample by
/// sample. Returns the quanta that left. Equal to the fast version to the bit.
int64_t run_droplets(DropletGround& ground, const DropletRule& rule);

}  // namespace tepui::reference

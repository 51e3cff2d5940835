#pragma once

#include <memory>

#include "tepui/planet/global_land.h"
#include "tepui/planet/refine.h"

namespace tepui::bench {

/// The planet of which all rows tell, solved on the default level, made once for all of them.
std::shared_ptr<const GlobalLand> usual_planet();
std::shared_ptr<const Refiner> usual_refiner();

/// A place on its land, away from the coast.
Vec3 usual_place();

}  // namespace tepui::bench

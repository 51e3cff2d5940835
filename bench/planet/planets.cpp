#include "bench/planet/planets.h"

#include "tepui/planet/global_stage.h"

namespace tepui::bench {

std::shared_ptr<const GlobalLand> usual_planet() {
  static const auto land = std::make_shared<const GlobalLand>(global_land({.key = 1}, Context()));
  return land;
}

std::shared_ptr<const Refiner> usual_refiner() {
  static const auto refiner = std::make_shared<const Refiner>(usual_planet());
  return refiner;
}

Vec3 usual_place() {
  const GlobalLand& land = *usual_planet();
  size_t v = 1000;
  while (land.receiver[v] < 0 || land.height[v] < 300) ++v;
  return land.mesh.directions[v];
}

}  // namespace tepui::bench

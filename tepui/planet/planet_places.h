#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/place_values.h"
#include "tepui/planet/planet_value.h"
#include "tepui/planet/refine.h"
#include "tepui/planet/sphere_locator.h"

namespace tepui {

/// The level of a planet at which edges are at most so many metres long, as far as there is one.
int level_at(const Planet& planet, double spacing);

/// What a planet is like at many places at once, as planet_patch() has it there. Places that lie near each other are
/// answered together: a million of them take about a second, scattered ones some milliseconds each.
///
///   const PlanetPlaces places(planet);
///   const std::vector<double> heights = places.heights(latitudes, longitudes, 10);
class PlanetPlaces {
 public:
  explicit PlanetPlaces(Planet planet);

  /// Heights above the sea in metres, of the ground or the ice on it, at places in degrees, from land whose triangles
  /// have edges of at most `spacing` metres.
  std::vector<double> heights(std::span<const double> latitude, std::span<const double> longitude, double spacing,
                              const Context& context) const;

  /// Calls `visit` with the number and the values of each place, given as unit vectors, from any thread and in any
  /// order. The values are those of the planet at the Earth's size.
  using Visit = std::function<void(size_t place, const PlaceValues& values)>;
  void visit(std::span<const Vec3> places, int level, const Visit& visit, const Context& context) const;

 private:
  struct Group;
  class Grouping;
  void visit(const Group& group, std::span<const Vec3> places, int level, const Visit& visit,
             const Context& context) const;

  Planet planet_;
  Refiner refiner_;
  SphereLocator locator_;
};

}  // namespace tepui

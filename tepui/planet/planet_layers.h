#pragma once

#include <span>
#include <string>

#include "tepui/planet/planet_value.h"
#include "tepui/planet/sphere_locator.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// A place of a planet as its layers read it.
struct PlanetPlace {
  const Planet& planet;
  SpherePlace at;
  Vec3 direction;

  /// Of the vertices around, by their shares.
  template <class Column>
  double mix(const Column& column) const {
    const auto& corners = planet.land().mesh.triangles[static_cast<size_t>(at.triangle)];
    double sum = 0;
    for (size_t k = 0; k < 3; ++k) sum += at.shares[k] * static_cast<double>(column[static_cast<size_t>(corners[k])]);
    return sum;
  }
  /// The vertex around with the largest share.
  size_t nearest() const;

  /// Heights are those of a planet of the Earth's size.
  double ground() const;   ///< the floor of seas and lakes
  double water() const;    ///< its depth
  double surface() const;  ///< above the sea, of ground, water and ice; never below 0 at sea
  double ice() const;
  double temperature() const;  ///< mean of the year on the surface, degrees Celsius
  /// Whether it is dry ground that no ice covers.
  bool is_bare() const { return water() <= 0 && ice() <= 0; }
};

/// One thing a planet knows everywhere. The numbers of `height`, `water` and `ice` are metres here; of a planet of
/// another size they are scaled.
struct PlanetLayer {
  std::string name, unit;
  LayerKind kind = LayerKind::continuous;
  int (*classes)(const Planet& planet) = nullptr;  ///< how many, of a category
  std::string set;                                 ///< the group it is chosen with: "land", "climate" or "rock"
  bool height = false;                             ///< whether it is scaled as heights are
  double (*value)(const PlanetPlace& place) = nullptr;
};

/// All, `height` first.
std::span<const PlanetLayer> planet_layers();

}  // namespace tepui

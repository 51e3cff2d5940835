#pragma once

#include <span>
#include <string>
#include <vector>

#include "tepui/planet/place_values.h"
#include "tepui/planet/planet_value.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Which layers a map or a patch has beside height and water.
enum class PlanetLayers { land, climate, rock, all };
inline const std::vector<std::string> planet_layer_sets = {"land", "climate", "rock", "all"};
inline constexpr const char* planet_layers_doc =
    "beside height and water: what pictures of land read, ice, snow, rivers, temperature and rain; all of the climate, "
    "with Köppen's classes; provinces, plates and the sea floor's age; or everything";

/// One thing a planet knows everywhere.
struct PlanetLayer {
  std::string name, unit;
  LayerKind kind = LayerKind::continuous;
  int (*classes)(const Planet& planet) = nullptr;  ///< how many, of a category
  std::vector<PlanetLayers> sets{};                ///< those it is in
  bool height = false;                             ///< whether it is scaled as heights are
  double (*value)(const PlaceValues& place) = nullptr;
};

/// All, `height` first and then `water`.
std::span<const PlanetLayer> planet_layers();

/// Gathers the layers of a land of the planet, sample by sample.
class PlanetLayerCells {
 public:
  PlanetLayerCells(const Planet& planet, PlanetLayers which, const Frame& frame);

  void set(int64_t x, int64_t y, const PlaceValues& place);
  Terrain land() &&;

 private:
  const Planet& planet_;
  Frame frame_;
  std::vector<const PlanetLayer*> layers_;
  std::vector<Grid<float>> cells_;
};

}  // namespace tepui

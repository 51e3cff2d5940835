#include "tepui/planet/planet_layers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/planet/planet_climate.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/min_max.h"

namespace tepui {

namespace {

/// Snow on the ground in the coldest month, as a share of the ground: where it freezes hard and something falls.
double snow_cover(const PlaceValues& place) {
  if (place.water > 0) return 0;
  if (place.ice > 0) return 1;
  return (1 - math::smoothstep(-8, 2, place.temperature - place.season)) * math::smoothstep(0.02, 0.15, place.rain);
}

/// What lies on level ground at the end of summer, metres: all above the snow line.
double snow(const PlaceValues& place) {
  constexpr double most = 2, ragged = 200;
  if (place.water > 0) return 0;
  const double above = place.surface() - place.snow_line;
  return most * math::smoothstep(-ragged, ragged, above) * math::smoothstep(0.02, 0.15, place.rain);
}

double climate_class(const PlaceValues& place) {
  return place.water > 0 ? 0 : koppen_class(place.temperature, place.season, place.rain, place.summer_rain);
}

int climate_classes(const Planet&) { return static_cast<int>(std::size(koppen_names)); }
int province_classes(const Planet&) { return provinces; }
int plate_classes(const Planet& planet) {
  return 1 + static_cast<int>(*std::max_element(planet.land().plate.begin(), planet.land().plate.end()));
}

}  // namespace

std::span<const PlanetLayer> planet_layers() {
  using Place = const PlaceValues&;
  using Set = PlanetLayers;
  constexpr auto number = LayerKind::continuous, mask = LayerKind::mask, category = LayerKind::category;
  static const PlanetLayer all[] = {
      {"height", "m", number, nullptr, {Set::land}, true, [](Place p) { return p.ground + p.ice; }},
      {"water", "m", number, nullptr, {Set::land}, true, [](Place p) { return p.water; }},
      {"ice", "m", number, nullptr, {Set::land}, true, [](Place p) { return p.ice; }},
      {"snow", "m", number, nullptr, {Set::land}, false, snow},
      {"snow_cover", "", mask, nullptr, {Set::climate}, false, snow_cover},
      {"discharge", "m3/s", number, nullptr, {Set::land}, false, [](Place p) { return p.discharge; }},
      {"temperature", "degC", number, nullptr, {Set::land, Set::climate}, false, [](Place p) { return p.temperature; }},
      {"temperature_summer",
       "degC",
       number,
       nullptr,
       {Set::land, Set::climate},
       false,
       [](Place p) { return p.temperature + p.season; }},
      {"temperature_winter",
       "degC",
       number,
       nullptr,
       {Set::land, Set::climate},
       false,
       [](Place p) { return p.temperature - p.season; }},
      {"rain", "mm", number, nullptr, {Set::land, Set::climate}, false, [](Place p) { return 1000 * p.rain; }},
      {"runoff", "mm", number, nullptr, {Set::climate}, false, [](Place p) { return 1000 * p.runoff; }},
      {"climate", "", category, climate_classes, {Set::climate}, false, climate_class},
      {"snow_line", "m", number, nullptr, {Set::climate}, true, [](Place p) { return p.snow_line; }},
      {"hardness", "", number, nullptr, {Set::rock}, false, [](Place p) { return p.hardness; }},
      {"province",
       "",
       category,
       province_classes,
       {Set::rock},
       false,
       [](Place p) { return static_cast<double>(p.province); }},
      {"steepness", "m^0.9", number, nullptr, {Set::rock}, false, [](Place p) { return p.steepness; }},
      {"plate", "", category, plate_classes, {Set::rock}, false, [](Place p) { return static_cast<double>(p.plate); }},
      {"stress", "mm/a", number, nullptr, {Set::rock}, false, [](Place p) { return 1000 * p.stress; }},
      {"crust_age", "Ma", number, nullptr, {Set::rock}, false, [](Place p) { return p.crust_age; }},
  };
  return all;
}

PlanetLayerCells::PlanetLayerCells(const Planet& planet, PlanetLayers which, const Frame& frame)
    : planet_(planet), frame_(frame) {
  for (const PlanetLayer& layer : planet_layers())
    if (which == PlanetLayers::all || layers_.size() < 2 || std::ranges::find(layer.sets, which) != layer.sets.end()) {
      layers_.push_back(&layer);
      cells_.emplace_back(frame.width, frame.height);
    }
}

void PlanetLayerCells::set(int64_t x, int64_t y, const PlaceValues& place) {
  for (size_t k = 0; k < layers_.size(); ++k)
    cells_[k](x, y) = to_cell(layers_[k]->value(place) * (layers_[k]->height ? planet_.height_scale() : 1));
}

Terrain PlanetLayerCells::land() && {
  const MinMax heights = min_max(cells_.front(), Context());
  Terrain land(frame_, {static_cast<double>(heights.low), static_cast<double>(heights.high)},
               std::move(cells_.front()));
  for (size_t k = 1; k < layers_.size(); ++k) {
    Layer layer = make_layer(layers_[k]->name, layers_[k]->unit, layers_[k]->kind, std::move(cells_[k]));
    if (layers_[k]->classes != nullptr) layer.classes = layers_[k]->classes(planet_);
    land = land.with(std::move(layer));
  }
  return land;
}

}  // namespace tepui

#include "tepui/render/ground/biome_choice.h"

#include <algorithm>

namespace tepui {

namespace {

/// From here on mountains look like such, metres of relief.
constexpr double mountains = 800;
/// Places along each axis at which a layer is read.
constexpr int64_t lattice = 65;

const Layer* numbers(const Terrain& land, const char* name) {
  const Layer* layer = land.find(name);
  return layer != nullptr && layer->kind != LayerKind::category && !layer->grid().empty() ? layer : nullptr;
}

/// The mean over a lattice of samples of act(x, y).
template <class Act>
double mean_over(const Grid<float>& grid, const Act& act) {
  double sum = 0;
  const int64_t across = std::min(lattice, grid.width()), along = std::min(lattice, grid.height());
  for (int64_t j = 0; j < along; ++j)
    for (int64_t i = 0; i < across; ++i)
      sum += act(along > 1 ? i * (grid.width() - 1) / std::max<int64_t>(across - 1, 1) : 0,
                 along > 1 ? j * (grid.height() - 1) / std::max<int64_t>(along - 1, 1) : 0);
  return sum / static_cast<double>(across * along);
}

double mean_of(const Layer& layer) {
  return mean_over(layer.grid(), [&](int64_t x, int64_t y) { return static_cast<double>(layer.grid()(x, y)); });
}

/// Of the warmest month at the foot of the land, so that its peaks do not count.
double warmest_at_foot(const Terrain& land, const Layer& warmest) {
  const Layer* height = numbers(land, "height");
  if (height == nullptr) return mean_of(warmest);
  return mean_over(warmest.grid(), [&](int64_t x, int64_t y) {
    const double z = static_cast<double>(height->grid()(x, y)) - land.relief().base;
    return static_cast<double>(warmest.grid()(x, y)) + 0.0065 * z;
  });
}

Biome by_climate(const Terrain& land, const Layer& warmest, bool high, bool sea) {
  const double warm = warmest_at_foot(land, warmest);
  const Layer* rain = numbers(land, "rain");
  const double wet = rain != nullptr ? mean_of(*rain) : 700;
  if (warm < 1) return Biome::ice;
  if (warm < 10) return Biome::tundra;
  if (wet < 220) return Biome::desert;
  if (warm > 25.5 && wet < 1100) return Biome::savanna;
  if (high) return Biome::alpine;
  if (warm < 17) return Biome::boreal;
  return sea ? Biome::coast : Biome::temperate;
}

}  // namespace

Biome biome_of(const Terrain& land, const SkinParams& skin, std::optional<double> sea, const Context&) {
  if (skin.biome) return *skin.biome;
  const auto has = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return numbers(land, name) != nullptr; });
  };
  const Relief& relief = land.relief();
  const bool high = relief.span() >= mountains, coast = sea && *sea > relief.base;
  if (const Layer* warmest = numbers(land, "temperature_summer")) return by_climate(land, *warmest, high, coast);
  if (has({"ice"})) return Biome::alpine;
  if (has({"grass", "shrub", "broadleaf"})) return coast ? Biome::coast : high ? Biome::alpine : Biome::temperate;
  if (has({"conifer"})) return high ? Biome::alpine : Biome::boreal;
  if (has({"snow"})) return Biome::alpine;
  if (coast) return Biome::coast;
  const bool bedded = land.find("material") != nullptr || has({"hardness"});
  if (has({"water", "water_level", "mud"})) return high ? Biome::alpine : Biome::temperate;
  if (!bedded && has({"soil", "drainage", "discharge"})) return high ? Biome::alpine : Biome::temperate;
  return Biome::desert;
}

}  // namespace tepui

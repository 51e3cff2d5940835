#include "tepui/render/picture/forest_floor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tepui/core/parallel.h"
#include "tepui/render/light/colour.h"

namespace tepui {

namespace {

/// Of the ground under crowns, what grass is, and what young wood in the shade of closed woods is, dark as they are.
constexpr float grassy = 0.3f, shaded = 0.5f;

/// The layer that tells of a species; none of rocks and tufts.
const char* layer_of(Species species) {
  switch (species) {
    case Species::conifer:
    case Species::pine:
    case Species::larch:
    case Species::dead:
      return "conifer";
    case Species::broadleaf:
    case Species::birch:
    case Species::acacia:
      return "broadleaf";
    case Species::shrub:
      return "shrub";
    case Species::grass:
    case Species::rock:
      break;
  }
  return nullptr;
}

}  // namespace

Terrain forest_floor(const Terrain& land, std::span<const Standing> standing, const Context& context) {
  std::array<bool, species_names.size()> stands{};
  for (const Standing& one : standing) stands[static_cast<size_t>(one.species)] = true;
  Terrain floor = land;
  Grid<float> grass(land.frame().width, land.frame().height, 0);
  if (const Layer* own = land.find("grass")) grass = own->grid().clone();
  bool changed = false;
  for (const char* name : {"conifer", "broadleaf", "shrub"}) {
    const Layer* layer = land.find(name);
    const auto told = [&](size_t i) {
      const char* of = layer_of(static_cast<Species>(i));
      return stands[i] && of != nullptr && std::string_view(of) == name;
    };
    bool any = false;
    for (size_t i = 0; i < stands.size(); ++i) any = any || told(i);
    if (layer == nullptr || !any) continue;
    changed = true;
    const Grid<float>& share = layer->grid();
    const bool wood = name != std::string_view("shrub");
    Grid<float> under(grass.width(), grass.height(), 0);
    parallel_chunks(grass.height(), 64, context, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * grass.width(); i < end * grass.width(); ++i) {
        grass.data()[i] = std::min(1.0f, grass.data()[i] + (wood ? grassy : grassy + shaded) * share.data()[i]);
        if (wood) under.data()[i] = shaded * share.data()[i] * smooth_step(0.5f, 0.9f, share.data()[i]);
      }
    });
    floor = floor.with(make_layer(name, "", LayerKind::mask, std::move(under)));
  }
  return changed ? floor.with(make_layer("grass", "", LayerKind::mask, std::move(grass))) : land;
}

}  // namespace tepui

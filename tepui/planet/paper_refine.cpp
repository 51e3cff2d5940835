#include "tepui/planet/paper_refine.h"

#include <algorithm>
#include <utility>

#include "tepui/planet/drawn_part.h"
#include "tepui/planet/paper_births.h"
#include "tepui/planet/paper_ice.h"
#include "tepui/planet/paper_net.h"

namespace tepui {

namespace {

size_t at(int32_t index) { return static_cast<size_t>(index); }

PaperLand begin(const GlobalLand& planet, FineLand begun) {
  PaperLand land;
  land.net = make_net(begun.triangles, begun.vertices.id);
  land.net.drawn = std::move(begun.triangle_level);
  land.level.assign(begun.triangles.size(), static_cast<uint8_t>(planet.mesh.level));
  land.vertices = std::move(begun.vertices);
  FineVertices& v = land.vertices;
  land.turn.resize(v.size());
  land.stability.assign(v.size(), 1);
  land.ice.resize(v.size());
  for (size_t i = 0; i < v.size(); ++i) {
    if (v.plate[i] < planet.plate_turns.size()) land.turn[i] = planet.plate_turns[v.plate[i]];
    land.ice[i].sheet = v.trait(i, Trait::ice_surface);
    land.ice[i].surface = land.ice[i].sheet;
    // Valleys' floors and troughs are those of the other mode.
    v.floor[i] = {};
    v.trough[i] = {};
  }
  return land;
}

PaperBirths find_splits(const PaperLand& land, const SplitRegion& region, int level) {
  const RefineNet& net = land.net;
  PaperBirths births;
  births.first = static_cast<int32_t>(land.vertices.size());
  births.place.assign(net.edges.size(), -1);
  for (size_t e = 0; e < net.edges.size(); ++e) {
    const NetEdge& edge = net.edges[e];
    const auto drawn = [&](int32_t t) { return t >= 0 && net.drawn[at(t)] != 0; };
    if (!drawn(edge.left) && !drawn(edge.right)) continue;
    const Vec3 middle = (land.vertices.direction[at(edge.first)] + land.vertices.direction[at(edge.second)]) * 0.5;
    if (!region.splits(level, middle)) continue;
    births.place[e] = static_cast<int32_t>(births.edges.size());
    births.edges.push_back(static_cast<int32_t>(e));
    births.ends.push_back({edge.first, edge.second});
  }
  return births;
}

/// What is drawn, with the temperature and the snow line of every place's own air.
FineLand finish(PaperLand land, const GlobalLand& planet, bool closed, const Context& context) {
  FineLand raw;
  if (planet.rules.snow)
    for (size_t v = 0; v < land.vertices.size(); ++v) {
      Traits& traits = land.vertices.traits[v];
      const double heat = heat_of_shelter(land, v);
      traits[static_cast<size_t>(Trait::temperature)] += static_cast<float>(heat);
      traits[static_cast<size_t>(Trait::snow_line)] += static_cast<float>(heat / planet.lapse);
    }
  raw.vertices = std::move(land.vertices);
  raw.closed = closed;
  for (size_t t = 0; t < land.net.triangles.size(); ++t) {
    if (land.net.drawn[t] == 0) continue;
    raw.triangles.push_back(land.net.triangles[t].corner);
    raw.triangle_level.push_back(land.level[t]);
  }
  return drawn_part(raw, planet.unit, context);
}

}  // namespace

PaperLand paper_land(const GlobalLand& planet, FineLand begun, const SplitRegion& region, const Context& context) {
  const int first = planet.mesh.level;
  PaperLand land = begin(planet, std::move(begun));
  const bool iced = std::any_of(planet.ice_flow.begin(), planet.ice_flow.end(), [](float flow) { return flow > 0; });
  if (iced) flow_ice(land, planet, context);
  for (int level = first; level < region.deepest(); ++level) {
    const PaperBirths births = find_splits(land, region, level);
    if (births.edges.empty()) break;
    context.progress(static_cast<double>(level - first) / std::max(region.deepest() - first, 1));
    LevelScale scale = level_scale(level, first);
    scale.unit = planet.unit;
    scale.most_snow = iced ? planet.most_snow : 0;
    bear_paper_vertices(land, births, scale, planet.rules, planet.key, context);
    inherit_ice(land, births);
    const std::vector<int32_t> changed = split_and_flip(land, births, level + 1, context);
    share_water(land, births, changed, context);
    if (planet.rules.snow) gather_stability(land, changed);
    if (iced && level < finest_ice_level) flow_ice(land, planet, context);
  }
  return land;
}

FineLand paper_refine(const GlobalLand& planet, FineLand begun, const SplitRegion& region, const Context& context) {
  const bool closed = begun.closed;
  return finish(paper_land(planet, std::move(begun), region, context), planet, closed, context);
}

}  // namespace tepui

#include "tepui/planet/refine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/planet/births.h"
#include "tepui/planet/drawn_part.h"
#include "tepui/planet/paper_refine.h"
#include "tepui/planet/refine_net.h"
#include "tepui/planet/valley_ice.h"

namespace tepui {

namespace {

size_t at(int32_t index) { return static_cast<size_t>(index); }

/// Beside the sheets it is below the ground, so that their margins run up valleys and leave summits bare, and farther
/// away so far that no valley reaches it.
float ice_surface(const GlobalLand& land, const Neighbours& around, size_t v) {
  constexpr double below = 250, far_below = 2e4;
  if (land.ice[v] > 0) return static_cast<float>(land.height[v] + static_cast<double>(land.ice[v]));
  const auto near = around.of(static_cast<int32_t>(v));
  const bool beside =
      land.receiver[v] >= 0 && std::any_of(near.begin(), near.end(), [&](int32_t w) { return land.ice[at(w)] > 0; });
  return static_cast<float>(land.height[v] - (beside ? below : far_below));
}

IceTimes ice_flow_of(const GlobalLand& land, size_t v) {
  return {static_cast<int64_t>(land.ice_flow[v]), static_cast<int64_t>(land.ice_flow_now[v])};
}

/// What ice gains or loses at every vertex of the global stage.
std::vector<IceTimes> ice_supplies(const GlobalLand& land) {
  std::vector<IceTimes> supply(land.height.size());
  for (size_t v = 0; v < supply.size(); ++v) {
    if (land.receiver[v] < 0) continue;
    const IceTimes flow = ice_flow_of(land, v);
    IceTimes& own = supply[v];
    own.then += flow.then;
    own.now += flow.now;
    if (const size_t down = at(land.receiver[v]); land.receiver[down] >= 0) {
      supply[down].then -= flow.then;
      supply[down].now -= flow.now;
    }
  }
  return supply;
}

void take_vertex(const GlobalLand& land, const Neighbours& around, size_t from, FineVertices& to, size_t v) {
  to.direction[v] = normalised(land.mesh.directions[from]);
  // Land a hair above the sea, so that its water falls; in the order of its heights.
  const double height = land.height[from];
  to.height[v] = land.receiver[from] >= 0 && height < 0.02 ? 0.01 + 0.5 * height : height;
  to.depth[v] = land.lake_depth[from];
  to.born_height[v] = static_cast<float>(land.height[from]);
  to.discharge[v] = land.discharge[from];
  to.ice_flow[v] = ice_flow_of(land, from);
  to.ice_supply[v] = {};
  const double discharge = static_cast<double>(land.discharge[from]) * land.unit;
  const bool sea = land.receiver[from] < 0;
  const auto steepness = static_cast<double>(land.steepness[from]);
  to.floor[v] = sea ? ValleyFloor{} : floor_of(discharge, steepness);
  to.trough[v] = sea ? GlacialTrough{} : trough_of(static_cast<double>(to.ice_flow[v].then), steepness, to.height[v]);
  fill_with_ice(to.trough[v], static_cast<double>(to.ice_flow[v].now));
  to.plate[v] = land.plate[from];
  to.level[v] = static_cast<uint8_t>(land.mesh.level);
  to.traits[v] = {land.hardness[from],  land.steepness[from],   land.temperature[from], land.season[from],
                  land.rain[from],      land.summer_rain[from], land.runoff[from],      ice_surface(land, around, from),
                  land.snow_line[from], land.stress[from],      land.crust_age[from]};
}

/// One level of a region: its edges split and what does not split put out to `land`; the net of the next level, or
/// none.
struct Step {
  const SplitRegion& region;
  uint64_t key;
  const Context& context;

  bool operator()(const RefineNet& net, const LevelScale& scale, FineLand& land, RefineNet& next) const {
    const int level = scale.level;
    const Splits splits = find_splits(net, land.vertices, region, level, context);
    if (!splits.any) {
      put_out_border(net, splits, 0, level, land, context);
      return false;
    }
    const int32_t first_new = bear_vertices(net, splits, scale, key, land.vertices, context);
    put_out_border(net, splits, first_new, level, land, context);
    next = split_net(net, splits, first_new, land.vertices.id, context);
    flip_edges(next, land.vertices, level + 1, land, context);
    return true;
  }
};

void tell_progress(const Context& context, const SplitRegion& region, int first, int level) {
  context.progress(static_cast<double>(level - first) / std::max(region.deepest() - first + 1, 1));
}

/// Room for all vertices of a region, and of the rings around it.
void make_room(FineLand& land, const SplitRegion& region, int first) {
  double count = static_cast<double>(land.vertices.size());
  for (int level = first; level < region.deepest(); ++level) {
    const double edge = edge_of_level(level), reach = 2 * std::sqrt(region.share(level)) + (Splits::rings + 2) * edge;
    if (region.share(level) > 0)
      count += std::min(reach * reach / 4, 1.0) * 1.02 *
               static_cast<double>(vertices_of_level(level + 1) - vertices_of_level(level));
  }
  land.vertices.reserve(static_cast<size_t>(count));
}

RefineNet net_of(FineLand& land) {
  RefineNet net = make_net(land.triangles, land.vertices.id);
  net.drawn = std::move(land.triangle_level);
  land.triangles.clear();
  land.triangle_level.clear();
  return net;
}

}  // namespace

Refiner::Refiner(std::shared_ptr<const GlobalLand> land)
    : land_(std::move(land)),
      supply_(supplies(*land_)),
      around_(neighbours(land_->mesh)),
      ids_(icosphere_ids(land_->mesh.level)),
      iced_(std::any_of(land_->ice_flow.begin(), land_->ice_flow.end(), [](float flow) { return flow > 0; })) {
  if (iced_) ice_supply_ = ice_supplies(*land_);
}

int32_t Refiner::nearest(Vec3 direction) const {
  const auto& places = land_->mesh.directions;
  int32_t best = 0;
  for (int32_t v = 1; v < 12; ++v)
    if (dot(places[at(v)], direction) > dot(places[at(best)], direction)) best = v;
  for (bool moved = true; moved;) {
    moved = false;
    for (const int32_t w : around_.of(best))
      if (dot(places[at(w)], direction) > dot(places[at(best)], direction)) {
        best = w;
        moved = true;
      }
  }
  return best;
}

size_t Refiner::bytes() const {
  return (around_.first.size() + around_.vertex.size()) * sizeof(int32_t) +
         ids_.size() * (sizeof(VertexId) + sizeof(int64_t)) + ice_supply_.size() * sizeof(IceTimes);
}

FineLand Refiner::begin(const Cap& bounds) const {
  const auto& places = land_->mesh.directions;
  const double fringe = 5 * edge_of_level(land_->mesh.level), angle = bounds.angle + fringe;
  FineLand fine;
  std::vector<int32_t> number(places.size(), -1), taken;
  const auto chord = [](double a) { return a >= math::pi ? 9.0 : 4 * math::sin(a / 2) * math::sin(a / 2); };
  const double most = chord(angle), drawn = chord(bounds.angle);
  const auto away = [&](int32_t v) {
    const Vec3 d = places[at(v)] - bounds.centre;
    return dot(d, d);
  };
  // From the vertex nearest to the centre outward.
  taken.push_back(nearest(bounds.centre));
  number[at(taken[0])] = 0;
  for (size_t next = 0; next < taken.size(); ++next)
    for (const int32_t w : around_.of(taken[next]))
      if (number[at(w)] < 0 && away(w) <= most) {
        number[at(w)] = static_cast<int32_t>(taken.size());
        taken.push_back(w);
      }
  fine.closed = taken.size() == places.size();
  fine.vertices.resize(taken.size());
  for (size_t v = 0; v < taken.size(); ++v) {
    take_vertex(*land_, around_, at(taken[v]), fine.vertices, v);
    fine.vertices.id[v] = ids_[at(taken[v])];
    fine.vertices.supply[v] = supply_[at(taken[v])];
    if (iced_) fine.vertices.ice_supply[v] = ice_supply_[at(taken[v])];
    const int32_t down = land_->receiver[at(taken[v])];
    fine.vertices.receiver[v] = down < 0 ? in_the_sea : number[at(down)] >= 0 ? number[at(down)] : over_the_border;
  }
  for (size_t v = 0; v < taken.size(); ++v) {
    const auto near = around_.of(taken[v]);
    for (size_t k = 0; k < near.size(); ++k) {
      const int32_t b = number[at(near[k])], c = number[at(near[(k + 1) % near.size()])];
      const auto a = static_cast<int32_t>(v);
      if (b > a && c > a) {
        const bool inside = away(taken[v]) <= drawn || away(taken[at(b)]) <= drawn || away(taken[at(c)]) <= drawn;
        fine.triangles.push_back({a, b, c});
        fine.triangle_level.push_back(inside ? 1 : 0);
      }
    }
  }
  return fine;
}

LevelScale Refiner::scale(int level) const {
  LevelScale scale = level_scale(level, land_->mesh.level);
  scale.unit = land_->unit;
  scale.banks = land_->rules.banks;
  scale.troughs = land_->rules.troughs;
  scale.ice_gradient = land_->ice_gradient;
  scale.most_snow = iced_ ? land_->most_snow : 0;
  scale.snow_line_rise = land_->snow_line_rise;
  return scale;
}

FineLand Refiner::refine(const SplitRegion& region, const Context& context) const {
  const int first = land_->mesh.level;
  FineLand raw = begin(region.bounds(first));
  if (land_->rules.mode == PlanetMode::paper) return paper_refine(*land_, std::move(raw), region, context);
  make_room(raw, region, first);
  RefineNet net = net_of(raw), next;
  const Step step{region, land_->key, context};
  for (int level = first; step(net, scale(level), raw, next); ++level) {
    tell_progress(context, region, first, level);
    net = std::move(next);
  }
  return drawn_part(raw, land_->unit, context);
}

size_t Refinement::stages_kept(const SplitRegion& region, const Cap& bounds) {
  if (stages_.empty() || !(bounds.centre == bounds_.centre) || bounds.angle != bounds_.angle) return 0;
  const int first = refiner_->land().mesh.level;
  size_t same = 0;
  while (same < stages_.size() && stages_[same].numbers == region.numbers(first + static_cast<int>(same))) ++same;
  return same;
}

void Refinement::keep(RefineNet net, const SplitRegion& region, int level) {
  const FineVertices& v = raw_.vertices;
  stages_.push_back({std::move(net), raw_.triangles.size(), v.receiver, v.supply, v.ice_supply, region.numbers(level)});
}

std::shared_ptr<const FineLand> Refinement::to(const SplitRegion& region, const Context& context) {
  const int first = refiner_->land().mesh.level;
  const Cap bounds = region.bounds(first);
  if (refiner_->land().rules.mode == PlanetMode::paper) {
    last_ = std::make_shared<const FineLand>(refiner_->refine(region, context));
    made_ = static_cast<int64_t>(last_->triangles.size());
    return last_;
  }
  const size_t same = stages_kept(region, bounds);
  made_ = 0;
  if (last_ != nullptr && same > 0 && same == stages_.size()) return last_;
  last_ = nullptr;
  if (stages_.empty() || !(bounds.centre == bounds_.centre) || bounds.angle != bounds_.angle) {
    stages_.clear();
    raw_ = refiner_->begin(bounds);
    bounds_ = bounds;
    keep(net_of(raw_), region, first);
  } else {
    // The first level that is split otherwise, or was not finished, as it was before.
    const size_t kept = std::min(same, stages_.size() - 1);
    stages_.resize(kept + 1);
    Stage& stage = stages_.back();
    raw_.triangles.resize(stage.triangles);
    raw_.triangle_level.resize(stage.triangles);
    raw_.vertices.resize(stage.receiver.size());
    raw_.vertices.receiver = stage.receiver;
    raw_.vertices.supply = stage.supply;
    raw_.vertices.ice_supply = stage.ice_supply;
    stage.numbers = region.numbers(first + static_cast<int>(kept));
  }
  const size_t before = raw_.triangles.size();
  const Step step{region, refiner_->land().key, context};
  RefineNet next;
  for (int level = first + static_cast<int>(stages_.size()) - 1;
       step(stages_.back().net, refiner_->scale(level), raw_, next); ++level) {
    tell_progress(context, region, first, level);
    keep(std::move(next), region, level + 1);
  }
  made_ = static_cast<int64_t>(raw_.triangles.size() - before);
  last_ = std::make_shared<const FineLand>(drawn_part(raw_, refiner_->land().unit, context));
  return last_;
}

size_t Refinement::bytes() const {
  size_t bytes = raw_.bytes() + (last_ == nullptr ? 0 : last_->bytes());
  for (const Stage& stage : stages_) {
    bytes += stage.net.edges.size() * sizeof(NetEdge) + stage.net.triangles.size() * (sizeof(NetTriangle) + 1);
    bytes += stage.receiver.size() * (sizeof(int32_t) + sizeof(int64_t) + sizeof(IceTimes));
  }
  return bytes;
}

}  // namespace tepui

#include "tepui/planet/refine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/planet/births.h"
#include "tepui/planet/refine_net.h"

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

void take_vertex(const GlobalLand& land, const Neighbours& around, size_t from, FineVertices& to, size_t v,
                 bool troughs) {
  to.direction[v] = land.mesh.directions[from];
  // Land a hair above the sea, so that its water falls; in the order of its heights.
  const double height = land.height[from];
  to.height[v] = land.receiver[from] >= 0 && height < 0.02 ? 0.01 + 0.5 * height : height;
  to.depth[v] = land.lake_depth[from];
  to.born_height[v] = static_cast<float>(land.height[from]);
  to.supply[v] = land.supply[from];
  to.discharge[v] = land.discharge[from];
  to.ice_flow[v] = land.ice_flow[from];
  const double discharge = static_cast<double>(land.discharge[from]) * land.unit;
  const bool sea = land.receiver[from] < 0;
  to.floor[v] = sea ? ValleyFloor{} : floor_of(discharge, static_cast<double>(land.steepness[from]));
  to.trough[v] = sea || !troughs ? Trough{} : trough_of(static_cast<double>(land.ice_flow[from]), to.height[v]);
  to.plate[v] = land.plate[from];
  to.level[v] = static_cast<uint8_t>(land.mesh.level);
  to.traits[v] = {land.hardness[from],  land.steepness[from],   land.temperature[from], land.season[from],
                  land.rain[from],      land.summer_rain[from], land.runoff[from],      ice_surface(land, around, from),
                  land.snow_line[from], land.stress[from],      land.crust_age[from]};
}

/// Leaves out the vertices that no triangle has.
void leave_out_unused(FineLand& land) {
  FineVertices& v = land.vertices;
  std::vector<int32_t> number(v.size(), -1);
  for (const auto& triangle : land.triangles)
    for (const int32_t corner : triangle) number[at(corner)] = 0;
  int32_t count = 0;
  for (int32_t& n : number)
    if (n == 0) n = count++;
  // Receivers before the lists are moved: those that are left out still pass water on.
  std::vector<int32_t> receiver;
  receiver.reserve(at(count));
  for (size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    int32_t down = v.receiver[i];
    while (down >= 0 && number[at(down)] < 0) down = v.receiver[at(down)];
    receiver.push_back(down >= 0 ? number[at(down)] : v.receiver[i] == in_the_sea ? in_the_sea : over_the_border);
  }
  for (size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    const auto move = [i, to = at(number[i])](auto&... lists) { ((lists[to] = lists[i]), ...); };
    move(v.direction, v.height, v.depth, v.born_height, v.id, v.supply, v.discharge, v.ice_flow, v.floor, v.trough,
         v.traits, v.plate, v.level);
  }
  v.resize(at(count));
  v.receiver = std::move(receiver);
  for (auto& triangle : land.triangles)
    for (int32_t& corner : triangle) corner = number[at(corner)];
}

}  // namespace

Refiner::Refiner(std::shared_ptr<const GlobalLand> land)
    : land_(std::move(land)),

      around_(neighbours(land_->mesh)),
      ids_(icosphere_ids(land_->mesh.level)),
      iced_(std::any_of(land_->ice_flow.begin(), land_->ice_flow.end(), [](float flow) { return flow > 0; })) {}

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
  return (around_.first.size() + around_.vertex.size()) * sizeof(int32_t) + ids_.size() * sizeof(VertexId);
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
    take_vertex(*land_, around_, at(taken[v]), fine.vertices, v, land_->rules.troughs);
    fine.vertices.id[v] = ids_[at(taken[v])];
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

FineLand Refiner::refine(const Region& region, const Context& context) const {
  const int first = land_->mesh.level;
  FineLand fine = begin(region.bounds(first));
  RefineNet net = make_net(fine.triangles, fine.vertices.id);
  net.drawn = fine.triangle_level;
  fine.triangles.clear();
  fine.triangle_level.clear();
  for (int level = first;; ++level) {
    context.progress(static_cast<double>(level - first) / std::max(region.deepest() - first + 1, 1));
    Splits splits = find_splits(net, fine.vertices, region, level, context);
    if (!splits.any) {
      put_out_border(net, splits, 0, level, fine, context);
      break;
    }
    LevelScale scale = level_scale(level, first);
    scale.unit = land_->unit;
    scale.banks = land_->rules.banks;
    scale.troughs = land_->rules.troughs;
    scale.ice_gradient = land_->ice_gradient;
    scale.most_snow = iced_ ? land_->most_snow : 0;
    const int32_t first_new = bear_vertices(net, splits, scale, land_->key, fine.vertices, context);
    put_out_border(net, splits, first_new, level, fine, context);
    net = split_net(net, splits, first_new, fine.vertices.id, context);
    flip_edges(net, fine.vertices, level + 1, fine, context);
  }
  leave_out_unused(fine);
  return fine;
}

}  // namespace tepui

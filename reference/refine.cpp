#include "reference/refine.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "tepui/planet/refine_rules.h"
#include "tepui/planet/valley_ice.h"

namespace tepui::reference {

namespace {

/// The lesser name first.
using Ends = std::pair<VertexId, VertexId>;
Ends ends_of(VertexId a, VertexId b) { return a < b ? Ends{a, b} : Ends{b, a}; }

/// The corners across an edge: left as one goes from its first end to its second, and right.
struct Sides {
  std::optional<VertexId> left, right;
};

RefinedTriangle turned(VertexId a, VertexId b, VertexId c) {
  if (b < a && b < c) return {b, c, a};
  if (c < a && c < b) return {c, a, b};
  return {a, b, c};
}

RefinedVertex global_vertex(const GlobalLand& land, const std::vector<VertexId>& ids, const Neighbours& around,
                            const std::vector<int64_t>& supply, size_t v) {
  RefinedVertex to;
  to.direction = normalised(land.mesh.directions[v]);
  to.sea = land.receiver[v] < 0;
  if (!to.sea) to.receiver = ids[static_cast<size_t>(land.receiver[v])];
  to.height = !to.sea && land.height[v] < 0.02 ? 0.01 + 0.5 * land.height[v] : land.height[v];
  to.depth = land.lake_depth[v];
  to.born_height = static_cast<float>(land.height[v]);
  to.supply = supply[v];
  to.discharge = land.discharge[v];
  to.ice_flow = {static_cast<int64_t>(land.ice_flow[v]), static_cast<int64_t>(land.ice_flow_now[v])};
  if (!to.sea) {
    to.ice_supply = to.ice_flow;
    for (const int32_t w : around.of(static_cast<int32_t>(v)))
      if (land.receiver[static_cast<size_t>(w)] == static_cast<int32_t>(v)) {
        to.ice_supply.then -= static_cast<int64_t>(land.ice_flow[static_cast<size_t>(w)]);
        to.ice_supply.now -= static_cast<int64_t>(land.ice_flow_now[static_cast<size_t>(w)]);
      }
  }
  if (!to.sea) {
    const auto steepness = static_cast<double>(land.steepness[v]);
    to.floor = floor_of(static_cast<double>(to.discharge) * land.unit, steepness);
    to.trough = trough_of(static_cast<double>(to.ice_flow.then), steepness, to.height);
    fill_with_ice(to.trough, static_cast<double>(to.ice_flow.now));
  }
  to.plate = land.plate[v];
  to.level = land.mesh.level;
  bool beside_ice = false;
  for (const int32_t w : around.of(static_cast<int32_t>(v)))
    beside_ice = beside_ice || (!to.sea && land.ice[static_cast<size_t>(w)] > 0);
  const double ice = land.ice[v] > 0 ? static_cast<double>(land.ice[v]) : beside_ice ? -250 : -2e4;
  to.traits = {land.hardness[v],  land.steepness[v],   land.temperature[v], land.season[v],
               land.rain[v],      land.summer_rain[v], land.runoff[v],      static_cast<float>(land.height[v] + ice),
               land.snow_line[v], land.stress[v],      land.crust_age[v]};
  return to;
}

class Refining {
 public:
  Refining(const GlobalLand& planet, Vec3 centre, double angle) : planet_(planet), centre_(centre), angle_(angle) {
    const std::vector<VertexId> ids = icosphere_ids(planet.mesh.level);
    const Neighbours around = neighbours(planet.mesh);
    const std::vector<int64_t> supply = supplies(planet);
    const double reach = angle + (margin + 2) * edge_of_level(planet.mesh.level);
    for (const auto& corners : planet.mesh.triangles) {
      if (arc(planet.mesh.directions[static_cast<size_t>(corners[0])], centre) > reach) continue;
      std::array<VertexId, 3> names;
      for (size_t k = 0; k < 3; ++k) {
        const auto v = static_cast<size_t>(corners[k]);
        names[k] = ids[v];
        land_.vertices.try_emplace(ids[v], global_vertex(planet, ids, around, supply, v));
      }
      land_.triangles.insert(turned(names[0], names[1], names[2]));
    }
    any_ice_ = std::any_of(planet.ice_flow.begin(), planet.ice_flow.end(), [](float flow) { return flow > 0; });
  }

  RefinedLand to(int deepest) && {
    for (int level = planet_.mesh.level; level < deepest; ++level) {
      begin_level(level);
      choose_edges();
      for (const Ends& edge : streams_) bear_on_stream(edge);
      for (const Ends& edge : others_) place(edge);
      for (const Ends& edge : others_) raise(edge);
      share_ice();
      share_water();
      split_triangles();
      flip();
    }
    return std::move(land_);
  }

 private:
  static constexpr double margin = 12;  ///< edges around what is asked for that are split, too

  /// An edge between a and b, on a plane with a at 0, c left of it and d right.
  struct Around {
    VertexId a, b, c, d;
    Vec3 along, aside;
    Diamond diamond;
    BirthDraws draws;
    RefinedVertex* born;
  };

  RefinedVertex& at(VertexId id) { return land_.vertices.at(id); }
  const RefinedVertex& at(VertexId id) const { return land_.vertices.at(id); }
  bool drains(VertexId from, VertexId to) const { return !at(from).sea && at(from).receiver == to; }
  bool is_stream(const Ends& edge) const { return drains(edge.first, edge.second) || drains(edge.second, edge.first); }
  double metres(VertexId a, VertexId b) const { return length(at(a).direction - at(b).direction) * earth_radius; }

  void begin_level(int level) {
    scale_ = level_scale(level, planet_.mesh.level);
    scale_.unit = planet_.unit;
    scale_.banks = planet_.rules.banks;
    scale_.troughs = planet_.rules.troughs;
    scale_.ice_gradient = planet_.ice_gradient;
    scale_.most_snow = any_ice_ ? planet_.most_snow : 0;
    scale_.snow_line_rise = planet_.snow_line_rise;
    number_edges();
  }

  void number_edges() {
    edges_.clear();
    for (const RefinedTriangle& t : land_.triangles)
      for (size_t k = 0; k < 3; ++k) {
        const VertexId from = t[k], to = t[(k + 1) % 3], third = t[(k + 2) % 3];
        (from < to ? edges_[{from, to}].left : edges_[{to, from}].right) = third;
      }
  }

  /// Those of all triangles near what is asked for that have neighbours.
  void choose_edges() {
    split_.clear();
    streams_.clear();
    others_.clear();
    born_.clear();
    const double reach = angle_ + margin * edge_of_level(scale_.level);
    for (const RefinedTriangle& t : land_.triangles) {
      bool whole = true;
      for (size_t k = 0; k < 3; ++k) {
        const Sides& sides = edges_.at(ends_of(t[k], t[(k + 1) % 3]));
        whole = whole && sides.left && sides.right && arc(at(t[k]).direction, centre_) < reach;
      }
      if (whole) split_.push_back(t);
    }
    for (const RefinedTriangle& t : split_)
      for (size_t k = 0; k < 3; ++k) {
        const Ends edge = ends_of(t[k], t[(k + 1) % 3]);
        (is_stream(edge) ? streams_ : others_).insert(edge);
        born_[edge] = born_between(edge.first, edge.second);
      }
  }

  Corner corner(VertexId id) const {
    const RefinedVertex& v = at(id);
    return {v.height,
            static_cast<double>(v.depth),
            static_cast<double>(v.discharge) * scale_.unit,
            static_cast<double>(v.ice_flow.then),
            v.floor.inside(),
            v.sea};
  }

  Vec2 flattened(const Around& edge, VertexId id) const {
    const Vec3 away = (at(id).direction - at(edge.a).direction) * earth_radius;
    return {dot(away, edge.along), dot(away, edge.aside)};
  }

  Around around(const Ends& ends) {
    const Sides& sides = edges_.at(ends);
    Around edge{ends.first, ends.second, *sides.left, *sides.right, {}, {}, {}, {}, nullptr};
    const Vec3 a = at(edge.a).direction, b = at(edge.b).direction;
    edge.along = (b - a) * (1 / length(b - a));
    edge.aside = cross((a + b) * 0.5, edge.along);
    Diamond& diamond = edge.diamond;
    diamond.a = corner(edge.a);
    diamond.b = corner(edge.b);
    diamond.c = corner(edge.c);
    diamond.d = corner(edge.d);
    diamond.length = length(b - a) * earth_radius;
    diamond.at_c = flattened(edge, edge.c);
    diamond.at_d = flattened(edge, edge.d);
    diamond.stream = drains(edge.a, edge.b)   ? StreamAlong::to_second
                     : drains(edge.b, edge.a) ? StreamAlong::to_first
                                              : StreamAlong::none;
    const auto mean = [&](Trait trait) {
      const auto k = static_cast<size_t>(trait);
      return 0.5 * static_cast<double>(at(edge.a).traits[k] + at(edge.b).traits[k]);
    };
    diamond.steepness = mean(Trait::steepness);
    diamond.hardness = mean(Trait::hardness);
    diamond.runoff = std::max(mean(Trait::runoff), 0.01);
    if (needs_bulge(scale_, diamond)) diamond.bulge = bulge(edge);
    const VertexId id = born_.at(ends);
    edge.draws = draws_of(planet_.key, id);
    edge.born = &land_.vertices[id];
    return edge;
  }

  /// How far the middle lies above the edge on the surface through it whose slope at each end is the mean of those of
  /// the two triangles there; that of the edge's own triangle where a stream with a bed runs between them.
  double bulge(const Around& edge) const {
    const auto side = [&](VertexId top, Vec2 top_at, double top_height) {
      const auto slope = [&](VertexId end, Vec2 end_at, double end_height, VertexId other, Vec2 third_at,
                             double third_height) {
        const Sides& sides = edges_.at(ends_of(end, top));
        const auto& across = sides.left == other ? sides.right : sides.left;
        if (across && !has_bed(end, top, edge.diamond)) {
          third_at = flattened(edge, *across);
          third_height = at(*across).height;
        }
        const Vec2 p = top_at - end_at, q = third_at - end_at;
        return ((top_height - end_height) * q.y - (third_height - end_height) * p.y) / (p.x * q.y - q.x * p.y);
      };
      const Vec2 a_at{}, b_at{edge.diamond.length, 0};
      const double a = edge.diamond.a.height, b = edge.diamond.b.height;
      return slope(edge.a, a_at, a, edge.b, b_at, b) - slope(edge.b, b_at, b, edge.a, a_at, a);
    };
    const Diamond& diamond = edge.diamond;
    const double left = side(edge.c, diamond.at_c, diamond.c.height);
    const double right = side(edge.d, diamond.at_d, diamond.d.height);
    return (left + right) * diamond.length / 32;
  }

  bool has_bed(VertexId p, VertexId q, const Diamond& diamond) const {
    if (!is_stream(ends_of(p, q))) return false;
    const Ends ends = ends_of(p, q);
    const VertexId upper = drains(ends.first, ends.second) ? ends.first : ends.second;
    return is_crease(scale_, diamond.steepness, static_cast<double>(at(upper).discharge) * scale_.unit, diamond.runoff);
  }

  /// Name, place, and what is inherited.
  Vec2 begin(Around& edge) {
    RefinedVertex& m = *edge.born;
    const Diamond& diamond = edge.diamond;
    const Vec2 spot = birthplace(scale_, diamond, edge.draws);
    const Vec3 along = edge.along * (1 / earth_radius), aside = edge.aside * (1 / earth_radius);
    m.direction = normalised(at(edge.a).direction + (along * spot.x + aside * spot.y));
    m.level = scale_.level + 1;
    m.born_height = static_cast<float>(0.5 * (at(edge.a).height + at(edge.b).height));
    m.plate = at(edge.draws.spare < 0 ? edge.a : edge.b).plate;
    const bool left = spot.y > 0;
    const Vec2 top = left ? diamond.at_c : diamond.at_d;
    const double of_top = spot.y / top.y, of_b = (spot.x - of_top * top.x) / diamond.length;
    const auto t = static_cast<float>(of_top), b = static_cast<float>(of_b), a = 1 - t - b;
    for (size_t k = 0; k < trait_count; ++k)
      m.traits[k] = a * at(edge.a).traits[k] + b * at(edge.b).traits[k] + t * at(left ? edge.c : edge.d).traits[k];
    m.traits[static_cast<size_t>(Trait::steepness)] *= 1 + 0.12f * static_cast<float>(edge.draws.spare);
    return spot;
  }

  static void take(ValleyFloor& known, const ValleyFloor& other) {
    if (other.claim() > known.claim()) known = other;
  }
  void take(GlacialTrough& known, const GlacialTrough& other) const {
    if (other.half > least_half_ && other.claim() > known.claim()) known = other;
  }

  /// Whether one valley holds the whole edge.
  template <class Valley>
  static bool holds(const Valley& p, const Valley& q, float half_p, float half_q, double length) {
    const bool alike = half_p < 1.25f * half_q && half_q < 1.25f * half_p;
    return p.inside() > 0 && q.inside() > 0 && p.inside() + q.inside() > 0.8 * length && alike && p.away + q.away > 0;
  }

  bool shows(float half) const { return static_cast<double>(half) > 0.1 * scale_.spacing; }

  /// Of the valleys that the four corners know of, the one in which the new vertex lies deepest.
  void valleys_of_corners(const Around& edge) {
    RefinedVertex& m = *edge.born;
    const VertexId name = born_.at({edge.a, edge.b});
    const RefinedVertex &a = at(edge.a), &b = at(edge.b);
    const double far = metres(edge.a, edge.b);
    m.floor = {};
    m.trough = {};
    if (holds(a.floor, b.floor, a.floor.flat, b.floor.flat, far)) take(m.floor, between(a.floor, b.floor, 0.5));
    if (holds(a.trough, b.trough, a.trough.half, b.trough.half, far)) take(m.trough, between(a.trough, b.trough, 0.5));
    for (const VertexId w : {edge.a, edge.b, edge.c, edge.d}) {
      if (shows(at(w).floor.flat)) take(m.floor, beside(at(w).floor, metres(name, w)));
      if (shows(at(w).trough.half)) take(m.trough, beside(at(w).trough, metres(name, w)));
    }
  }

  /// And of the two lines that have just become of a stream along a side.
  void valleys_of_stream(const Around& edge, const Ends& stream) {
    const VertexId middle = born_.at(stream);
    for (const auto& [from, to] : {Ends{stream.first, middle}, Ends{middle, stream.second}}) {
      const RefinedVertex &p = at(from), &q = at(to), &known = at(middle);
      RefinedVertex& m = *edge.born;
      const Vec3 way = q.direction - p.direction, here = m.direction - p.direction;
      const double share = std::clamp(dot(here, way) / dot(way, way), 0.0, 1.0);
      const double away = length(here - way * share) * earth_radius;
      if (known.floor.away == 0 && shows(known.floor.flat)) take(m.floor, beside(known.floor, away));
      if (known.trough.away == 0 && shows(known.trough.half)) {
        GlacialTrough reach = beside(known.trough, away);
        reach.bed = static_cast<float>(p.height + (q.height - p.height) * share);
        take(m.trough, reach);
      }
    }
  }

  void bear_on_stream(const Ends& ends) {
    Around edge = around(ends);
    RefinedVertex& m = *edge.born;
    const Vec2 spot = begin(edge);
    const bool down = edge.diamond.stream == StreamAlong::to_second;
    least_half_ = static_cast<float>(least_host(static_cast<double>(at(down ? edge.a : edge.b).ice_flow.then)));
    valleys_of_corners(edge);
    const Birth birth =
        born_on_stream(scale_, edge.diamond, spot, m.floor, scale_.troughs ? m.trough : GlacialTrough{}, edge.draws);
    settle(m, birth, down ? edge.b : edge.a);
    const double flow = static_cast<double>(at(down ? edge.a : edge.b).discharge) * scale_.unit;
    take(m.floor, floor_of(flow, edge.diamond.steepness));
    if (any_ice_ && !birth.sea && !(m.trough.inside() > 0)) {
      const RefinedVertex &above = at(down ? edge.a : edge.b), &below = at(down ? edge.b : edge.a);
      const auto between_ends = [](int64_t p, int64_t q) {
        return q > p ? static_cast<double>(p) : 0.5 * (static_cast<double>(p) + static_cast<double>(q));
      };
      m.trough =
          trough_of(between_ends(above.ice_flow.then, below.ice_flow.then), edge.diamond.steepness, birth.height);
      vary_width(scale_, m.trough, above.trough, below.trough, edge.draws);
      fill_with_ice(m.trough, between_ends(above.ice_flow.now, below.ice_flow.now));
    }
  }

  void place(const Ends& ends) {
    Around edge = around(ends);
    begin(edge);
  }

  void raise(const Ends& ends) {
    const Around edge = around(ends);
    const VertexId name = born_.at(ends);
    RefinedVertex& m = *edge.born;
    least_half_ = 0;
    valleys_of_corners(edge);
    std::vector<VertexId> into{edge.a, edge.b};
    for (const VertexId top : {edge.c, edge.d})
      for (const VertexId end : {edge.a, edge.b})
        if (const Ends side = ends_of(top, end); streams_.contains(side)) {
          into.push_back(born_.at(side));
          valleys_of_stream(edge, side);
        }
    std::vector<Outlet> outlets;
    for (const VertexId w : into) {
      const RefinedVertex& v = at(w);
      outlets.push_back({v.sea ? 0 : v.height, metres(name, w), std::max(v.floor.inside(), 0.0),
                         std::max(static_cast<double>(v.floor.channel - v.floor.away), 0.0)});
    }
    const Birth birth = born_on_land(scale_, edge.diamond, outlets.data(), static_cast<int>(outlets.size()), m.floor,
                                     scale_.troughs ? m.trough : GlacialTrough{}, edge.draws);
    std::optional<VertexId> steepest;
    double slope = 0;
    for (size_t n = 0; n < into.size(); ++n)
      if (const double own = (birth.height - outlets[n].water) / outlets[n].distance; own > slope) {
        slope = own;
        steepest = into[n];
      }
    settle(m, birth, steepest.value_or(VertexId{}));
    m.sea = birth.sea || !steepest;
  }

  static void settle(RefinedVertex& m, const Birth& birth, VertexId receiver) {
    m.height = birth.height;
    m.depth = static_cast<float>(birth.depth);
    m.sea = birth.sea;
    m.receiver = receiver;
  }

  /// Of every old vertex the new ones whose water reaches it first.
  std::map<VertexId, std::vector<VertexId>> cells() const {
    std::set<VertexId> fresh;
    for (const auto& [edge, name] : born_) fresh.insert(name);
    std::map<VertexId, std::vector<VertexId>> reached;
    for (const VertexId& name : fresh) {
      std::optional<VertexId> down = name;
      while (down && fresh.contains(*down)) down = at(*down).sea ? std::nullopt : std::optional(at(*down).receiver);
      if (down && land_.vertices.contains(*down)) reached[*down].push_back(name);
    }
    return reached;
  }

  /// What ice gains or loses in the cell of an old vertex, shared by the heights of those in it: first those on slopes,
  /// which send it to those on streams.
  void share_ice() {
    if (!any_ice_) return;
    std::map<VertexId, VertexId> above;
    for (const Ends& edge : streams_)
      above[born_.at(edge)] = drains(edge.first, edge.second) ? edge.first : edge.second;
    for (const auto& [old, names] : cells()) {
      const double members = static_cast<double>(names.size() + 1);
      int64_t heights = static_cast<int64_t>(64 * std::max(at(old).height, 0.0));
      for (const VertexId& name : names) heights += static_cast<int64_t>(64 * std::max(at(name).height, 0.0));
      const double mean = static_cast<double>(heights) / (64 * members);
      const auto share = [&](int64_t IceTimes::*time, double rise) {
        const int64_t whole = at(old).ice_supply.*time;
        for (const bool on_stream : {false, true})
          for (const VertexId& name : names) {
            if (above.contains(name) != on_stream) continue;
            RefinedVertex& m = at(name);
            const int64_t inflow = m.ice_flow.*time + (on_stream ? at(above.at(name)).ice_flow.*time : 0);
            m.ice_supply.*time = part_of_ice(static_cast<double>(whole) / members, m, mean, rise, inflow);
            m.ice_flow.*time = inflow + m.ice_supply.*time;
            at(old).ice_supply.*time -= m.ice_supply.*time;
            if (!on_stream && above.contains(m.receiver)) at(m.receiver).ice_flow.*time += m.ice_flow.*time;
          }
      };
      share(&IceTimes::then, 0);
      share(&IceTimes::now, scale_.snow_line_rise);
    }
  }

  /// An even part, and a metre of ice for every so many metres that a vertex stands above the mean of its cell; bounded
  /// by the snow that falls, by what melts on the width of a glacier, and by what there is to melt.
  int64_t part_of_ice(double even, const RefinedVertex& m, double mean, double rise, int64_t inflow) const {
    const double line = static_cast<double>(m.traits[static_cast<size_t>(Trait::snow_line)]) + rise;
    const double rain = static_cast<double>(m.traits[static_cast<size_t>(Trait::rain)]);
    double part = even + scale_.ice_gradient * scale_.cell * (m.height - mean);
    const double balance = scale_.ice_gradient * (m.height - line);
    if (balance > 0)
      part = std::min(part, std::min(balance, std::min(scale_.most_snow, 1.1 * rain)) * scale_.cell);
    else if (inflow > 0)
      part = std::min(part, std::max(balance, -9.0) * 2 * half_trough(static_cast<double>(inflow)) * scale_.spacing);
    else
      part = std::min(part, 0.0);
    return static_cast<int64_t>(std::max(part, -static_cast<double>(inflow)));
  }

  /// An old vertex shares its own runoff with the new ones whose water reaches it first; then streams go through the
  /// new vertices on them.
  void share_water() {
    std::set<VertexId> fresh;
    for (const auto& [edge, name] : born_) fresh.insert(name);
    for (const VertexId& name : fresh) at(name).supply = at(name).discharge = 0;
    for (const auto& [old, names] : cells()) {
      const int64_t part = at(old).supply / (static_cast<int64_t>(names.size()) + 1);
      for (const VertexId& name : names) {
        at(name).supply = part;
        at(old).supply -= part;
        for (VertexId down = name; fresh.contains(down) && !at(down).sea; down = at(down).receiver)
          at(down).discharge += part;
      }
    }
    for (const Ends& edge : streams_) {
      RefinedVertex& upper = at(drains(edge.first, edge.second) ? edge.first : edge.second);
      at(born_.at(edge)).discharge += upper.discharge;
      upper.receiver = born_.at(edge);
    }
  }

  void split_triangles() {
    land_.triangles.clear();
    for (const auto& [a, b, c] : split_) {
      const VertexId ab = born_.at(ends_of(a, b)), bc = born_.at(ends_of(b, c)), ca = born_.at(ends_of(c, a));
      for (const RefinedTriangle& t : {turned(a, ab, ca), turned(b, bc, ab), turned(c, ca, bc), turned(ab, bc, ca)})
        land_.triangles.insert(t);
    }
  }

  /// How badly an edge breaks Delaunay's rule; 0 where it keeps it or must not flip.
  float badness(const Ends& edge, const Sides& sides) const {
    if (!sides.left || !sides.right || is_stream(edge)) return 0;
    const Vec3 a = at(edge.first).direction, b = at(edge.second).direction;
    const Vec3 c = at(*sides.left).direction, d = at(*sides.right).direction;
    const double at_c = dot(cross(a - c, b - c), c), at_d = dot(cross(b - d, a - d), d);
    if (!(at_c > 0) || !(at_d > 0)) return 0;
    const double bad = -(dot(a - c, b - c) / at_c + dot(a - d, b - d) / at_d), least = 0.05 * (at_c + at_d);
    const bool sound = dot(cross(a - c, d - c), c) >= least && dot(cross(d - c, b - c), c) >= least;
    return bad > 1e-6 && sound ? static_cast<float>(bad) : 0;
  }

  /// Edges that are worse than all other sides of both their triangles flip, all at once.
  void flip() {
    number_edges();
    std::map<Ends, float> bad;
    for (const auto& [edge, sides] : edges_) bad[edge] = badness(edge, sides);
    for (const auto& [edge, own] : bad) {
      if (!(own > 0)) continue;
      const VertexId a = edge.first, b = edge.second, c = *edges_.at(edge).left, d = *edges_.at(edge).right;
      bool worst = true;
      for (const Ends& side : {ends_of(a, c), ends_of(b, c), ends_of(a, d), ends_of(b, d)})
        worst = worst && bad.at(side) < own;
      if (!worst) continue;
      land_.triangles.erase(turned(a, b, c));
      land_.triangles.erase(turned(b, a, d));
      land_.triangles.insert(turned(c, a, d));
      land_.triangles.insert(turned(d, b, c));
    }
  }

  const GlobalLand& planet_;
  Vec3 centre_;
  double angle_;
  bool any_ice_ = false;
  RefinedLand land_;
  LevelScale scale_;
  float least_half_ = 0;  ///< of troughs that matter to the vertex at hand
  std::map<Ends, Sides> edges_;
  std::vector<RefinedTriangle> split_;
  std::set<Ends> streams_, others_;  ///< edges that are split
  std::map<Ends, VertexId> born_;    ///< on each of them
};

}  // namespace

RefinedLand refined(const GlobalLand& land, Vec3 centre, double angle, int deepest) {
  return Refining(land, centre, angle).to(deepest);
}

}  // namespace tepui::reference

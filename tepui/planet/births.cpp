#include "tepui/planet/births.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/planet/valley_ice.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1024;

size_t at(int32_t index) { return static_cast<size_t>(index); }

/// An edge with what lies around it, on the plane of a diamond.
struct Cradle {
  int32_t a, b, c, d;
  Vec3 origin, along, aside;
  Diamond diamond;

  Vec3 lifted(Vec2 place) const { return normalised(origin + (along * place.x + aside * place.y)); }
};

class Births {
 public:
  Births(const RefineNet& net, const Splits& splits, const LevelScale& scale, uint64_t key, FineVertices& vertices)
      : net_(net),
        splits_(splits),
        scale_(scale),
        key_(key),
        v_(vertices),
        first_(static_cast<int32_t>(vertices.size())),
        iced_(scale.most_snow > 0),
        reaching_(vertices.size(), 0),
        ice_(iced_ ? vertices.size() : 0, IceShared{}),
        along_(splits.born.size()),
        bulge_(splits.born.size()) {
    v_.resize_unwritten(vertices.size() + splits.born.size());
  }

  void run(const Context& context) {
    const auto count = static_cast<int64_t>(splits_.born.size());
    const auto each = [&](const auto& step) {
      parallel_chunks(count, grain, context, [&](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k) step(static_cast<int32_t>(k));
      });
    };
    each([this](int32_t k) { begin(k); });
    each([this](int32_t k) { rise(k); });
    each([this](int32_t k) { reach(k); });
    each([this](int32_t k) { share(k); });
    each([this](int32_t k) { flow(k); });
    if (iced_) {
      each([this](int32_t k) { begin_ice(k); });
      each([this](int32_t k) { join_ice(k); });
    }
    each([this](int32_t k) { redirect(k); });
    parallel_chunks(first_, 8 * grain, context, [&](int64_t begin, int64_t end) {
      for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v)
        if (const int64_t n = reaching_[v]; n > 0) {
          v_.supply[v] -= v_.supply[v] / (n + 1) * n;
          if (iced_)
            v_.ice_supply[v] = {v_.ice_supply[v].then - ice_[v].taken.then, v_.ice_supply[v].now - ice_[v].taken.now};
        }
    });
  }

  int32_t first() const { return first_; }

 private:
  Corner corner(int32_t v) const {
    const size_t i = at(v);
    return {v_.height[i],
            static_cast<double>(v_.depth[i]),
            static_cast<double>(v_.discharge[i]) * scale_.unit,
            static_cast<double>(v_.ice_flow[i].then),
            v_.floor[i].inside(),
            v_.receiver[i] == in_the_sea};
  }

  StreamAlong stream(const NetEdge& edge) const {
    return v_.receiver[at(edge.first)] == edge.second   ? StreamAlong::to_second
           : v_.receiver[at(edge.second)] == edge.first ? StreamAlong::to_first
                                                        : StreamAlong::none;
  }

  /// Who lies around an edge, and what they are.
  Cradle around(int32_t e) const {
    const NetEdge& edge = net_.edges[at(e)];
    Cradle cradle;
    cradle.a = edge.first;
    cradle.b = edge.second;
    cradle.c = net_.opposite(edge.left >= 0 ? edge.left : edge.right, e);
    cradle.d = net_.opposite(edge.right >= 0 ? edge.right : edge.left, e);
    Diamond& diamond = cradle.diamond;
    diamond.a = corner(cradle.a);
    diamond.b = corner(cradle.b);
    diamond.c = corner(cradle.c);
    diamond.d = corner(cradle.d);
    const auto mean = [&](Trait trait) {
      return 0.5 * static_cast<double>(v_.trait(at(cradle.a), trait) + v_.trait(at(cradle.b), trait));
    };
    diamond.steepness = mean(Trait::steepness);
    diamond.hardness = mean(Trait::hardness);
    diamond.runoff = std::max(mean(Trait::runoff), 0.01);
    return cradle;
  }

  /// The same, on its plane.
  Cradle flattened(int32_t e) const {
    const NetEdge& edge = net_.edges[at(e)];
    Cradle cradle = around(e);
    const Vec3 a = v_.direction[at(cradle.a)], b = v_.direction[at(cradle.b)], way = b - a;
    const double chord = length(way);
    const Vec3 unit_along = way * (1 / chord), unit_aside = cross((a + b) * 0.5, unit_along);
    Diamond& diamond = cradle.diamond;
    const auto flat = [&](int32_t v) {
      const Vec3 away = (v_.direction[at(v)] - a) * earth_radius;
      return Vec2{dot(away, unit_along), dot(away, unit_aside)};
    };
    diamond.length = chord * earth_radius;
    diamond.at_c = flat(cradle.c);
    diamond.at_d = flat(cradle.d);
    // Where the net ends, the missing side is taken to be like the other.
    if (edge.left < 0) diamond.at_c.y = -diamond.at_c.y;
    if (edge.right < 0) diamond.at_d.y = -diamond.at_d.y;
    diamond.stream = stream(edge);
    if (needs_bulge(scale_, diamond)) diamond.bulge = bulge(e, diamond, flat);
    cradle.origin = a;
    cradle.along = unit_along * (1 / earth_radius);
    cradle.aside = unit_aside * (1 / earth_radius);
    return cradle;
  }

  /// Of a surface whose slopes at both ends of the edge are the means of those of the triangles there; a stream with a
  /// bed of its own parts what lies on its sides.
  template <class Flat>
  double bulge(int32_t e, const Diamond& diamond, const Flat& flat) const {
    const NetEdge& edge = net_.edges[at(e)];
    double turn = 0;
    for (const int32_t t : {edge.left, edge.right}) {
      if (t < 0) continue;
      const NetTriangle& triangle = net_.triangles[at(t)];
      const size_t k = triangle.edge[0] == e ? 0 : triangle.edge[1] == e ? 1 : 2;
      const bool left = t == edge.left;
      const int32_t at_b = triangle.edge[(k + (left ? 1 : 2)) % 3], at_a = triangle.edge[(k + (left ? 2 : 1)) % 3];
      const double top = left ? diamond.c.height : diamond.d.height;
      const Vec2 place = left ? diamond.at_c : diamond.at_d, b{diamond.length, 0};
      // The slope along the edge of the triangle across a side from this one, or of this one.
      const auto slope = [&](int32_t side, Vec2 p, double height, Vec2 own, double own_height) {
        const NetEdge& across = net_.edges[at(side)];
        const int32_t other = across.left == t ? across.right : across.left;
        Vec2 r = own;
        double h = own_height;
        if (other >= 0 && !creased(across, diamond)) {
          const int32_t third = net_.opposite(other, side);
          r = flat(third);
          h = v_.height[at(third)];
        }
        const Vec2 pq = place - p, pr = r - p;
        return ((top - height) * pr.y - (h - height) * pq.y) / (pq.x * pr.y - pr.x * pq.y);
      };
      turn += slope(at_a, {}, diamond.a.height, b, diamond.b.height) -
              slope(at_b, b, diamond.b.height, {}, diamond.a.height);
    }
    return turn * diamond.length / 32;
  }

  bool creased(const NetEdge& side, const Diamond& diamond) const {
    const StreamAlong along = stream(side);
    if (along == StreamAlong::none) return false;
    const size_t upper = at(along == StreamAlong::to_second ? side.first : side.second);
    return is_crease(scale_, diamond.steepness, static_cast<double>(v_.discharge[upper]) * scale_.unit, diamond.runoff);
  }

  GlacialTrough carving(const GlacialTrough& trough) const { return scale_.troughs ? trough : GlacialTrough{}; }

  /// Name, place, what is inherited; and height, where water runs along the edge.
  void begin(int32_t k) {
    const int32_t e = splits_.born[at(k)];
    const size_t m = at(first_ + k);
    const Cradle cradle = flattened(e);
    const size_t a = at(cradle.a), b = at(cradle.b);
    v_.id[m] = born_between(v_.id[a], v_.id[b]);
    const BirthDraws draws = draws_of(key_, v_.id[m]);
    const Vec2 place = birthplace(scale_, cradle.diamond, draws);
    v_.direction[m] = cradle.lifted(place);
    v_.level[m] = static_cast<uint8_t>(scale_.level + 1);
    v_.born_height[m] = static_cast<float>(0.5 * (v_.height[a] + v_.height[b]));
    v_.plate[m] = v_.plate[draws.spare < 0 ? a : b];
    inherit(m, cradle, place, draws);
    along_[at(k)] = cradle.diamond.stream;
    if (cradle.diamond.stream == StreamAlong::none) {
      v_.receiver[m] = over_the_border;
      bulge_[at(k)] = cradle.diamond.bulge;
      return;
    }
    const bool down = cradle.diamond.stream == StreamAlong::to_second;
    const size_t upper = down ? a : b;
    const double steepness = cradle.diamond.steepness;
    Valleys valleys(*this, cradle, m);
    valleys.least_half = static_cast<float>(least_host(static_cast<double>(v_.ice_flow[upper].then)));
    valleys.from_ends();
    const Birth birth = born_on_stream(scale_, cradle.diamond, place, valleys.floor, carving(valleys.trough), draws);
    settle(m, birth, down ? cradle.b : cradle.a);
    valleys.take(floor_of(static_cast<double>(v_.discharge[upper]) * scale_.unit, steepness));
    v_.floor[m] = valleys.floor;
    v_.trough[m] = valleys.trough;
    if (iced_ && !birth.sea && !(valleys.trough.inside() > 0)) {
      // What joins farther down is not here yet; what melts on the way has half gone.
      const IceTimes above = v_.ice_flow[upper], below = v_.ice_flow[down ? b : a];
      const auto here = [](int64_t p, int64_t q) {
        return std::min(static_cast<double>(p), 0.5 * (static_cast<double>(p) + static_cast<double>(q)));
      };
      v_.trough[m] = trough_of(here(above.then, below.then), steepness, birth.height);
      vary_width(scale_, v_.trough[m], v_.trough[upper], v_.trough[down ? b : a], draws);
      fill_with_ice(v_.trough[m], here(above.now, below.now));
    }
  }

  void inherit(size_t m, const Cradle& cradle, Vec2 place, const BirthDraws& draws) {
    const Diamond& diamond = cradle.diamond;
    const Vec2 top = place.y > 0 ? diamond.at_c : diamond.at_d;
    const double of_top = place.y / top.y, of_b = (place.x - of_top * top.x) / diamond.length;
    const auto t = static_cast<float>(of_top), b = static_cast<float>(of_b), a = 1 - t - b;
    const Traits &from_a = v_.traits[at(cradle.a)], &from_b = v_.traits[at(cradle.b)];
    const Traits& from_top = v_.traits[at(place.y > 0 ? cradle.c : cradle.d)];
    for (size_t k = 0; k < trait_count; ++k) v_.traits[m][k] = a * from_a[k] + b * from_b[k] + t * from_top[k];
    float& steepness = v_.traits[m][static_cast<size_t>(Trait::steepness)];
    steepness *= 1 + 0.12f * static_cast<float>(draws.spare);
  }

  void settle(size_t m, const Birth& birth, int32_t receiver) {
    v_.height[m] = birth.height;
    v_.depth[m] = static_cast<float>(birth.depth);
    v_.receiver[m] = birth.sea ? in_the_sea : receiver;
  }

  /// The vertex born on a side of the diamond, if water runs along that side; -1.
  int32_t middle_of_stream(int32_t e) const {
    const int32_t place = splits_.place[at(e)];
    return place >= 0 && along_[at(place)] != StreamAlong::none ? first_ + place : -1;
  }

  double distance(size_t v, size_t w) const { return length(v_.direction[v] - v_.direction[w]) * earth_radius; }

  /// Height and receiver where no water ran before.
  void rise(int32_t k) {
    const int32_t e = splits_.born[at(k)];
    const NetEdge& edge = net_.edges[at(e)];
    if (along_[at(k)] != StreamAlong::none) return;
    const size_t m = at(first_ + k);
    Cradle cradle = around(e);
    cradle.diamond.length = distance(at(cradle.a), at(cradle.b));
    cradle.diamond.bulge = bulge_[at(k)];
    std::array<int32_t, 6> into{cradle.a, cradle.b};
    std::array<Outlet, 6> outlets;
    int count = 2;
    for (const int32_t t : {edge.left, edge.right}) {
      if (t < 0) continue;
      for (const int32_t side : net_.triangles[at(t)].edge)
        if (const int32_t other = side == e ? -1 : middle_of_stream(side); other >= 0) into[at(count++)] = other;
    }
    Valleys valleys(*this, cradle, m);
    valleys.from_ends();
    valleys.from_sides();
    for (int n = 0; n < count; ++n) {
      const size_t w = at(into[at(n)]);
      const ValleyFloor& floor = v_.floor[w];
      outlets[at(n)] = {v_.receiver[w] == in_the_sea ? 0 : v_.height[w], distance(m, w), std::max(floor.inside(), 0.0),
                        std::max(static_cast<double>(floor.channel - floor.away), 0.0)};
    }
    const Birth birth = born_on_land(scale_, cradle.diamond, outlets.data(), count, valleys.floor,
                                     carving(valleys.trough), draws_of(key_, v_.id[m]));
    v_.floor[m] = valleys.floor;
    v_.trough[m] = valleys.trough;
    double best = 0;
    int32_t receiver = in_the_sea;
    for (int n = 0; n < count; ++n) {
      const double slope = (birth.height - outlets[at(n)].water) / outlets[at(n)].distance;
      if (slope > best) {
        best = slope;
        receiver = into[at(n)];
      }
    }
    settle(m, birth, receiver);
  }

  /// The first old vertex that the water of a new one reaches; below 0 in the sea.
  int32_t first_old(size_t m) const {
    int32_t down = v_.receiver[m];
    while (down >= first_) down = v_.receiver[at(down)];
    return down;
  }

  void reach(int32_t k) {
    const size_t m = at(first_ + k);
    v_.supply[m] = v_.discharge[m] = 0;
    v_.ice_flow[m] = v_.ice_supply[m] = {};
    if (v_.receiver[m] == in_the_sea) return;
    const int32_t old = first_old(m);
    if (old < 0) return;
    std::atomic_ref(reaching_[at(old)]).fetch_add(1, std::memory_order_relaxed);
    if (iced_) add(ice_[at(old)].heights, whole(v_.height[m]));
  }

  /// Heights are summed in whole numbers, so that the order does not matter.
  static int64_t whole(double height) { return static_cast<int64_t>(64 * std::max(height, 0.0)); }
  static void add(int64_t& sum, int64_t more) { std::atomic_ref(sum).fetch_add(more, std::memory_order_relaxed); }

  void share(int32_t k) {
    const size_t m = at(first_ + k);
    if (v_.receiver[m] == in_the_sea) return;
    const int32_t old = first_old(m);
    if (old >= 0) v_.supply[m] = v_.supply[at(old)] / (reaching_[at(old)] + 1);
    for (int32_t down = static_cast<int32_t>(m); down >= first_ && v_.receiver[at(down)] != in_the_sea;
         down = v_.receiver[at(down)])
      std::atomic_ref(v_.discharge[at(down)]).fetch_add(v_.supply[m], std::memory_order_relaxed);
  }

  /// What the river brings that a vertex was born on.
  void flow(int32_t k) {
    const NetEdge& edge = net_.edges[at(splits_.born[at(k)])];
    const StreamAlong along = along_[at(k)];
    if (along == StreamAlong::none) return;
    const size_t m = at(first_ + k), upper = at(along == StreamAlong::to_second ? edge.first : edge.second);
    v_.discharge[m] += v_.discharge[upper];
  }

  /// The ice of new vertices on slopes, where none arrives from above.
  void begin_ice(int32_t k) {
    if (along_[at(k)] == StreamAlong::none) flow_ice(at(first_ + k), {});
  }

  /// And of those on streams, which take what comes from slopes and from above.
  void join_ice(int32_t k) {
    const StreamAlong along = along_[at(k)];
    if (along == StreamAlong::none) return;
    const NetEdge& edge = net_.edges[at(splits_.born[at(k)])];
    flow_ice(at(first_ + k), v_.ice_flow[at(along == StreamAlong::to_second ? edge.first : edge.second)]);
  }

  void flow_ice(size_t m, IceTimes above) {
    IceTimes &flow = v_.ice_flow[m], &supply = v_.ice_supply[m];
    const int32_t old = v_.receiver[m] == in_the_sea ? in_the_sea : first_old(m);
    const IceTimes arrives{flow.then + above.then, flow.now + above.now};
    // Most of the land: none arrives and none grows.
    const bool none = arrives == IceTimes{} && v_.height[m] <= static_cast<double>(v_.trait(m, Trait::snow_line));
    if (old < 0 || none) {
      flow = supply = {};
      return;
    }
    const double members = reaching_[at(old)] + 1;
    IceShared& shared = ice_[at(old)];
    const double heights = static_cast<double>(shared.heights + whole(v_.height[at(old)]));
    const IceTimes whole_supply = v_.ice_supply[at(old)];
    IceCell cell{0, members, heights / (64 * members)};
    IceSite site{v_.height[m], static_cast<double>(v_.trait(m, Trait::snow_line)),
                 static_cast<double>(v_.trait(m, Trait::rain)), arrives.then};
    cell.supply = whole_supply.then;
    supply.then = supply_of_child(scale_, cell, site);
    flow.then = site.inflow + supply.then;
    cell.supply = whole_supply.now;
    site.snow_line += scale_.snow_line_rise;
    site.inflow = arrives.now;
    supply.now = supply_of_child(scale_, cell, site);
    flow.now = site.inflow + supply.now;
    add(shared.taken.then, supply.then);
    add(shared.taken.now, supply.now);
    if (const int32_t down = v_.receiver[m]; down >= first_) {
      add(v_.ice_flow[at(down)].then, flow.then);
      add(v_.ice_flow[at(down)].now, flow.now);
    }
  }

  void redirect(int32_t k) {
    const int32_t e = splits_.born[at(k)];
    if (splits_.drawn[at(e)] == 0) return;
    const NetEdge& edge = net_.edges[at(e)];
    const StreamAlong along = along_[at(k)];
    if (along != StreamAlong::none)
      v_.receiver[at(along == StreamAlong::to_second ? edge.first : edge.second)] = first_ + k;
  }

  /// The valleys in which a new vertex may lie: of those that its neighbours know, whichever it is deepest inside.
  struct Valleys {
    Valleys(const Births& births, const Cradle& cradle, size_t m) : births_(births), cradle_(cradle), m_(m) {}

    void take(const ValleyFloor& other) {
      if (other.claim() > floor.claim()) floor = other;
    }
    void take(const GlacialTrough& other) {
      if (other.half > least_half && other.claim() > trough.claim()) trough = other;
    }

    void from_ends() {
      const FineVertices& v = births_.v_;
      const size_t a = at(cradle_.a), b = at(cradle_.b);
      // One valley that holds the whole edge.
      const auto holds = [length = cradle_.diamond.length](const auto& p, const auto& q, float of_p, float of_q) {
        return of_p > p.away && of_q > q.away && p.inside() + q.inside() > 0.8 * length && of_p < 1.25f * of_q &&
               of_q < 1.25f * of_p && p.away + q.away > 0;
      };
      if (holds(v.floor[a], v.floor[b], v.floor[a].flat, v.floor[b].flat)) take(between(v.floor[a], v.floor[b], 0.5));
      if (holds(v.trough[a], v.trough[b], v.trough[a].half, v.trough[b].half))
        take(between(v.trough[a], v.trough[b], 0.5));
      for (const int32_t corner : {cradle_.a, cradle_.b, cradle_.c, cradle_.d}) from_corner(at(corner));
    }

    /// The streams along the sides of the diamond, on which vertices have just been born.
    void from_sides() {
      const int32_t e = births_.splits_.born[m_ - at(births_.first_)];
      const NetEdge& edge = births_.net_.edges[at(e)];
      for (const int32_t t : {edge.left, edge.right}) {
        if (t < 0) continue;
        for (const int32_t side : births_.net_.triangles[at(t)].edge)
          if (const int32_t middle = side == e ? -1 : births_.middle_of_stream(side); middle >= 0) {
            const NetEdge& stream = births_.net_.edges[at(side)];
            from_reach(at(stream.first), at(middle));
            from_reach(at(middle), at(stream.second));
          }
      }
    }

    float least_half = 0;  ///< of troughs that matter
    ValleyFloor floor{};
    GlacialTrough trough{};

   private:
    bool shows(float half) const { return static_cast<double>(half) > 0.1 * births_.scale_.spacing; }

    void from_corner(size_t w) {
      const FineVertices& v = births_.v_;
      const bool flat = shows(v.floor[w].flat), ice = shows(v.trough[w].half);
      if (!flat && !ice) return;
      const double away = births_.distance(m_, w);
      if (flat) take(beside(v.floor[w], away));
      if (ice) take(beside(v.trough[w], away));
    }

    /// From the new vertex to the line between two of a river.
    void from_reach(size_t p, size_t q) {
      const FineVertices& v = births_.v_;
      const size_t middle = std::max(p, q);
      const bool flat = v.floor[middle].away == 0 && shows(v.floor[middle].flat);
      const bool ice = v.trough[middle].away == 0 && shows(v.trough[middle].half);
      if (!flat && !ice) return;
      const Vec3 way = v.direction[q] - v.direction[p], to = v.direction[m_] - v.direction[p];
      const double share = std::clamp(dot(to, way) / dot(way, way), 0.0, 1.0);
      const double away = length(to - way * share) * earth_radius;
      if (flat) take(beside(v.floor[middle], away));
      if (ice) {
        GlacialTrough reach = beside(v.trough[middle], away);
        reach.bed = static_cast<float>(v.height[p] + (v.height[q] - v.height[p]) * share);
        take(reach);
      }
    }

    const Births& births_;
    const Cradle& cradle_;
    size_t m_;
  };

  /// Of the new vertices in the cell of an old one.
  struct IceShared {
    int64_t heights = 0;  ///< their sum
    IceTimes taken;       ///< the sum of what they have taken of its supply
  };

  const RefineNet& net_;
  const Splits& splits_;
  const LevelScale& scale_;
  uint64_t key_;
  FineVertices& v_;
  int32_t first_;
  bool iced_;                      ///< whether ice has ever lain on the planet
  PoolVector<int32_t> reaching_;   ///< of each old vertex: how many new ones reach it first
  PoolVector<IceShared> ice_;      ///< of each old vertex
  PoolVector<StreamAlong> along_;  ///< of the edge of each new one
  PoolVector<double> bulge_;
};

}  // namespace

int32_t bear_vertices(const RefineNet& net, const Splits& splits, const LevelScale& scale, uint64_t key,
                      FineVertices& vertices, const Context& context) {
  Births births(net, splits, scale, key, vertices);
  births.run(context);
  return births.first();
}

}  // namespace tepui

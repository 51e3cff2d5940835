#include "tepui/planet/paper_births.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/parallel.h"
#include "tepui/planet/paper_ice.h"
#include "tepui/planet/paper_rules.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1024;

size_t at(int32_t index) { return static_cast<size_t>(index); }

/// An edge and what lies around it.
struct Around {
  int32_t a, b, c, d;  ///< its ends; the corners left and right of it, the same one where the mesh ends
  Vec3 middle, edge;   ///< direction of its middle; from a to b, metres
  StreamAlong stream = StreamAlong::none;
};

class PaperBearing {
 public:
  PaperBearing(PaperLand& land, const PaperBirths& births, const LevelScale& scale, const LocalRules& rules,
               uint64_t key)
      : land_(land), v_(land.vertices), births_(births), scale_(scale), rules_(rules), key_(key) {
    const size_t all = v_.size() + births.edges.size();
    v_.resize(all);
    land.turn.resize(all);
    land.stability.resize(all, 1);
    land.ice.resize(all);
    lift_.resize(births.edges.size());
    ice_flows_ = scale.most_snow > 0 && scale.level < finest_ice_level;
  }

  void run(const Context& context) {
    if (rules_.troughs && scale_.most_snow > 0) find_normals();
    const auto each = [&](void (PaperBearing::*step)(size_t)) {
      parallel_chunks(static_cast<int64_t>(births_.edges.size()), grain, context, [&](int64_t begin, int64_t end) {
        for (auto k = static_cast<size_t>(begin); k < static_cast<size_t>(end); ++k) (this->*step)(k);
      });
    };
    each(&PaperBearing::begin);
    each(&PaperBearing::rise);
    each(&PaperBearing::redirect);
  }

 private:
  Around around(int32_t e) const {
    const NetEdge& edge = land_.net.edges[at(e)];
    Around all{edge.first, edge.second, 0, 0, {}, {}};
    all.c = land_.net.opposite(edge.left >= 0 ? edge.left : edge.right, e);
    all.d = land_.net.opposite(edge.right >= 0 ? edge.right : edge.left, e);
    const Vec3 a = v_.direction[at(all.a)], b = v_.direction[at(all.b)];
    all.middle = normalised(a + b);
    all.edge = (b - a) * earth_radius;
    all.stream = v_.receiver[at(all.a)] == all.b   ? StreamAlong::to_second
                 : v_.receiver[at(all.b)] == all.a ? StreamAlong::to_first
                                                   : StreamAlong::none;
    return all;
  }

  Corner corner(int32_t v) const {
    const size_t i = at(v);
    Corner one;
    one.height = v_.height[i];
    one.depth = static_cast<double>(v_.depth[i]);
    one.discharge = static_cast<double>(v_.discharge[i]) * scale_.unit;
    one.sea = v_.receiver[i] == in_the_sea;
    return one;
  }

  Diamond diamond(const Around& all) const {
    Diamond diamond;
    diamond.a = corner(all.a);
    diamond.b = corner(all.b);
    diamond.c = corner(all.c);
    diamond.d = corner(all.d);
    diamond.length = length(all.edge);
    diamond.stream = all.stream;
    const auto mean = [&](Trait trait) {
      return 0.5 * static_cast<double>(v_.trait(at(all.a), trait) + v_.trait(at(all.b), trait));
    };
    diamond.steepness = mean(Trait::steepness);
    diamond.hardness = mean(Trait::hardness);
    diamond.runoff = std::max(mean(Trait::runoff), 0.01);
    if (all.stream == StreamAlong::none)
      diamond.bulge = 0.06 * (diamond.c.height + diamond.d.height - diamond.a.height - diamond.b.height);
    return diamond;
  }

  /// Name, plate and place; and height, where water runs along the edge.
  void begin(size_t k) {
    const size_t m = at(births_.first) + k;
    const Around all = around(births_.edges[k]);
    const size_t a = at(all.a), b = at(all.b);
    v_.id[m] = born_between(v_.id[a], v_.id[b]);
    v_.direction[m] = all.middle;
    v_.level[m] = static_cast<uint8_t>(scale_.level + 1);
    v_.born_height[m] = static_cast<float>(0.5 * (v_.height[a] + v_.height[b]));
    for (size_t i = 0; i < trait_count; ++i) v_.traits[m][i] = 0.5f * (v_.traits[a][i] + v_.traits[b][i]);
    land_.stability[m] = 0.5f * (land_.stability[a] + land_.stability[b]);
    move_with_plates(k, m, all);
    if (ice_flows_) turn_ice(m, births_.edges[k], all);
    v_.receiver[m] = over_the_border;
    if (all.stream == StreamAlong::none) return;
    if (rules_.banks) level_banks(m, all);
    bear_on_stream(m, all, lift_[k]);
    wear(m, all);
  }

  /// Eq. 12.
  void turn_ice(size_t m, int32_t e, const Around& all) {
    const NetEdge& edge = land_.net.edges[at(e)];
    const auto fall = [&](int32_t t) { return t < 0 ? Vec3{} : way_down(land_, at(t)); };
    Vec3 around{};
    for (const int32_t v : {all.a, all.b, all.c, all.d})
      around = around + land_.ice[at(v)].direction * land_.ice[at(v)].sum;
    land_.ice[m].direction = ice_direction(fall(edge.left), fall(edge.right), around);
  }

  void move_with_plates(size_t k, size_t m, const Around& all) {
    const size_t a = at(all.a), b = at(all.b);
    const Vec3 first = cross(land_.turn[a], all.middle) * earth_radius;
    const Vec3 second = cross(land_.turn[b], all.middle) * earth_radius;
    const Strain strain = strain_along(second - first, all.edge);
    const VelocityOf which = velocity_of(first, second, all.edge, strain);
    v_.plate[m] = which == VelocityOf::second ? v_.plate[b] : v_.plate[a];
    land_.turn[m] = which == VelocityOf::both     ? (land_.turn[a] + land_.turn[b]) * 0.5
                    : which == VelocityOf::second ? land_.turn[b]
                                                  : land_.turn[a];
    if (!rules_.faults) return;
    lift_[k] = fault_uplift(scale_.level + 1, strain, draws_of(key_, v_.id[m]).spare < 0 ? -1 : 1);
    v_.traits[m][static_cast<size_t>(Trait::stress)] = static_cast<float>(strain.opening * length(all.edge));
  }

  /// Moves a new vertex sideways by so many metres at most that no child triangle turns over.
  void shift(size_t m, const Around& all, Vec3 by) {
    constexpr double most = 0.15;  // of a barycentric coordinate of either triangle
    const Vec3 along = normalised(all.edge), aside = cross(all.middle, along);
    double worst = most;
    for (const int32_t top : {all.c, all.d}) {
      const Vec3 away = (v_.direction[at(top)] - all.middle) * earth_radius;
      const double of_top = dot(by, aside) / dot(away, aside);
      const double of_b = (dot(by, along) - of_top * dot(away, along)) / length(all.edge);
      worst = std::max({worst, std::fabs(of_top), std::fabs(of_b), std::fabs(of_top + of_b)});
    }
    v_.direction[m] = normalised(all.middle + by * (most / worst / earth_radius));
  }

  /// Eqs. 5-6, where both banks stand above the river.
  void level_banks(size_t m, const Around& all) {
    const double p = 0.5 * (v_.height[at(all.a)] + v_.height[at(all.b)]);
    const double of_c = v_.height[at(all.c)] - p, of_d = v_.height[at(all.d)] - p;
    if (!(of_c > 0) || !(of_d > 0) || all.c == all.d) return;
    const Vec3 c = (v_.direction[at(all.c)] - all.middle) * earth_radius;
    const Vec3 d = (v_.direction[at(all.d)] - all.middle) * earth_radius;
    const Vec3 across = (d - c) - all.middle * dot(d - c, all.middle);
    const double wide = length(across);
    const Vec3 n = across * (1 / wide);
    shift(m, all, n * (share_between_banks(of_c, of_d) * wide + dot(c, n)));
  }

  void bear_on_stream(size_t m, const Around& all, double lift) {
    const bool down = all.stream == StreamAlong::to_second;
    Diamond diamond = this->diamond(all);
    const Corner &upper = down ? diamond.a : diamond.b, &lower = down ? diamond.b : diamond.a;
    BirthDraws draws = draws_of(key_, v_.id[m]);
    Birth birth = born_on_stream(scale_, diamond, {0.5 * diamond.length, 0}, {}, {}, draws);
    if (!birth.sea) {
      const double fall = upper.height - lower.water();
      if (!rules_.streams && lower.depth == 0) birth.height = lower.water() + 0.5 * fall;
      // Rivers cut through what rises across them.
      birth.height = std::clamp(birth.height + lift, lower.water() + 0.15 * fall, lower.water() + 0.85 * fall);
      if (lower.depth > 0 && upper.depth == 0) birth.height = lower.water() + 1e-3 * fall;
    }
    settle(m, birth, down ? all.b : all.a);
  }

  void settle(size_t m, const Birth& birth, int32_t receiver) {
    v_.height[m] = birth.height;
    v_.depth[m] = static_cast<float>(birth.depth);
    v_.receiver[m] = birth.sea ? in_the_sea : receiver;
  }

  double distance(size_t v, size_t w) const { return length(v_.direction[v] - v_.direction[w]) * earth_radius; }

  /// The new vertex on a side of the edge's triangles, if water runs along that side; -1.
  int32_t middle_of_stream(int32_t side) const {
    const int32_t k = births_.place[at(side)];
    if (k < 0) return -1;
    const NetEdge& edge = land_.net.edges[at(side)];
    const bool runs = v_.receiver[at(edge.first)] == edge.second || v_.receiver[at(edge.second)] == edge.first;
    return runs ? births_.first + k : -1;
  }

  /// Height and receiver where no water ran before.
  void rise(size_t k) {
    const size_t m = at(births_.first) + k;
    const int32_t e = births_.edges[k];
    const Around all = around(e);
    if (all.stream != StreamAlong::none) return;
    const Diamond diamond = this->diamond(all);
    std::array<int32_t, 6> into{all.a, all.b};
    std::array<Outlet, 6> outlets;
    int count = 2;
    const NetEdge& edge = land_.net.edges[at(e)];
    for (const int32_t t : {edge.left, edge.right})
      if (t >= 0)
        for (const int32_t side : land_.net.triangles[at(t)].edge)
          if (const int32_t other = side == e ? -1 : middle_of_stream(side); other >= 0) into[at(count++)] = other;
    for (int n = 0; n < count; ++n) {
      const size_t w = at(into[at(n)]);
      outlets[at(n)] = {v_.receiver[w] == in_the_sea ? 0 : v_.height[w], distance(m, w)};
    }
    const bool coast = diamond.a.sea || diamond.b.sea;
    const double least = std::min(diamond.a.height, diamond.b.height) + 1e-5 * scale_.spacing;
    Birth birth{0.5 * (diamond.a.height + diamond.b.height)};
    if (rules_.streams || coast || diamond.a.depth > 0 || diamond.b.depth > 0)
      birth = born_on_land(scale_, diamond, outlets.data(), count, {}, {}, draws_of(key_, v_.id[m]));
    birth.height += lift_[k];
    if (coast)
      birth.sea = birth.height <= 0;
    else if (birth.depth > 0)
      birth.height -= lift_[k];
    else
      birth.height = std::max(birth.height, least);
    settle(m, birth, in_the_sea);
    if (birth.sea) return;
    wear(m, all);
    double best = 0;
    for (int n = 0; n < count; ++n) {
      const double slope = (v_.height[m] - outlets[at(n)].water) / outlets[at(n)].distance;
      if (slope > best) {
        best = slope;
        v_.receiver[m] = into[at(n)];
      }
    }
  }

  /// Sums of the normals of the triangles around each vertex that ice has reached.
  void find_normals() {
    if (std::none_of(land_.ice.begin(), land_.ice.end(), [](const PaperIce& ice) { return ice.depth > 0; })) return;
    normals_.assign(v_.size(), {});
    const auto place = [&](int32_t v) { return v_.direction[at(v)] * (earth_radius + v_.height[at(v)]); };
    for (const NetTriangle& t : land_.net.triangles) {
      const auto [a, b, c] = t.corner;
      if (!(land_.ice[at(a)].depth > 0) && !(land_.ice[at(b)].depth > 0) && !(land_.ice[at(c)].depth > 0)) continue;
      const Vec3 p = place(a), normal = normalised(cross(place(b) - p, place(c) - p));
      for (const int32_t v : t.corner) normals_[at(v)] = normals_[at(v)] + normal;
    }
  }

  GlacierEnd glacier_end(int32_t v, Vec3 from) const {
    const bool touches = land_.ice[at(v)].depth > 0;
    return {v_.direction[at(v)] * (earth_radius + v_.height[at(v)]) - from,
            touches ? normalised(normals_[at(v)]) : Vec3{}, touches};
  }

  /// Eqs. 14-18, where ice has reached an end of the edge and water can still leave.
  void wear(size_t m, const Around& all) {
    const size_t a = at(all.a), b = at(all.b);
    if (normals_.empty() || v_.depth[m] > 0) return;
    if (v_.receiver[m] == in_the_sea && all.stream != StreamAlong::none) return;
    if (!(land_.ice[a].depth > 0) && !(land_.ice[b].depth > 0)) return;
    const bool first_is_low = v_.height[a] <= v_.height[b];
    const Vec3 from = all.middle * earth_radius, at_m = v_.direction[m] * (earth_radius + v_.height[m]) - from;
    const int32_t low = first_is_low ? all.a : all.b, high = first_is_low ? all.b : all.a;
    const double walls = 0.5 * (v_.height[at(all.c)] + v_.height[at(all.d)]) - v_.height[at(low)];
    const bool deep = static_cast<double>(land_.ice[at(low)].depth) > 0.5 * walls;
    const Vec3 bed = glacier_bed(at_m, glacier_end(low, from), glacier_end(high, from), deep);
    const double down = dot(bed - at_m, all.middle);
    const double bottom = v_.receiver[at(low)] == in_the_sea ? 0 : v_.height[at(low)];
    const double fall = v_.height[m] - bottom;
    const double least = all.stream == StreamAlong::none ? std::min(fall, 1e-5 * scale_.spacing) : 0.15 * fall;
    v_.height[m] = std::max(v_.height[m] + down, bottom + least);
    if (all.stream == StreamAlong::none) shift(m, all, (bed - at_m) - all.middle * down);
  }

  void redirect(size_t k) {
    const Around all = around(births_.edges[k]);
    const auto m = births_.first + static_cast<int32_t>(k);
    if (all.stream == StreamAlong::to_second) v_.receiver[at(all.a)] = m;
    if (all.stream == StreamAlong::to_first) v_.receiver[at(all.b)] = m;
  }

  PaperLand& land_;
  FineVertices& v_;
  const PaperBirths& births_;
  LevelScale scale_;
  LocalRules rules_;
  uint64_t key_;
  bool ice_flows_;
  std::vector<double> lift_;
  std::vector<Vec3> normals_;  ///< where ice lies; empty without any
};

}  // namespace

void bear_paper_vertices(PaperLand& land, const PaperBirths& births, const LevelScale& scale, const LocalRules& rules,
                         uint64_t key, const Context& context) {
  PaperBearing(land, births, scale, rules, key).run(context);
}

namespace {

/// New vertices that had no river of their own take the steepest way down that the flipped mesh has.
void drain_new(PaperLand& land, const PaperBirths& births, const std::vector<uint8_t>& on_stream,
               const std::vector<int32_t>& changed) {
  FineVertices& v = land.vertices;
  std::vector<double> best(births.edges.size(), 0);
  const auto look = [&](int32_t p, int32_t q) {
    if (p < births.first || v.receiver[at(p)] == in_the_sea) return;
    const size_t k = at(p - births.first);
    if (on_stream[k] != 0) return;
    const double water = v.receiver[at(q)] == in_the_sea ? 0 : v.height[at(q)];
    const double slope = (v.height[at(p)] - water) / length(v.direction[at(p)] - v.direction[at(q)]);
    if (slope > best[k]) {
      best[k] = slope;
      v.receiver[at(p)] = q;
    }
  };
  for (const int32_t t : changed) {
    const auto& corner = land.net.triangles[at(t)].corner;
    for (size_t k = 0; k < 3; ++k) {
      look(corner[k], corner[(k + 1) % 3]);
      look(corner[(k + 1) % 3], corner[k]);
    }
  }
}

}  // namespace

void share_water(PaperLand& land, const PaperBirths& births, const std::vector<int32_t>& changed,
                 const Context& context) {
  FineVertices& v = land.vertices;
  const int32_t first = births.first;
  // Who flows into a new vertex because an edge of its river was split.
  std::vector<int32_t> above(births.edges.size(), -1);
  std::vector<uint8_t> on_stream(births.edges.size(), 0);
  for (int32_t u = 0; u < first; ++u)
    if (v.receiver[at(u)] >= first) {
      above[at(v.receiver[at(u)] - first)] = u;
      on_stream[at(v.receiver[at(u)] - first)] = 1;
    }
  drain_new(land, births, on_stream, changed);
  context.check();
  std::vector<int32_t> falling(births.edges.size());
  std::iota(falling.begin(), falling.end(), first);
  std::erase_if(falling, [&](int32_t m) { return v.receiver[at(m)] == in_the_sea; });
  std::sort(falling.begin(), falling.end(), [&](int32_t p, int32_t q) {
    return v.height[at(p)] != v.height[at(q)] ? v.height[at(p)] > v.height[at(q)] : p < q;
  });
  // From below: the first old vertex that each reaches, and how many reach it.
  std::vector<int32_t> old(births.edges.size(), in_the_sea), reached(at(first), 0);
  for (auto m = falling.rbegin(); m != falling.rend(); ++m) {
    const int32_t down = v.receiver[at(*m)];
    old[at(*m - first)] = down >= first ? old[at(down - first)] : down;
    if (const int32_t o = old[at(*m - first)]; o >= 0) ++reached[at(o)];
  }
  for (size_t k = 0; k < above.size(); ++k)
    if (above[k] >= 0 && v.receiver[at(first) + k] == in_the_sea)
      v.discharge[at(first) + k] = v.discharge[at(above[k])];
  for (const int32_t m : falling) {
    const int32_t o = old[at(m - first)], river = above[at(m - first)];
    v.supply[at(m)] = o >= 0 ? v.supply[at(o)] / (reached[at(o)] + 1) : 0;
    v.discharge[at(m)] += v.supply[at(m)] + (river >= 0 ? v.discharge[at(river)] : 0);
    if (v.receiver[at(m)] >= first) v.discharge[at(v.receiver[at(m)])] += v.discharge[at(m)];
  }
  for (int32_t o = 0; o < first; ++o)
    if (reached[at(o)] > 0) v.supply[at(o)] -= v.supply[at(o)] / (reached[at(o)] + 1) * reached[at(o)];
}

}  // namespace tepui

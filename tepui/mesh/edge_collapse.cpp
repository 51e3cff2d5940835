#include "tepui/mesh/edge_collapse.h"

#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/parallel.h"
#include "tepui/mesh/checks.h"
#include "tepui/volume/box_tree.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1 << 11;
constexpr uint32_t none = UINT32_MAX;
constexpr size_t most_faces_of_removed = 24, most_faces_of_kept = 32;
constexpr double least_cosine = 0.3;    // between a triangle's normals before and after
constexpr double least_height = 0.01;   // of a triangle against its longest side, unless it was thinner
constexpr double border_weight = 10;    // of planes upright on the border against those of the surface
constexpr double most_on_edge = 3;      // samples
constexpr double length_weight = 1e-6;  // keeps edges of flat land short

/// Sum of weighted squared distances to planes: p' A p + 2 b' p + c.
struct Quadric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, bx = 0, by = 0, bz = 0, c = 0;

  void add_plane(Vec3 n, Vec3 point, double weight) {
    const double d = -dot(n, point);
    xx += weight * n.x * n.x, xy += weight * n.x * n.y, xz += weight * n.x * n.z;
    yy += weight * n.y * n.y, yz += weight * n.y * n.z, zz += weight * n.z * n.z;
    bx += weight * n.x * d, by += weight * n.y * d, bz += weight * n.z * d;
    c += weight * d * d;
  }
  void add(const Quadric& q) {
    xx += q.xx, xy += q.xy, xz += q.xz, yy += q.yy, yz += q.yz, zz += q.zz;
    bx += q.bx, by += q.by, bz += q.bz, c += q.c;
  }
  double at(Vec3 p) const {
    const double x = xx * p.x + xy * p.y + xz * p.z + 2 * bx, y = xy * p.x + yy * p.y + yz * p.z + 2 * by;
    const double z = xz * p.x + yz * p.y + zz * p.z + 2 * bz;
    return x * p.x + y * p.y + z * p.z + c;
  }
};

/// Squared distance of a point from a triangle: Ericson 2005, 5.1.5.
double squared_distance(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const auto from = [&](Vec3 q) { return dot(p - q, p - q); };
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return from(a);
  const Vec3 bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return from(b);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return from(a + ab * (d1 / (d1 - d3)));
  const Vec3 cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return from(c);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return from(a + ac * (d2 / (d2 - d6)));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return from(b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))));
  const double sum = va + vb + vc;
  return from(a + ab * (vb / sum) + ac * (vc / sum));
}

/// A triangle of a fan as seen from the vertex in its middle: on to x, then y.
struct Wedge {
  uint32_t x, y, face;
};

/// The triangles around a vertex.
struct Fan {
  std::vector<Wedge> wedges;  ///< in order where it is simple
  bool simple = false;        ///< one after the other, all the way round or from a border to a border
  bool open = false;

  uint32_t first() const { return wedges.front().x; }
  uint32_t last() const { return wedges.back().y; }
};

/// What one thread works with.
struct Scratch {
  Fan a, b;
  std::vector<uint32_t> near_b, border_of_b;
  std::vector<std::pair<double, uint32_t>> choices;
  std::vector<std::pair<uint32_t, uint32_t>> moved;  ///< a sample and its new face
  std::vector<uint32_t> found;
};

struct Move {
  double cost = 0;
  uint32_t from = none, to = none;
  bool stays_near = false;  ///< known to
  friend bool operator<(const Move& a, const Move& b) { return a.cost != b.cost ? a.cost < b.cost : a.from < b.from; }
};

class Collapse {
 public:
  Collapse(const Mesh& mesh, const CollapseLimits& limits, const Context& context) : limits_(limits) {
    const std::vector<uint32_t> welded = weld(mesh, context);
    points_.reserve(welded.size());
    for (const MeshPoint& p : mesh.positions()) points_.push_back(to_vec(p));
    for (const MeshTriangle& t : mesh.triangles()) {
      const MeshTriangle face{welded[t[0]], welded[t[1]], welded[t[2]]};
      if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]) faces_.push_back(face);
    }
    live_.resize(faces_.size());
    for (size_t i = 0; i < live_.size(); ++i) live_[i] = static_cast<uint32_t>(i);
    quadrics_.resize(points_.size());
    kinds_.assign(points_.size(), Kind::inner);
    best_.resize(points_.size());
    touched_.assign(points_.size(), 0);
    link_faces();
    start(context);
    if (limits.error > 0) start_samples(), start_surface();
  }

  std::vector<MeshTriangle> run(const Context& context) {
    const auto least = static_cast<size_t>(std::max<int64_t>(limits_.triangles, 0));
    const size_t begun = live_.size();
    bool whole = true;  // whether every vertex is looked at anew
    while (live_.size() > least) {
      context.check();
      const size_t before = live_.size();
      const double done = static_cast<double>(begun - before) / static_cast<double>(begun - least);
      pass(whole, least, context.stage("simplifying", done, done));
      const bool stuck = (before - live_.size()) * 256 < before;
      if (whole && before == live_.size()) break;
      // Where only the error ends it, the last few are not worth asking every vertex again and again.
      if (whole && stuck && limits_.error > 0) break;
      whole = stuck;
    }
    std::vector<MeshTriangle> result;
    result.reserve(live_.size());
    for (const uint32_t face : live_) result.push_back(faces_[face]);
    return result;
  }

 private:
  enum class Kind : uint8_t { inner, border, stays };

  /// Lists the faces of every vertex, in ascending order, and the vertices that have some.
  void link_faces() {
    first_face_.assign(points_.size() + 2, 0);
    for (const uint32_t face : live_)
      for (const uint32_t v : faces_[face]) ++first_face_[size_t{v} + 2];
    for (size_t v = 2; v < first_face_.size(); ++v) first_face_[v] += first_face_[v - 1];
    faces_of_.resize(live_.size() * 3);
    for (const uint32_t face : live_)
      for (const uint32_t v : faces_[face]) faces_of_[first_face_[size_t{v} + 1]++] = face;
    first_face_.pop_back();
  }

  size_t face_count(uint32_t v) const { return first_face_[size_t{v} + 1] - first_face_[v]; }

  void gather(uint32_t v, Fan& fan) const {
    fan.wedges.clear();
    for (size_t i = first_face_[v]; i < first_face_[size_t{v} + 1]; ++i) {
      const MeshTriangle& t = faces_[faces_of_[i]];
      const size_t k = t[0] == v ? 0 : t[1] == v ? 1 : 2;
      fan.wedges.push_back({t[(k + 1) % 3], t[(k + 2) % 3], faces_of_[i]});
    }
  }

  /// Brings the wedges into order.
  static void sort(Fan& fan) {
    std::vector<Wedge>& w = fan.wedges;
    fan.simple = false;
    if (w.empty()) return;
    const auto begins = [&](uint32_t vertex) {
      return std::ranges::count_if(w, [&](const Wedge& wedge) { return wedge.x == vertex; });
    };
    const auto is_first = [&](const Wedge& wedge) {
      return std::ranges::none_of(w, [&](const Wedge& other) { return other.y == wedge.x; });
    };
    for (const Wedge& wedge : w)
      if (begins(wedge.x) != 1) return;
    const auto start = std::ranges::find_if(w, is_first);
    fan.open = start != w.end();
    if (fan.open) std::iter_swap(w.begin(), start);
    for (size_t i = 1; i < w.size(); ++i) {
      const auto next = std::find_if(w.begin() + static_cast<int64_t>(i), w.end(),
                                     [&](const Wedge& other) { return other.x == w[i - 1].y; });
      if (next == w.end()) return;
      std::iter_swap(w.begin() + static_cast<int64_t>(i), next);
    }
    fan.simple = fan.open == (w.back().y != w.front().x);
  }

  /// Quadrics and kinds.
  void start(const Context& context) {
    parallel_chunks(static_cast<int64_t>(points_.size()), grain, context, [&](int64_t begin, int64_t end) {
      Fan fan;
      for (int64_t i = begin; i < end; ++i) {
        const auto v = static_cast<uint32_t>(i);
        gather(v, fan);
        if (fan.wedges.empty()) continue;
        // A fan of more than this is left as it is, so that putting it in order stays cheap.
        if (fan.wedges.size() <= 4 * most_faces_of_kept) sort(fan);
        kinds_[v] = !fan.simple || (fan.open && limits_.locks_border) ? Kind::stays
                    : fan.open                                        ? Kind::border
                                                                      : Kind::inner;
        start_quadric(v, fan);
        fan.simple = false;
      }
    });
  }

  double edge_samples(Vec3 way) const { return std::min(std::floor(0.5 * length(way) / limits_.error), most_on_edge); }

  /// Points along the edges, so that walls and flats without vertices of their own count, too.
  void start_samples() {
    samples_ = points_;
    first_sample_.assign(faces_.size(), none);
    for (size_t f = 0; f < faces_.size(); ++f)
      for (size_t k = 0; k < 3; ++k) {
        const uint32_t from = faces_[f][k], to = faces_[f][(k + 1) % 3];
        const bool twice = from > to && kinds_[from] == Kind::inner && kinds_[to] == Kind::inner;
        const Vec3 a = points_[from], way = points_[to] - a;
        const double steps = edge_samples(way);
        for (double i = 1; !twice && i <= steps && samples_.size() < none; ++i) {
          samples_.push_back(a + way * (i / (steps + 1)));
          next_sample_.resize(samples_.size(), none);
          next_sample_.back() = first_sample_[f];
          first_sample_[f] = static_cast<uint32_t>(samples_.size() - 1);
        }
      }
    next_sample_.resize(samples_.size(), none);
  }

  /// The input, which new triangles must not leave.
  void start_surface() {
    surface_ = faces_;
    std::vector<Box3> boxes(surface_.size());
    for (size_t i = 0; i < surface_.size(); ++i)
      for (const uint32_t v : surface_[i]) boxes[i] = boxes[i].with(points_[v]);
    boxes_ = BoxTree(boxes);
  }

  void start_quadric(uint32_t v, const Fan& fan) {
    const Vec3 p = points_[v];
    for (const Wedge& wedge : fan.wedges) {
      const Vec3 normal = cross(points_[wedge.x] - p, points_[wedge.y] - p);
      const double size = length(normal);
      if (!(size > 0)) continue;
      quadrics_[v].add_plane(normal * (1 / size), p, 0.5 * size);
      if (!fan.simple || !fan.open) continue;
      for (const uint32_t end : {wedge.x, wedge.y}) {
        if (end != (end == wedge.x ? fan.first() : fan.last())) continue;
        const Vec3 along = points_[end] - p, upright = cross(along, normal);
        const double width = length(upright);
        if (width > 0) quadrics_[v].add_plane(upright * (1 / width), p, border_weight * 0.5 * dot(along, along));
      }
    }
  }

  /// One round of moves.
  void pass(bool whole, size_t least, const Context& context) {
    link_faces();
    ++round_;
    parallel_chunks(static_cast<int64_t>(points_.size()), grain, context, [&](int64_t begin, int64_t end) {
      Scratch scratch;
      for (int64_t i = begin; i < end; ++i) {
        const auto v = static_cast<uint32_t>(i);
        const bool changed = touched_[v] + 1 == round_ || (best_[v].to != none && touched_[best_[v].to] + 1 == round_);
        if (face_count(v) == 0)
          best_[v] = {};
        else if (whole || changed)
          best_[v] = best_move(v, scratch);
      }
    });
    std::vector<Move> moves;
    for (const Move& move : best_)
      if (move.to != none) moves.push_back(move);
    tbb::this_task_arena::isolate([&] { tbb::parallel_sort(moves.begin(), moves.end()); });
    const size_t surplus = live_.size() - least, wanted = surplus / 2 + surplus / 4 + 16;
    moves.resize(std::min({moves.size(), moves.size() / 2 + 16, wanted}));
    if (limits_.error > 0) drop_far(moves, context);
    Scratch scratch;
    for (const Move& move : moves) {
      if (surplus <= gone_) break;
      if (touched_[move.from] != round_ && touched_[move.to] != round_) apply(move, scratch);
    }
    gone_ = 0;
    std::erase_if(live_, [&](uint32_t face) { return faces_[face][0] == none; });
  }

  /// Leaves out moves that would make triangles far from the input.
  void drop_far(std::vector<Move>& moves, const Context& context) {
    parallel_chunks(static_cast<int64_t>(moves.size()), grain, context, [&](int64_t begin, int64_t end) {
      Scratch scratch;
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        Move& best = best_[moves[i].from];
        best.stays_near = best.stays_near || stays_near(moves[i], scratch);
        if (!best.stays_near) moves[i] = best = {};
      }
    });
    std::erase_if(moves, [](const Move& move) { return move.to == none; });
  }

  Move best_move(uint32_t a, Scratch& s) const {
    if (kinds_[a] == Kind::stays || face_count(a) > most_faces_of_removed) return {};
    gather(a, s.a);
    sort(s.a);
    if (!s.a.simple) return {};
    s.choices.clear();
    const auto offer = [&](uint32_t b) {
      if (face_count(b) + s.a.wedges.size() > most_faces_of_kept + 4 && face_count(b) > 4) return;
      const Vec3 p = points_[b], way = p - points_[a];
      const double square = dot(way, way);
      s.choices.emplace_back(quadrics_[a].at(p) + std::max(quadrics_[b].at(p), 0.0) + length_weight * square * square,
                             b);
    };
    if (s.a.open) {
      offer(s.a.first());
      offer(s.a.last());
    } else {
      for (const Wedge& wedge : s.a.wedges) offer(wedge.x);
    }
    std::ranges::sort(s.choices);
    for (const auto& [cost, b] : s.choices)
      if (keeps_links(b, s) && keeps_shapes(a, b, s) && (limits_.error <= 0 || keeps_near(a, b, s)))
        return {cost, a, b};
    return {};
  }

  /// Whether what is connected stays so when the middle of s.a moves to b.
  bool keeps_links(uint32_t b, Scratch& s) const {
    gather(b, s.b);
    s.near_b.clear();
    for (const Wedge& wedge : s.b.wedges) s.near_b.push_back(wedge.x), s.near_b.push_back(wedge.y);
    std::ranges::sort(s.near_b);
    const auto times = [&](uint32_t w) {
      const auto [first, last] = std::equal_range(s.near_b.begin(), s.near_b.end(), w);
      return last - first;
    };
    for (const Wedge& wedge : s.a.wedges) {
      if (wedge.x == b || wedge.y == b) continue;
      const auto has_side = [&](const Wedge& other) {
        return (other.x == wedge.x && other.y == wedge.y) || (other.x == wedge.y && other.y == wedge.x);
      };
      if (std::ranges::any_of(s.b.wedges, has_side)) return false;
    }
    const auto is_opposite = [&](uint32_t w) {
      return std::ranges::any_of(s.a.wedges, [&](const Wedge& wedge) {
        return (wedge.x == b && wedge.y == w) || (wedge.y == b && wedge.x == w);
      });
    };
    for (const Wedge& wedge : s.a.wedges)
      for (const uint32_t w : {wedge.x, wedge.y})
        if (w != b && times(w) > 0 && !is_opposite(w)) return false;
    if (!s.a.open) return true;
    // Seen from outside the border, the other ends of its two edges must differ: it would close, or vanish.
    const uint32_t other = s.a.first() == b ? s.a.last() : s.a.first();
    return other != b && times(other) != 1;
  }

  bool stretches(Vec3 end, Vec3 from, Vec3 to) const {
    const double after = dot(end - to, end - to);
    return after > limits_.longest * limits_.longest && after > dot(end - from, end - from);
  }

  bool keeps_shapes(uint32_t a, uint32_t b, const Scratch& s) const {
    const Vec3 from = points_[a], to = points_[b];
    for (const Wedge& wedge : s.a.wedges) {
      if (wedge.x == b || wedge.y == b) continue;
      const Vec3 x = points_[wedge.x], y = points_[wedge.y];
      if (limits_.longest > 0 && (stretches(x, from, to) || stretches(y, from, to))) return false;
      const Vec3 before = cross(x - from, y - from), after = cross(x - to, y - to);
      const double size_before = length(before), size_after = length(after);
      if (!(size_after > 0) || !(dot(before, after) >= least_cosine * size_before * size_after)) return false;
      const auto longest = [&](Vec3 p) { return std::max({dot(x - p, x - p), dot(y - p, y - p), dot(x - y, x - y)}); };
      const double height = size_after / longest(to);
      if (height < least_height && !(size_before > 0 && height >= size_before / longest(from))) return false;
    }
    return true;
  }

  /// Calls act(sample) for all that belong to the fan, and for its middle, until one answers false.
  template <class Act>
  bool all_samples(uint32_t a, const Fan& fan, const Act& act) const {
    if (!act(a)) return false;
    for (const Wedge& wedge : fan.wedges)
      for (uint32_t s = first_sample_[wedge.face]; s != none; s = next_sample_[s])
        if (!act(s)) return false;
    return true;
  }

  /// The nearest of the faces that the move leaves, and the squared distance.
  std::pair<double, uint32_t> nearest(Vec3 p, uint32_t b, const Fan& fan) const {
    std::pair<double, uint32_t> best{std::numeric_limits<double>::infinity(), none};
    for (const Wedge& wedge : fan.wedges) {
      if (wedge.x == b || wedge.y == b) continue;
      const double d = squared_distance(p, points_[b], points_[wedge.x], points_[wedge.y]);
      if (d < best.first) best = {d, wedge.face};
    }
    return best;
  }

  bool keeps_near(uint32_t a, uint32_t b, const Scratch& s) const {
    const double limit = limits_.error * limits_.error;
    return all_samples(a, s.a, [&](uint32_t sample) {
      return std::ranges::any_of(s.a.wedges, [&](const Wedge& wedge) {
        return wedge.x != b && wedge.y != b &&
               squared_distance(samples_[sample], points_[b], points_[wedge.x], points_[wedge.y]) <= limit;
      });
    });
  }

  /// Whether the triangles that the move makes lie near the input, in the middle of their sides and of themselves.
  bool stays_near(const Move& move, Scratch& s) const {
    const Vec3 to = points_[move.to];
    gather(move.from, s.a);
    for (const Wedge& wedge : s.a.wedges) {
      if (wedge.x == move.to || wedge.y == move.to) continue;
      const Vec3 x = points_[wedge.x], y = points_[wedge.y], way = x - to, middle = (to + x + y) * (1.0 / 3);
      if (edge_samples(way) > 0 && !is_near_surface(to + way * 0.5, s)) return false;
      if (edge_samples(middle - to) > 0 && !is_near_surface(middle, s)) return false;
    }
    return true;
  }

  bool is_near_surface(Vec3 p, Scratch& s) const {
    constexpr size_t few = 4;
    const Vec3 reach{limits_.error, limits_.error, limits_.error};
    const auto any_near = [&] {
      return std::ranges::any_of(s.found, [&](uint32_t i) {
        const MeshTriangle& t = surface_[i];
        return squared_distance(p, points_[t[0]], points_[t[1]], points_[t[2]]) <= limits_.error * limits_.error;
      });
    };
    const bool all = boxes_.near({p - reach, p + reach}, few, s.found);
    if (any_near()) return true;
    if (all) return false;
    boxes_.near({p - reach, p + reach}, s.found);
    return any_near();
  }

  void apply(const Move& move, Scratch& s) {
    gather(move.from, s.a);
    if (limits_.error > 0) {
      s.moved.clear();
      all_samples(move.from, s.a, [&](uint32_t sample) {
        s.moved.emplace_back(sample, nearest(samples_[sample], move.to, s.a).second);
        return true;
      });
      for (const Wedge& wedge : s.a.wedges) first_sample_[wedge.face] = none;
      for (const auto& [sample, face] : s.moved) {
        next_sample_[sample] = first_sample_[face];
        first_sample_[face] = sample;
      }
    }
    quadrics_[move.to].add(quadrics_[move.from]);
    touched_[move.from] = round_;
    for (const Wedge& wedge : s.a.wedges) {
      touched_[wedge.x] = touched_[wedge.y] = round_;
      MeshTriangle& face = faces_[wedge.face];
      if (wedge.x == move.to || wedge.y == move.to)
        face = {none, none, none}, ++gone_;
      else
        std::ranges::replace(face, move.from, move.to);
    }
  }

  CollapseLimits limits_;
  std::vector<Vec3> points_;
  std::vector<MeshTriangle> faces_;  ///< `none` three times once it is gone
  std::vector<uint32_t> live_;       ///< the others, ascending
  std::vector<size_t> first_face_;
  std::vector<uint32_t> faces_of_;
  std::vector<Quadric> quadrics_;
  std::vector<Kind> kinds_;
  std::vector<Move> best_;
  std::vector<uint32_t> touched_;  ///< the last round in which something changed around the vertex
  uint32_t round_ = 1;
  size_t gone_ = 0;  ///< faces, in this round
  /// Vertices, which count once they are taken out, then points on edges; each in the list of the face it is near to.
  std::vector<Vec3> samples_;
  std::vector<uint32_t> first_sample_, next_sample_;
  std::vector<MeshTriangle> surface_;  ///< of the input, found by their boxes
  BoxTree boxes_;
};

}  // namespace

std::vector<MeshTriangle> collapse_edges(const Mesh& mesh, const CollapseLimits& limits, const Context& context) {
  return Collapse(mesh, limits, context).run(context);
}

}  // namespace tepui

#include "tepui/planet/paper_net.h"

#include <algorithm>

namespace tepui {

namespace {

size_t at(int32_t index) { return static_cast<size_t>(index); }

class SplitNet {
 public:
  SplitNet(PaperLand& land, const PaperBirths& births, int level)
      : land_(land), net_(land.net), births_(births), level_(static_cast<uint8_t>(level)) {
    changed_.reserve(births.edges.size() * 3);
    is_changed_.assign(net_.triangles.size() + births.edges.size() * 2, 0);
  }

  std::vector<int32_t> run(const Context& context) {
    for (size_t k = 0; k < births_.edges.size(); ++k) halve(births_.edges[k], births_.first + static_cast<int32_t>(k));
    const auto before = static_cast<int32_t>(net_.triangles.size());
    for (int32_t t = 0; t < before; ++t) split(t);
    context.check();
    flip_all();
    return std::move(changed_);
  }

 private:
  Vec3 place(int32_t v) const { return land_.vertices.direction[at(v)]; }

  /// Edge `e` keeps its first end; the other half is a new edge, of number `halves_` + its place among the births.
  void halve(int32_t e, int32_t middle) {
    if (halves_ < 0) halves_ = static_cast<int32_t>(net_.edges.size());
    const NetEdge old = net_.edges[at(e)];
    net_.edges[at(e)].second = middle;
    net_.edges.push_back({middle, old.second, old.left, old.right});
  }

  int32_t middle_of(int32_t e) const {
    const int32_t k = at(e) < births_.place.size() ? births_.place[at(e)] : -1;
    return k < 0 ? -1 : births_.first + k;
  }
  /// The half of a split edge at one of its old ends; an edge that is not split is its own.
  int32_t half_at(int32_t e, int32_t corner) const {
    const int32_t k = births_.place[at(e)];
    return k < 0 || net_.edges[at(e)].first == corner ? e : halves_ + k;
  }

  int32_t new_edge(int32_t from, int32_t to) {
    net_.edges.push_back({from, to, -1, -1});
    return static_cast<int32_t>(net_.edges.size()) - 1;
  }

  void mark(int32_t t) {
    if (is_changed_[at(t)] == 0) changed_.push_back(t);
    is_changed_[at(t)] = 1;
  }

  void put(int32_t t, const NetTriangle& triangle) {
    net_.triangles[at(t)] = triangle;
    for (size_t k = 0; k < 3; ++k) {
      NetEdge& edge = net_.edges[at(triangle.edge[k])];
      (edge.first == triangle.corner[k] ? edge.left : edge.right) = t;
    }
    land_.level[at(t)] = level_;
    mark(t);
  }

  int32_t add(const NetTriangle& triangle, int32_t like) {
    const auto t = static_cast<int32_t>(net_.triangles.size());
    net_.triangles.emplace_back();
    net_.drawn.push_back(net_.drawn[at(like)]);
    land_.level.push_back(level_);
    if (is_changed_.size() <= at(t)) is_changed_.resize(2 * at(t), 0);
    put(t, triangle);
    return t;
  }

  void split(int32_t t) {
    NetTriangle old = net_.triangles[at(t)];
    int number = 0;
    for (const int32_t e : old.edge) number += births_.place[at(e)] >= 0 ? 1 : 0;
    if (number == 0) return;
    // Turned so that the one edge that differs from the others is the first.
    size_t turn = 0;
    if (number < 3)
      while ((births_.place[at(old.edge[turn])] >= 0) != (number == 1)) ++turn;
    std::rotate(old.corner.begin(), old.corner.begin() + static_cast<std::ptrdiff_t>(turn), old.corner.end());
    std::rotate(old.edge.begin(), old.edge.begin() + static_cast<std::ptrdiff_t>(turn), old.edge.end());
    if (number == 1)
      into_two(t, old);
    else if (number == 2)
      into_three(t, old);
    else
      into_four(t, old);
  }

  void into_two(int32_t t, const NetTriangle& old) {
    const auto [a, b, c] = old.corner;
    const auto [ab, bc, ca] = old.edge;
    const int32_t m = middle_of(ab), cut = new_edge(m, c);
    put(t, {{a, m, c}, {half_at(ab, a), cut, ca}});
    add({{m, b, c}, {half_at(ab, b), bc, cut}}, t);
  }

  void into_three(int32_t t, const NetTriangle& old) {
    const auto [a, b, c] = old.corner;
    const auto [ab, bc, ca] = old.edge;
    const int32_t m = middle_of(bc), n = middle_of(ca), tip = new_edge(m, n);
    put(t, {{m, c, n}, {half_at(bc, c), half_at(ca, c), tip}});
    const bool from_a = length(place(m) - place(a)) < length(place(n) - place(b));
    const int32_t cut = from_a ? new_edge(a, m) : new_edge(b, n);
    if (from_a) {
      add({{a, b, m}, {ab, half_at(bc, b), cut}}, t);
      add({{a, m, n}, {cut, tip, half_at(ca, a)}}, t);
    } else {
      add({{a, b, n}, {ab, cut, half_at(ca, a)}}, t);
      add({{b, m, n}, {half_at(bc, b), tip, cut}}, t);
    }
  }

  void into_four(int32_t t, const NetTriangle& old) {
    std::array<int32_t, 3> middle, cut;
    for (size_t k = 0; k < 3; ++k) middle[k] = middle_of(old.edge[k]);
    for (size_t k = 0; k < 3; ++k) cut[k] = new_edge(middle[k], middle[(k + 2) % 3]);
    put(t, {middle, {cut[1], cut[2], cut[0]}});
    for (size_t k = 0; k < 3; ++k) {
      const size_t before = (k + 2) % 3;
      const int32_t corner = old.corner[k];
      add({{corner, middle[k], middle[before]},
           {half_at(old.edge[k], corner), cut[k], half_at(old.edge[before], corner)}},
          t);
    }
  }

  /// Lawson's flips: an edge that breaks the rule turns, and the four around it are looked at again.
  void flip_all() {
    const size_t count = changed_.size();
    for (size_t k = 0; k < count; ++k)
      for (const int32_t e : net_.triangles[at(changed_[k])].edge) todo_.push_back(e);
    // Rounding must not make two edges turn for ever.
    for (size_t left = 20 * todo_.size(); !todo_.empty() && left > 0; --left) {
      const int32_t e = todo_.back();
      todo_.pop_back();
      const NetEdge& edge = net_.edges[at(e)];
      if (edge.left < 0 || edge.right < 0 || net_.drawn[at(edge.left)] != net_.drawn[at(edge.right)]) continue;
      if (!breaks_delaunay(net_, e, land_.vertices)) continue;
      flip_edge(net_, e, land_.vertices.id);
      for (const int32_t t : {edge.left, edge.right}) {
        mark(t);
        for (const int32_t side : net_.triangles[at(t)].edge)
          if (side != e) todo_.push_back(side);
      }
    }
  }

  PaperLand& land_;
  RefineNet& net_;
  const PaperBirths& births_;
  uint8_t level_;
  int32_t halves_ = -1;
  std::vector<int32_t> changed_, todo_;
  std::vector<uint8_t> is_changed_;
};

}  // namespace

std::vector<int32_t> split_and_flip(PaperLand& land, const PaperBirths& births, int level, const Context& context) {
  return SplitNet(land, births, level).run(context);
}

}  // namespace tepui

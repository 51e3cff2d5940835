#include "tepui/mesh/surface_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/colour_map.h"
#include "tepui/mesh/cube_cases.h"

namespace tepui {

namespace {

/// A vertex keeps this share of an edge from its ends: were two at one lattice point, triangles would have no area. In
/// a wide lattice single precision needs more.
double least_share(const SurfaceTiling& tiling) {
  const auto most = static_cast<double>(std::max({tiling.width(), tiling.height(), tiling.depth()}));
  return std::clamp(4 * most * static_cast<double>(std::numeric_limits<float>::epsilon()), 1e-3, 0.25);
}

double square_distance(const MeshPoint& a, const MeshPoint& b) {
  const Vec3 d = to_vec(a) - to_vec(b);
  return dot(d, d);
}

}  // namespace

SurfaceTiler::SurfaceTiler(const Solid& solid, const SurfaceFeatures& features, const SurfaceTiling& tiling, bool full)
    : solid_(&solid),
      tiling_(&tiling),
      field_(solid, features, tiling, full),
      centre_(tiling.lattice.centre()),
      least_(least_share(tiling)),
      cases_(&cube_cases()),
      middle_{0.5 * static_cast<double>(tiling.lattice.nx - 1), 0.5 * static_cast<double>(tiling.lattice.ny - 1),
              0.5 * static_cast<double>(tiling.lattice.nz - 1)} {}

SurfaceTile SurfaceTiler::make(int64_t tile, const SurfaceExtras& extras) {
  SurfaceTile result;
  const int64_t asked = field_.asked() + asked_here_;
  const LatticeRange x = tiling_->own_x(tile), y = tiling_->own_y(tile);
  own_across_ = x.high - x.low + 1;
  own_along_ = y.high - y.low + 1;
  field_.fill(tile);
  place_all(result);
  triangles_.clear();
  add_triangles(result);
  keep_triangles(result);
  result.asked = field_.asked() + asked_here_ - asked;
  add_extras(extras, result);
  return result;
}

void SurfaceTiler::place_all(SurfaceTile& result) {
  const int32_t across = field_.across(), along = field_.along();
  lists_.resize(static_cast<size_t>(across) * static_cast<size_t>(along) * 3);
  bits_.clear();
  positions_.clear();
  waiting_.clear();
  walls_.clear();
  const auto next = [&] { return static_cast<uint32_t>(bits_.size()); };
  const auto keep = [](std::vector<uint32_t>& list, uint32_t from, uint32_t to) {
    for (; from < to; ++from) list.push_back(from);
  };
  for (int32_t j = 0; j < own_along_; ++j)
    for (int32_t i = 0; i < own_across_; ++i) {
      const uint32_t start = next();
      place_edges(2, i, j);
      const uint32_t up = next();
      place_edges(1, i, j);
      const uint32_t north = next();
      place_edges(0, i, j);
      if (i == 0) keep(result.west, start, north);
      if (j == 0) keep(result.south, start, up), keep(result.south, north, next());
    }
  const uint32_t own = next();
  for (int32_t j = 0; j < own_along_ && across > own_across_; ++j)
    for (const int axis : {2, 1}) place_edges(axis, own_across_, j);
  result.east = next() - own;
  for (int32_t i = 0; i < own_across_ && along > own_along_; ++i)
    for (const int axis : {2, 0}) place_edges(axis, i, own_along_);
  result.north = next() - own - result.east;
  if (across > own_across_ && along > own_along_) place_edges(2, own_across_, own_along_);
  ask_waiting();
  result.positions.assign(positions_.begin(), positions_.begin() + own);
}

/// The edges of a column along which rock ends or begins.
void SurfaceTiler::place_edges(int axis, int32_t i, int32_t j) {
  if ((axis == 0 && i + 1 == field_.across()) || (axis == 1 && j + 1 == field_.along())) return;
  const int32_t column = j * field_.across() + i, words = field_.last() - field_.first();
  const uint64_t* here = field_.rock(column);
  const uint64_t* there = axis == 2 ? here : field_.rock(column + (axis == 0 ? 1 : field_.across()));
  List& own = list(axis, column);
  own.first = static_cast<uint32_t>(bits_.size());
  for (int32_t w = 0; w < words; ++w) {
    uint64_t crossed = here[w] ^ there[w];
    if (axis == 2) crossed = (here[w] ^ (here[w] >> 1 | (w + 1 < words ? here[w + 1] : 0) << 63)) & with_point_above(w);
    for (; crossed != 0; crossed &= crossed - 1) {
      const int bit = std::countr_zero(crossed);
      bits_.push_back(w * 64 + bit);
      positions_.push_back({});
      place({axis, field_.columns_x().low + i, field_.columns_y().low + j,
             (w + field_.first()) * 64 + bit - tiling_->margin(), (here[w] >> bit & 1) != 0});
    }
  }
  own.last = static_cast<uint32_t>(bits_.size());
}

/// Where neither end has a feature the height above the sheet tells the place, else the field: the same rule however
/// the signs were found.
void SurfaceTiler::place(const Edge& edge) {
  const auto vertex = static_cast<uint32_t>(positions_.size() - 1);
  const int32_t i = edge.i + (edge.axis == 0), j = edge.j + (edge.axis == 1), k = edge.k + (edge.axis == 2);
  if (tiling_->closed && place_on_wall(edge)) return;
  if (field_.on_sheet(edge.i, edge.j, edge.k) && field_.on_sheet(i, j, k)) {
    const double a = field_.above(edge.i, edge.j, edge.k), b = field_.above(i, j, k);
    return place(vertex, edge, a / (a - b));
  }
  const float *v = field_.value(edge.i, edge.j, edge.k), *w = field_.value(i, j, k);
  if (v == nullptr || w == nullptr) {
    waiting_.push_back({vertex, edge, {v != nullptr ? *v : 0, w != nullptr ? *w : 0}, {v != nullptr, w != nullptr}});
    return;
  }
  const auto a = static_cast<double>(*v), b = static_cast<double>(*w);
  place(vertex, edge, a / (a - b));
}

/// Beyond the border of a closed lattice is air, at once.
bool SurfaceTiler::place_on_wall(const Edge& edge) {
  const int32_t air = edge.low_is_rock ? 1 : 0;
  const auto beyond = [](int32_t at, int64_t count) { return at < 0 || at >= count; };
  const SurfaceLattice& lattice = tiling_->lattice;
  if (!beyond(edge.i + (edge.axis == 0) * air, lattice.nx) && !beyond(edge.j + (edge.axis == 1) * air, lattice.ny) &&
      !beyond(edge.k + (edge.axis == 2) * air, lattice.nz))
    return false;
  const auto vertex = static_cast<uint32_t>(positions_.size() - 1);
  MeshPoint out{};
  out[static_cast<size_t>(edge.axis)] = edge.low_is_rock ? 1.0f : -1.0f;
  walls_.push_back({vertex, out});
  place(vertex, edge, edge.low_is_rock ? least_ : 1 - least_);
  return true;
}

void SurfaceTiler::place(uint32_t vertex, const Edge& edge, double t) {
  t = t >= least_ ? std::min(t, 1 - least_) : least_;
  const double cell = tiling_->lattice.cell;
  positions_[vertex] = {
      static_cast<float>((static_cast<double>(edge.i) - middle_.x + (edge.axis == 0 ? t : 0.0)) * cell),
      static_cast<float>((static_cast<double>(edge.j) - middle_.y + (edge.axis == 1 ? t : 0.0)) * cell),
      static_cast<float>((static_cast<double>(edge.k) - middle_.z + (edge.axis == 2 ? t : 0.0)) * cell)};
}

void SurfaceTiler::ask_waiting() {
  const SurfaceLattice& lattice = tiling_->lattice;
  double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
  float v[FieldPoints::most];
  for (size_t start = 0; start < waiting_.size();) {
    Box3 box;
    int64_t count = 0;
    size_t stop = start;
    const auto each = [&](const auto& act) {
      for (size_t n = start; n < stop; ++n)
        for (size_t end = 0; end < 2; ++end)
          if (!waiting_[n].known[end]) act(waiting_[n], end);
    };
    stop = std::min(waiting_.size(), start + FieldPoints::most / 2);
    each([&](const Waiting& w, size_t end) {
      const auto step = static_cast<int32_t>(end);
      const Vec3 at = lattice.at(w.edge.i + (w.edge.axis == 0) * step, w.edge.j + (w.edge.axis == 1) * step,
                                 w.edge.k + (w.edge.axis == 2) * step);
      x[count] = at.x, y[count] = at.y, z[count] = at.z;
      box = box.with(at);
      ++count;
    });
    solid_->values({x, y, z, count, box}, v);
    asked_here_ += count;
    count = 0;
    each([&](Waiting& w, size_t end) { w.v[end] = v[count++]; });
    for (; start < stop; ++start) {
      const auto a = static_cast<double>(waiting_[start].v[0]), b = static_cast<double>(waiting_[start].v[1]);
      place(waiting_[start].vertex, waiting_[start].edge, a / (a - b));
    }
  }
}

void SurfaceTiler::add_triangles(SurfaceTile& result) {
  static constexpr auto edges = cube_edges();
  const int32_t across = field_.across(), along = field_.along(), words = field_.last() - field_.first();
  for (int32_t j = 0; j + 1 < along; ++j)
    for (int32_t i = 0; i + 1 < across; ++i) {
      const int32_t column = j * across + i;
      const uint64_t* rock[4];
      // By edge of the cell: the next vertices of its list, which the walk up the column moves along.
      List next[8] = {
          list(0, column), list(0, column + across), list(1, column),          list(1, column + 1),
          list(2, column), list(2, column + 1),      list(2, column + across), list(2, column + across + 1)};
      static constexpr size_t list_of[12] = {0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 6, 7};
      for (int32_t c = 0; c < 4; ++c) rock[c] = field_.rock(column + (c & 1) + (c >> 1) * across);
      for (int32_t w = 0; w < words; ++w) {
        const uint64_t some = rock[0][w] | rock[1][w] | rock[2][w] | rock[3][w];
        const uint64_t all = rock[0][w] & rock[1][w] & rock[2][w] & rock[3][w];
        uint64_t above[4] = {}, some_above = 0, all_above = 0;
        if (w + 1 < words) {
          for (size_t c = 0; c < 4; ++c) above[c] = rock[c][w + 1] & 1;
          some_above = above[0] | above[1] | above[2] | above[3];
          all_above = above[0] & above[1] & above[2] & above[3];
        }
        uint64_t mixed = (some | some >> 1 | some_above << 63) & ~(all & (all >> 1 | all_above << 63));
        for (mixed &= with_point_above(w); mixed != 0; mixed &= mixed - 1) {
          const int bit = std::countr_zero(mixed);
          unsigned corners = 0;
          for (size_t c = 0; c < 4; ++c) {
            const uint64_t two = bit < 63 ? rock[c][w] >> bit & 3 : rock[c][w] >> 63 | above[c] << 1;
            corners |= static_cast<unsigned>((two & 1) << c | (two >> 1) << (c + 4));
          }
          const auto vertex = [&](uint8_t edge) {
            const int32_t low = w * 64 + bit, at = edge < 8 ? low + (edges[edge].low >> 2) : low;
            List& from = next[list_of[edge]];
            while (from.first < from.last && bits_[from.first] < low) ++from.first;
            return bits_[from.first] == at ? from.first : from.first + 1;
          };
          add_cell(corners, vertex, result);
        }
      }
    }
}

void SurfaceTiler::keep_triangles(SurfaceTile& result) const {
  if (positions_.size() > size_t{1} << 16) {
    result.wide_triangles.assign(triangles_.begin(), triangles_.end());
    return;
  }
  result.triangles.resize(triangles_.size());
  std::ranges::transform(triangles_, result.triangles.begin(), [](const MeshTriangle& t) {
    return std::array{static_cast<uint16_t>(t[0]), static_cast<uint16_t>(t[1]), static_cast<uint16_t>(t[2])};
  });
}

template <class Vertex>
void SurfaceTiler::add_cell(unsigned corners, const Vertex& vertex, SurfaceTile& result) {
  const CubeCase& cell = (*cases_)[corners];
  for (size_t q = 0; q < cell.quads; ++q) {
    const auto& [ea, eb, ec] = cell.triangle[2 * q];
    const uint32_t a = vertex(ea), b = vertex(eb), c = vertex(ec), d = vertex(cell.triangle[2 * q + 1][2]);
    const bool straight =
        square_distance(positions_[a], positions_[c]) <= square_distance(positions_[b], positions_[d]);
    triangles_.push_back(straight ? MeshTriangle{a, b, c} : MeshTriangle{a, b, d});
    triangles_.push_back(straight ? MeshTriangle{a, c, d} : MeshTriangle{b, c, d});
  }
  for (size_t t = 2u * cell.quads; t < cell.triangles; ++t)
    triangles_.push_back({vertex(cell.triangle[t][0]), vertex(cell.triangle[t][1]), vertex(cell.triangle[t][2])});
  ++result.cells;
}

void SurfaceTiler::add_rock(const SurfaceExtras& extras, const RockPoints& at, size_t first, SurfaceTile& result) {
  const auto count = static_cast<size_t>(at.count);
  if (extras.resistance || extras.colours) {
    float rho[FieldPoints::most];
    extras.rock->resistance(at, rho);
    if (extras.resistance) std::copy_n(rho, count, result.resistance.data() + first);
    for (size_t n = 0; extras.colours && n < count; ++n) {
      const uint32_t rgb = rock_colour(static_cast<double>(rho[n]));
      result.colours[first + n] = {static_cast<uint8_t>(rgb >> 16), static_cast<uint8_t>(rgb >> 8 & 255),
                                   static_cast<uint8_t>(rgb & 255), 255};
    }
  }
  if (extras.strata) {
    int32_t which[FieldPoints::most];
    extras.rock->root().rocks(at, which);
    for (size_t n = 0; n < count; ++n) result.strata[first + n] = static_cast<float>(which[n]);
  }
}

void SurfaceTiler::add_extras(const SurfaceExtras& extras, SurfaceTile& result) const {
  const size_t own = result.positions.size();
  if (extras.normals) result.normals.resize(own);
  if (extras.resistance) result.resistance.resize(own);
  if (extras.strata) result.strata.resize(own);
  if (extras.colours) result.colours.resize(own);
  if (!extras.normals && extras.rock == nullptr) return;
  double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
  float v[FieldPoints::most], d[3][FieldPoints::most];
  for (size_t start = 0; start < own; start += FieldPoints::most) {
    const size_t count = std::min(own - start, static_cast<size_t>(FieldPoints::most));
    Box3 box;
    for (size_t n = 0; n < count; ++n) {
      const Vec3 at = centre_ + to_vec(positions_[start + n]);
      x[n] = at.x, y[n] = at.y, z[n] = at.z;
      box = box.with(at);
    }
    const auto many = static_cast<int64_t>(count);
    if (extras.rock != nullptr) add_rock(extras, {x, y, z, many}, start, result);
    if (!extras.normals) continue;
    solid_->gradients({x, y, z, many, box}, v, d[0], d[1], d[2]);
    for (size_t n = 0; n < count; ++n) result.normals[start + n] = {-d[0][n], -d[1][n], -d[2][n]};
  }
  if (!extras.normals) return;
  for (const Wall& wall : walls_)
    if (wall.vertex < own) result.normals[wall.vertex] = wall.normal;
}

}  // namespace tepui

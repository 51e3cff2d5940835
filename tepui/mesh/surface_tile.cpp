#include "tepui/mesh/surface_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
      least_(least_share(tiling)) {}

SurfaceTile SurfaceTiler::make(int64_t tile, const SurfaceExtras& extras) {
  SurfaceTile result;
  const int64_t asked = field_.asked() + asked_here_;
  const IndexRange x = tiling_->own_x(tile), y = tiling_->own_y(tile);
  own_across_ = x.high - x.low + 1;
  own_along_ = y.high - y.low + 1;
  field_.fill(tile);
  number_all(result);
  place_all();
  add_triangles(result);
  result.asked = field_.asked() + asked_here_ - asked;
  add_extras(extras, result);
  return result;
}

/// The edges of a column, as bits of their lower ends, along which rock ends or begins.
uint64_t SurfaceTiler::crossings(int axis, int32_t column, int32_t word) const {
  const uint64_t here = field_.rock(column)[word];
  if (axis == 0) return here ^ field_.rock(column + 1)[word];
  if (axis == 1) return here ^ field_.rock(column + field_.across())[word];
  const int32_t words = field_.last() - field_.first();
  const uint64_t next = word + 1 < words ? field_.rock(column)[word + 1] : 0;
  uint64_t bits = here ^ (here >> 1 | next << 63);
  // The highest point has none above it.
  if (const int64_t end = tiling_->depth() - 1 - int64_t{word + field_.first()} * 64; end < 64)
    bits &= (uint64_t{1} << std::max<int64_t>(end, 0)) - 1;
  return bits;
}

uint32_t SurfaceTiler::vertex(int axis, int32_t column, int32_t bit) const {
  const int32_t words = field_.last() - field_.first(), word = bit >> 6;
  const uint64_t below = crossings(axis, column, word) & ((uint64_t{1} << (bit & 63)) - 1);
  return first_[axis][static_cast<size_t>(column * words + word)] + static_cast<uint32_t>(std::popcount(below));
}

/// Numbers the edges of a column from `next` on; returns the number after the last.
uint32_t SurfaceTiler::number(int axis, int32_t column, uint32_t next) {
  const int32_t words = field_.last() - field_.first();
  for (int32_t w = 0; w < words; ++w) {
    first_[axis][static_cast<size_t>(column * words + w)] = next;
    next += static_cast<uint32_t>(std::popcount(crossings(axis, column, w)));
  }
  return next;
}

void SurfaceTiler::number_all(SurfaceTile& result) {
  const int32_t across = field_.across(), along = field_.along(), words = field_.last() - field_.first();
  for (std::vector<uint32_t>& list : first_)
    list.resize(static_cast<size_t>(across) * static_cast<size_t>(along) * static_cast<size_t>(words));
  const bool more_x = across > own_across_, more_y = along > own_along_;
  uint32_t next = 0;
  const auto keep = [](std::vector<uint32_t>& list, uint32_t from, uint32_t to) {
    for (; from < to; ++from) list.push_back(from);
  };
  for (int32_t j = 0; j < own_along_; ++j)
    for (int32_t i = 0; i < own_across_; ++i) {
      const int32_t column = j * across + i;
      const uint32_t up = number(2, column, next);
      const uint32_t north = j + 1 < along ? number(1, column, up) : up;
      const uint32_t east = i + 1 < across ? number(0, column, north) : north;
      if (i == 0) keep(result.west, next, north);
      if (j == 0) keep(result.south, next, up), keep(result.south, north, east);
      next = east;
    }
  const uint32_t own = next;
  for (int32_t j = 0; j < own_along_ && more_x; ++j) {
    const int32_t column = j * across + own_across_;
    next = number(2, column, next);
    if (j + 1 < along) next = number(1, column, next);
  }
  result.east = next - own;
  for (int32_t i = 0; i < own_across_ && more_y; ++i) {
    const int32_t column = own_along_ * across + i;
    next = number(2, column, next);
    if (i + 1 < across) next = number(0, column, next);
  }
  result.north = next - own - result.east;
  if (more_x && more_y) next = number(2, own_along_ * across + own_across_, next);
  positions_.resize(next);
  result.positions.resize(own);
}

void SurfaceTiler::place_all() {
  waiting_.clear();
  walls_.clear();
  const int32_t across = field_.across(), along = field_.along();
  for (int32_t j = 0; j < along; ++j)
    for (int32_t i = 0; i < across; ++i) {
      place_column(2, i, j);
      if (j + 1 < along) place_column(1, i, j);
      if (i + 1 < across) place_column(0, i, j);
    }
  ask_waiting();
}

void SurfaceTiler::place_column(int axis, int32_t i, int32_t j) {
  const int32_t column = j * field_.across() + i, words = field_.last() - field_.first();
  for (int32_t w = 0; w < words; ++w) {
    const uint64_t rock = field_.rock(column)[w];
    uint32_t number = first_[axis][static_cast<size_t>(column * words + w)];
    for (uint64_t bits = crossings(axis, column, w); bits != 0; bits &= bits - 1, ++number) {
      const int bit = std::countr_zero(bits);
      place(number, {axis, field_.columns_x().low + i, field_.columns_y().low + j,
                     (w + field_.first()) * 64 + bit - tiling_->margin(), (rock >> bit & 1) != 0});
    }
  }
}

/// Where neither end has a feature the height above the sheet tells the place, else the field: the same rule however
/// the signs were found.
void SurfaceTiler::place(uint32_t vertex, const Edge& edge) {
  const int32_t other[3] = {edge.i + (edge.axis == 0), edge.j + (edge.axis == 1), edge.k + (edge.axis == 2)};
  const int32_t ends[2][3] = {{edge.i, edge.j, edge.k}, {other[0], other[1], other[2]}};
  if (tiling_->closed) {
    const IndexBox all = all_points(tiling_->lattice);
    const size_t rock = edge.low_is_rock ? 0 : 1;
    if (!all.holds(ends[1 - rock][0], ends[1 - rock][1], ends[1 - rock][2])) {
      MeshPoint out{};
      out[static_cast<size_t>(edge.axis)] = edge.low_is_rock ? 1.0f : -1.0f;
      walls_.push_back({vertex, out});
      return place(vertex, edge, edge.low_is_rock ? least_ : 1 - least_);
    }
  }
  const auto on_sheet = [&](size_t end) { return field_.on_sheet(ends[end][0], ends[end][1], ends[end][2]); };
  if (on_sheet(0) && on_sheet(1)) {
    const double a = field_.above(ends[0][0], ends[0][1], ends[0][2]);
    const double b = field_.above(ends[1][0], ends[1][1], ends[1][2]);
    return place(vertex, edge, a / (a - b));
  }
  Waiting waits{vertex, edge, {0, 0}, {false, false}};
  for (size_t end = 0; end < 2; ++end)
    if (const float* v = field_.value(ends[end][0], ends[end][1], ends[end][2]))
      waits.v[end] = *v, waits.known[end] = true;
  if (!waits.known[0] || !waits.known[1]) {
    waiting_.push_back(waits);
    return;
  }
  const auto a = static_cast<double>(waits.v[0]), b = static_cast<double>(waits.v[1]);
  place(vertex, edge, a / (a - b));
}

void SurfaceTiler::place(uint32_t vertex, const Edge& edge, double t) {
  const SurfaceLattice& lattice = tiling_->lattice;
  t = t >= least_ ? std::min(t, 1 - least_) : least_;
  const double from[3] = {static_cast<double>(edge.i), static_cast<double>(edge.j), static_cast<double>(edge.k)};
  const double middle[3] = {0.5 * static_cast<double>(lattice.nx - 1), 0.5 * static_cast<double>(lattice.ny - 1),
                            0.5 * static_cast<double>(lattice.nz - 1)};
  MeshPoint& at = positions_[vertex];
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<size_t>(a);
    at[axis] = static_cast<float>((from[a] - middle[a] + (a == edge.axis ? t : 0.0)) * lattice.cell);
  }
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
  const int32_t across = field_.across(), along = field_.along(), words = field_.last() - field_.first();
  for (int32_t j = 0; j + 1 < along; ++j)
    for (int32_t i = 0; i + 1 < across; ++i)
      for (int32_t w = 0; w < words; ++w) {
        const int32_t column = j * across + i;
        uint64_t low[4], high[4];
        for (int32_t c = 0; c < 4; ++c) {
          const uint64_t* rock = field_.rock(column + (c & 1) + (c >> 1) * across);
          const uint64_t next = w + 1 < words ? rock[w + 1] : 0;
          low[c] = rock[w];
          high[c] = low[c] >> 1 | next << 63;
        }
        uint64_t some = 0, all = ~uint64_t{0};
        for (size_t c = 0; c < 4; ++c) some |= low[c] | high[c], all &= low[c] & high[c];
        uint64_t mixed = some & ~all;
        if (const int64_t end = tiling_->depth() - 1 - int64_t{w + field_.first()} * 64; end < 64)
          mixed &= (uint64_t{1} << std::max<int64_t>(end, 0)) - 1;
        for (; mixed != 0; mixed &= mixed - 1) {
          const int bit = std::countr_zero(mixed);
          unsigned corners = 0;
          for (size_t c = 0; c < 4; ++c)
            corners |= static_cast<unsigned>((low[c] >> bit & 1) << c | (high[c] >> bit & 1) << (c + 4));
          add_cell(corners, i, j, w * 64 + bit, result);
        }
      }
}

void SurfaceTiler::add_cell(unsigned corners, int32_t i, int32_t j, int32_t bit, SurfaceTile& result) {
  static constexpr auto edges = cube_edges();
  const CubeCase& cell = cube_case(corners);
  const int32_t column = j * field_.across() + i;
  const auto at = [&](uint8_t edge) {
    const CubeEdge& e = edges[edge];
    return vertex(e.axis, column + (e.low & 1) + (e.low >> 1 & 1) * field_.across(), bit + (e.low >> 2));
  };
  for (size_t q = 0; q < cell.quads; ++q) {
    const auto& [ea, eb, ec] = cell.triangle[2 * q];
    const uint32_t a = at(ea), b = at(eb), c = at(ec), d = at(cell.triangle[2 * q + 1][2]);
    const bool straight =
        square_distance(positions_[a], positions_[c]) <= square_distance(positions_[b], positions_[d]);
    result.triangles.push_back(straight ? MeshTriangle{a, b, c} : MeshTriangle{a, b, d});
    result.triangles.push_back(straight ? MeshTriangle{a, c, d} : MeshTriangle{b, c, d});
  }
  for (size_t t = 2u * cell.quads; t < cell.triangles; ++t)
    result.triangles.push_back({at(cell.triangle[t][0]), at(cell.triangle[t][1]), at(cell.triangle[t][2])});
  ++result.cells;
}

void SurfaceTiler::add_extras(const SurfaceExtras& extras, SurfaceTile& result) const {
  const size_t own = result.positions.size();
  std::copy_n(positions_.begin(), own, result.positions.begin());
  if (extras.normals) result.normals.resize(own);
  if (extras.rock != nullptr) result.resistance.resize(own);
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
    if (extras.rock != nullptr) extras.rock->resistance({x, y, z, many}, result.resistance.data() + start);
    if (!extras.normals) continue;
    solid_->gradients({x, y, z, many, box}, v, d[0], d[1], d[2]);
    for (size_t n = 0; n < count; ++n) result.normals[start + n] = {-d[0][n], -d[1][n], -d[2][n]};
  }
  if (!extras.normals) return;
  for (const Wall& wall : walls_)
    if (wall.vertex < own) result.normals[wall.vertex] = wall.normal;
}

}  // namespace tepui

#include "tepui/erode/troughs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/trough_tiles.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Half the width of the ice over that of the trough at its trimline, where open ground lies beside it.
constexpr double ice_reach = 1.2;
constexpr double bowl_filled = 0.6;   // of its depth
constexpr double ragged_scale = 520;  // metres
constexpr int ragged_octaves = 1;

double wall(double distance, double depth, double half, bool bowl) {
  const double x = distance / half;
  if (x < 1) return depth * trough_wall(x, bowl);
  return depth + std::max(wall_above_trimline, (bowl ? 2.5 : 1.75) * depth / half) * (distance - half);
}

double height_at(const TroughPlace& place, bool bowl) {
  return place.there.floor + wall(place.distance, place.there.depth, place.there.half, bowl);
}

/// Between which heights a trough lies in a circle.
struct Bounds {
  Bounds(const Trough& t, Vec2 middle, double radius) {
    const double distance = place_in(t, middle).distance, near = std::max(0.0, distance - radius);
    const auto [floor, floor_top] = std::minmax(t.from.floor, t.to.floor);
    const auto [depth, depth_top] = std::minmax(t.from.depth, t.to.depth);
    const auto [half, half_top] = std::minmax(t.from.half, t.to.half);
    // A shallower, wider trough has gentler walls; but for rounding, which the margin covers.
    low = floor + wall(near, depth, half_top, t.bowl) - 1e-6 * (1 + std::abs(floor) + depth);
    high = floor_top + wall(distance + radius, depth_top, half, t.bowl);
  }
  double low = 0, high = 0;
};

double top_of(const Grid<float>& land, const TroughTile& tile) {
  float top = land(tile.x0, tile.y0);
  for (int64_t y = tile.y0; y < tile.y1; ++y)
    for (int64_t x = tile.x0; x < tile.x1; ++x) top = std::max(top, land(x, y));
  return static_cast<double>(top);
}

/// The troughs that may be the lowest in a circle, and below `top`, in their order.
void choose_lowest(const std::vector<Trough>& troughs, const std::vector<int32_t>& from, Vec2 middle, double radius,
                   double top, std::vector<int32_t>& out) {
  std::vector<double> lows;
  lows.reserve(from.size());
  for (const int32_t i : from) {
    const Bounds bounds(troughs[static_cast<size_t>(i)], middle, radius);
    top = std::min(top, bounds.high);
    lows.push_back(bounds.low);
  }
  out.clear();
  for (size_t k = 0; k < from.size(); ++k)
    if (lows[k] <= top) out.push_back(from[k]);
}

/// How far noise moves each sample, along x and y; empty: not at all.
struct Moves {
  Moves(const Lattice& lattice, const Raggedness& ragged, const Context& context) : most(ragged.metres) {
    if (!(most > 0)) return;
    east = Grid<float>(lattice.width, lattice.height), north = Grid<float>(lattice.width, lattice.height);
    NoiseSpec spec;
    spec.octaves = ragged_octaves;
    spec.scale = ragged_scale;
    spec.key = ragged.key;
    const Noise x_noise(spec);
    spec.key = ragged.key + 1;
    const Noise y_noise(spec);
    parallel_chunks(lattice.height, rows_per_chunk(lattice.width), context, [&](int64_t begin, int64_t end) {
      const auto n = static_cast<size_t>(lattice.width);
      std::vector<double> xs(n);
      for (size_t x = 0; x < n; ++x) xs[x] = place_of(lattice, static_cast<int64_t>(x), 0).x;
      for (int64_t y = begin; y < end; ++y) {
        x_noise.row(xs, place_of(lattice, 0, y).y, {east.row(y), n});
        y_noise.row(xs, place_of(lattice, 0, y).y, {north.row(y), n});
      }
    });
  }

  Vec2 place(const Lattice& lattice, int64_t x, int64_t y) const {
    const Vec2 at = place_of(lattice, x, y);
    if (east.empty()) return at;
    return {at.x + most * static_cast<double>(east(x, y)), at.y + most * static_cast<double>(north(x, y))};
  }

  double most;
  Grid<float> east, north;
};

}  // namespace

double trough_wall(double distance, bool bowl) {
  const double root = std::sqrt(distance);
  return bowl ? distance * distance * root : distance * root * std::sqrt(root);
}

TroughPlace place_in(const Trough& trough, Vec2 at) {
  const TroughEnd &a = trough.from, &b = trough.to;
  const Vec2 way = b.at - a.at, from = at - a.at;
  const double square = way.x * way.x + way.y * way.y;
  const double t = square > 0 ? std::clamp((from.x * way.x + from.y * way.y) / square, 0.0, 1.0) : 0;
  const double dx = from.x - t * way.x, dy = from.y - t * way.y;
  const auto between = [t](double u, double v) { return u + t * (v - u); };
  return {std::sqrt(dx * dx + dy * dy),
          {a.at + way * t, between(a.floor, b.floor), between(a.depth, b.depth), between(a.half, b.half),
           between(a.flux, b.flux), between(a.margin, b.margin)}};
}

double trough_height(const Trough& trough, Vec2 at) { return height_at(place_in(trough, at), trough.bowl); }

TroughLand troughs_under(const Grid<float>& land, const Lattice& lattice, const std::vector<Trough>& troughs,
                         const Raggedness& ragged, double fill, const Context& context) {
  TroughLand out{land.clone(), Grid<float>(land.width(), land.height(), no_trough)};
  const Moves moves(lattice, ragged, context);
  const double margin = 1.5 * moves.most;
  const auto choose = [&](const TroughTile& tile, const std::vector<int32_t>& from, std::vector<int32_t>& near) {
    choose_lowest(troughs, from, tile.middle, tile.radius + margin, top_of(land, tile), near);
  };
  const auto carve = [&](const TroughTile& tile, const std::vector<int32_t>& near) {
    for (int64_t y = tile.y0; y < tile.y1; ++y)
      for (int64_t x = tile.x0; x < tile.x1; ++x) {
        const Vec2 at = moves.place(lattice, x, y);
        double least = static_cast<double>(land(x, y));
        for (const int32_t i : near) {
          const Trough& trough = troughs[static_cast<size_t>(i)];
          const TroughPlace place = place_in(trough, at);
          const double z = height_at(place, trough.bowl);
          if (z >= least) continue;
          least = z;
          const bool within = place.distance < place.there.half;
          out.floor(x, y) = within ? to_cell(place.there.floor + fill * place.there.depth) : no_trough;
        }
        out.height(x, y) = to_cell(least);
      }
  };
  for_trough_tiles(lattice, troughs.size(), context, choose, carve);
  return out;
}

TroughIce ice_in_troughs(const Lattice& lattice, const std::vector<Trough>& troughs, const Context& context) {
  TroughIce out{Grid<float>(lattice.width, lattice.height, no_trough),
                Grid<float>(lattice.width, lattice.height, 0.0f)};
  const auto choose = [&](const TroughTile& tile, const std::vector<int32_t>& from, std::vector<int32_t>& near) {
    near.clear();
    for (const int32_t i : from) {
      const Trough& t = troughs[static_cast<size_t>(i)];
      const double reach = ice_reach * std::max(t.from.half, t.to.half) + tile.radius;
      if (place_in(t, tile.middle).distance <= reach) near.push_back(i);
    }
  };
  const auto fill = [&](const TroughTile& tile, const std::vector<int32_t>& near) {
    for (int64_t y = tile.y0; y < tile.y1; ++y)
      for (int64_t x = tile.x0; x < tile.x1; ++x) {
        const Vec2 at = place_of(lattice, x, y);
        double weights = 0, top = 0, depth = 0, flux = 0, inmost = 1;
        for (const int32_t i : near) {
          const Trough& trough = troughs[static_cast<size_t>(i)];
          const auto [distance, there] = place_in(trough, at);
          const double side = distance / (ice_reach * there.half);
          if (side >= 1) continue;
          const double w = (1 - side * side) * (1 - side * side);
          const double thick = trough.bowl ? bowl_filled * there.depth : there.depth;
          weights += w, top += w * (there.floor + thick), depth += w * thick, flux += w * there.flux;
          inmost = std::min(inmost, side);
        }
        if (!(weights > 0)) continue;
        const double square = inmost * inmost;
        out.top(x, y) = to_cell((top - depth * square * square * square) / weights);
        out.flux(x, y) = to_cell(flux / weights);
      }
  };
  for_trough_tiles(lattice, troughs.size(), context, choose, fill);
  return out;
}

}  // namespace tepui

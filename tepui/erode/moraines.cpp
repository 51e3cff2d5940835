#include "tepui/erode/moraines.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/trough_tiles.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr double height_share = 0.08;         // of the glacier's greatest thickness
constexpr double flank = 0.45;                // slope of a ridge's sides
constexpr double gentle = 0.45, steep = 0.8;  // slopes on which till lies, and does not
constexpr double lump_scale = 180, lump_share = 0.5;
/// Where the ice stood still, as shares of a glacier's greatest flux that it had lost, and how high the ridge is.
constexpr double stands[][2] = {{0, 1}, {0.15, 0.45}, {0.35, 0.3}};

/// The glacier when it has lost some of its flux: narrower, and shorter.
void add_stand(const GlacierPath& path, double lost, double height, std::vector<Trough>& out) {
  double most = 0;
  for (const GlacierPoint& p : path.points) most = std::max(most, p.flux);
  const double ridge = height * height_share * glacier_thickness(most);
  const auto end = [&](const GlacierPoint& p) {
    const double flux = std::max(0.0, p.flux - lost * most);
    const double half = p.flux > 0 ? p.half * glacier_width(flux) / glacier_width(p.flux) : 0;
    return TroughEnd{p.at, p.floor, 1, half, flux, ridge * p.melting};
  };
  for (size_t i = 0; i + 1 < path.points.size(); ++i) {
    const Trough piece{end(path.points[i]), end(path.points[i + 1]), false};
    if (piece.from.half > 0 || piece.to.half > 0) out.push_back(piece);
  }
}

double highest(const Trough& t) { return std::max(t.from.margin, t.to.margin); }

/// Those whose border or ridge may reach into the tile.
void choose_near(const std::vector<Trough>& pieces, const TroughTile& tile, const std::vector<int32_t>& from,
                 std::vector<int32_t>& near) {
  near.clear();
  for (const int32_t i : from) {
    const Trough& t = pieces[static_cast<size_t>(i)];
    const double reach = std::max(t.from.half, t.to.half) + highest(t) / flank + tile.radius;
    if (place_in(t, tile.middle).distance <= reach) near.push_back(i);
  }
}

/// How much till lies on a slope like that around a sample.
double resting(const Grid<float>& ground, const Lattice& lattice, int64_t x, int64_t y) {
  const int64_t x0 = std::max<int64_t>(x - 1, 0), x1 = std::min(x + 1, ground.width() - 1);
  const int64_t y0 = std::max<int64_t>(y - 1, 0), y1 = std::min(y + 1, ground.height() - 1);
  const auto slope = [](float a, float b, double length) {
    return length > 0 ? (static_cast<double>(b) - static_cast<double>(a)) / length : 0;
  };
  const double east = slope(ground(x0, y), ground(x1, y), static_cast<double>(x1 - x0) * lattice.cell.x);
  const double north = slope(ground(x, y0), ground(x, y1), static_cast<double>(y1 - y0) * lattice.cell.y);
  return 1 - math::smoothstep(gentle, steep, std::sqrt(east * east + north * north));
}

}  // namespace

Grid<float> moraine_ridges(const Grid<float>& ground, const Lattice& lattice, const std::vector<GlacierPath>& paths,
                           double amount, Stream draws, const Context& context) {
  Grid<float> till(ground.width(), ground.height(), 0.0f);
  NoiseSpec spec;
  spec.octaves = 2;
  spec.scale = lump_scale;
  spec.key = draws.bits(0, 2);
  const Noise lumps(spec);
  for (const auto& [lost, height] : stands) {
    std::vector<Trough> pieces;
    for (const GlacierPath& path : paths) add_stand(path, lost, amount * height, pieces);
    const auto choose = [&](const TroughTile& tile, const std::vector<int32_t>& from, std::vector<int32_t>& near) {
      choose_near(pieces, tile, from, near);
    };
    const auto lay = [&](const TroughTile& tile, const std::vector<int32_t>& near) {
      for (int64_t y = tile.y0; y < tile.y1; ++y)
        for (int64_t x = tile.x0; x < tile.x1; ++x) {
          const Vec2 at = place_of(lattice, x, y);
          double outside = 1e30, ridge = 0;
          for (const int32_t i : near) {
            const TroughPlace place = place_in(pieces[static_cast<size_t>(i)], at);
            if (place.distance - place.there.half >= outside) continue;
            outside = place.distance - place.there.half, ridge = place.there.margin;
          }
          const double left = ridge - flank * std::abs(outside);
          if (!(left > 0)) continue;
          float n = 0;
          lumps.points({&at.x, 1}, {&at.y, 1}, {&n, 1});
          const double deep = left * (1 + lump_share * static_cast<double>(n)) * resting(ground, lattice, x, y);
          till(x, y) = std::max(till(x, y), to_cell(deep));
        }
    };
    for_trough_tiles(lattice, pieces.size(), context, choose, lay);
  }
  return till;
}

}  // namespace tepui

#include "tepui/erode/fine_detail.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/between_samples.h"
#include "tepui/erode/low_pass.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr double log_2 = 0.6931471805599453;
/// Between what measured lands have at cells of 1 m to 100 m, and a little beyond.
constexpr double least_hurst = 0.6, most_hurst = 1.1;
/// Detail that even slopes have, as a share of their rise over a cell.
constexpr double even_share = 0.03;
/// Cells of a lattice between the hills of its noise.
constexpr double noise_cells = 4;
/// The most that detail is multiplied by; and what it is asked to be over what it becomes, because some of it belongs
/// to the broad shape, which stays.
constexpr double most_gain = 3, lost_share = 1.45;

/// The low-pass of a map that was halved so often, at the map's own samples.
float halved(const Grid<float>& low, int halvings, int64_t x, int64_t y) {
  return between_samples(low, std::ldexp(static_cast<double>(x), -halvings),
                         std::ldexp(static_cast<double>(y), -halvings));
}

template <class Body>
void for_rows(const Grid<float>& map, const Context& context, const Body& body) {
  parallel_chunks(map.height(), rows_per_chunk(map.width()), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) body(y);
  });
}

/// What a map has and its low-pass has not.
Grid<float> own_band(const Grid<float>& map, const Context& context) {
  const Grid<float> low = low_pass(map, context);
  Grid<float> out(map.width(), map.height());
  for_rows(map, context, [&](int64_t y) {
    for (int64_t x = 0; x < map.width(); ++x) out(x, y) = map(x, y) - halved(low, 1, x, y);
  });
  return out;
}

/// The mean of the squares around samples of a map, over 2^halvings of them.
Grid<float> squares_around(Grid<float> map, int halvings, const Context& context) {
  for (float& v : map.cells()) v *= v;
  for (int i = 0; i < halvings; ++i) map = low_pass(map, context);
  return map;
}

double mean_square(const Grid<float>& map) {
  double sum = 0;
  for (float v : map.cells()) sum += static_cast<double>(v) * static_cast<double>(v);
  return sum / static_cast<double>(map.size());
}

/// How much a map rises over a cell.
double rise_at(const Grid<float>& z, int64_t x, int64_t y) {
  const int64_t west = std::max<int64_t>(x - 1, 0), east = std::min(x + 1, z.width() - 1);
  const int64_t south = std::max<int64_t>(y - 1, 0), north = std::min(y + 1, z.height() - 1);
  const double along = static_cast<double>(z(east, y)) - static_cast<double>(z(west, y));
  const double across = static_cast<double>(z(x, north)) - static_cast<double>(z(x, south));
  return 0.5 * std::sqrt(along * along + across * across);
}

}  // namespace

FineDetail::FineDetail(const Terrain& land, double strength, Stream draws, const Context& context)
    : cell_(std::sqrt(land.frame().cell.x * land.frame().cell.y)), draws_(draws) {
  const Grid<float>& z = land.height();
  Grid<float> finest = own_band(z, context);
  const double fine = mean_square(finest), coarse = mean_square(own_band(low_pass(z, context), context));
  if (fine > 0 && coarse > 0) hurst_ = std::clamp(0.5 * math::log(coarse / fine) / log_2, least_hurst, most_hurst);
  constexpr int halvings = 2;
  const Grid<float> squares = squares_around(std::move(finest), halvings, context);
  amount_ = Grid<float>(z.width(), z.height());
  for_rows(z, context, [&](int64_t y) {
    for (int64_t x = 0; x < z.width(); ++x) {
      const double square = std::max(0.0f, halved(squares, halvings, x, y));
      amount_(x, y) = static_cast<float>(strength * (std::sqrt(square) + even_share * rise_at(z, x, y)));
    }
  });
}

double FineDetail::share(const Lattice& lattice) const { return math::pow(lattice.step, hurst_); }

Grid<float> FineDetail::noise(const Lattice& lattice, const DisplacedNodes* nodes, const Context& context) const {
  NoiseSpec spec;
  spec.scale = noise_cells * lattice.step * cell_;
  spec.octaves = 2;
  spec.gain = 0.6;
  spec.key = draws_.bits(static_cast<uint64_t>(std::lround(1 / lattice.step)), 11);
  const Noise noise(spec);
  Grid<float> out(lattice.width, lattice.height);
  parallel_chunks(lattice.height, rows_per_chunk(lattice.width), context, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(lattice.width);
    std::vector<double> xs(n), ys(n);
    for (int64_t y = begin; y < end; ++y) {
      for (size_t x = 0; x < n; ++x) {
        const Vec2 d = nodes == nullptr ? Vec2{} : nodes->displacement(static_cast<int64_t>(x), y);
        xs[x] = lattice.origin.x + (static_cast<double>(x) + d.x) * lattice.cell.x;
        ys[x] = lattice.origin.y + (static_cast<double>(y) + d.y) * lattice.cell.y;
      }
      noise.points(xs, ys, {out.row(y), n});
    }
  });
  return out;
}

void fit_detail(Grid<float>& detail, const Grid<float>& wanted, int cells, const Context& context) {
  int halvings = 2;
  for (int c = cells; c > 1; c /= 2) ++halvings;
  const Grid<float> squares = squares_around(detail.clone(), halvings, context);
  for_rows(detail, context, [&](int64_t y) {
    for (int64_t x = 0; x < detail.width(); ++x) {
      const double has = std::sqrt(std::max(0.0, static_cast<double>(halved(squares, halvings, x, y))));
      const double gain = has > 0 ? std::min(most_gain, lost_share * static_cast<double>(wanted(x, y)) / has) : 1;
      detail(x, y) = static_cast<float>(gain * static_cast<double>(detail(x, y)));
    }
  });
}

}  // namespace tepui

#include "reference/diamond_square.h"

#include <algorithm>
#include <cmath>

#include "tepui/generate/diamond_square_lattice.h"

namespace tepui::reference {

namespace {

/// Lattice points from (x0, y0) on.
struct Lattice {
  int64_t x0, y0;
  Grid<double> points;

  double& at(int64_t x, int64_t y) { return points(x - x0, y - y0); }
};

/// The lattice of a level over [x0, x1] x [y0, y1].
Lattice refined(const DiamondSquareLattice& random, const DiamondSquareParams& params, int level, int64_t x0,
                int64_t y0, int64_t x1, int64_t y1) {
  Lattice fine{x0, y0, Grid<double>(x1 - x0 + 1, y1 - y0 + 1, 0.0)};
  if (level == 0) {
    for (int64_t y = y0; y <= y1; ++y)
      for (int64_t x = x0; x <= x1; ++x) fine.at(x, y) = static_cast<double>(random.draw(0, x, y));
    return fine;
  }
  // A margin of 3 is more than any point hangs on.
  const int64_t west = x0 - 3, south = y0 - 3, east = x1 + 3, north = y1 + 3;
  Lattice coarse = refined(random, params, level - 1, west >> 1, south >> 1, (east >> 1) + 1, (north >> 1) + 1);
  Lattice wide{west, south, Grid<double>(east - west + 1, north - south + 1, 0.0)};
  const double diamond = std::pow(2, -params.hurst * (level - 0.5)), edge = std::pow(2, -params.hurst * level);
  for (int64_t y = south; y <= north; ++y)
    for (int64_t x = west; x <= east; ++x) {
      const int64_t i = x >> 1, j = y >> 1;
      if ((x & 1) == 0 && (y & 1) == 0) wide.at(x, y) = coarse.at(i, j);
      if ((x & 1) == 1 && (y & 1) == 1)
        wide.at(x, y) = (coarse.at(i, j) + coarse.at(i + 1, j) + coarse.at(i, j + 1) + coarse.at(i + 1, j + 1)) / 4 +
                        diamond * static_cast<double>(random.draw(level, x, y));
    }
  for (int64_t y = y0; y <= y1; ++y)
    for (int64_t x = x0; x <= x1; ++x)
      fine.at(x, y) = ((x + y) & 1) == 0
                          ? wide.at(x, y)
                          : (wide.at(x - 1, y) + wide.at(x + 1, y) + wide.at(x, y - 1) + wide.at(x, y + 1)) / 4 +
                                edge * static_cast<double>(random.draw(level, x, y));
  return fine;
}

}  // namespace

Grid<double> diamond_square_heights(const Frame& frame, const DiamondSquareParams& params) {
  const DiamondSquareLattice random(frame, params);
  const int level = random.level_of(frame);
  const double spacing = random.square() / std::pow(2, level);
  const auto place = [&](int64_t index, double cell) { return static_cast<double>(index) * cell / spacing; };
  const auto lowest = [&](int64_t first, double cell) {
    return static_cast<int64_t>(std::floor(place(first, cell))) - 1;
  };
  const auto highest = [&](int64_t first, int64_t count, double cell) {
    return static_cast<int64_t>(std::floor(place(first + count - 1, cell))) + 2;
  };
  Lattice lattice =
      refined(random, params, level, lowest(frame.first_x, frame.cell.x), lowest(frame.first_y, frame.cell.y),
              highest(frame.first_x, frame.width, frame.cell.x), highest(frame.first_y, frame.height, frame.cell.y));
  Grid<double> heights(frame.width, frame.height);
  for (int64_t row = 0; row < frame.height; ++row)
    for (int64_t column = 0; column < frame.width; ++column) {
      const double u = place(frame.first_x + column, frame.cell.x), v = place(frame.first_y + row, frame.cell.y);
      const auto x = static_cast<int64_t>(std::floor(u)), y = static_cast<int64_t>(std::floor(v));
      const double a = u - std::floor(u), b = v - std::floor(v);
      heights(column, row) = (1 - a) * (1 - b) * lattice.at(x, y) + a * (1 - b) * lattice.at(x + 1, y) +
                             (1 - a) * b * lattice.at(x, y + 1) + a * b * lattice.at(x + 1, y + 1);
    }
  return heights;
}

Terrain diamond_square(const Frame& world, const DiamondSquareParams& params) {
  const Grid<double> raw = diamond_square_heights(world, params);
  const auto range = [](const Grid<double>& grid) {
    const auto [low, high] = std::ranges::minmax(grid.cells());
    return std::pair(low, high);
  };
  auto [low, high] = std::pair(-1.0, 1.0);
  if (params.normalise == Normalise::world)
    std::tie(low, high) = range(diamond_square_heights(world.measuring_lattice(), params));
  if (params.normalise == Normalise::samples) std::tie(low, high) = range(raw);
  const double height = params.height.in(world);
  Grid<float> z(world.width, world.height);
  for (int64_t i = 0; i < z.size(); ++i)
    z.data()[i] = high > low ? static_cast<float>((raw.data()[i] - low) / (high - low) * height) : 0.0f;
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui::reference

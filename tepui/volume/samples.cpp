#include "tepui/volume/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Columns and rows that are asked together: as many points as a field takes at once.
constexpr int64_t side = 22;
static_assert(side * side <= FieldPoints::most);

/// 1, 2 or 5 times a power of ten, not below `least`.
double round_up(double least) {
  double power = 1;
  while (power > least) power /= 10;
  while (power * 10 <= least) power *= 10;
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= least) return step * power;
  return 10 * power;
}

double points_along(double length, double cell) { return std::floor(length / cell * (1 + 1e-12)) + 1; }

double points_of(Vec3 size, double cell) {
  return points_along(size.x, cell) * points_along(size.y, cell) * points_along(size.z, cell);
}

double longest(Vec3 size) { return std::max({size.x, size.y, size.z}); }

/// The coordinates of a brick of points of one level.
struct Brick {
  double x[side], y[side], z = 0;
  double px[side * side], py[side * side], pz[side * side];
  int64_t nx = 0, ny = 0;

  Brick(const SampleGrid& grid, int64_t i0, int64_t j0, int64_t level)
      : z(grid.origin.z + static_cast<double>(level) * grid.cell),
        nx(std::min(side, grid.nx - i0)),
        ny(std::min(side, grid.ny - j0)) {
    for (int64_t i = 0; i < nx; ++i) x[i] = grid.origin.x + static_cast<double>(i0 + i) * grid.cell;
    for (int64_t j = 0; j < ny; ++j) y[j] = grid.origin.y + static_cast<double>(j0 + j) * grid.cell;
    for (int64_t j = 0; j < ny; ++j)
      for (int64_t i = 0; i < nx; ++i) {
        px[j * nx + i] = x[i];
        py[j * nx + i] = y[j];
        pz[j * nx + i] = z;
      }
  }
};

/// Calls with every brick of a level, and puts what it gives in its place.
template <class Ask>
void in_bricks(const SampleGrid& grid, int64_t level, float* values, const Context& context, const Ask& ask) {
  const int64_t across = (grid.nx + side - 1) / side, along = (grid.ny + side - 1) / side;
  parallel_chunks(across * along, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) {
      const int64_t i0 = index % across * side, j0 = index / across * side;
      const Brick brick(grid, i0, j0, level);
      float v[side * side];
      ask(brick, v);
      for (int64_t j = 0; j < brick.ny; ++j) std::copy_n(v + j * brick.nx, brick.nx, values + (j0 + j) * grid.nx + i0);
    }
  });
}

}  // namespace

double round_cell(const Box3& box) {
  const double least = longest(box.high - box.low) / 400;
  return least > 0 ? round_up(least) : 1;
}

SampleGrid sample_grid(const Box3& box, std::optional<double> wanted, double most) {
  if (box.empty()) refuse("there is nothing to sample", "give the box's corners \"low\" and \"high\"");
  const Vec3 size = box.high - box.low;
  const double cell = wanted.value_or(round_cell(box));
  const double points = points_of(size, cell);
  if (!(points <= most)) {
    double better = round_up(cell);
    while (points_of(size, better) > most) better = round_up(1.5 * better);
    refuse(fmt::format("cells of {:.6g} m make {:.3g} points; at most {:.3g} are allowed", cell, points, most),
           fmt::format("cell = {:.6g} makes {:.3g}", better, points_of(size, better)));
  }
  return {box.low, cell, static_cast<int64_t>(points_along(size.x, cell)),
          static_cast<int64_t>(points_along(size.y, cell)), static_cast<int64_t>(points_along(size.z, cell))};
}

void sample_field(const Volume& volume, const SampleGrid& grid, int64_t level, float* values, const Context& context) {
  in_bricks(grid, level, values, context, [&](const Brick& b, float* v) {
    const FieldLattice lattice{b.x, b.y, &b.z, b.nx, b.ny, 1};
    const Box3 box{{b.x[0], b.y[0], b.z}, {b.x[b.nx - 1], b.y[b.ny - 1], b.z}};
    volume.root().values({b.px, b.py, b.pz, b.nx * b.ny, box, &lattice}, v);
  });
}

void sample_resistance(const Geology& rock, const SampleGrid& grid, int64_t level, float* values,
                       const Context& context) {
  in_bricks(grid, level, values, context, [&](const Brick& b, float* v) {
    rock.resistance({b.px, b.py, b.pz, b.nx * b.ny}, v);
  });
}

}  // namespace tepui

#include "tepui/erode/lattice_ladder.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/erode/between_samples.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Samples so far apart that cover `samples` of the land.
int64_t covering(int64_t samples, double step) {
  const double cells = static_cast<double>(samples - 1) / step;
  return static_cast<int64_t>(std::ceil(cells - 1e-9)) + 1;
}

}  // namespace

Lattice own_lattice(const Frame& land) { return {land.width, land.height, land.cell, {land.x(0), land.y(0)}, 1}; }

std::vector<Lattice> lattice_ladder(const Frame& land) {
  const int64_t longer = std::max(land.width, land.height) - 1;
  if (longer < 1) return {own_lattice(land)};
  std::vector<Lattice> ladder;
  for (int64_t cells = coarsest_cells;; cells *= 2) {
    const double step = static_cast<double>(longer) / static_cast<double>(cells);
    ladder.push_back({covering(land.width, step),
                      covering(land.height, step),
                      {land.cell.x * step, land.cell.y * step},
                      {land.x(0), land.y(0)},
                      step});
    if (cells >= longer) return ladder;
  }
}

Grid<float> point_samples(const Grid<float>& map, const Lattice& lattice, const Context& context) {
  Grid<float> out(lattice.width, lattice.height);
  parallel_chunks(out.height(), rows_per_chunk(out.width()), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < out.width(); ++x)
        out(x, y) = between_samples(map, static_cast<double>(x) * lattice.step, static_cast<double>(y) * lattice.step);
  });
  return out;
}

}  // namespace tepui

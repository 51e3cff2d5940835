#include "tepui/mesh/surface_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"

namespace tepui {

namespace {

Box3 box_of(const SurfaceLattice& lattice) {
  return {lattice.origin, lattice.at(lattice.nx - 1, lattice.ny - 1, lattice.nz - 1)};
}

double points_of(const Box3& box, double cell) {
  if (box.empty()) return 0;
  const Vec3 size = (box.high - box.low) * (1 / cell);
  return (std::floor(size.x) + 1) * (std::floor(size.y) + 1) * (std::floor(size.z) + 1);
}

/// Points in boxes that overlap a lot: those of all blocks of a coarse grid that some box meets.
double points_of_all(const std::vector<Box3>& boxes, const Box3& within, double cell) {
  double sum = 0;
  Box3 hull;
  for (const Box3& box : boxes) {
    const Box3 part = box.within(within);
    sum += points_of(part, cell);
    if (!part.empty()) hull = hull.with(part);
  }
  if (sum <= most_surface_points || hull.empty()) return sum;
  constexpr int64_t side = 128;
  const Vec3 block = (hull.high - hull.low) * (1.0 / static_cast<double>(side));
  std::vector<bool> met(static_cast<size_t>(side * side * side));
  const auto span = [](double low, double high, double from, double size) {
    const auto index = [&](double at) {
      return size > 0 ? std::clamp<int64_t>(static_cast<int64_t>((at - from) / size), 0, side - 1) : 0;
    };
    return std::pair(index(low), index(high));
  };
  double marks = 0;
  for (const Box3& box : boxes) {
    const Box3 part = box.within(within);
    if (part.empty()) continue;
    const auto [x0, x1] = span(part.low.x, part.high.x, hull.low.x, block.x);
    const auto [y0, y1] = span(part.low.y, part.high.y, hull.low.y, block.y);
    const auto [z0, z1] = span(part.low.z, part.high.z, hull.low.z, block.z);
    marks += static_cast<double>((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1));
    if (marks > 1e8) return std::min(sum, points_of(hull, cell));
    for (int64_t z = z0; z <= z1; ++z)
      for (int64_t y = y0; y <= y1; ++y)
        for (int64_t x = x0; x <= x1; ++x) met[static_cast<size_t>((z * side + y) * side + x)] = true;
  }
  const double share = static_cast<double>(std::ranges::count(met, true)) / static_cast<double>(met.size());
  return std::min(sum, share * points_of(hull, cell));
}

/// A band follows the land: block by block of it.
double points_of(const SurfaceSketch::Band& band, const HeightSheet& sheet, const Box3& within, double cell) {
  const Box3 where = band.where.within(within);
  if (where.empty()) return 0;
  constexpr int blocks = 32;
  const Vec3 size = (where.high - where.low) * (1.0 / blocks);
  double sum = 0;
  for (int j = 0; j < blocks; ++j)
    for (int i = 0; i < blocks; ++i) {
      Box3 block = where;
      block.low.x = where.low.x + i * size.x, block.high.x = block.low.x + size.x;
      block.low.y = where.low.y + j * size.y, block.high.y = block.low.y + size.y;
      const HeightSheet::Range range = sheet.range({block.low.x - band.spread, block.low.y - band.spread},
                                                   {block.high.x + band.spread, block.high.y + band.spread});
      block.low.z = std::max(block.low.z, range.low - band.below);
      block.high.z = std::min(block.high.z, range.high + band.above);
      if (!block.empty()) sum += size.x / cell * size.y / cell * ((block.high.z - block.low.z) / cell + 1);
    }
  return sum;
}

double two_figures_up(double value) {
  double unit = 1;
  while (value < 10 * unit) unit /= 10;
  while (value >= 100 * unit) unit *= 10;
  return std::ceil(value / unit) * unit;
}

SurfaceEstimate estimate_of(const SurfaceSketch& sketch, const Box3& support, const SurfaceLattice& lattice,
                            const SurfaceOptions& options) {
  SurfaceEstimate estimate;
  if (lattice.nx <= 0 || lattice.ny <= 0 || lattice.nz <= 0) return estimate;
  const auto nx = static_cast<double>(lattice.nx), ny = static_cast<double>(lattice.ny),
             nz = static_cast<double>(lattice.nz);
  const Box3 within = box_of(lattice);
  double near = points_of_all(sketch.boxes, within, lattice.cell), sheets = 0;
  if (sketch.sheet != nullptr) {
    // Beside and below the ground all is asked.
    Box3 above = sketch.ground;
    above.high.z = Box3::far;
    const Box3 felt = support.within(within);
    near += points_of(felt, lattice.cell) - points_of(felt.within(above), lattice.cell);
    for (const SurfaceSketch::Band& band : sketch.bands) near += points_of(band, *sketch.sheet, within, lattice.cell);
    sheets = nx * ny * (options.closed ? 2 : 1) + (options.closed ? (nx + ny) * nz : 0);
  }
  near = std::min(near, nx * ny * nz);
  estimate.points = options.full ? nx * ny * nz : sheets + near;
  // A vertex and two triangles, once in its tile and once in the mesh; half as many again on slopes, and about one for
  // every six points near features.
  const double vertices = 1.5 * sheets + near / 6;
  estimate.bytes = vertices * (60 + (options.normals ? 24 : 0) + (options.resistance ? 8 : 0) +
                               (options.strata ? 8 : 0) + (options.colours ? 8 : 0));
  // Every tile, also one without a surface, and where its list of features begins.
  const SurfaceTiling tiling{lattice, options.closed};
  const double tiles = static_cast<double>(tiling.across()) * static_cast<double>(tiling.along());
  estimate.bytes += tiles * (sizeof(SurfaceTile) + 16);
  return estimate;
}

bool modest(const SurfaceEstimate& estimate, const SurfaceLattice& lattice) {
  return estimate.points <= most_surface_points && estimate.bytes <= static_cast<double>(physical_memory()) &&
         std::max({lattice.nx, lattice.ny, lattice.nz}) <= SurfaceTiles::most_points;
}

}  // namespace

SurfaceEstimate estimate_surface(const Volume& in, const SurfaceLattice& lattice, const SurfaceOptions& options) {
  return estimate_of(in.root().sketch(), in.support(), lattice, options);
}

void require_modest(const Volume& in, const SurfaceLattice& lattice, const SurfaceOptions& options,
                    const std::function<SurfaceLattice(double)>& lattice_of) {
  const SurfaceSketch sketch = in.root().sketch();
  const Box3 support = in.support();
  const SurfaceEstimate estimate = estimate_of(sketch, support, lattice, options);
  if (modest(estimate, lattice)) return;
  // No lattice thins out faster than with the cube of the cell.
  double better = lattice.cell;
  SurfaceLattice other = lattice;
  for (SurfaceEstimate now = estimate; !modest(now, other); now = estimate_of(sketch, support, other, options)) {
    const double too_long = static_cast<double>(std::max({other.nx, other.ny, other.nz})) / SurfaceTiles::most_points;
    better = two_figures_up(better * std::max({1.1, std::cbrt(now.points / most_surface_points), too_long}));
    other = lattice_of(better);
  }
  refuse(
      fmt::format("cells of {:g} m make a lattice of {} x {} x {} points, of which about {:.3g} million must be "
                  "looked at, for a mesh of about {}",
                  lattice.cell, lattice.nx, lattice.ny, lattice.nz, estimate.points / 1e6, bytes_text(estimate.bytes)),
      fmt::format("use cells of {:g} m", better));
}

}  // namespace tepui

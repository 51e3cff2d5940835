#include <fmt/format.h>

#include <memory>

#include "bench/bench.h"
#include "bench/volume/scenes.h"
#include "reference/polygonize.h"
#include "tepui/core/parallel.h"
#include "tepui/mesh/surface_tiles.h"

namespace tepui::bench {

namespace {

SurfaceOptions sheet() {
  SurfaceOptions options;
  options.closed = false;
  options.normals = false;
  return options;
}

/// The plain twin meshes a part in the middle, as high as the whole.
SurfaceLattice part_of(const SurfaceLattice& whole, int64_t side) {
  SurfaceLattice part = whole;
  part.origin = whole.at(whole.nx / 2, whole.ny / 2, 0);
  part.nx = part.ny = side;
  return part;
}

Row polygonize_row(VolumeScene (*make)()) {
  const auto scene = std::make_shared<const VolumeScene>(make());
  const SurfaceLattice whole = scene->lattice, part = part_of(whole, 64);
  const auto points = [](const SurfaceLattice& l) { return static_cast<double>(l.nx * l.ny * l.nz); };
  const auto mesh = [scene, whole](const SurfaceOptions& options) {
    return SurfaceTiles(scene->volume, whole, options, Context()).take(Context());
  };
  Row row;
  row.fast = [=] { mesh(sheet()); };
  row.reference = [=] { reference::polygonize(scene->volume, part, false); };
  row.reference_part = points(part) / points(whole);
  row.hash = [=] { return mesh(sheet()).hash(); };
  row.size = fmt::format("{}x{}x{}", whole.nx, whole.ny, whole.nz);
  row.items = points(whole);
  row.paper_seconds = scene->paper_seconds;
  return row;
}

}  // namespace

TEPUI_BENCH("mesh/polygonize/sea") { return polygonize_row(sea_scene); }
TEPUI_BENCH("mesh/polygonize/karst") { return polygonize_row(karst_scene); }
TEPUI_BENCH("mesh/polygonize/canyon") { return polygonize_row(canyon_scene); }

}  // namespace tepui::bench

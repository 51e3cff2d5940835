#include <fmt/format.h>

#include <memory>

#include "bench/mesh/polygonize_scenes.h"
#include "reference/polygonize.h"

namespace tepui::bench {

namespace {

/// The plain twin meshes a part in the middle, as high as the whole.
SurfaceLattice part_of(const SurfaceLattice& whole, int64_t side) {
  SurfaceLattice part = whole;
  part.origin = whole.at((whole.nx - side) / 2, (whole.ny - side) / 2, 0);
  part.nx = part.ny = side;
  return part;
}

double points_of(const SurfaceLattice& lattice) { return static_cast<double>(lattice.nx * lattice.ny * lattice.nz); }

}  // namespace

SurfaceOptions bare_sheet() {
  SurfaceOptions options;
  options.closed = false;
  options.normals = false;
  return options;
}

Row polygonize_row(VolumeScene made) {
  const auto scene = std::make_shared<const VolumeScene>(std::move(made));
  const SurfaceLattice whole = scene->lattice, part = part_of(whole, 64);
  const auto mesh = [scene, whole] {
    return SurfaceTiles(scene->volume, whole, bare_sheet(), Context()).take(Context());
  };
  Row row;
  row.fast = [mesh] { mesh(); };
  row.reference = [scene, part] { reference::polygonize(scene->volume, part, false); };
  row.reference_part = points_of(part) / points_of(whole);
  row.hash = [mesh] { return mesh().hash(); };
  row.size = fmt::format("{}x{}x{}", whole.nx, whole.ny, whole.nz);
  row.items = points_of(whole);
  row.paper_seconds = scene->paper_seconds;
  row.tells = [scene, whole] {
    const SurfaceFacts facts = SurfaceTiles(scene->volume, whole, bare_sheet(), Context()).facts();
    return fmt::format("asks 1/{:.0f} of the points, {:.1f} M triangles",
                       static_cast<double>(facts.points) / static_cast<double>(facts.asked),
                       static_cast<double>(facts.triangles) / 1e6);
  };
  return row;
}

Row edit_row(VolumeScene made) {
  struct State {
    VolumeScene scene;
    SurfaceTiles tiles;
    Volume volume;
    size_t strokes = 0;
  };
  const Volume volume = made.volume;
  const SurfaceLattice lattice = made.lattice;
  const std::shared_ptr<State> state(new State{std::move(made), {volume, lattice, bare_sheet(), Context()}, volume});
  Row row;
  // Each run is a further stroke, somewhere else.
  row.fast = [state] {
    Primitive stroke;
    stroke.skeleton = {state->scene.primitives[state->strokes++ * 7919 % state->scene.primitives.size()].skeleton[0]};
    stroke.falloff = 10;
    stroke.energy = -10;
    state->volume =
        state->volume.with_root(with_primitives(state->volume.share(), {stroke}, state->volume.threshold()));
    state->tiles.update(state->volume, Context());
  };
  row.size = fmt::format("{}x{}x{}", lattice.nx, lattice.ny, lattice.nz);
  return row;
}

TEPUI_BENCH("mesh/polygonize/sea") { return polygonize_row(sea_scene()); }
TEPUI_BENCH("mesh/polygonize/karst") { return polygonize_row(karst_scene()); }
TEPUI_BENCH("mesh/polygonize/canyon") { return polygonize_row(canyon_scene()); }

}  // namespace tepui::bench

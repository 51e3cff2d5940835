#include "tepui/mesh/polygonize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/mesh/surface_estimate.h"

namespace tepui {

namespace {

/// The box to be meshed: the ground of a sheet up to the top of the field, or the support.
struct Extent {
  Box3 box;
  bool land = false;
};

Extent extent_of(const Volume& in) {
  const SurfaceSketch sketch = in.root().sketch();
  const Box3 support = in.support();
  if (sketch.sheet == nullptr || sketch.ground.empty()) return {support, false};
  Box3 box = sketch.ground;
  box.high.z = std::max(box.high.z, support.high.z);
  return {box, true};
}

/// Points that a side has room for, or that cover it.
int64_t count_along(double side, double cell, bool cover) {
  // A side that is a whole number of cells but for rounding.
  const double cells = cover ? std::ceil(side / cell - 1e-9) : std::floor(side / cell + 1e-9);
  return static_cast<int64_t>(std::clamp(cells, 0.0, 1e15)) + 1;
}

SurfaceLattice lattice_of(const Extent& extent, double cell) {
  const Box3 box = extent.land ? extent.box : extent.box.grown(cell);
  const Vec3 size = box.high - box.low;
  return {box.low, cell, count_along(size.x, cell, !extent.land), count_along(size.y, cell, !extent.land),
          count_along(size.z, cell, true)};
}

SurfaceOptions options_of(const Volume& in, const PolygonizeParams& params) {
  const bool has_rock = in.rock().hash() != Geology().hash();
  const bool has_names = has_rock && !in.rock().root().names().empty();
  return {.closed = params.surface == PolygonizeSurface::closed,
          .full = params.mode == PolygonizeMode::full,
          .normals = params.normals,
          .resistance = params.resistance && has_rock,
          .strata = params.strata && has_names,
          .colours = params.colours == PolygonizeColours::rock && has_rock};
}

}  // namespace

void describe(Fields<PolygonizeParams>& f) {
  f.about("Turn a volume into a mesh, closed or open, that follows its caves and overhangs");
  f.reach(Reach::whole);
  f("cell", &PolygonizeParams::cell, open_range(0, 1e9),
    "side of the cubes that the surface is looked for in; per cent are of the volume's longer side in plan")
      .slider(0.1, 5)
      .sweep("3%", "1%", "0.4%");
  f("surface", &PolygonizeParams::surface, {"closed", "open"},
    "closed ends in walls and a floor, and is watertight; open is the ground alone, a sheet up to its border");
  f("mode", &PolygonizeParams::mode, {"banded", "full"},
    "banded asks the field where the tree says that it must; full asks everywhere, for the same mesh");
  f("normals", &PolygonizeParams::normals, "of every vertex, from the field's gradient");
  f("resistance", &PolygonizeParams::resistance, "of the rock at every vertex, as an attribute, where there is a rock");
  f("strata", &PolygonizeParams::strata,
    "the number of the rock at every vertex, as an attribute, where rocks have names; -1 is none of them");
  f("colours", &PolygonizeParams::colours, {"none", "rock"},
    "of vertices: rock is dark to pale by its resistance, as in sections, where there is a rock");
}

SurfaceLattice polygonize_lattice(const Volume& in, const PolygonizeParams& params) {
  const Extent extent = extent_of(in);
  if (extent.box.empty()) return {};
  const Vec3 size = extent.box.high - extent.box.low;
  double longer = std::max(size.x, size.y);
  if (!(longer > 0)) longer = size.z > 0 ? size.z : 1;
  const double cell = params.cell.percent ? params.cell.value * 0.01 * longer : params.cell.value;
  if (!(cell > 0)) refuse(fmt::format("cells of {:g} m have no size", cell));
  const SurfaceLattice lattice = lattice_of(extent, cell);
  require_modest(in, lattice, options_of(in, params), [&](double other) { return lattice_of(extent, other); });
  return lattice;
}

Mesh polygonize(const Volume& in, const PolygonizeParams& params, const Context& context) {
  const SurfaceLattice lattice = polygonize_lattice(in, params);
  SurfaceTiles tiles(in, lattice, options_of(in, params), context.stage("tiles", 0, 0.9));
  const SurfaceFacts facts = tiles.facts();
  context.tell("cell", lattice.cell, "m");
  context.tell("points", static_cast<double>(facts.points));
  context.tell("asked", static_cast<double>(facts.asked));
  context.tell("cells", static_cast<double>(facts.cells));
  context.tell("triangles", static_cast<double>(facts.triangles));
  return tiles.take(context.stage("joining", 0.9, 1));
}

}  // namespace tepui

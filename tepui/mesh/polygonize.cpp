#include "tepui/mesh/polygonize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/mesh/land_attributes.h"
#include "tepui/mesh/pieces.h"
#include "tepui/mesh/surface_estimate.h"

namespace tepui {

namespace {

/// The box to be meshed: the ground of a sheet up to the top of the field, or the support.
struct Extent {
  Box3 box;
  bool land = false;    ///< the box is the ground
  bool beyond = false;  ///< rock lies outside the land and its walls
  Vec3 corner{};        ///< of the ground, on which lattice points lie
};

/// Around the ground, as far as the land's own walls are felt: what holds rock beyond is not the land.
Box3 walls_of(const Volume& in, const SurfaceSketch& sketch) {
  const Box3& ground = sketch.ground;
  SolidPointer node = in.share();
  std::vector<SolidPointer> parts = node->children();
  const auto is_land = [&](const SolidPointer& part) { return part->sketch().ground == ground; };
  for (auto next = std::ranges::find_if(parts, is_land); next != parts.end();
       next = std::ranges::find_if(parts, is_land)) {
    node = *next;
    parts = node->children();
  }
  // Bands tell how far the land has been bent, and its walls with it.
  double bent = 0;
  for (const SurfaceSketch::Band& band : sketch.bands) bent = std::max({bent, band.above, band.spread});
  if (parts.empty()) return node->support().grown(bent);
  // The land has been moved since: its walls are thinner than this.
  const Vec3 size = ground.high - ground.low;
  return ground.grown(bent + 0.03 * std::min(size.x, size.y));
}

/// Whether there is rock at some of side^3 places in a box.
bool has_rock(const Solid& solid, const Box3& box, int64_t side) {
  constexpr int64_t most = 16 * 16;
  const Vec3 step = (box.high - box.low) * (1.0 / static_cast<double>(side - 1));
  double x[most], y[most], z[most];
  float v[most];
  for (int64_t k = 0; k < side; ++k) {
    for (int64_t n = 0; n < side * side; ++n) {
      x[n] = box.low.x + step.x * static_cast<double>(n % side);
      y[n] = box.low.y + step.y * static_cast<double>(n / side);
      z[n] = box.low.z + step.z * static_cast<double>(k);
    }
    solid.values({x, y, z, side * side, box_around(x, y, z, side * side), nullptr}, v);
    if (std::any_of(v, v + side * side, [](float one) { return one > 0; })) return true;
  }
  return false;
}

/// Whether features hold rock beside or below the land's walls.
bool reaches_beyond(const Solid& solid, const std::vector<Box3>& boxes, const Box3& walls) {
  int64_t looked = 0;
  for (const Box3& box : boxes) {
    Box3 west = box, east = box, south = box, north = box, below = box;
    west.high.x = std::min(box.high.x, walls.low.x);
    east.low.x = std::max(box.low.x, walls.high.x);
    south.high.y = std::min(box.high.y, walls.low.y);
    north.low.y = std::max(box.low.y, walls.high.y);
    below.high.z = std::min(box.high.z, walls.low.z);
    for (const Box3& part : {west, east, south, north, below}) {
      if (part.empty() || !(solid.range(part).high > 0)) continue;
      // Of very many features some show.
      if (has_rock(solid, part, ++looked <= 64 ? 16 : 4)) return true;
    }
  }
  return false;
}

Extent extent_of(const Volume& in, bool closed) {
  const SurfaceSketch sketch = in.root().sketch();
  const Box3 support = in.support();
  if (sketch.sheet == nullptr || sketch.ground.empty()) return {support, false, false, {}};
  const bool beyond = reaches_beyond(in.root(), sketch.boxes, walls_of(in, sketch));
  if (beyond && closed) return {support, false, true, sketch.ground.low};
  Box3 box = sketch.ground;
  box.high.z = std::max(box.high.z, support.high.z);
  return {box, true, beyond, sketch.ground.low};
}

/// Points that a side has room for, or that cover it.
int64_t count_along(double side, double cell, bool cover) {
  // A side that is a whole number of cells but for rounding.
  const double cells = cover ? std::ceil(side / cell - 1e-9) : std::floor(side / cell + 1e-9);
  return static_cast<int64_t>(std::clamp(cells, 0.0, 1e15)) + 1;
}

SurfaceLattice lattice_of(const Extent& extent, double cell) {
  Box3 box = extent.land ? extent.box : extent.box.grown(cell);
  if (extent.beyond && !extent.land) {
    const auto whole = [&](double from, double corner) { return corner - cell * std::ceil((corner - from) / cell); };
    box.low = {whole(box.low.x, extent.corner.x), whole(box.low.y, extent.corner.y), whole(box.low.z, extent.corner.z)};
  }
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
    "side of the cubes in which the surface is found; % of the volume's longer horizontal side")
      .slider(0.1, 5)
      .sweep("3%", "1%", "0.4%");
  f("surface", &PolygonizeParams::surface, {"closed", "open"},
    "closed: watertight, with walls and a floor; open: only the ground, a sheet up to the border");
  f("mode", &PolygonizeParams::mode, {"banded", "full"},
    "banded: evaluate the field only near the surface; full: everywhere, for the same mesh");
  f("normals", &PolygonizeParams::normals, "store a normal for each vertex, from the field's gradient");
  f("resistance", &PolygonizeParams::resistance, "store the resistance of the rock at each vertex, if there is a rock");
  f("strata", &PolygonizeParams::strata,
    "store the index of the rock at each vertex, if rocks have names; -1: none of them");
  f("colours", &PolygonizeParams::colours, {"none", "rock"},
    "vertex colours: rock from dark to pale by resistance, as in sections, if there is a rock; none: files and "
    "pictures show the ground's own");
  f("crumbs", &PolygonizeParams::crumbs, Range{0, 1e12}, "pieces with less surface area than this are removed")
      .slider(0, 1000)
      .unit("m2");
}

namespace {

SurfaceLattice lattice_for(const Volume& in, const Extent& extent, const PolygonizeParams& params) {
  if (extent.box.empty()) return {};
  const Vec3 size = extent.box.high - extent.box.low;
  double longer = std::max(size.x, size.y);
  if (!(longer > 0)) longer = size.z > 0 ? size.z : 1;
  const double cell = params.cell.percent ? params.cell.value * 0.01 * longer : params.cell.value;
  if (!(cell > 0)) refuse(fmt::format("the cell must be larger than 0, not {:g} m", cell));
  const SurfaceLattice lattice = lattice_of(extent, cell);
  require_modest(in, lattice, options_of(in, params), [&](double other) { return lattice_of(extent, other); });
  return lattice;
}

}  // namespace

SurfaceLattice polygonize_lattice(const Volume& in, const PolygonizeParams& params) {
  return lattice_for(in, extent_of(in, params.surface == PolygonizeSurface::closed), params);
}

class KeptTiles {
 public:
  /// Versions are counted from `version` on.
  KeptTiles(const Volume& volume, const SurfaceLattice& lattice, const SurfaceOptions& options, uint64_t version,
            const Context& context)
      : lattice_(lattice), tiles_(volume, lattice, options, context), version_(version) {
    versions_.assign(static_cast<size_t>(tiles_.tiling().tiles()), version_);
  }

  bool serves(const SurfaceLattice& lattice, const SurfaceOptions& options) const {
    return lattice_ == lattice && tiles_.options() == options;
  }
  /// How many tiles are made again.
  int64_t update(const Volume& edited, const Context& context) {
    const std::vector<int64_t> which = tiles_.update(edited, context);
    ++version_;
    for (const int64_t tile : which) versions_[static_cast<size_t>(tile)] = version_;
    return static_cast<int64_t>(which.size());
  }
  const SurfaceTiles& tiles() const { return tiles_; }
  uint64_t version() const { return version_; }

  SurfaceParts parts() const {
    SurfaceParts parts{lattice_, {}};
    if (tiles_.facts().vertices == 0) return parts;
    for (size_t t = 0; t < versions_.size(); ++t) {
      const SurfaceTile& tile = tiles_.tile(static_cast<int64_t>(t));
      parts.tiles.push_back(
          {static_cast<uint32_t>(tile.positions.size()), static_cast<uint32_t>(tile.triangle_count()), versions_[t]});
    }
    return parts;
  }

 private:
  SurfaceLattice lattice_;
  SurfaceTiles tiles_;
  uint64_t version_;
  std::vector<uint64_t> versions_;
};

SurfaceParts parts_of(const KeptTiles& kept) { return kept.parts(); }

namespace {

/// What is meshed, and how.
struct Work {
  SurfaceLattice lattice;
  SurfaceOptions options;
};

Work work_of(const Volume& in, const PolygonizeParams& params, const Context& context) {
  const Extent extent = extent_of(in, params.surface == PolygonizeSurface::closed);
  if (extent.beyond && extent.land)
    context.warn("some rock beside or below the land is left out; surface = closed includes it");
  return {lattice_for(in, extent, params), options_of(in, params)};
}

void tell_facts(const SurfaceLattice& lattice, const SurfaceFacts& facts, const Context& context) {
  context.tell("cell", lattice.cell, "m");
  context.tell("points", static_cast<double>(facts.points));
  context.tell("asked", static_cast<double>(facts.asked));
  context.tell("cells", static_cast<double>(facts.cells));
  context.tell("triangles", static_cast<double>(facts.triangles));
}

Mesh finished(const Mesh& mesh, const PolygonizeParams& params, const Context& context) {
  return params.crumbs > 0 ? without_crumbs(mesh, params.crumbs, context) : mesh;
}

}  // namespace

Mesh polygonize_volume(const Volume& in, const PolygonizeParams& params, const Context& context) {
  const Work work = work_of(in, params, context);
  SurfaceTiles tiles(in, work.lattice, work.options, context.stage("tiles", 0, 0.9));
  tell_facts(work.lattice, tiles.facts(), context);
  return finished(tiles.take(context.stage("joining", 0.9, 1)), params, context);
}

Mesh polygonize(const Volume& in, const Terrain* land, const PolygonizeParams& params, const Context& context) {
  const Mesh mesh = polygonize_volume(in, params, context);
  return land != nullptr ? with_layers(mesh, *land, context) : mesh;
}

Mesh polygonize_again(const Volume& in, const Terrain* land, const PolygonizeParams& params,
                      std::shared_ptr<KeptTiles>& kept, int64_t& made, const Context& context) {
  const Work work = work_of(in, params, context);
  const Context tiling = context.stage("tiles", 0, 0.9);
  if (kept != nullptr && kept->serves(work.lattice, work.options)) {
    made = kept->update(in, tiling);
  } else {
    const uint64_t version = kept != nullptr ? kept->version() + 1 : 0;
    kept.reset();
    kept = std::make_shared<KeptTiles>(in, work.lattice, work.options, version, tiling);
    made = kept->tiles().tiling().tiles();
  }
  tell_facts(work.lattice, kept->tiles().facts(), context);
  const Mesh mesh = finished(kept->tiles().mesh(context.stage("joining", 0.9, 1)), params, context);
  return land != nullptr ? with_layers(mesh, *land, context) : mesh;
}

}  // namespace tepui

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/mesh/mesh.h"
#include "tepui/mesh/surface_lattice.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// At which points of the lattice the field is evaluated; the mesh is the same.
enum class PolygonizeMode { banded, full };
/// Whether rock that reaches the border of the lattice ends there in walls and a floor.
enum class PolygonizeSurface { closed, open };

/// What vertices are coloured by.
enum class PolygonizeColours { none, rock };

struct PolygonizeParams {
  Length cell = percent(100.0 / 256);  ///< in per cent of the longer side
  PolygonizeSurface surface = PolygonizeSurface::closed;
  PolygonizeMode mode = PolygonizeMode::banded;
  bool normals = true;
  bool resistance = true;
  bool strata = true;
  PolygonizeColours colours = PolygonizeColours::none;
  double crumbs = 0;  ///< square metres
};
void describe(Fields<PolygonizeParams>& f);

/// The surface of a volume as triangles: marching cubes (Lorensen and Cline 1987) over cubes of `cell` metres, where
/// the surface may be (Paris et al. 2019, section 5.4). A `closed` mesh is watertight, an `open` one ends at the border
/// of the land, as a sheet does.
///
/// Land with strokes is meshed over its ground: lattice points lie on its south-western corner, `cell` metres apart, as
/// far as they stay within it; where the cell does not divide a side, less than a cell at the far border is left out.
/// Upwards they go from the floor to the top of the field. What sticks out of the ground no further than the land's own
/// walls are felt is cut off there, as they are. Where features hold rock further out or deeper, found by looking at
/// many places in their boxes, a closed mesh is of all of the volume, with the land's rounded walls and floor and with
/// lattice points on the same corner; an open one leaves that rock out, and says so. Any other volume is meshed
/// wherever its field may be above 0, with a cell of air around. Per cent are of the longer side in plan.
///
/// `banded` evaluates the field only near features, where boxes and bands of the tree say that it is not plain land,
/// and uses the land's height elsewhere; `full` evaluates it everywhere and gives the same mesh, bit by bit. The paper
/// bounds the surface by the vertices of cells, and so may miss a feature that lies between them; here its boxes are
/// exact.
///
/// `normals` are those of the field's gradient. Where the volume has a rock, its `resistance` is an attribute of every
/// vertex, and so are its `strata` where rocks have names: which of them it is, counted from 0 in the order of
/// Rock::names, and -1 where it is none. `colours` are those that sections give a rock by its resistance.
///
/// Pieces with less surface than `crumbs` are left out: thin rock that erosion has cut off.
///
/// A cell so small that more than a billion points would be evaluated, or that the mesh would not fit in memory, is
/// refused.
Mesh polygonize_volume(const Volume& in, const PolygonizeParams& params, const Context& context);

/// The same; the layers of `land` at the places of the vertices become attributes of theirs, too (with_layers).
Mesh polygonize(const Volume& in, const Terrain* land, const PolygonizeParams& params, const Context& context);

/// The tiles of a mesh, kept from one edit of a volume to the next.
class KeptTiles;

/// The same mesh, bit by bit, made with the help of the tiles that were kept the last time, if any: only those that the
/// edit may have changed are made again. Keeps the tiles for the next time, and reports how many it made.
Mesh polygonize_again(const Volume& in, const Terrain* land, const PolygonizeParams& params,
                      std::shared_ptr<KeptTiles>& kept, int64_t& made, const Context& context);

/// Which vertices and triangles of a mesh that polygonize_again made are of which tile: those of one tile follow those
/// of the tile before. A tile has another version whenever it is made again.
struct SurfaceParts {
  struct Tile {
    uint32_t vertices = 0, triangles = 0;
    uint64_t version = 0;
  };
  SurfaceLattice lattice{};
  std::vector<Tile> tiles{};
};
/// Of the mesh that was made last, where no crumbs were left out.
SurfaceParts parts_of(const KeptTiles& kept);

/// The points that polygonize goes by; refuses what would take too much, and says which cell would not.
SurfaceLattice polygonize_lattice(const Volume& in, const PolygonizeParams& params);

}  // namespace tepui

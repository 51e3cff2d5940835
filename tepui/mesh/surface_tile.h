#pragma once  // internal

#include <vector>

#include "tepui/geology/geology.h"
#include "tepui/mesh/cube_cases.h"
#include "tepui/mesh/mesh.h"
#include "tepui/mesh/tile_field.h"

namespace tepui {

/// The surface in one tile of a lattice. A vertex lies on an edge of the lattice and belongs to the tile of the edge's
/// lower end, a triangle to that of its cell's. Both come column by column, so that their order depends on the lattice
/// alone.
struct SurfaceTile {
  std::vector<MeshPoint> positions{}, normals{};
  std::vector<float> resistance{}, strata{};
  std::vector<MeshColour> colours{};
  /// Numbers from positions.size() on name vertices of the next tiles: first those on this tile's eastern border, in
  /// the order of the eastern tile's `west`, then as many of the northern tile's `south`, then of the north-eastern
  /// `west`.
  std::vector<std::array<uint16_t, 3>> triangles{};
  std::vector<MeshTriangle> wide_triangles{};  ///< in place of them where 16 bits are not enough
  uint32_t east = 0, north = 0;                ///< how many of them
  std::vector<uint32_t> west{}, south{};       ///< vertices on the first columns, which the tiles before name
  size_t triangle_count() const { return triangles.size() + wide_triangles.size(); }
  int64_t asked = 0, cells = 0;  ///< points at which f was asked, and cells that hold triangles
};

/// What is made beside positions and triangles.
struct SurfaceExtras {
  bool normals = true;
  const Geology* rock = nullptr;  ///< tells what follows; null: none of it
  bool resistance = false, strata = false, colours = false;
};

/// Makes tiles, one after the other, in the same memory.
class SurfaceTiler {
 public:
  SurfaceTiler(const Solid& solid, const SurfaceFeatures& features, const SurfaceTiling& tiling, bool full);

  SurfaceTile make(int64_t tile, const SurfaceExtras& extras);

 private:
  /// An edge of the lattice from (i, j, k) along an axis that leaves rock or enters it.
  struct Edge {
    int axis;
    int32_t i, j, k;
    bool low_is_rock;
  };
  /// A vertex that waits for f at the ends of its edge.
  struct Waiting {
    uint32_t vertex;
    Edge edge;
    float v[2];
    bool known[2];
  };
  struct Wall {
    uint32_t vertex;
    MeshPoint normal;
  };
  /// The vertices on a column's edges along one axis, from the lowest up.
  struct List {
    uint32_t first = 0, last = 0;
  };

  void place_all(SurfaceTile& result);
  void place_edges(int axis, int32_t i, int32_t j);
  void place(const Edge& edge);
  void place(uint32_t vertex, const Edge& edge, double t);
  bool place_on_wall(const Edge& edge);
  void ask_waiting();
  void add_triangles(SurfaceTile& result);
  template <class Vertex>
  void add_cell(unsigned corners, const Vertex& vertex, SurfaceTile& result);
  void add_extras(const SurfaceExtras& extras, SurfaceTile& result) const;
  static void add_rock(const SurfaceExtras& extras, const RockPoints& at, size_t first, SurfaceTile& result);
  void keep_triangles(SurfaceTile& result) const;
  /// Bits of a word whose points have one above.
  uint64_t with_point_above(int32_t word) const {
    const int64_t end = tiling_->depth() - 1 - int64_t{word + field_.first()} * 64;
    return end >= 64 ? ~uint64_t{0} : end <= 0 ? 0 : (uint64_t{1} << end) - 1;
  }
  List& list(int axis, int32_t column) { return lists_[static_cast<size_t>(column * 3 + axis)]; }

  const Solid* solid_;
  const SurfaceTiling* tiling_;
  TileField field_;
  Vec3 centre_;
  double least_;  ///< share of an edge that a vertex keeps from its ends
  int32_t own_across_ = 0, own_along_ = 0;
  const std::array<CubeCase, 256>* cases_;
  Vec3 middle_;                ///< of the lattice, in points
  std::vector<List> lists_;    ///< by column and axis
  std::vector<int32_t> bits_;  ///< by vertex: the lower end of its edge, in bits of its column
  std::vector<MeshPoint> positions_;
  std::vector<MeshTriangle> triangles_;
  std::vector<Waiting> waiting_;
  std::vector<Wall> walls_;
  int64_t asked_here_ = 0;
};

}  // namespace tepui

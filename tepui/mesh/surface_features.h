#pragma once  // internal

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/surface_lattice.h"

namespace tepui {

/// How a lattice is cut into upright tiles of `side` x `side` columns, for one mesh each. A closed lattice has one more
/// layer of points all around, at -1 and n, which are air.
struct SurfaceTiling {
  static constexpr int32_t side = 32;

  SurfaceLattice lattice;
  bool closed = false;

  int32_t margin() const { return closed ? 1 : 0; }
  /// Points along x, y and z with the margin.
  int64_t width() const { return lattice.nx + 2 * margin(); }
  int64_t height() const { return lattice.ny + 2 * margin(); }
  int64_t depth() const { return lattice.nz + 2 * margin(); }
  int64_t across() const { return (width() + side - 1) / side; }
  int64_t along() const { return (height() + side - 1) / side; }
  int64_t tiles() const { return across() * along(); }

  /// The columns of a tile, without and with the first ones of the next tiles.
  LatticeRange own_x(int64_t tile) const { return part(tile % across(), lattice.nx, 0); }
  LatticeRange own_y(int64_t tile) const { return part(tile / across(), lattice.ny, 0); }
  LatticeRange all_x(int64_t tile) const { return part(tile % across(), lattice.nx, 1); }
  LatticeRange all_y(int64_t tile) const { return part(tile / across(), lattice.ny, 1); }

 private:
  LatticeRange part(int64_t index, int64_t count, int32_t more) const {
    const auto first = static_cast<int32_t>(index * side) - margin();
    return {first, std::min(first + side - 1 + more, static_cast<int32_t>(count) - 1 + margin())};
  }
};

/// Where a solid must be asked: its sketch, told in points of a lattice and sorted into tiles. Everywhere else a point
/// is rock where the sheet is above it.
class SurfaceFeatures {
 public:
  SurfaceFeatures(const Solid& solid, const SurfaceTiling& tiling);

  /// Null where there is no sheet.
  const HeightSheet* sheet() const { return sketch_.sheet.get(); }
  /// The points for which the sheet stands; outside of it, where no box is, is air.
  const IndexBox& ground() const { return ground_; }
  /// Boxes that meet the columns of a tile.
  std::span<const IndexBox> boxes(int64_t tile) const;
  /// A band, with its points.
  struct Band {
    IndexBox where;
    SurfaceSketch::Band band;
  };
  const std::vector<Band>& bands() const { return bands_; }
  const SurfaceSketch& sketch() const { return sketch_; }

  /// Points in the boxes and bands; those in several count several times.
  double points() const;
  /// Outside of it another solid's features in the same lattice are the same; may be larger.
  Box3 difference_from(const SurfaceFeatures& other) const;

 private:
  void add_surroundings(const Box3& support);
  void sort_boxes();

  SurfaceTiling tiling_;
  SurfaceSketch sketch_;
  IndexBox ground_;
  std::vector<IndexBox> boxes_;
  std::vector<IndexBox> surroundings_;
  std::vector<Band> bands_;
  std::vector<uint64_t> first_;  ///< of a tile's boxes in sorted_
  std::vector<IndexBox> sorted_;
};

}  // namespace tepui

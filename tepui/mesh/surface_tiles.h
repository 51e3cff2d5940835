#pragma once  // internal

#include <functional>
#include <memory>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/surface_tile.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct SurfaceOptions {
  bool closed = true;       ///< what leaves the lattice ends in a wall at its border; else it is open there
  bool full = false;        ///< asks every point, though the sketch makes that needless
  bool normals = true;      ///< from the gradient of f
  bool resistance = false;  ///< of the volume's rock, as an attribute of vertices
  bool strata = false;      ///< which of its named rocks it is, as another
  bool colours = false;     ///< of the rock, by its resistance

  bool ask_rock() const { return resistance || strata || colours; }
  friend bool operator==(const SurfaceOptions&, const SurfaceOptions&) = default;
};

/// What a mesh has cost.
struct SurfaceFacts {
  int64_t points = 0;  ///< of the lattice
  int64_t asked = 0;   ///< at which f was asked
  int64_t cells = 0;   ///< that hold triangles
  int64_t vertices = 0, triangles = 0;
};

/// The surface of a volume in a lattice, as triangles in tiles. After an edit only the tiles that it may have changed
/// are made anew; the mesh is the very one that a fresh start gives, bit by bit, for any number of threads.
///
/// Marching cubes (Lorensen and Cline 1987) over the cells that the surface crosses, with the cases of cube_cases.h. A
/// vertex lies where f - T, taken as linear along an edge of the lattice, is 0; where neither end of the edge has a
/// feature (SurfaceSketch) h - z takes the place of f - T, so that upright edges meet the land exactly.
class SurfaceTiles {
 public:
  static constexpr int64_t most_points = 1 << 20;  ///< along an axis

  SurfaceTiles(Volume volume, const SurfaceLattice& lattice, const SurfaceOptions& options, const Context& context);
  SurfaceTiles(const SurfaceTiles&) = delete;
  SurfaceTiles& operator=(const SurfaceTiles&) = delete;

  /// Goes over to an edited volume. Returns the tiles made anew, in ascending order. Where it is cancelled or fails,
  /// all is as before.
  std::vector<int64_t> update(const Volume& edited, const Context& context);

  /// All tiles as one mesh.
  Mesh mesh(const Context& context) const;
  /// The same, and gives up the tiles.
  Mesh take(const Context& context);

  const SurfaceTiling& tiling() const { return tiling_; }
  const SurfaceOptions& options() const { return options_; }
  const SurfaceTile& tile(int64_t index) const { return tiles_[static_cast<size_t>(index)]; }
  /// Of all tiles, as they were last made.
  SurfaceFacts facts() const;

 private:
  static std::vector<SurfaceTile> make(const Volume& volume, const SurfaceFeatures& features,
                                       const SurfaceTiling& tiling, const SurfaceOptions& options,
                                       const std::vector<int64_t>& which, const Context& context);
  std::vector<int64_t> tiles_in(const Box3& box) const;
  void each_tile(size_t begin, size_t end, const Context& context, const std::function<void(size_t)>& act) const;
  MeshData join(const Context& context, bool give_up) const;

  Volume volume_;
  SurfaceTiling tiling_;
  SurfaceOptions options_;
  std::unique_ptr<const SurfaceFeatures> features_;
  mutable std::vector<SurfaceTile> tiles_;
};

}  // namespace tepui

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "tepui/core/skin.h"
#include "tepui/geology/geology.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/ground/ground.h"
#include "tepui/volume/cut_away.h"

namespace tepui {

class RockColumns;

/// What is known of the rock that a surface belongs to.
struct VolumeRock {
  std::optional<Geology> geology{};
  CutAway cut{};         ///< whose faces show the rock inside
  double tolerance = 0;  ///< metres from a face up to which the surface belongs to it; 0: there are none
};

/// A place of a volume's surface.
struct SurfacePlace {
  Vec3 at;                ///< metres in the world
  Vec3 normal{0, 0, 1};   ///< of unit length
  double footprint = 0;   ///< metres
  float resistance = -1;  ///< where the surface itself tells of its rock: 0 to 1, below 0 unknown
  int32_t stratum = -1;   ///< the same, which of the rocks with names
};

/// With a biome, where none is asked for: the coast at the sea, else the desert.
SkinParams skin_of_volume(SkinParams skin, const std::array<Vec3, 2>& box, std::optional<double> sea_level);

/// The natural look of the surface of a volume or a mesh: what a place on it is, from where it lies, how it is
/// inclined, the rock there and the rock above it. Pictures, files and maps ask the same of it.
class VolumeGround {
 public:
  /// The surface lies within `box`, its lower and its upper corner.
  VolumeGround(const SkinParams& skin, const std::array<Vec3, 2>& box, VolumeRock rock = {});

  /// The level of the sea, or of the water in its caves, in metres.
  void set_water(std::optional<double> level) { water_ = level; }
  /// What hides the sky from it; nothing does until it is told.
  void set_surface(const Mesh& mesh, const Context& context);

  GroundLook look(const SurfacePlace& place) const;
  /// The share of the light of even surroundings that arrives; 1 without a surface.
  float openness(Vec3 at, Vec3 normal) const;
  /// Of a face that is cut.
  Rgb cut(const SurfacePlace& place) const;
  /// Whether a place is on such a face; `facet` is the surface's normal, of any length.
  bool is_cut(Vec3 at, Vec3 facet) const;
  /// What look() tells the Ground.
  GroundPoint point(const SurfacePlace& place) const;

  const VolumeRock& rock() const { return rock_; }

 private:
  void know_rock(GroundPoint& point, const SurfacePlace& place) const;

  Vec3 low_;
  std::optional<double> water_;
  VolumeRock rock_;
  int32_t loose_ = -1;  ///< which of the rock's names means loose ground
  Ground ground_;
  std::shared_ptr<const RockColumns> columns_;
};

/// The rock that a mesh tells of by its attributes `resistance` and `strata`.
class RockOfMesh {
 public:
  explicit RockOfMesh(const Mesh& mesh);
  bool known() const { return resistance_ != nullptr; }
  /// Within a triangle, by the shares of its corners.
  void tell(const MeshTriangle& triangle, const std::array<double, 3>& shares, SurfacePlace& place) const;
  void tell(uint32_t vertex, SurfacePlace& place) const { tell({vertex, vertex, vertex}, {1, 0, 0}, place); }

 private:
  Mesh mesh_;
  const MeshAttribute *resistance_ = nullptr, *strata_ = nullptr;
};

}  // namespace tepui

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "tepui/core/skin.h"
#include "tepui/geology/geology.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/ground/ground.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/cut_away.h"

namespace tepui {

class LandCover;
class RockColumns;

/// What is known of the rock that a surface belongs to.
struct VolumeRock {
  std::optional<Geology> geology{};
  CutAway cut{};                  ///< whose faces show the rock inside
  double tolerance = 0;           ///< metres from a face up to which the surface belongs to it; 0: there are none
  std::optional<Terrain> land{};  ///< that it was made of: its layers lie where the surface still is the land's
  double spacing = 0;             ///< metres between the vertices of the surface, which lies so much beside the land
};
/// The usual one of a mesh.
double spacing_of(const Mesh& mesh);

/// A place of a volume's surface.
struct SurfacePlace {
  Vec3 at;                ///< metres in the world
  Vec3 normal{0, 0, 1};   ///< of unit length
  double footprint = 0;   ///< metres
  float resistance = -1;  ///< where the surface itself tells of its rock: 0 to 1, below 0 unknown
  int32_t stratum = -1;   ///< the same, which of the rocks with names
};

/// The natural look of the surface of a volume or a mesh: what a place on it is, from where it lies, how it is
/// inclined, the rock there and the rock above it, and what lay on the land there. Pictures, files and maps ask the
/// same of it.
class VolumeGround {
 public:
  /// The surface lies within `box`, its lower and its upper corner. Where no biome is asked for, it is the one that the
  /// layers on the land tell of, else the coast at the sea, else the desert.
  VolumeGround(const SkinParams& skin, const std::array<Vec3, 2>& box, std::optional<double> sea_level,
               VolumeRock rock = {}, const Context& context = {});

  /// The level of the sea, or of the water in its caves, in metres.
  void set_water(std::optional<double> level) { water_ = level; }
  /// What hides the sky from it; nothing does until it is told.
  void set_surface(const Mesh& mesh, const Context& context);
  void set_surface(std::shared_ptr<const RockColumns> columns) { columns_ = std::move(columns); }

  GroundLook look(const SurfacePlace& place) const { return look(point(place)); }
  GroundLook look(const GroundPoint& point) const { return ground_.look(point); }
  /// The share of the light of even surroundings that arrives; 1 without a surface.
  float openness(Vec3 at, Vec3 normal) const;
  /// Of a face that is cut.
  Rgb cut(const SurfacePlace& place) const;
  /// Whether a place is on such a face; `facet` is the surface's normal, of any length.
  bool is_cut(Vec3 at, Vec3 facet) const;
  /// What look() tells the Ground.
  GroundPoint point(const SurfacePlace& place) const;
  /// How much of a place is the surface of the land that it was made of, 0 to 1; 0 where nothing lay on that.
  float land_share(const SurfacePlace& place) const;

  const VolumeRock& rock() const { return rock_; }

 private:
  void know_rock(GroundPoint& point, const SurfacePlace& place, float land) const;

  Vec3 low_;
  std::optional<double> water_;
  VolumeRock rock_;
  int32_t loose_ = -1;  ///< which of the rock's names means loose ground
  std::shared_ptr<const LandCover> cover_;
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

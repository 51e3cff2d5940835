#pragma once

#include <array>
#include <optional>

#include "tepui/core/skin.h"
#include "tepui/geology/geology.h"
#include "tepui/render/ground/ground.h"
#include "tepui/volume/cut_away.h"

namespace tepui {

/// What is known of the rock that a surface belongs to.
struct VolumeRock {
  std::optional<Geology> geology{};
  CutAway cut{};         ///< whose faces show the rock inside
  double tolerance = 0;  ///< metres from a face up to which the surface belongs to it; 0: there are none
};

/// The natural look of the surface of a volume or a mesh: what a place on it is, from where it lies, how it is inclined
/// and the rock there. Positions are metres in the world; pictures, files and maps ask the same of it.
class VolumeGround {
 public:
  /// The surface lies within `box`, its lower and its upper corner.
  VolumeGround(const SkinParams& skin, const std::array<Vec3, 2>& box, VolumeRock rock = {});

  /// The level of the sea, or of the water in its caves, in metres.
  void set_water(std::optional<double> level) { water_ = level; }

  /// `shelter` is the share of the sky above that rock hides; the footprint is in metres.
  GroundLook look(Vec3 at, Vec3 normal, double footprint, float shelter = 0) const;
  /// Of a face that is cut.
  Rgb cut(Vec3 at, Vec3 normal, double footprint) const;
  /// Whether a place is on such a face; `facet` is the surface's normal, of any length.
  bool is_cut(Vec3 at, Vec3 facet) const;
  /// What look() tells the Ground.
  GroundPoint point(Vec3 at, Vec3 normal, double footprint) const;

  const VolumeRock& rock() const { return rock_; }

 private:
  void know_rock(GroundPoint& point, Vec3 at) const;

  Vec3 low_, high_;
  std::optional<double> water_;
  VolumeRock rock_;
  Ground ground_;
};

}  // namespace tepui

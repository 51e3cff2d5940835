#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/skin.h"
#include "tepui/render/ground/land_ground.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/land_sheet.h"

namespace tepui {

/// What lies on the land that a volume was made of, for those parts of the volume's surface that still are the land's:
/// caves, fresh walls and what has been moved have none of it. Nor have they what rules would put there instead: a
/// layer tells of all places.
class LandCover {
 public:
  /// Whether layers of a land tell what lies on it.
  static bool tells(const Terrain& land);

  LandCover(const Terrain& land, const SkinParams& skin, const Context& context);

  /// How much the surface at a place is that of the land, 0 to 1: all of it where it lies no further from the land than
  /// `near` metres and a tenth of a cell, and faces where that does; none of it at twice as far.
  float share(Vec3 at, Vec3 normal, double near) const;
  /// What the layers tell of a place of which so much is the land's.
  void tell(GroundPoint& point, Vec3 at, float share) const;

 private:
  LandSheet sheet_;
  LandGround ground_;
  GroundPoint any_;  ///< a place of the land: which kinds its layers tell of
};

}  // namespace tepui

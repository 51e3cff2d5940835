#pragma once

#include "tepui/core/params.h"
#include "tepui/volume/volume.h"

// How operators on volumes read places that users give.

namespace tepui {

/// What the numbers of places and sizes are: per cent, x and y from the world's south-west corner along its sides, z
/// and sizes of its shorter side; or metres of the world.
enum class Positions { percent, metres };

/// What heights are counted from.
enum class Heights { ground, sea_level };

class Placing {
 public:
  /// `land` may be nullptr: then there is no ground to count from, and heights are above sea level.
  Placing(const Frame& world, const Volume* land, Positions positions, Heights heights);

  /// Metres of the world. On `ground`, z is counted from the land's sheet at that place, as it was before anything was
  /// carved into it; where it has none, from the highest rock there. Refuses places where there is no rock.
  Vec3 place(Vec3 at) const;
  Vec3 size(Vec3 half) const;
  double length(const Length& length) const { return length.in(world_); }

 private:
  double ground(double x, double y) const;

  const Frame& world_;
  const Volume* land_;
  Positions positions_;
  Heights heights_;
  SurfaceSketch sketch_;
};

/// Adds `positions` and `heights`, the same for all who place something.
template <class P>
void describe_placing(Fields<P>& f) {
  f("positions", static_cast<Positions P::*>(&P::positions), {"percent", "metres"},
    "unit of positions and sizes: % of the world's sides from its south-west corner, or metres");
  f("heights", static_cast<Heights P::*>(&P::heights), {"ground", "sea_level"}, "where heights are measured from");
}

}  // namespace tepui

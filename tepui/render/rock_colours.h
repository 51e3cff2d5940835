#pragma once

#include <vector>

#include "tepui/core/vec.h"
#include "tepui/render/colour.h"

namespace tepui {

/// What the natural colour of a place depends on.
struct Place {
  double x = 0, y = 0;  ///< position as a share of the land's longer side
  float level = 0;      ///< height within the land's range, 0 to 1
  float slope = 0;      ///< tangent
  float rise = 0;       ///< height above the surroundings, as a share of the range
  float material = -1;  ///< class as a share of the highest class; below 0 where unknown
  float hardness = -1;  ///< below 0 where unknown
};

/// Desert rock after Monument Valley: thin dark red beds at the foot, one massive red-orange bed, buff caprock; pale
/// talus at 25 to 38 degrees; dusty red-tan plains with sage. Beds have hashed thickness and colour.
class RockColours {
 public:
  RockColours();
  /// Reflectance in linear light.
  Rgb at(const Place& place) const;
  /// Slopes of the small relief that the samples do not hold: joints that flute the cliffs, ripples on the plains.
  static Vec2 roughness(const Place& place);
  /// A cut through the beds, as on the block's walls; below level 0 they go on.
  Rgb bed(double along, float level) const;

 private:
  Rgb strata(float level) const;
  std::vector<Rgb> table_;
};

/// Water of the given depth (as a share of the deepest) over a bed of the given reflectance.
Rgb water_colour(Rgb bed, float depth);

}  // namespace tepui

#pragma once  // internal

#include "tepui/core/season.h"
#include "tepui/core/vec.h"
#include "tepui/render/light/colour.h"

namespace tepui {

/// What a planet's picture goes by at a place. Heights and depths are metres of a planet of the Earth's size.
struct PlanetSpot {
  double height = 0;       ///< of the ground above the sea: below 0 the sea's floor
  double water = 0;        ///< its depth, of the sea or a lake; 0 for none
  bool lake = false;       ///< whether that water is a lake's
  double ice = 0;          ///< thickness
  double temperature = 0;  ///< mean of the year on the surface, degrees Celsius
  double season = 0;       ///< half the difference between the warmest and the coldest month, kelvin
  double rain = 0;         ///< metres a year
  double hardness = 1;     ///< of the rock, 1 being common
  double slope = 0;        ///< of the ground at the size of a pixel, a tangent
  double shade = 0;    ///< in [-1, 1]: a hollow or slope away from the sun's course that keeps snow, or the opposite
  double river = 0;    ///< share of a river's water in what is seen
  double patches = 0;  ///< in [-1, 1]: noise by which one kind of ground gives way to another
  double fine = 0;     ///< the same of what is small beside the picture
  double broad = 0;    ///< the same over hundreds of kilometres
};

/// How a place looks from above.
struct PlanetLook {
  Rgb albedo;           ///< of land, ice and snow; of water, what it sends back from below its surface
  float water = 0;      ///< share of open water, which mirrors
  float roughness = 0;  ///< mean square slope of its waves
};

/// The ground of a planet in the colours of photographs from space: deserts where too little rain falls for the warmth,
/// forests where there is enough of both, tundra and bare rock where it is cold, snow and ice where they last; seas by
/// their depth and warmth.
PlanetLook planet_look(const PlanetSpot& spot, Season season);

}  // namespace tepui

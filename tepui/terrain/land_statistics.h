#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// A number that characterises a land as a whole.
struct LandNumber {
  std::string name;  ///< "height_p50"
  double value = 0;
  std::string unit;  ///< "m", "deg", "" for none
};

/// What the shape of the ground says of a land, in this order:
///   height_p5, _p25, _p50, _p75, _p95   m, nearest-rank percentiles of the heights
///   slope_p5, ... _p95                  degrees, of the slopes to the next samples (Horn 1981)
///   hypsometric_integral                (mean - lowest) / (highest - lowest), the area under the hypsometric curve
///   (Pike
///                                       and Wilson 1971); none of level land
/// What a file left void does not count, nor does the slope of a sample next to it.
std::vector<LandNumber> land_statistics(const Terrain& land, const Context& context);

/// The area under the hypsometric curve; none of level land.
std::optional<double> hypsometric_integral(const Terrain& land, const Context& context);

/// A point of the hypsometric curve (Strahler 1952).
struct HypsometricPoint {
  double relative_height = 0;  ///< from the lowest, 0, to the highest, 1
  double share_above = 0;      ///< of the samples that lie so high or higher
  double height = 0;           ///< metres
};

/// At parts + 1 even heights from the lowest to the highest; of level land two points, 1 at both. What is void does not
/// count.
std::vector<HypsometricPoint> hypsometric_curve(const Terrain& land, int parts, const Context& context);

}  // namespace tepui

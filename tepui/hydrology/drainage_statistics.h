#pragma once

#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/terrain/land_statistics.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Slopes of channels by the area that they drain.
struct SlopeArea {
  struct Bin {
    double area = 0;   ///< Square metres: the geometric mean of the bin's samples.
    double slope = 0;  ///< Metres a metre: the geometric mean.
    int64_t samples = 0;
  };
  std::vector<Bin> bins;  ///< Ten for each power of ten of the area, those with samples.
  /// Of slope = steepness area^-concavity, fitted to the bins with at least ten samples; none with fewer than three.
  std::optional<double> concavity;
  std::optional<double> steepness;
};

/// Channels begin where they drain the area `source` (square metres), a five-hundredth of the land if it is not given.
/// A sample's slope is that of the filled land over the next eight samples downstream.
SlopeArea slope_area(const Terrain& land, std::optional<double> source, std::optional<double> sea_level,
                     const Context& context);

/// A river from its mouth up to its head.
struct RiverProfile {
  struct Point {
    double distance = 0;  ///< Metres upstream of the mouth.
    double height = 0;    ///< Metres, of the filled land.
    double drainage = 0;  ///< Square metres.
    double chi = 0;       ///< Metres: the integral of (1 km2 / drainage)^0.45 from the mouth (Perron and Royden 2013).
  };
  std::vector<Point> points;
};

/// Of the rivers that drain most at their mouths, at most `count` of them; the largest first. Where rivers meet, the
/// profile goes up the one that drains more.
std::vector<RiverProfile> river_profiles(const Terrain& land, int count, std::optional<double> source,
                                         std::optional<double> sea_level, const Context& context);

/// What water says of a land, in this order; what the land has too few channels for is left out:
///   pits_per_thousand  pits in a thousand samples
///   drainage_density   km of channel for each km2
///   concavity          theta of slope = ks area^-theta (Flint 1974), of channels
///   ksn                median of slope area^0.45 over the channels, in m^0.9 (Wobus et al. 2006)
///   hack_exponent      h of length = c area^h, length being that of the longest way down to a sample (Hack 1957)
///   axis_share         of the channels' ways over 12 samples those within 4.5 degrees of a multiple of 45 degrees; 0.2
///   if
///                      the grid does not show
std::vector<LandNumber> drainage_statistics(const Terrain& land, std::optional<double> source,
                                            std::optional<double> sea_level, const Context& context);

}  // namespace tepui

#pragma once

namespace tepui::test {

/// Of the Earth with its ice: the share of the surface in bins of 500 m from -11 km to 5.5 km, after ETOPO1. A test of
/// files compares them with the map itself.
inline constexpr double earth_heights[] = {0,     0,     0,     0,     0,     0,     0,     0,     0.001, 0.006, 0.043,
                                           0.098, 0.112, 0.114, 0.093, 0.065, 0.038, 0.024, 0.017, 0.014, 0.013, 0.069,
                                           0.162, 0.053, 0.030, 0.014, 0.009, 0.007, 0.006, 0.004, 0.002, 0.002, 0.001};
inline constexpr double earth_bin = 500, earth_lowest = -11000;

}  // namespace tepui::test

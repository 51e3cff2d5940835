#pragma once

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/random.h"

// Heights along a line: the two-dimensional forms of `uplift` and `brownian`, of which skylines are made. A value is a
// function of its position, so that a line of twice as many steps goes through the same points.

namespace tepui {

/// Positions along a line: `samples` from 0 to `length` metres, evenly; a single one lies at 0.
struct ProfileLine {
  int64_t samples = 1;
  double length = 1;

  double x(int64_t i) const {
    return static_cast<double>(i) * (length / static_cast<double>(samples - 1 + (samples < 2)));
  }
};

/// Tents whose tops are drawn evenly along the line, their heights evenly from [low, high] metres.
struct UpliftProfile {
  int64_t peaks = 20;
  double low = 0, high = 1;
  double ruggedness = 1;  ///< slope of the tents' sides, metres a metre; 0: each lifts the whole line
};

struct ProfilePeak {
  double position = 0;  ///< metres along the line
  double height = 0;    ///< metres
};

/// Peaks [first, first + count). Each depends on the stream, its index and the line's length only. Refuses negative
/// heights and ruggedness, and low > high.
std::vector<ProfilePeak> draw_profile_peaks(const ProfileLine& line, const UpliftProfile& model, const Stream& stream,
                                            int64_t first, int64_t count);

/// Rankin's skyline: y = (1/N_p) sum over the peaks of max(0, y_p - R |x - x_p|), added in the order of the peaks; 0
/// without peaks.
std::vector<double> uplift_profile(const ProfileLine& line, const UpliftProfile& model, const Stream& stream,
                                   const Context& context);

/// A fractional Brownian curve; lengths in metres.
struct BrownianProfile {
  double hurst = 0.5;    ///< in (0, 1)
  double size = 1;       ///< distance between the largest hills
  double detail = 0.01;  ///< distance between the smallest crags
};

/// A straight cut through the surface that `brownian` describes, which has the same Hurst exponent: values within
/// [-1, 1], around 0. Refuses H outside (0, 1).
std::vector<double> brownian_profile(const ProfileLine& line, const BrownianProfile& model, const Stream& stream,
                                     const Context& context);

}  // namespace tepui

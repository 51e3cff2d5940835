#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"

namespace tepui {

enum class TurbulenceAlong {
  height,  ///< level strata
  space,   ///< lumps, alike in all directions
};

struct TurbulenceParams {
  TurbulenceAlong along = TurbulenceAlong::height;
  Length wavelength = percent(5);
  int octaves = 5;
  double contrast = 3;
  Interval resistance{0, 1};
  Seed seed;
};
void describe(Fields<TurbulenceParams>& f);

/// Rock of turbulent resistance: level strata of many thicknesses, or lumps. Paris et al. 2019, section 4.1, with n
/// noise summed over octaves, each half as strong and twice as fine as the one before, and lambda the `wavelength`:
///
///   rho(p) = low + (high - low) t,   t = (1 + s(n)) / 2,   n = n(z / lambda) or n(p / lambda) in [-1, 1],
///   s(n) = c n / sqrt(1 + (c^2 - 1) n^2)
///
/// The paper's sum reaches 2 - 2^-o; t stays within [0, 1]. Sums of noise are seldom far from 0, so that little of it
/// would be very hard or very soft: `contrast` c spreads them over the whole of `resistance`, in order; 1 is the
/// paper's.
Geology turbulence(const Frame& world, const TurbulenceParams& params, const Context& context);

/// The noise that it is made of.
struct NoiseSpec;
NoiseSpec turbulence_noise(const Frame& world, const TurbulenceParams& params);

}  // namespace tepui

#pragma once

#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/math.h"
#include "tepui/core/params.h"
#include "tepui/core/random.h"
#include "tepui/landforms/surface_samples.h"
#include "tepui/volume/primitive.h"

// What operators that wear back a surface, pass after pass, have in common.

namespace tepui {

/// `metres`: by depths; `paper`: by the energies of Paris et al. 2019.
enum class CarvingForm { metres, paper };

/// How weak rock is: 1 up to the lower end of `weak`, 0 from the upper end on. With more contrast than 1 - rho: hard
/// and weak rock that lose nearly the same look alike.
inline double weakness(double resistance, Interval weak) {
  return 1 - math::smoothstep(weak.low, weak.high, resistance);
}

/// (1 - u^2)^3 within 1 of 0, and 0 beyond: how what wears rock fades with distance, as the fields of points do.
double fading(double u);

/// e(rho, sigma) = sigma ((1 - rho)(1 - beta) + beta), beta = 0.1: the effect of erosion of strength sigma on rock
/// (Paris et al. 2019, section 6.1).
double erosion_effect(double resistance, double strength);

struct SheetParams {
  double radius = 5;   ///< of the points' falloff, metres: half as long again or two thirds of it, by chance
  double spacing = 2;  ///< of the samples
  double least = 0;    ///< shallower than this is left
};

/// Points at samples of a surface that together move it inwards by `depth` metres, which may change from sample to
/// sample. A point's falloff is at least 1.35 of its depth. Points that would reach rock of resistance 1 are left out,
/// as far as fourteen places within their falloff tell.
std::vector<FieldPoint> sheet_points(const Volume& volume, const Geology& rock, std::span<const SurfaceSample> samples,
                                     std::span<const float> depth, const SheetParams& params, const Stream& random,
                                     const Context& context);

/// Leaves out those that would reach rock of resistance 1.
std::vector<FieldPoint> sparing_hardest(std::vector<FieldPoint> points, const Geology& rock, const Context& context);

}  // namespace tepui

#pragma once

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/params.h"
#include "tepui/generate/profiles.h"
#include "tepui/terrain/lines.h"

namespace tepui {

enum class SkylineKind {
  uplift,    ///< the mean of tents: worn-down mountains
  brownian,  ///< a fractional Brownian curve: crags
};

struct SkylineParams {
  SkylineKind kind = SkylineKind::uplift;
  int64_t points = 2049;
  int64_t ranges = 5;
  double foothills = 0.3;
  int64_t peaks = 30;
  LengthInterval peak_height{percent(10), percent(150)};
  double ruggedness = 8;
  bool tents = false;
  double hurst = 0.75;
  Length height = percent(20);
  Length size = percent(60);
  Length detail = percent(0.1);
  Seed seed;
};
void describe(Fields<SkylineParams>& f);

/// Ridges of mountains against the sky, from the world's west edge to its east edge: lines of z over x.
///
/// `uplift` is Rankin's 2D model: z = (1/N_p) sum over the peaks of max(0, y_p - R |x - x_p|), whose tents are
/// `peak_height` high and y_p / R wide to each side. `brownian` is the curve that the paper sets against it (its Fig.
/// 5): z rises from 0 by `height` at its highest. Rankin 2015, Figs 4-7; Mandelbrot and Van Ness 1968.
///
/// The first line, "range 1", is the farthest, along the world's north edge, and does not change with the number of
/// ranges. Each of the others stands nearer, is drawn from a stream of its own, and is lower, down to `foothills` times
/// the heights of its model along the south edge. With `tents` every tent follows its range as a line of its own, "tent
/// 1 of range 1".
///
/// Where we differ: peaks lie in continuous positions, so that a line of twice as many steps goes through the same
/// points; the Brownian curve's range is measured on a fixed lattice of the whole line, and it ends at the ground.
/// Without peaks the line is the ground.
Lines skyline(const Frame& world, const SkylineParams& params, const Context& context);

/// The draws of range 1, 2, ...
Stream skyline_stream(const Seed& seed, int64_t range);

/// Whether a skyline's line is one of the tents that a range is the mean of.
bool is_tent(std::string_view name);

}  // namespace tepui

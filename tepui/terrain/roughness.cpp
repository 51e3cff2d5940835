#include "tepui/terrain/roughness.h"

#include <cmath>

#include "tepui/terrain/cells.h"
#include "tepui/terrain/window_extremes.h"
#include "tepui/terrain/window_sums.h"

namespace tepui {

namespace {

Halo halo_of(const RoughnessParams& params, const Frame& frame) { return window_halo(frame, params.radius.in(frame)); }

/// In quanta.
double rough(const WindowSum& window, RoughnessMeasure measure, int64_t here) {
  switch (measure) {
    case RoughnessMeasure::residual:
      return std::sqrt(window.squares_from_plane() / window.count());
    case RoughnessMeasure::difference:
      return std::sqrt(window.squares_from(here) / std::fmax(window.count() - 1, 1.0));
    case RoughnessMeasure::deviation:
    case RoughnessMeasure::range:
      break;
  }
  return std::sqrt(window.squares_from_mean() / window.count());
}

Grid<float> ranges(const Terrain& in, Halo halo, const Context& context) {
  WindowExtremes extremes = window_extremes(in.height(), halo, context);
  for (int64_t i = 0; i < extremes.high.size(); ++i)
    extremes.high.data()[i] = to_cell(static_cast<double>(extremes.high.data()[i]) - extremes.low.data()[i]);
  return std::move(extremes.high);
}

}  // namespace

void describe(Fields<RoughnessParams>& f) {
  f.about("Measure how uneven the land is within a radius: the layer 'roughness', in metres");
  f.window(halo_of, "radius");
  f.example("noise sum=ridged | {}");
  f("measure", &RoughnessParams::measure, {"residual", "deviation", "difference", "range"},
    "deviation from the plane of best fit, deviation of the heights, root mean square difference from the sample "
    "(ruggedness index), or highest less lowest")
      .sweep("residual", "deviation", "range");
  f("radius", &RoughnessParams::radius, open_range(0, 1e9),
    "how far the square that is looked at reaches along x and y; at least the next samples")
      .slider(0, 1000)
      .sweep("0.5%", "2%", "6%");
}

Terrain roughness(const Terrain& in, const RoughnessParams& params, const Context& context) {
  const Frame& frame = in.frame();
  const Halo halo = halo_of(params, frame);
  Grid<float> values;
  if (params.measure == RoughnessMeasure::range) {
    values = ranges(in, halo, context);
  } else {
    values = Grid<float>(frame.width, frame.height);
    const HeightSteps steps(frame);
    for_window_sums(in, halo, params.measure == RoughnessMeasure::residual, context,
                    [&](int64_t y, std::span<const WindowSum> sums) {
                      const float* z = in.height().row(y);
                      for (int64_t x = 0; x < frame.width; ++x)
                        values(x, y) = to_cell(steps.quantum *
                                               rough(sums[static_cast<size_t>(x)], params.measure, steps.steps(z[x])));
                    });
  }
  return in.with(make_layer("roughness", "m", LayerKind::continuous, std::move(values)));
}

}  // namespace tepui

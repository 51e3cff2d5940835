#include "tepui/terrain/relative_height.h"

#include <cmath>

#include "tepui/terrain/cells.h"
#include "tepui/terrain/window_extremes.h"
#include "tepui/terrain/window_sums.h"

namespace tepui {

namespace {

Halo halo_of(const RelativeHeightParams& params, const Frame& frame) {
  return window_halo(frame, params.radius.in(frame));
}

Grid<float> shares(const Terrain& in, Halo halo, const Context& context) {
  const Grid<float>& z = in.height();
  WindowExtremes extremes = window_extremes(z, halo, context);
  for (int64_t i = 0; i < z.size(); ++i) {
    const double low = extremes.low.data()[i], span = static_cast<double>(extremes.high.data()[i]) - low;
    float& share = extremes.high.data()[i];
    share = span > 0 ? static_cast<float>((static_cast<double>(z.data()[i]) - low) / span) : 0.5f;
  }
  return std::move(extremes.high);
}

Grid<float> above_mean(const Terrain& in, Halo halo, bool in_deviations, const Context& context) {
  const Frame& frame = in.frame();
  const HeightSteps steps(frame);
  Grid<float> values(frame.width, frame.height);
  for_window_sums(in, halo, false, context, [&](int64_t y, std::span<const WindowSum> sums) {
    const float* z = in.height().row(y);
    for (int64_t x = 0; x < frame.width; ++x) {
      const WindowSum& window = sums[static_cast<size_t>(x)];
      // The division comes last: on level land the difference is exactly nothing.
      const WideSum count = static_cast<WideSum>(window.across) * window.along;
      const double above = static_cast<double>(count * steps.steps(z[x]) - window.sum) / window.count();
      const double deviation = in_deviations ? std::sqrt(window.squares_from_mean() / window.count()) : 0;
      values(x, y) = to_cell(!in_deviations ? steps.quantum * above : deviation > 0 ? above / deviation : 0);
    }
  });
  return values;
}

}  // namespace

void describe(Fields<RelativeHeightParams>& f) {
  f.about("Measure how high land lies above what is around it: the layer 'relative_height', topographic position");
  f.window(halo_of, "radius");
  f.example("noise sum=ridged | {}");
  f("measure", &RelativeHeightParams::measure, {"mean", "deviations", "share"},
    "metres above the mean, the same in standard deviations, or where between the lowest, 0, and the highest, 1")
      .sweep("mean", "deviations", "share");
  f("radius", &RelativeHeightParams::radius, open_range(0, 1e9),
    "how far the square that is looked at reaches along x and y; at least the next samples")
      .slider(0, 1000)
      .sweep("1%", "5%", "20%");
}

Terrain relative_height(const Terrain& in, const RelativeHeightParams& params, const Context& context) {
  const Halo halo = halo_of(params, in.frame());
  const bool metres = params.measure == RelativeHeightMeasure::mean;
  Grid<float> values = params.measure == RelativeHeightMeasure::share ? shares(in, halo, context)
                                                                      : above_mean(in, halo, !metres, context);
  return in.with(make_layer("relative_height", metres ? "m" : "", LayerKind::continuous, std::move(values)));
}

}  // namespace tepui

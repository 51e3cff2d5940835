#include "tepui/terrain/slope.h"

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

void describe(Fields<SlopeParams>& f) {
  f.about("Measure how steep the land is: the layer 'slope'");
  f.window(
      [](const SlopeParams& p, const Frame& frame) { return gradient_halo(frame, distance_in(p.distance, frame)); },
      "distance");
  f.example("table_mountain | {}");
  f("unit", &SlopeParams::unit, {"degrees", "percent", "tangent"},
    "degrees from level, per cent (100 is 45 degrees), or the tangent of the angle");
  f("distance", &SlopeParams::distance, open_range(0, 1e9),
    "from a sample to those on each side that it is compared with, rounded to cells; auto: the next samples")
      .slider(0, 1000)
      .sweep("1%", "4%", "10%");
}

Terrain slope(const Terrain& in, const SlopeParams& params, const Context& context) {
  Grid<float> values = slope_grid(in, distance_in(params.distance, in.frame()), context.stage("measure", 0, 0.5));
  parallel_chunks(values.size(), 65536, context.stage("convert", 0.5, 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double tangent = static_cast<double>(values.data()[i]);
      values.data()[i] = params.unit == SlopeUnit::degrees   ? static_cast<float>(math::degrees(math::atan(tangent)))
                         : params.unit == SlopeUnit::percent ? to_cell(100 * tangent)
                                                             : to_cell(tangent);
    }
  });
  const char* const units[] = {"deg", "%", ""};
  return in.with(
      make_layer("slope", units[static_cast<size_t>(params.unit)], LayerKind::continuous, std::move(values)));
}

}  // namespace tepui

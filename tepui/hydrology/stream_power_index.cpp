#include "tepui/hydrology/stream_power_index.h"

#include "tepui/core/parallel.h"
#include "tepui/hydrology/specific_area.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

void describe(Fields<StreamPowerIndexParams>& f) {
  f.about("Measure where running water has the power to carve: area drained times slope");
  f.example("noise height=400m | {}");
  f("exponent", &StreamPowerIndexParams::exponent, Range{0.1, 20},
    "of Freeman's flow, for land without a layer 'drainage'")
      .sweep("0.5", "1.1", "8");
}

Terrain stream_power_index(const Terrain& in, const StreamPowerIndexParams& params, const Context& context) {
  Grid<float> index = specific_area(in, params.exponent, context.stage("drainage", 0, 0.8));
  const Grid<float> slope = slope_grid(in, context.stage("slope", 0.8, 0.9));
  parallel_chunks(index.height(), rows_per_chunk(index.width()), context.stage("index", 0.9, 1),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin * index.width(); i < end * index.width(); ++i)
                      index.data()[i] = to_cell(static_cast<double>(index.data()[i]) * slope.data()[i]);
                  });
  return in.with(make_layer("stream_power_index", "m", LayerKind::continuous, std::move(index)));
}

}  // namespace tepui

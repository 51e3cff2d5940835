#include "tepui/hydrology/wetness.h"

#include <algorithm>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/hydrology/specific_area.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

void describe(Fields<WetnessParams>& f) {
  f.about("Measure where the ground is wet: the topographic wetness index");
  f.example("noise height=400m | {}");
  f("exponent", &WetnessParams::exponent, Range{0.1, 20}, "of Freeman's flow, for land without a layer 'drainage'");
  f("least_slope", &WetnessParams::least_slope, Range{0.001, 45}, "what level ground counts as")
      .unit("degrees")
      .slider(0.01, 2)
      .sweep("0.1", "1", "10");
}

Terrain wetness(const Terrain& in, const WetnessParams& params, const Context& context) {
  const double least = math::tan(math::radians(params.least_slope));
  Grid<float> index = specific_area(in, params.exponent, context.stage("drainage", 0, 0.8));
  const Grid<float> slope = slope_grid(in, context.stage("slope", 0.8, 0.9));
  parallel_chunks(index.height(), rows_per_chunk(index.width()), context.stage("index", 0.9, 1),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin * index.width(); i < end * index.width(); ++i)
                      index.data()[i] = to_cell(math::log(index.data()[i] / std::max<double>(slope.data()[i], least)));
                  });
  return in.with(make_layer("wetness", "", LayerKind::continuous, std::move(index)));
}

}  // namespace tepui

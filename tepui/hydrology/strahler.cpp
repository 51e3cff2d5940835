#include "tepui/hydrology/strahler.h"

#include <algorithm>

#include "tepui/hydrology/sea_level.h"
#include "tepui/hydrology/streams.h"

namespace tepui {

void describe(Fields<StrahlerParams>& f) {
  f.about("Find the channels of the land and their order: 1 at the heads, more below each meeting of equals");
  f.example("noise height=400m | {} source=200");
  f("source", &StrahlerParams::source, Range{0, 1e15},
    "the area that makes a channel; auto: a five-hundredth of the land")
      .unit("m2")
      .slider(0, 1e6)
      .sweep("2000", "10000", "50000");
  describe_sea_level(f);
}

Terrain strahler(const Terrain& in, const StrahlerParams& params, const Context& context) {
  const Streams streams(in, params.source, params.sea_level, context.stage("streams", 0, 0.8));
  const Grid<uint8_t> orders = streams.strahler(streams.channels(context.stage("order", 0.8, 1)));
  Grid<float> cells(orders.width(), orders.height());
  std::copy(orders.cells().begin(), orders.cells().end(), cells.data());
  Layer layer = make_layer("strahler", "", LayerKind::category, std::move(cells));
  layer.classes = 1 + (orders.empty() ? 0 : *std::max_element(orders.cells().begin(), orders.cells().end()));
  return in.with(std::move(layer));
}

}  // namespace tepui

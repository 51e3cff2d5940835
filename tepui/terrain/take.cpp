#include "tepui/terrain/take.h"

#include "tepui/terrain/normalise.h"

namespace tepui {

void describe(Fields<TakeParams>& f) {
  f.about("Turn one layer into a land, with its values as heights");
  f.reach(Reach::whole);
  f.example("circular_faults | weathering | {}");
  f("layer", &TakeParams::layer, "which layer").sweep("bedrock", "sediment", "wear");
}

Terrain take(const Terrain& in, const TakeParams& params, const Context& context) {
  Layer layer = in.layer(params.layer);
  const MinMax range = min_max(layer.grid(), context);
  layer.name = "height";
  layer.unit = "m";
  layer.kind = LayerKind::continuous;
  layer.classes = 0;
  return Terrain(in.frame(), {static_cast<double>(range.low), static_cast<double>(range.high)}).with(std::move(layer));
}

}  // namespace tepui

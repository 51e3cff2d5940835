#include "tepui/terrain/aspect.h"

#include "tepui/terrain/derivatives.h"

namespace tepui {

void describe(Fields<AspectParams>& f) {
  f.about("Measure where slopes face: the layer 'aspect', degrees clockwise from north, -1 on level ground");
  f.window(
      [](const AspectParams& p, const Frame& frame) { return gradient_halo(frame, distance_in(p.distance, frame)); },
      "distance");
  f.example("circular_faults | {}");
  f("distance", &AspectParams::distance, open_range(0, 1e9),
    "from a sample to those on each side that it is compared with, rounded to cells; auto: the next samples")
      .slider(0, 1000)
      .sweep("1%", "4%", "10%");
}

Terrain aspect(const Terrain& in, const AspectParams& params, const Context& context) {
  return in.with(make_layer("aspect", "deg", LayerKind::continuous,
                            aspect_grid(in, distance_in(params.distance, in.frame()), context)));
}

}  // namespace tepui

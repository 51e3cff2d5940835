#include "tepui/terrain/paint_params.h"

namespace tepui {

void describe(Fields<PaintParams>& f) {
  f.about("Paint on the land with strokes of a brush: raise, lower, level, set, smooth, or fill in a layer");
  f.example("read_lines file=recipes/data/strokes.geojson | noise height=240 | {} in=noise strokes=read_lines");
  f("tool", &PaintParams::tool, {"raise", "lower", "level", "set", "smooth", "layer"},
    "what strokes do that name no tool themselves: level goes to the height where the stroke began, set to its own "
    "heights, smooth to the mean around");
  f("radius", &PaintParams::radius, open_range(0, 1e9), "how far the brush reaches").slider(1, 500);
  f("hardness", &PaintParams::hardness, Range{0, 1},
    "share of the radius within which the brush has its full strength");
  f("strength", &PaintParams::strength, Range{0, 1}, "share of the way that a stroke goes").sweep("0.2", "0.6", "1");
  f("amount", &PaintParams::amount, Range{-1e9, 1e9}, "how far 'raise' and 'lower' move the ground").slider(0, 200);
  f("target", &PaintParams::target, Range{-1e9, 1e9},
    "height for 'level' and 'set'; auto: where the stroke began, and the stroke's own heights");
  f("layer", &PaintParams::layer, "layer that the tool 'layer' paints; one called 'mask' goes from 0 to 1");
  f("value", &PaintParams::value, Range{-1e9, 1e9}, "value that the tool 'layer' gives").slider(0, 1);
}

}  // namespace tepui

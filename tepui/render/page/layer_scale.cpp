#include "tepui/render/page/layer_scale.h"

#include <algorithm>
#include <cmath>

namespace tepui {

bool wraps(const Layer& layer) { return layer.name == "aspect"; }

ColourScale scale_of(const Layer& layer, ColourMap map, const std::optional<Interval>& range, Interval own) {
  if (map == ColourMap::by_layer && wraps(layer)) {
    const Interval turn = range.value_or(Interval{0, 360});
    return {ColourMap::compass, turn.low, turn.high, layer.name, layer.unit};
  }
  const Interval ends = range.value_or(own);
  if (map == ColourMap::by_layer) {
    // What rounding leaves on the other side of zero does not count.
    const auto [less, more] = std::minmax({-ends.low, ends.high});
    const bool height = layer.name == "height" || layer.name == "bedrock";
    map = !height && less > 0.01 * more ? ColourMap::difference : ColourMap::viridis;
  }
  ColourScale scale{map, ends.low, ends.high, layer.name, layer.unit};
  if (map == ColourMap::difference && !range) {
    scale.high = std::max(std::abs(own.low), std::abs(own.high));
    scale.low = -scale.high;
  }
  return scale;
}

ColourScale rock_scale(ColourMap map) {
  return {map == ColourMap::by_layer ? ColourMap::earth : map, 0, 1, "resistance", ""};
}

}  // namespace tepui

#include "tepui/output/shared_view.h"

#include <algorithm>

#include "tepui/render/page/layer_scale.h"
#include "tepui/terrain/statistics.h"

namespace tepui {

namespace {

/// What all lands together span, unless that is nothing.
std::optional<Interval> span_of(const std::optional<Interval>& shared) {
  return shared && shared->low < shared->high ? shared : std::nullopt;
}

Interval range_of(const Layer& layer, const Context& context) {
  const LayerStatistics s = statistics(layer.grid(), context);
  return {s.min, s.max};
}

}  // namespace

void widen(std::optional<Interval>& interval, Interval more) {
  interval = interval ? Interval{std::min(interval->low, more.low), std::max(interval->high, more.high)} : more;
}

bool SharedView::add(const Terrain& land, const ViewParams& params, const Context& context) {
  one_size_ = one_size_ && (!size_ || *size_ == land.frame().size);
  size_ = land.frame().size;
  const Layer* height = land.find("height");
  const Layer* layer = height;
  if (const auto* picture = std::get_if<PictureParams>(&params)) {
    if (height != nullptr) widen(heights_, range_of(*height, context));
    if (picture->colour == PictureColour::layer) layer = land.find(picture->layer.value_or(""));
  } else if (const std::optional<std::string>& named = std::get<FigureParams>(params).layer) {
    layer = land.find(*named);
  }
  colour_by(layer, context);
  return height != nullptr;
}

void SharedView::colour_by(const Layer* layer, const Context& context) {
  if (layer == nullptr || layer->kind != LayerKind::continuous) return;
  widen(values_, range_of(*layer, context));
  coloured_ = *layer;
}

/// Picture and figure alike: the range and, where a layer is `coloured` by it, the scale that it gives.
template <class Params>
void SharedView::apply_colours(Params& params, bool coloured) const {
  if (params.range || !values_) return;
  params.range = span_of(values_);
  if (!coloured) return;
  const ColourScale scale = scale_of(*coloured_, params.colour_map, {}, *values_);
  params.range = span_of(Interval{scale.low, scale.high});
  params.colour_map = scale.map;
}

void SharedView::apply(PictureParams& params) const {
  if (!params.frame) params.frame = span_of(heights_);
  apply_colours(params, params.colour == PictureColour::layer);
}

void SharedView::apply(FigureParams& params) const { apply_colours(params, params.kind == FigureKind::map); }

}  // namespace tepui

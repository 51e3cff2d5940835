#include "tepui/terrain/terrain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/params.h"
#include "tepui/terrain/min_max.h"

namespace tepui {

std::string_view layer_kind_name(LayerKind kind) {
  static constexpr std::string_view names[] = {"continuous", "category", "mask"};
  return names[static_cast<size_t>(kind)];
}

Layer make_layer(std::string name, std::string unit, LayerKind kind, Grid<float> data) {
  return {std::move(name), std::move(unit), kind, std::make_shared<const Grid<float>>(std::move(data)), 0};
}

Layer Layer::holding(Grid<float> cells) const {
  Layer result = *this;
  result.data = std::make_shared<const Grid<float>>(std::move(cells));
  return result;
}

namespace {

/// Heights are floats, whatever their relief was computed from.
Relief held(const Relief& relief) {
  constexpr double largest = std::numeric_limits<float>::max();
  if (std::isnan(relief.base) || std::isnan(relief.top)) fail("the relief of a land is not a number");
  return {std::clamp(relief.base, -largest, largest), std::clamp(relief.top, -largest, largest)};
}

/// A look at some cells, for debug builds: an operator that lets infinities through is found where it does so.
[[maybe_unused]] bool sample_is_finite(const Grid<float>& grid) {
  const int64_t step = std::max<int64_t>(grid.size() / 64, 1);
  for (int64_t i = 0; i < grid.size(); i += step)
    if (!std::isfinite(grid.data()[i])) return false;
  return true;
}

}  // namespace

Terrain::Terrain(Frame frame, Relief relief) : frame_(std::move(frame)), relief_(held(relief)) {}

Terrain::Terrain(Frame frame, Relief relief, Grid<float> height) : Terrain(std::move(frame), relief) {
  *this = with_height(std::move(height));
}

const Layer* Terrain::find(std::string_view name) const {
  for (const Layer& layer : layers_)
    if (layer.name == name) return &layer;
  return nullptr;
}

const Layer& Terrain::layer(std::string_view name) const {
  if (const Layer* found = find(name)) return *found;
  std::vector<std::string> names;
  for (const Layer& layer : layers_) names.push_back(layer.name);
  refuse(fmt::format("this land has no layer '{}'", name), suggest_name(name, names));
}

Terrain Terrain::with(Layer layer) const {
  if (layer.grid().width() != frame_.width || layer.grid().height() != frame_.height)
    refuse(fmt::format("layer '{}' has {} x {} samples, the land {} x {}", layer.name, layer.grid().width(),
                       layer.grid().height(), frame_.width, frame_.height));
  assert(sample_is_finite(layer.grid()));
  Terrain result = *this;
  for (Layer& existing : result.layers_)
    if (existing.name == layer.name) {
      existing = std::move(layer);
      return result;
    }
  result.layers_.push_back(std::move(layer));
  return result;
}

Terrain Terrain::with_height(Grid<float> height) const {
  return with(make_layer("height", "m", LayerKind::continuous, std::move(height)));
}

Terrain Terrain::with_relief(Relief relief) const {
  Terrain result = *this;
  result.relief_ = held(relief);
  return result;
}

Terrain Terrain::without(std::string_view name) const {
  Terrain result = *this;
  std::erase_if(result.layers_, [name](const Layer& layer) { return layer.name == name; });
  return result;
}

Terrain Terrain::only(std::string_view name) const {
  Terrain result(frame_, relief_);
  result.layers_.push_back(layer(name));
  return result;
}

size_t Terrain::bytes() const {
  size_t total = 0;
  for (const Layer& layer : layers_) total += layer.grid().bytes();
  return total;
}

Hash Terrain::hash() const { return outline(*this).hash(); }

Hash cells_hash(const Grid<float>& cells) { return hash_large(cells.data(), cells.bytes()); }

TerrainOutline outline(const Terrain& terrain, const KnownCells& known) {
  TerrainOutline result{terrain.frame(), terrain.relief(), {}};
  for (const Layer& layer : terrain.layers()) {
    const auto found = known.find(layer.data.get());
    result.layers.push_back({layer.name, layer.unit, layer.kind, layer.classes,
                             found != known.end() ? found->second : cells_hash(layer.grid())});
  }
  return result;
}

Hash TerrainOutline::hash() const {
  Hasher hasher;
  hasher.add("terrain").add(frame.hash()).add(relief.base).add(relief.top);
  for (const LayerOutline& layer : layers)
    hasher.add(layer.name).add(layer.unit).add(layer_kind_name(layer.kind)).add(layer.classes).add(layer.cells);
  return hasher.finish();
}

size_t TerrainOutline::bytes() const {
  // An outline from a damaged file may claim any size.
  const double cells = static_cast<double>(frame.width) * static_cast<double>(frame.height);
  if (!(cells * sizeof(float) * static_cast<double>(layers.size()) < 0x1p62)) return std::numeric_limits<size_t>::max();
  return layers.size() * static_cast<size_t>(frame.width * frame.height) * sizeof(float);
}

const Layer& mask_layer(const Terrain& terrain) {
  if (const Layer* mask = terrain.find("mask")) return *mask;
  constexpr const char* remedy = "make one with the operator 'mask', or name a mask layer: \"node.layer\"";
  if (terrain.layers().size() != 1) refuse("this land has no layer 'mask'", remedy);
  const Layer& only = terrain.layers().front();
  if (only.kind == LayerKind::mask) return only;
  if (only.kind == LayerKind::category || only.name == "height" || !only.unit.empty())
    refuse(fmt::format("this land has no layer 'mask', only '{}'", only.name), remedy);
  const MinMax range = min_max(only.grid(), Context());
  if (range.low < 0 || range.high > 1)
    refuse(fmt::format("this land has no layer 'mask', and its '{}' reaches from {:g} to {:g}, not from 0 to 1",
                       only.name, range.low, range.high),
           remedy);
  return only;
}

}  // namespace tepui

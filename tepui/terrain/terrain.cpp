#include "tepui/terrain/terrain.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/core/params.h"

namespace tepui {

std::string_view layer_kind_name(LayerKind kind) {
  static constexpr std::string_view names[] = {"continuous", "category", "mask"};
  return names[static_cast<size_t>(kind)];
}

Layer make_layer(std::string name, std::string unit, LayerKind kind, Grid<float> data) {
  return {std::move(name), std::move(unit), kind, std::make_shared<const Grid<float>>(std::move(data))};
}

Terrain::Terrain(Frame frame, Relief relief, Grid<float> height) : frame_(std::move(frame)), relief_(relief) {
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
  const std::string near = nearest_name(name, names);
  refuse(fmt::format("this land has no layer '{}'", name),
         near.empty() ? fmt::format("it has {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", near));
}

Terrain Terrain::with(Layer layer) const {
  if (layer.grid().width() != frame_.width || layer.grid().height() != frame_.height)
    refuse(fmt::format("layer '{}' has {} x {} samples, the land {} x {}", layer.name, layer.grid().width(),
                       layer.grid().height(), frame_.width, frame_.height));
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
  result.relief_ = relief;
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

Hash Terrain::hash() const {
  Hasher hasher;
  hasher.add("terrain").add(frame_.hash()).add(relief_.base).add(relief_.top);
  for (const Layer& layer : layers_)
    hasher.add(layer.name)
        .add(layer.unit)
        .add(layer_kind_name(layer.kind))
        .add(hash_large(layer.grid().data(), layer.grid().bytes()));
  return hasher.finish();
}

const Layer& mask_layer(const Terrain& terrain) {
  if (const Layer* mask = terrain.find("mask")) return *mask;
  if (terrain.layers().size() == 1) return terrain.layers().front();
  refuse("the land given as a mask has several layers and none called 'mask'", "name one of them: \"node.layer\"");
}

}  // namespace tepui

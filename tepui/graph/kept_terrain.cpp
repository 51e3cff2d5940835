#include "tepui/core/error.h"
#include "tepui/graph/cache_bytes.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/terrain/crop.h"
#include "tepui/terrain/resample.h"

namespace tepui {

namespace {

std::vector<PartBytes> parts_of_terrain(const Value& value) {
  std::vector<PartBytes> parts;
  for (const Layer& layer : get<Terrain>(value).layers())
    parts.emplace_back(reinterpret_cast<const char*>(layer.grid().data()), layer.grid().bytes());
  return parts;
}

TerrainOutline outline_with(const Terrain& land, const std::vector<Part>& parts) {
  TerrainOutline outline{land.frame(), land.relief(), {}};
  for (size_t i = 0; i < parts.size(); ++i) {
    const Layer& layer = land.layers()[i];
    outline.layers.push_back({layer.name, layer.unit, layer.kind, layer.classes, parts[i].content});
  }
  return outline;
}

std::string outline_of_terrain(const Value& value, const std::vector<Part>& parts) {
  const TerrainOutline outline = outline_with(get<Terrain>(value), parts);
  ByteWriter w;
  put_frame(w, outline.frame);
  w.put(outline.relief.base);
  w.put(outline.relief.top);
  w.word(outline.layers.size());
  for (const LayerOutline& layer : outline.layers) {
    w.put(layer.name);
    w.put(layer.unit);
    w.put(static_cast<int64_t>(layer.kind));
    w.put(static_cast<int64_t>(layer.classes));
    w.put(layer.cells);
  }
  return std::move(w.bytes());
}

LayerOutline read_layer(ByteReader& r) {
  LayerOutline layer;
  layer.name = r.text();
  layer.unit = r.text();
  const int64_t kind = r.integer(), classes = r.integer();
  r.require(kind >= 0 && kind <= static_cast<int64_t>(LayerKind::mask) && classes >= 0 && classes < (1 << 30));
  layer.kind = r.sound() ? static_cast<LayerKind>(kind) : LayerKind::continuous;
  layer.classes = static_cast<int>(classes);
  layer.cells = r.hash();
  return layer;
}

std::optional<TerrainOutline> parse(std::string_view text) {
  ByteReader r(text);
  TerrainOutline outline;
  outline.frame = read_frame(r);
  outline.relief.base = r.number();
  outline.relief.top = r.number();
  for (size_t left = r.count(); left > 0 && r.sound(); --left) outline.layers.push_back(read_layer(r));
  r.require(r.at_end());
  return r.sound() ? std::optional(std::move(outline)) : std::nullopt;
}

std::optional<Value> restore_terrain(std::string_view text, const std::vector<Part>& parts, const PartReader& read) {
  const std::optional<TerrainOutline> outline = parse(text);
  if (!outline || outline->layers.size() != parts.size()) return std::nullopt;
  const Frame& frame = outline->frame;
  Terrain land(frame, outline->relief);
  for (size_t i = 0; i < parts.size(); ++i) {
    const LayerOutline& layer = outline->layers[i];
    // The claim of an outline takes no memory until a part of that size is there.
    if (outline->bytes() / parts.size() != parts[i].bytes) return std::nullopt;
    Grid<float> grid(frame.width, frame.height);
    if (!read(i, grid.data(), grid.bytes())) return std::nullopt;
    Layer loaded = make_layer(layer.name, layer.unit, layer.kind, std::move(grid));
    loaded.classes = layer.classes;
    land = land.with(std::move(loaded));
  }
  return land;
}

}  // namespace

TerrainOutline terrain_outline(std::string_view outline) {
  std::optional<TerrainOutline> parsed = parse(outline);
  if (!parsed) fail("the outline of a land is damaged");
  return std::move(*parsed);
}

Kind kept_terrain(Kind row) {
  row.parts = parts_of_terrain;
  row.outline = outline_of_terrain;
  row.restore = restore_terrain;
  row.quick_hash = [](const Value& value, const std::vector<Part>& parts) {
    return outline_with(get<Terrain>(value), parts).hash();
  };
  row.layer = [](const Value& value, const std::string& name) -> Value { return get<Terrain>(value).only(name); };
  row.frame = [](std::string_view text) -> std::optional<Frame> {
    const std::optional<TerrainOutline> outline = parse(text);
    return outline ? std::optional(outline->frame) : std::nullopt;
  };
  row.lies = [](const Value& value) -> const Frame& { return get<Terrain>(value).frame(); };
  row.window = [](const Value& value, const Frame& frame, const Context& context) -> Value {
    return window(get<Terrain>(value), frame, context);
  };
  row.resampled = [](const Value& value, const Frame& onto, const Context& context) -> Value {
    const Terrain like(onto, {});
    return resample(get<Terrain>(value), &like, {}, context);
  };
  row.coarser = [](const Value& value, int64_t samples, const Context& context) -> Value {
    const Terrain& land = get<Terrain>(value);
    if (std::max(land.frame().width, land.frame().height) <= samples) return value;
    return resample(land, nullptr, {.resolution = static_cast<int>(samples)}, context);
  };
  return row;
}

}  // namespace tepui

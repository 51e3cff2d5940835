#include "tepui/render/ground/engine_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tepui/io/raster/exr.h"

namespace tepui {

namespace {

constexpr const char* weight_prefix = "weight_";
constexpr int least_splat = 16, largest_splat = 4096;

bool is_weight(const BakedMap& map) { return map.name.starts_with(weight_prefix); }

bool is_anywhere(const BakedMap& map) {
  return std::ranges::any_of(map.image.pixels, [](uint8_t v) { return v > 0; });
}

/// The weights of the kinds of ground that there are, a grey picture each, in the order of the kinds.
std::vector<BakedMap> grey_weights(const Terrain& land, const BakeParams& params, std::optional<double> sea_level,
                                   std::optional<TexelLattice> lattice, const Context& context) {
  BakeParams only = params;
  only.colour = only.occlusion = only.roughness = only.slope = only.water = false;
  only.normal = NormalMap::none;
  only.weights = WeightMaps::grey;
  if (lattice) only.lattice = lattice;
  Bake bake = tepui::bake(land, only, sea_level, context);
  std::erase_if(bake.maps, [](const BakedMap& map) { return !is_weight(map) || !is_anywhere(map); });
  return std::move(bake.maps);
}

/// Four kinds to a picture; channels beyond the last kind are empty.
std::vector<BakedMap> packed(const std::vector<BakedMap>& kinds, const std::string& name) {
  std::vector<BakedMap> maps;
  for (size_t k = 0; k < kinds.size(); k += 4) {
    const Image& first = kinds[k].image;
    maps.push_back({fmt::format("{}_{}", name, k / 4), {}, Image(first.width, first.height, 4)});
    for (size_t c = 0; c < 4; ++c) {
      const bool used = k + c < kinds.size();
      maps.back().channels.push_back(used ? kinds[k + c].channels.front() : "none");
      if (!used) continue;
      std::vector<uint8_t>& out = maps.back().image.pixels;
      const std::vector<uint8_t>& in = kinds[k + c].image.pixels;
      for (size_t i = 0; i < in.size(); ++i) out[4 * i + c] = in[i];
    }
  }
  return maps;
}

/// The control map, row 0 in the south.
Grid<float> control_map(const std::vector<BakedMap>& kinds) {
  const int width = kinds.front().image.width, height = kinds.front().image.height;
  Grid<float> out(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      uint32_t base = 0, overlay = 0, most = 0, next = 0;
      for (size_t k = 0; k < kinds.size(); ++k) {
        const uint32_t weight = *kinds[k].image.at(x, height - 1 - y);
        const auto id = static_cast<uint32_t>(k);
        if (weight > most)
          overlay = base, next = most, base = id, most = weight;
        else if (weight > next)
          overlay = id, next = weight;
      }
      // 255 in all, of which two kinds need not have everything.
      const uint32_t blend = next == 0 ? 0 : (2 * 255 * next + most + next) / (2 * (most + next));
      out(x, y) = std::bit_cast<float>(control_bits(base, next == 0 ? base : overlay, blend));
    }
  return out;
}

std::vector<std::string> names_of(const std::vector<BakedMap>& kinds) {
  std::vector<std::string> names;
  for (const BakedMap& map : kinds) names.push_back(map.channels.front());
  return names;
}

class EngineWriter {
 public:
  EngineWriter(const std::string& prefix, const Terrain& land, const BakeParams& params,
               std::optional<double> sea_level, const PngText& text, const Context& context)
      : prefix_(prefix), land_(land), params_(params), sea_level_(sea_level), text_(text), context_(context) {}

  std::vector<FileRecord> write(Engine engine) {
    const Frame& frame = land_.frame();
    const TexelLattice samples{static_cast<int>(frame.width), static_cast<int>(frame.height), false};
    if (engine == Engine::unreal) return write_pictures(weights(samples), "unreal", 1);
    if (engine == Engine::blender) return write_pictures(packed(weights({}), "weights"), "blender", 4);
    if (engine == Engine::godot) return write_control(weights(samples));
    const int side = splat_side(std::max(frame.width, frame.height));
    return write_pictures(packed(weights(TexelLattice{side, side, true}), "splat"), "unity", 4);
  }

 private:
  std::vector<BakedMap> weights(std::optional<TexelLattice> lattice) const {
    return grey_weights(land_, params_, sea_level_, lattice, context_.stage("weights", 0, 0.8));
  }

  std::vector<FileRecord> write_pictures(std::vector<BakedMap> maps, const char* engine, int64_t kinds_each) const {
    Bake bake;
    bake.maps = std::move(maps);
    std::vector<FileRecord> records = write_bake(prefix_, bake, text_, context_.stage("weights", 0.8, 1));
    for (size_t i = 0; i < records.size(); ++i) records[i].weights_for = {engine, static_cast<int64_t>(i) * kinds_each};
    return records;
  }

  std::vector<FileRecord> write_control(const std::vector<BakedMap>& kinds) const {
    const Terrain map = Terrain(land_.frame(), land_.relief(), control_map(kinds));
    const FileTarget to(prefix_ + "_control.exr");
    write_exr(to, map, {map.layer("height")}, context_.stage("weights", 0.8, 1));
    FileRecord record = record_of(to, "map");
    record.layers = names_of(kinds);
    record.weights_for = {"godot", 0};
    return {record};
  }

  const std::string& prefix_;
  const Terrain& land_;
  const BakeParams& params_;
  std::optional<double> sea_level_;
  const PngText& text_;
  const Context& context_;
};

}  // namespace

uint32_t control_bits(uint32_t base, uint32_t overlay, uint32_t blend) {
  return (base & 31) << 27 | (overlay & 31) << 22 | (blend & 255) << 14;
}

int splat_side(int64_t samples) {
  int side = least_splat;
  // Twice the side is nearer where the cells are more than three quarters of it.
  while (side < largest_splat && 2 * (samples - 1) > 3 * static_cast<int64_t>(side)) side *= 2;
  return side;
}

std::vector<FileRecord> write_maps(const std::string& prefix, const Terrain& land, BakeParams params, Engine engine,
                                   std::optional<double> sea_level, const PngText& text, const Context& context) {
  if (engine != Engine::none) params.weights = WeightMaps::none;
  const double begun = engine == Engine::none ? 1 : 0.6;
  const Bake maps = bake(land, params, sea_level, context.stage("baking", 0, 0.8 * begun));
  std::vector<FileRecord> records = write_bake(prefix, maps, text, context.stage("writing", 0.8 * begun, begun));
  if (engine == Engine::none) return records;
  const Context rest = context.stage("weights", begun, 1);
  std::ranges::move(EngineWriter(prefix, land, params, sea_level, text, rest).write(engine),
                    std::back_inserter(records));
  return records;
}

}  // namespace tepui

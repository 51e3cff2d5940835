#include "apps/studio/land_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/render/ground/land_ground.h"
#include "tepui/render/ground/map_bytes.h"
#include "tepui/render/page/layer_scale.h"
#include "tepui/terrain/derivatives.h"
#include "tepui/terrain/horizon.h"
#include "tepui/terrain/statistics.h"

namespace tepui::studio {

namespace {

using Pixel = std::array<uint8_t, 4>;

/// One tile: samples [x, x + w) of the land and, from the north, rows [from_north, from_north + h).
struct Tile {
  int64_t column = 0, row = 0;
  int64_t x = 0, from_north = 0, w = 0, h = 0;
};

std::vector<Tile> tiles_of(const Frame& frame) {
  constexpr int64_t stride = tile_samples - 1;
  const auto count = [](int64_t samples) { return std::max<int64_t>(1, (samples - 1 + stride - 1) / stride); };
  std::vector<Tile> tiles;
  for (int64_t row = 0; row < count(frame.height); ++row)
    for (int64_t column = 0; column < count(frame.width); ++column) {
      Tile tile{column, row, column * stride, row * stride, 0, 0};
      tile.w = std::min(tile_samples, frame.width - tile.x);
      tile.h = std::min(tile_samples, frame.height - tile.from_north);
      tiles.push_back(tile);
    }
  return tiles;
}

Ordered head_of(const ShownLand& shown, const Tile& tile) {
  return {{"generation", shown.generation}, {"node", shown.node}, {"preview", shown.preview},
          {"column", tile.column},          {"row", tile.row},    {"samples", {tile.w, tile.h}}};
}

template <class Cell>
std::string_view bytes_of(const std::vector<Cell>& cells) {
  return {reinterpret_cast<const char*>(cells.data()), cells.size() * sizeof(Cell)};
}

/// Sends heights in 16 bits; those that are not `there` are 0, and no tile is sent without any that is.
template <class Height, class There>
void send_steps(FrameKind kind, const ShownLand& shown, const Tile& tile, const Height& height, const There& there,
                bool keeps_zero, FrameSink& sink) {
  const int64_t north = shown.land.frame().height - 1;
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (int64_t j = 0; j < tile.h; ++j)
    for (int64_t i = 0; i < tile.w; ++i) {
      const int64_t x = tile.x + i, y = north - tile.from_north - j;
      if (!there(x, y)) continue;
      low = std::min(low, height(x, y));
      high = std::max(high, height(x, y));
    }
  if (low > high) return;
  // 0 says that there is nothing, where that is possible.
  const double first = keeps_zero ? 1 : 0;
  const double span = static_cast<double>(high) - static_cast<double>(low);
  const double scale = std::max(span / (65535 - first), 1e-9), offset = static_cast<double>(low) - first * scale;
  std::vector<uint16_t> cells(static_cast<size_t>(tile.w * tile.h));
  size_t at = 0;
  for (int64_t j = 0; j < tile.h; ++j)
    for (int64_t i = 0; i < tile.w; ++i, ++at) {
      const int64_t x = tile.x + i, y = north - tile.from_north - j;
      if (!there(x, y)) continue;
      const double step = std::floor((static_cast<double>(height(x, y)) - offset) / scale + 0.5);
      cells[at] = static_cast<uint16_t>(std::clamp(step, first, 65535.0));
    }
  Ordered head = head_of(shown, tile);
  head["offset"] = offset;
  head["scale"] = scale;
  sink.frame(kind, head, bytes_of(cells));
}

/// Which samples of a tile get a pixel: all of them, or every `step`th, both ends included.
std::vector<int64_t> spread(int64_t samples, int64_t step) {
  const int64_t count = (samples - 1 + step - 1) / step + 1;
  std::vector<int64_t> at;
  for (int64_t i = 0; i < count; ++i) at.push_back(count > 1 ? i * (samples - 1) / (count - 1) : 0);
  return at;
}

/// Sends a pixel a sample, or one in `step` along each side; `paint` is asked for sample (x, y) of the land.
void send_pixels(FrameKind kind, const ShownLand& shown, const Tile& tile, Ordered head, int64_t step, FrameSink& sink,
                 const Context& context, const std::function<Pixel(int64_t x, int64_t y)>& paint) {
  const int64_t north = shown.land.frame().height - 1;
  const std::vector<int64_t> columns = spread(tile.w, step), rows = spread(tile.h, step);
  std::vector<Pixel> cells(columns.size() * rows.size());
  parallel_chunks(std::ssize(rows), 4, context, [&](int64_t begin, int64_t end) {
    for (auto j = static_cast<size_t>(begin); j < static_cast<size_t>(end); ++j)
      for (size_t i = 0; i < columns.size(); ++i)
        cells[j * columns.size() + i] = paint(tile.x + columns[i], north - tile.from_north - rows[j]);
  });
  head["samples"] = {columns.size(), rows.size()};
  sink.frame(kind, head, bytes_of(cells));
}

const Layer* heights_of(const Terrain& land) { return land.find("height"); }

uint8_t byte(double share) { return byte_of(share * 255); }

}  // namespace

void send_land(const ShownLand& shown, FrameSink& sink) {
  const Frame& frame = shown.land.frame();
  Ordered layers = Ordered::array();
  for (const Layer& layer : shown.land.layers()) layers.push_back({{"name", layer.name}, {"unit", layer.unit}});
  std::pair<float, float> range{0.0f, 0.0f};
  if (const Layer* height = heights_of(shown.land); height != nullptr && !height->grid().empty()) {
    const auto [low, high] = std::ranges::minmax(height->grid().cells());
    range = {low, high};
  }
  Ordered land{
      {"say", "land"},
      {"generation", shown.generation},
      {"node", shown.node},
      {"preview", shown.preview},
      {"size",
       {static_cast<double>(frame.width - 1) * frame.cell.x, static_cast<double>(frame.height - 1) * frame.cell.y}},
      {"origin", {frame.x(0), frame.y(0)}},
      {"samples", {frame.width, frame.height}},
      {"step", frame.cell.x},
      {"range", {range.first, range.second}},
      {"sea_level", shown.sea_level ? Ordered(*shown.sea_level) : Ordered()},
      {"layers", layers},
      {"tiles", tiles_of(frame).size()}};
  sink.text(land);
}

void send_heights(const ShownLand& shown, FrameSink& sink, const Context& context) {
  const Layer* layer = heights_of(shown.land);
  const auto everywhere = [](int64_t, int64_t) { return true; };
  for (const Tile& tile : tiles_of(shown.land.frame())) {
    context.check();
    const auto height = [&](int64_t x, int64_t y) { return layer == nullptr ? 0.0f : layer->grid()(x, y); };
    send_steps(FrameKind::height, shown, tile, height, everywhere, false, sink);
  }
}

void send_ground(const ShownLand& shown, FrameSink& sink, const Context& context) {
  const LandGround ground(shown.land, shown.skin, shown.sea_level, context);
  const InlandWater& water = ground.water();
  const SrgbBytes srgb;
  const Vec2 cell = ground.cell();
  const double footprint = std::max(cell.x, cell.y) * (shown.preview ? 2 : 1);
  const auto is_wet = [&](int64_t x, int64_t y) { return !water.empty() && water.over_ground_at(x, y) > 0; };
  const Layer* heights = heights_of(shown.land);
  const auto paint = [&](int64_t x, int64_t y) -> Pixel {
    const double u = static_cast<double>(x), v = static_cast<double>(y);
    const Rgb albedo = ground.look(u, v, ground.normal_at(u, v), footprint).albedo;
    const bool under_sea =
        shown.sea_level && heights != nullptr && static_cast<double>(heights->grid()(x, y)) < *shown.sea_level;
    return {srgb(albedo.r), srgb(albedo.g), srgb(albedo.b), static_cast<uint8_t>(under_sea || is_wet(x, y) ? 0 : 255)};
  };
  for (const Tile& tile : tiles_of(shown.land.frame())) {
    send_pixels(FrameKind::ground, shown, tile, head_of(shown, tile), shown.preview ? 2 : 1, sink, context, paint);
    if (water.empty()) continue;
    const auto level = [&](int64_t x, int64_t y) { return water.level()(x, y); };
    send_steps(FrameKind::water, shown, tile, level, is_wet, true, sink);
  }
}

void send_light(const ShownLand& shown, const Sun& sun, FrameSink& sink, const Context& context) {
  if (heights_of(shown.land) == nullptr) return;
  const Grid<float>& height = shown.land.height();
  const Vec2 cell = shown.land.frame().cell;
  const Gradient slopes = gradient(shown.land, context.stage("slopes", 0, 0.1));
  const Grid<float> sky = sky_light(height, cell, slopes.east, slopes.north, context.stage("sky", 0.1, 0.8));
  const Grid<float> horizon = horizon_map(height, cell, math::radians(sun.azimuth), context.stage("sun", 0.8, 0.9));
  // The edge of a shadow is as wide as the sun and a little wider, so that samples do not show as steps.
  constexpr double penumbra = 1.5;
  const auto paint = [&](int64_t x, int64_t y) -> Pixel {
    const double east = static_cast<double>(slopes.east(x, y)), north = static_cast<double>(slopes.north(x, y));
    const double length = std::sqrt(1 + east * east + north * north);
    const double above = sun.elevation - math::degrees(math::atan2(static_cast<double>(horizon(x, y)), 1.0));
    return {byte((1 - east / length) / 2), byte((1 - north / length) / 2),
            byte(std::clamp(above / penumbra + 0.5, 0.0, 1.0)), byte(static_cast<double>(sky(x, y)))};
  };
  for (const Tile& tile : tiles_of(shown.land.frame())) {
    Ordered head = head_of(shown, tile);
    head["sun"] = {sun.azimuth, sun.elevation};
    send_pixels(FrameKind::light, shown, tile, std::move(head), 1, sink, context, paint);
  }
}

void send_overlay(const ShownLand& shown, const std::string& name, ColourMap map, FrameSink& sink,
                  const Context& context) {
  const Layer& layer = shown.land.layer(name);
  const auto [low, high] = std::ranges::minmax(layer.grid().cells());
  const Interval own{static_cast<double>(low), static_cast<double>(high)};
  const ColourScale scale = scale_of(layer, map, {}, own);
  Ordered legend{{"say", "legend"},    {"generation", shown.generation},  {"node", shown.node}, {"layer", name},
                 {"unit", layer.unit}, {"range", {scale.low, scale.high}}};
  const auto hex = [](uint32_t rgb) { return fmt::format("#{:06x}", rgb); };
  if (layer.kind == LayerKind::category) {
    Ordered classes = Ordered::array();
    for (int value = static_cast<int>(low); value <= static_cast<int>(high) && classes.size() < 256; ++value)
      classes.push_back(
          {{"value", value}, {"name", fmt::format("{} {}", name, value)}, {"colour", hex(scale.colour(value))}});
    legend["classes"] = classes;
  } else {
    Ordered colours = Ordered::array();
    for (int i = 0; i <= 32; ++i) colours.push_back(hex(scale.colour(scale.low + (scale.high - scale.low) * i / 32)));
    legend["colours"] = colours;
  }
  sink.text(legend);
  const auto paint = [&](int64_t x, int64_t y) -> Pixel {
    const uint32_t rgb = scale.colour(static_cast<double>(layer.grid()(x, y)));
    return {static_cast<uint8_t>(rgb >> 16), static_cast<uint8_t>(rgb >> 8), static_cast<uint8_t>(rgb), 255};
  };
  for (const Tile& tile : tiles_of(shown.land.frame())) {
    Ordered head = head_of(shown, tile);
    head["layer"] = name;
    send_pixels(FrameKind::overlay, shown, tile, std::move(head), 1, sink, context, paint);
  }
}

}  // namespace tepui::studio

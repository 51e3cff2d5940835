#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/studio/frames.h"
#include "tepui/core/context.h"
#include "tepui/core/skin.h"
#include "tepui/render/page/figure_params.h"
#include "tepui/terrain/terrain.h"

// Land as the page takes it: tiles of heights and colours.

namespace tepui::studio {

/// Samples along a side of a tile; neighbours share an edge.
inline constexpr int64_t tile_samples = 257;

/// Where the sun stands.
struct Sun {
  double azimuth = 315, elevation = 35;  ///< degrees
  friend bool operator==(const Sun&, const Sun&) = default;
};

/// A land that is shown.
struct ShownLand {
  uint64_t generation = 0;
  std::string node;
  bool preview = false;
  Terrain land;
  std::optional<double> sea_level{};
  SkinParams skin{};
};

/// What the land is, without its cells.
void send_land(const ShownLand& shown, FrameSink& sink);
void send_heights(const ShownLand& shown, FrameSink& sink, const Context& context);
/// The ground's own colours, and the water on it. A preview's colours are those of every second sample.
void send_ground(const ShownLand& shown, FrameSink& sink, const Context& context);
/// Slopes, the sun's shadows and how open it is to the sky.
void send_light(const ShownLand& shown, const Sun& sun, FrameSink& sink, const Context& context);
/// Colours by a layer, and what they mean.
void send_overlay(const ShownLand& shown, const std::string& layer, ColourMap map, FrameSink& sink,
                  const Context& context);

}  // namespace tepui::studio

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/io/png.h"
#include "tepui/render/colour_map.h"
#include "tepui/render/drawing.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class FigureKind {
  map,        ///< a layer in colours, one pixel a sample where that fits
  section,    ///< a cut through the land along a line: rock, what lies on it, the sea
  wireframe,  ///< the land as lines, those behind it hidden
  profile,    ///< a layer along one or several lines, as a plot
  histogram,  ///< how often a layer has which value
};

/// What figures are made of. `size` is that of the plot or map itself; titles, axes and legends come around it.
struct FigureParams {
  FigureKind kind = FigureKind::map;
  std::string layer;  // empty: height, else the first layer
  std::string title;
  Vec2 size;  // pixels; a zero follows from the land
  ColourMap colour_map = ColourMap::viridis;
  Interval range;  // equal ends: the layer's own
  double hillshade = 0;
  bool bare = false;
  bool contours = false;
  double contour_step = 0;  // 0: a round one
  Vec2 from, to;            // equal: west to east through the middle
  double exaggeration = 0;  // 0: a round one
  int profiles = 1;
  int bins = 64;
  int lines = 64;
  Angle view_azimuth{215};
  Angle view_elevation{32};
};
void describe(Fields<FigureParams>&);

/// A figure of the land. What is below `sea_level` (metres) is shown under water where the kind has water.
Drawing draw_figure(const Terrain& land, const FigureParams& params, const Context& context,
                    std::optional<double> sea_level = {});

/// What a line through the land cuts at one place.
struct SectionSample {
  double distance = 0;         ///< metres from the line's start
  Vec2 at;                     ///< metres, in the world
  std::vector<double> values;  ///< of every layer of the land, in their order
};

/// The layers at `count` places from `from` to `to`, both included, at even distances: bilinear between samples, of
/// classes the nearest sample's. A line that leaves the land is refused.
std::vector<SectionSample> sample_section(const Terrain& land, Vec2 from, Vec2 to, int64_t count,
                                          const Context& context);

/// Writes the drawing as the file's ending says, .png, .webp or .svg, with the text inside, atomically. A PNG has
/// `scale` pixels for each of the drawing's.
void write_figure(const std::string& path, const Drawing& drawing, const PngText& text = {},
                  const Context& context = {}, double scale = 1);

}  // namespace tepui

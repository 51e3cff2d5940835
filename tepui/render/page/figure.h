#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/colour_map.h"
#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/io/raster/png.h"
#include "tepui/render/page/drawing.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

enum class FigureKind {
  map,        ///< a layer in colours, one pixel a sample where that fits
  section,    ///< a cut along a line: through land, what lies on it and the sea, or through rock
  wireframe,  ///< the land as lines, those behind it hidden
  profile,    ///< a layer along one or several lines, as a plot
  histogram,  ///< how often a layer has which value
  skyline,    ///< lines as ridges against the sky, seen from the south
};

/// What figures are made of. `size` is that of the plot or map itself; titles, axes and legends come around it. Which
/// kinds there are of which value is told by draw_figure.
struct FigureParams {
  FigureKind kind = FigureKind::map;
  std::string layer;  // empty: height, else the first layer
  std::string title;
  Vec2 size;  // pixels; a zero follows from the land
  ColourMap colour_map = ColourMap::by_layer;
  Interval range;  // equal ends: the layer's own; of a skyline and of rock: heights
  double hillshade = 0;
  bool contours = false;
  double contour_step = 0;  // 0: a round one
  Vec2 from, to;            // equal: west to east through the middle
  double exaggeration = 0;  // 0: a round one
  int profiles = 1;
  int bins = 64;
  int lines = 64;
  Angle view_azimuth{215};
  Angle view_elevation{32};
  bool axes = true;
};
void describe(Fields<FigureParams>&);

/// A figure of the land. What is below `sea_level` (metres) is shown under water where the kind has water; a section
/// shows the `rock` beneath the surface.
Drawing draw_figure(const Terrain& land, const FigureParams& params, const Context& context,
                    std::optional<double> sea_level = {}, const Geology* rock = nullptr);

/// Lines as a `skyline`: those that run from west to east as ridges, the farther (northern) ones paler, before a sky
/// that darkens upwards; tents as thin lines under the bold line of their mean; others as strokes.
Drawing draw_figure(const Lines& lines, const FigureParams& params, const Context& context);

/// A `section` of rock: its resistance in colours over distance and height. The line goes through the middle of the
/// world unless the parameters say otherwise, and may leave it; heights are `range`, or those that the rock tells.
Drawing draw_figure(const Geology& rock, const Frame& world, const FigureParams& params, const Context& context);

/// A `section` of a volume: rock where it is, by its resistance where a geology tells of it, and the air in its caves.
/// The line goes from west to east through the middle of all that there is unless the parameters say otherwise.
Drawing draw_figure(const Volume& volume, const FigureParams& params, const Context& context);

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

#pragma once

#include <optional>
#include <string>

#include "tepui/core/colour_map.h"
#include "tepui/core/params.h"
#include "tepui/core/vec.h"

namespace tepui {

enum class FigureKind {
  map,           ///< a layer in colours, one pixel a sample where that fits
  section,       ///< a cut along a line: through land, what lies on it and the sea, or through rock
  wireframe,     ///< the land as lines, those behind it hidden
  profile,       ///< a layer along one or several lines, as a plot
  histogram,     ///< how often a layer has which value
  hypsometry,    ///< how much of the land lies above which height
  slope_area,    ///< the slopes of channels by the area that they drain
  long_profile,  ///< the largest rivers from mouth to head
  chi,           ///< the same over chi, which makes rivers in balance straight
  skyline,       ///< lines as ridges against the sky, seen from the south
  atlas,         ///< a sheet for the wall: relief, watersheds, lakes and rivers in a fine frame
  survey,        ///< a cave: its passages in plan, and in elevation along them
};

/// What figures are made of. `size` is that of the plot or map itself; titles, axes and legends come around it. Which
/// kinds a value has is said at draw_figure.
struct FigureParams {
  FigureKind kind = FigureKind::map;
  std::optional<std::string> layer{};  // not given: height, else the first layer
  std::string title{};
  std::optional<Vec2> size{};  // pixels
  ColourMap colour_map = ColourMap::by_layer;
  std::optional<Interval> range{};  // not given: the layer's own; of a skyline and of rock: heights
  double hillshade = 0;
  bool contours = false;
  bool grid = true;
  std::optional<double> contour_step{};  // not given: a round one
  std::optional<Vec2> from{}, to{};      // not given: west to east through the middle
  std::optional<double> exaggeration{};  // not given: a round one
  std::optional<std::string> tints{};    // not given: watershed where there is one
  int names = 8;
  int profiles = 1;
  int bins = 64;
  int lines = 64;
  Angle view_azimuth{215};
  Angle view_elevation{32};
  bool axes = true;

  /// Pixels; a side that the land decides is 0.
  Vec2 wanted_size() const { return size.value_or(Vec2{}); }
};
void describe(Fields<FigureParams>&);

}  // namespace tepui

#include "tepui/render/page/figure_params.h"

namespace tepui {

namespace {

constexpr double largest_plot = 8192;
constexpr double far_away = 1e12;

}  // namespace

void describe(Fields<FigureParams>& f) {
  using P = FigureParams;
  f.about("Draw land as a figure for print");
  f.reach(Reach::whole);
  f("kind", &P::kind,
    {"map", "section", "wireframe", "profile", "histogram", "hypsometry", "slope_area", "long_profile", "chi",
     "skyline", "atlas"},
    "a coloured map, a cut through layers or rock, the land as lines, a plot along lines, how often values are, how "
    "much "
    "of the land lies above which height, slopes of channels by area, the largest rivers from mouth to head, the same "
    "over chi; lines as ridges against the sky; or a sheet for the wall: relief, "
    "watersheds, "
    "lakes and rivers");
  f("layer", &P::layer, "the layer to show (map, profile, histogram); auto: height, or the first where there is none");
  f("title", &P::title, "stands above the figure");
  f("size", &P::size, Range{0, largest_plot},
    "width and height of the plot itself; auto: as suits the land, and so does a side that is 0")
      .slider(0, 2048)
      .unit("px");
  f("colour_map", &P::colour_map, colour_map_names(),
    "how values become colours; by_layer is difference for signed ones and else viridis; classes are coloured or grey");
  f("range", &P::range, Range{-far_away, far_away},
    "values at the ends of the colours or bins, heights of a skyline or of a cut through rock; auto: their own");
  f("hillshade", &P::hillshade, Range{0, 1}, "strength of a shaded relief under the map's colours");
  f("contours", &P::contours, "draw contour lines on a map");
  f("grid", &P::grid, "draw the lines of its coordinates on a map");
  f("contour_step", &P::contour_step, Range{1e-9, far_away},
    "between two contours, in the layer's unit; auto: a round one");
  f("from", &P::from, Range{-far_away, far_away},
    "start of a section or profile, in metres of the world; auto, as `to`: west to east through the middle")
      .unit("m");
  f("to", &P::to, Range{-far_away, far_away}, "its end; auto, as `from`").unit("m");
  f("exaggeration", &P::exaggeration, Range{0.001, 1000},
    "heights are drawn this many times as high; auto: a round number")
      .slider(0.5, 10);
  f("tints", &P::tints,
    "the layer of classes that an atlas has in soft colours, with thin lines between them; auto: watershed, or tints "
    "by "
    "height where there is none");
  f("names", &P::names, Range{0, 1000}, "at most so many of the largest rivers have their names on a map or an atlas")
      .slider(0, 24);
  f("profiles", &P::profiles, Range{1, 12}, "so many profiles from west to east, from south to north");
  f("bins", &P::bins, Range{1, 512}, "parts of a histogram").slider(8, 128);
  f("lines", &P::lines, Range{2, 256}, "of a wireframe along its longer side").slider(16, 128);
  f("view_azimuth", &P::view_azimuth, Range{-720, 720}, "whence a wireframe is seen, clockwise from north")
      .slider(0, 360);
  f("view_elevation", &P::view_elevation, Range{3, 85}, "how far down it is looked at").slider(10, 60);
  f("axes", &P::axes,
    "of a map, an atlas, a skyline or a cut through rock: axes, scale and legend around it; without them the picture "
    "alone");
}

}  // namespace tepui

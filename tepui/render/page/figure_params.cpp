#include "tepui/render/page/figure_params.h"

namespace tepui {

namespace {

constexpr double largest_plot = 8192;
constexpr double far_away = 1e12;

}  // namespace

void describe(Fields<FigureParams>& f) {
  using P = FigureParams;
  f.about("Draw a figure of land for print");
  f.reach(Reach::whole);
  f("kind", &P::kind,
    {"map", "section", "wireframe", "profile", "histogram", "hypsometry", "slope_area", "long_profile", "chi",
     "skyline", "atlas", "survey"},
    "a coloured map, a cut through layers or rock, the land as a wireframe, a plot along lines, a histogram of values, "
    "the hypsometric curve, slopes of channels by area, the largest rivers over distance or over chi, lines as ridges "
    "against the sky, a wall map (relief, watersheds, lakes and rivers), or a cave in plan and extended elevation");
  f("layer", &P::layer,
    "layer to show (map, profile, histogram), or number of lines (survey); auto: height, or else the first; of a "
    "survey "
    "depth");
  f("title", &P::title, "title above the figure");
  f("size", &P::size, Range{0, largest_plot},
    "width and height of the plot itself in pixels; auto or 0: chosen to suit the land")
      .slider(0, 2048)
      .unit("px");
  f("colour_map", &P::colour_map, colour_map_names(),
    "colour map of values; by_layer: difference for signed layers, compass for aspect, else viridis; classes are "
    "coloured or grey");
  f("range", &P::range, Range{-far_away, far_away},
    "values at the ends of the colours or bins, or heights of a skyline or of a cut through rock; auto: their own "
    "range");
  f("hillshade", &P::hillshade, Range{0, 1}, "strength of the shaded relief under a map's colours");
  f("contours", &P::contours, "draw contour lines on a map");
  f("grid", &P::grid, "draw a coordinate grid on a map");
  f("contour_step", &P::contour_step, Range{1e-9, far_away},
    "interval between contours, in the layer's unit; auto: a round number");
  f("from", &P::from, Range{-far_away, far_away},
    "start of a section or profile, in world metres; auto: the line runs west to east through the middle")
      .unit("m");
  f("to", &P::to, Range{-far_away, far_away}, "end of a section or profile; auto: as for 'from'").unit("m");
  f("exaggeration", &P::exaggeration, Range{0.001, 1000},
    "factor by which heights are exaggerated; auto: a round number")
      .slider(0.5, 10);
  f("tints", &P::tints,
    "category layer that an atlas shows in soft colours with thin divides; auto: watershed, or tints by height where "
    "there is none");
  f("names", &P::names, Range{0, 1000}, "number of rivers that a map or an atlas labels at most, the largest first")
      .slider(0, 24);
  f("profiles", &P::profiles, Range{1, 12}, "number of profiles from west to east, ordered from south to north");
  f("bins", &P::bins, Range{1, 512}, "number of bins of a histogram").slider(8, 128);
  f("lines", &P::lines, Range{2, 256}, "lines of a wireframe along its longer side").slider(16, 128);
  f("view_azimuth", &P::view_azimuth, Range{-720, 720},
    "direction from which a wireframe is seen, clockwise from north")
      .slider(0, 360);
  f("view_elevation", &P::view_elevation, Range{3, 85}, "angle from which a wireframe is seen, above the horizon")
      .slider(10, 60);
  f("axes", &P::axes, "draw axes, scale and legend around a map, an atlas, a skyline or a cut through rock");
}

}  // namespace tepui

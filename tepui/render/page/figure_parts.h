#pragma once  // internal

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/image.h"
#include "tepui/geology/geology.h"
#include "tepui/render/page/drawing.h"
#include "tepui/render/page/figure_params.h"
#include "tepui/render/page/legend.h"
#include "tepui/render/page/section.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

// What the kinds of figures share.

namespace tepui {

inline constexpr double figure_margin = 24;
/// Between a plot and what stands at its right.
inline constexpr double legend_gap = 18;

/// The layer that is meant: the named one, else the heights, else the first.
const Layer& figure_layer(const Terrain& land, const FigureParams& params);
/// Refuses land without heights.
const Grid<float>& figure_heights(const Terrain& land, const char* kind);

/// The colours of a layer: of a difference evenly to both sides of zero, of a mask from 0 to 1, else from its lowest to
/// its highest value, unless the parameters say otherwise.
ColourScale layer_scale(const Layer& layer, const FigureParams& params, const Context& context);
/// Lowest and highest value.
Interval layer_range(const Grid<float>& cells, const Context& context);

/// The classes that a layer holds, with their colours and shares.
std::vector<LegendClass> layer_classes(const Layer& layer, const FigureParams& params, const Context& context);
/// The highest class that there is, or that the layer holds where it does not say.
int64_t last_class(const Layer& layer, const Context& context);
/// Colours that are easily told apart; in greys evenly from black, the first, to white, the last.
uint32_t class_rgb(int64_t index);
uint32_t class_rgb(int64_t index, int64_t last, const FigureParams& params);

/// The heading of a figure: its title, and a quiet line below it. Returns the room taken from the page's top margin on.
double heading_room(const std::string& title, const std::string& note);
void draw_heading(Drawing& drawing, const std::string& title, const std::string& note);
/// How wide a page must be to hold it.
double heading_width(const std::string& title, const std::string& note);

/// The largest of 1, 1.5, 2, 3, 5 and 7.5 times a power of ten that is not above `wanted`.
double round_exaggeration(double wanted);
/// "heights × 5".
std::string exaggeration_text(double exaggeration);
/// A length for a reader: "1.5 km", "350 m".
std::string length_text(double metres);

/// Distances in metres or kilometres, as suits the longest.
struct DistanceUnit {
  double metres = 1;
  const char* name = "m";
};
DistanceUnit distance_unit(double longest);

/// The size that the parameters ask for, or a kind's own.
Vec2 plot_size(const FigureParams& params, Vec2 own);
/// A short stroke and what it means; returns where the next may begin.
double draw_key(Drawing& drawing, Vec2 at, const std::string& text, const Stroke& stroke);

/// Where figures with a picture rather than a plot in them lie on their page: with axes and a heading, or edge to edge.
struct PlotPage {
  PlotArea plot;
  double width = 0, height = 0;
  std::string note;
};
/// `legend` is the room that is taken at the right of the plot.
PlotPage plot_page(PlotArea plot, Vec2 legend, std::string note, const FigureParams& params);
/// The heading and the axes, above all else.
void draw_plot_page(Drawing& drawing, const PlotPage& page, const FigureParams& params, const DistanceUnit& unit);

/// A cut through rock along a line, between two heights, and what its colours mean.
struct RockFace {
  Image image;  ///< twice as fine as the page
  ColourScale scale;
  std::vector<LegendClass> rocks;  ///< those with names that it meets, the one that lies highest on average first
};
/// `size` is in pixels of the page.
RockFace cut_rock(const Geology& rock, const SectionLine& line, Interval heights, Vec2 size, ColourMap map,
                  const Context& context);
/// A colour bar beside so high a plot.
Vec2 rock_bar_size(const RockFace& face, double height);

Drawing draw_map(const Terrain& land, const FigureParams& params, std::optional<double> sea_level, const Lines* rivers,
                 const Context& context);
/// Lines as rivers, with points and polygons, on blank paper.
Drawing draw_line_map(const Lines& lines, const FigureParams& params, const Context& context);
/// A network of passages in plan and extended elevation, coloured by its depth or another of its numbers.
Drawing draw_survey(const Lines& lines, const FigureParams& params, const Context& context);
Drawing draw_atlas(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
                   const Lines* rivers, const Context& context);
Drawing draw_section(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
                     const Geology* rock, const Context& context);
Drawing draw_wireframe(const Terrain& land, const FigureParams& params, const Context& context);
Drawing draw_profiles(const Terrain& land, const FigureParams& params, const Context& context);
Drawing draw_hypsometry(const Terrain& land, const FigureParams& params, const Context& context);
Drawing draw_slope_area(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
                        const Context& context);
/// Over distance, or over chi.
Drawing draw_river_profiles(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
                            const Context& context);
Drawing draw_histogram(const Terrain& land, const FigureParams& params, const Context& context);

}  // namespace tepui

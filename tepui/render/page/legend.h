#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/colour_map.h"
#include "tepui/render/page/drawing.h"

// What explains a figure: axes, colour bars, classes, scale bars. Each draws at a place and says how much room it took.

namespace tepui {

/// The colours and sizes that all figures share.
namespace ink {
inline constexpr uint32_t text = 0x222222, quiet = 0x666666, frame = 0x444444, grid = 0xe9e9e9;
inline constexpr double title = 14, label = 12, tick = 11;  ///< sizes of text
}  // namespace ink

/// The smallest of 1, 2 and 5 times a power of ten that parts `span` into at most `most` parts; 1 for no span.
double round_step(double span, int most);

/// The largest of such numbers that is not above `value`.
double round_below(double value);

/// The multiples of a round step from `low` to `high`: at most `most` + 1, both ends included where they are such.
struct Ticks {
  double step = 1;
  std::vector<double> values;
};
Ticks round_ticks(double low, double high, int most);

/// A number to the decimals that its step needs, with a true minus sign and thin spaces between thousands.
std::string tick_text(double value, double step);

/// "height (m)"; a name without a unit stands alone.
std::string name_with_unit(const std::string& name, const std::string& unit);

/// What the colours of a picture mean.
struct ColourScale {
  ColourMap map = ColourMap::viridis;
  double low = 0, high = 1;
  std::string name, unit;

  /// Of land without a range it is the middle colour; of a `compass` grey below its low end, where there is no
  /// direction.
  uint32_t colour(double value) const;
};

struct LegendClass {
  uint32_t rgb = 0;
  std::string label;
};

/// A bar from low (below) to high with ticks and labels at its right, its name above it. `size` is the bar's own; the
/// name begins at `corner`. Returns the room taken.
Vec2 draw_colour_bar(Drawing& drawing, Vec2 corner, Vec2 size, const ColourScale& scale);
/// The same from left to right, with labels below.
Vec2 draw_wide_colour_bar(Drawing& drawing, Vec2 corner, Vec2 size, const ColourScale& scale);
Vec2 colour_bar_room(Vec2 size, const ColourScale& scale);

/// Swatches with labels below a title; what does not fit into `height` pixels is counted. Returns the room taken.
Vec2 draw_classes(Drawing& drawing, Vec2 corner, double height, const std::string& title,
                  const std::vector<LegendClass>& classes);
Vec2 classes_room(double height, const std::string& title, const std::vector<LegendClass>& classes);

/// A bar of a round length of at most `longest` pixels, its labels below it. Returns the room taken.
Vec2 draw_scale_bar(Drawing& drawing, Vec2 corner, double metres_per_pixel, double longest);

/// An arrow of `height` pixels with an N above it; `top` is the middle of the upper edge.
void draw_north_arrow(Drawing& drawing, Vec2 top, double height);

/// Where numbers lie on the paper. `corner` is the upper left one; y grows upwards.
struct PlotArea {
  Vec2 corner, size;
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
  double step = 0;  ///< between the ticks of both axes; 0: of each as it suits

  Vec2 at(double x, double y) const {
    return {corner.x + (x - x_low) / (x_high - x_low) * size.x,
            corner.y + size.y - (y - y_low) / (y_high - y_low) * size.y};
  }
};

/// The numbers that its axes show.
Ticks axis_ticks_x(const PlotArea& plot);
Ticks axis_ticks_y(const PlotArea& plot);
/// Gives both axes the ticks that suit both.
void set_common_step(PlotArea& plot);

/// Axes at the left and below with round ticks and names.
void draw_axes(Drawing& drawing, const PlotArea& plot, const std::string& x_name, const std::string& y_name);
/// Room that the labels of the y axis take to the left of the plot.
double y_axis_room(double low, double high, double height);
/// And those of the x axis below it.
inline constexpr double x_axis_room = 42;

/// What is printed onto a rendered picture: a colour bar and classes in the lower right corner, a note ("heights x 2")
/// in the lower left one.
struct PictureLegend {
  std::optional<ColourScale> scale;
  std::string classes_title;
  std::vector<LegendClass> classes;
  std::string note;
};
Image with_legend(const Image& picture, const PictureLegend& legend);

}  // namespace tepui

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/render/page/figure_parts.h"
#include "tepui/render/page/font.h"
#include "tepui/terrain/land_statistics.h"
#include "tepui/terrain/statistics.h"

namespace tepui {

namespace {

constexpr uint32_t curve_rgb = 0x2f5d8a, bar_rgb = 0x9db4c8, mean_rgb = 0xb5482e, median_rgb = 0x333333;

/// The header of a column of numbers: "height_m".
std::string column_name(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{}_{}", name, unit);
}

/// A curve and what a legend says of it.
struct Curved {
  std::vector<Vec2> points;  ///< distance in metres, value
  uint32_t rgb = curve_rgb;
  std::string label;
};

Curved curve_along(const Terrain& only, Vec2 from, Vec2 to, double width, const Context& context) {
  const Vec2 d = to - from;
  const double length = std::sqrt(d.x * d.x + d.y * d.y);
  const double finest = std::min(only.frame().cell.x, only.frame().cell.y);
  const int64_t count = static_cast<int64_t>(std::clamp(length / finest, 1.0, 4 * width)) + 1;
  Curved curve;
  for (const SectionSample& s : sample_section(only, from, to, count, context))
    curve.points.push_back({s.distance, s.values[0]});
  return curve;
}

std::vector<Curved> curves_of(const Terrain& only, const FigureParams& params, double width, const Context& context) {
  const Frame& frame = only.frame();
  if (params.profiles == 1) {
    const SectionLine line = section_line(frame, params);
    return {curve_along(only, line.from, line.to, width, context)};
  }
  if (params.from || params.to)
    refuse("several profiles always go from west to east, so 'from' and 'to' do not apply",
           "remove 'profiles', or 'from' and 'to'");
  if (frame.width < 2) refuse("land of a single column has no profiles from west to east", "leave out profiles");
  std::vector<Curved> curves;
  for (int i = 0; i < params.profiles; ++i) {
    const double t = static_cast<double>(i) / (params.profiles - 1);
    const double y = frame.y(0) * (1 - t) + frame.y(frame.height - 1) * t;
    curves.push_back(curve_along(only, {frame.x(0), y}, {frame.x(frame.width - 1), y}, width, context));
    // The yellow end is too light for a line on white.
    curves.back().rgb = colour_at(ColourMap::viridis, 0.85 * t);
    curves.back().label = fmt::format("y = {}", length_text(y));
  }
  return curves;
}

/// Distances and, of each curve, its values; several curves have the same distances.
PlotNumbers numbers_of(const std::vector<Curved>& curves, const Layer& layer) {
  PlotNumbers numbers{{"distance_m"}, {}};
  for (const Curved& c : curves) {
    const std::string name = column_name(layer.name, layer.unit);
    numbers.columns.push_back(c.label.empty() ? name : fmt::format("{} at {}", name, c.label));
    numbers.rows.resize(std::max(numbers.rows.size(), c.points.size()));
    for (size_t i = 0; i < c.points.size(); ++i) {
      if (numbers.rows[i].empty()) numbers.rows[i].push_back(c.points[i].x);
      numbers.rows[i].push_back(c.points[i].y);
    }
  }
  return numbers;
}

/// A range with air around it; of a single value one of its size.
Interval padded(double low, double high) {
  const double span = high > low ? high - low : std::max(std::abs(low) * 0.1, 1.0);
  return high > low ? Interval{low - 0.06 * span, high + 0.06 * span} : Interval{low - span / 2, high + span / 2};
}

}  // namespace

Vec2 plot_size(const FigureParams& params, Vec2 own) {
  const Vec2 wanted = params.wanted_size();
  return {wanted.x > 0 ? wanted.x : own.x, wanted.y > 0 ? wanted.y : own.y};
}

std::string number_text(double value, double span, const std::string& unit) {
  return tick_text(value, round_step(span, 400)) + (unit.empty() ? "" : " " + unit);
}

/// A line beside its meaning; returns where the next one may begin.
double draw_key(Drawing& drawing, Vec2 at, const std::string& text, const Stroke& stroke) {
  drawing.line({{at.x, at.y - 4}, {at.x + 18, at.y - 4}}, stroke);
  drawing.text({at.x + 24, at.y}, text, {ink::tick, ink::text});
  return at.x + 24 + text_width(text, ink::tick) + 20;
}

Drawing draw_profiles(const Terrain& land, const FigureParams& params, const Context& context) {
  const Layer& layer = figure_layer(land, params);
  const Vec2 size = plot_size(params, {760, 300});
  const std::vector<Curved> curves = curves_of(land.only(layer.name), params, size.x, context);
  double low = 1e300, high = -1e300, longest = 0;
  for (const Curved& c : curves)
    for (const Vec2 p : c.points) {
      low = std::min(low, p.y);
      high = std::max(high, p.y);
      longest = std::max(longest, p.x);
    }
  const Interval y = params.range.value_or(padded(low, high));
  const DistanceUnit unit = distance_unit(longest);
  std::string note;
  if (curves.size() == 1) {
    const SectionLine line = section_line(land.frame(), params);
    note = line_text(line);
  }
  double room = 0;
  for (const Curved& c : curves)
    if (!c.label.empty()) room = std::max(room, legend_gap + 24 + text_width(c.label, ink::tick));
  const double top = figure_margin + heading_room(params.title, note);
  const PlotArea plot{
      {figure_margin + y_axis_room(y.low, y.high, size.y), top}, size, 0, longest / unit.metres, y.low, y.high};
  const double right = plot.corner.x + size.x + std::max(room, 8.0) + figure_margin;
  const double keys = top + static_cast<double>(curves.size()) * 18;
  Drawing drawing(std::ceil(std::max(right, heading_width(params.title, note))),
                  std::ceil(std::max(top + size.y + x_axis_room, keys) + figure_margin - 8));
  draw_heading(drawing, params.title, note);
  for (const double v : round_ticks(y.low, y.high, std::clamp(static_cast<int>(size.y / 28), 2, 10)).values)
    drawing.line({plot.at(0, v), plot.at(plot.x_high, v)}, {ink::grid, 1});
  // The northernmost profile leads the legend, as it would on a map.
  for (size_t i = 0; i < curves.size(); ++i) {
    std::vector<Vec2> points;
    for (const Vec2 p : curves[i].points) {
      const Vec2 at = plot.at(p.x / unit.metres, std::clamp(p.y, y.low, y.high));
      points.push_back(at);
    }
    drawing.line(std::move(points), {curves[i].rgb, 1.2, false});
    if (!curves[i].label.empty())
      draw_key(drawing,
               {plot.corner.x + size.x + legend_gap, top + 10 + static_cast<double>(curves.size() - 1 - i) * 18},
               curves[i].label, {curves[i].rgb, 1.6, false});
  }
  draw_axes(drawing, plot, fmt::format("distance ({})", unit.name), name_with_unit(layer.name, layer.unit));
  drawing.set_numbers(numbers_of(curves, layer));
  return drawing;
}

namespace {

struct Bars {
  double low = 0, high = 1;
  std::vector<double> shares;  ///< per cent of the samples
  std::vector<uint32_t> colours;
  bool classes = false;
};

Bars class_bars(const Layer& layer, const Context& context) {
  const std::vector<int64_t> counts = class_counts(layer.grid(), context);
  if (counts.size() > 512) refuse(fmt::format("'{}' has {} classes, too many for bars", layer.name, counts.size()));
  Bars bars{-0.5, static_cast<double>(counts.size()) - 0.5, {}, {}, true};
  for (size_t i = 0; i < counts.size(); ++i) {
    bars.shares.push_back(100 * static_cast<double>(counts[i]) / static_cast<double>(layer.grid().size()));
    bars.colours.push_back(class_rgb(static_cast<int64_t>(i)));
  }
  return bars;
}

Bars value_bars(const Layer& layer, const FigureParams& params, const Context& context) {
  const Grid<float>& cells = layer.grid();
  const Interval own = layer_range(cells, context);
  Interval range = params.range.value_or(own);
  if (!(range.high > range.low)) range = padded(range.low, range.high);
  const size_t count = static_cast<size_t>(params.bins);
  Bars bars{range.low, range.high, {}, std::vector<uint32_t>(count, bar_rgb), false};
  using Counts = std::vector<int64_t>;
  const Counts counts = parallel_reduce(
      cells.size(), int64_t{1} << 18, context, Counts(count, 0),
      [&](int64_t begin, int64_t end) {
        Counts part(count, 0);
        for (int64_t i = begin; i < end; ++i) {
          const double v = static_cast<double>(cells.data()[i]);
          if (v < range.low || v > range.high) continue;
          const double place = (v - range.low) / (range.high - range.low) * static_cast<double>(count);
          ++part[std::min(static_cast<size_t>(place), count - 1)];
        }
        return part;
      },
      [](Counts a, const Counts& b) {
        for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
      });
  for (const int64_t n : counts)
    bars.shares.push_back(100 * static_cast<double>(n) / static_cast<double>(cells.size()));
  return bars;
}

PlotNumbers numbers_of(const Bars& bars, const Layer& layer) {
  PlotNumbers numbers;
  numbers.columns = bars.classes ? std::vector<std::string>{layer.name, "share_percent"}
                                 : std::vector<std::string>{column_name("from", layer.unit),
                                                            column_name("to", layer.unit), "share_percent"};
  const double count = static_cast<double>(bars.shares.size()), width = (bars.high - bars.low) / count;
  for (size_t i = 0; i < bars.shares.size(); ++i) {
    const double from = bars.low + width * static_cast<double>(i);
    numbers.rows.push_back(bars.classes ? std::vector<double>{static_cast<double>(i), bars.shares[i]}
                                        : std::vector<double>{from, from + width, bars.shares[i]});
  }
  return numbers;
}

void draw_bars(Drawing& drawing, const PlotArea& plot, const Bars& bars) {
  const double width = (bars.high - bars.low) / static_cast<double>(bars.shares.size());
  const double air = bars.classes ? 0.12 * width : 0, line = bars.classes ? 0 : 0.5;
  for (size_t i = 0; i < bars.shares.size(); ++i) {
    const double from = bars.low + width * static_cast<double>(i);
    const Vec2 a = plot.at(from + air, bars.shares[i]), b = plot.at(from + width - air, 0);
    if (b.y > a.y) drawing.rectangle(a, {std::max(b.x - a.x - line, 0.5), b.y - a.y}, bars.colours[i]);
  }
}

}  // namespace

Drawing draw_histogram(const Terrain& land, const FigureParams& params, const Context& context) {
  const Layer& layer = figure_layer(land, params);
  const bool classes = layer.kind == LayerKind::category;
  const Bars bars = classes ? class_bars(layer, context) : value_bars(layer, params, context);
  const Vec2 size = plot_size(params, {600, 300});
  const double tallest = *std::ranges::max_element(bars.shares), y_high = tallest > 0 ? tallest * 1.06 : 1;
  const double keys = classes ? 0 : 22;
  const double top = figure_margin + heading_room(params.title, "") + keys;
  const PlotArea plot{{figure_margin + y_axis_room(0, y_high, size.y), top}, size, bars.low, bars.high, 0, y_high};
  const double right = plot.corner.x + size.x + 8 + figure_margin;
  Drawing drawing(std::ceil(std::max({right, heading_width(params.title, ""), 420.0})),
                  std::ceil(top + size.y + x_axis_room + figure_margin - 8));
  draw_heading(drawing, params.title, "");
  draw_bars(drawing, plot, bars);
  if (!classes) {
    const LayerStatistics facts = statistics(layer.grid(), context);
    const double span = std::max(facts.max - facts.min, 1e-30);
    double x = plot.corner.x;
    const auto mark = [&](double value, const char* name, const Stroke& stroke) {
      if (value >= bars.low && value <= bars.high) drawing.line({plot.at(value, 0), plot.at(value, y_high)}, stroke);
      x = draw_key(drawing, {x, top - 12}, fmt::format("{} {}", name, number_text(value, span, layer.unit)), stroke);
    };
    mark(facts.mean, "mean", {mean_rgb, 1.2, false});
    mark(facts.median, "median", {median_rgb, 1.2, true});
    drawing.text({x, top - 12}, "deviation " + number_text(facts.deviation, span, layer.unit), {ink::tick, ink::text});
  }
  draw_axes(drawing, plot, name_with_unit(layer.name, layer.unit), "share of the samples (%)");
  drawing.set_numbers(numbers_of(bars, layer));
  return drawing;
}

Drawing draw_hypsometry(const Terrain& land, const FigureParams& params, const Context& context) {
  constexpr int parts = 200;
  figure_heights(land, "hypsometry");
  const std::vector<HypsometricPoint> curve = hypsometric_curve(land, parts, context.stage("measuring", 0, 0.5));
  const Vec2 size = plot_size(params, {420, 420});
  const double top = figure_margin + heading_room(params.title, "") + 22;
  const PlotArea plot{{figure_margin + y_axis_room(0, 1, size.y), top}, size, 0, 1, 0, 1};
  const double right = plot.corner.x + size.x + 16 + figure_margin;
  Drawing drawing(std::ceil(std::max(right, heading_width(params.title, ""))),
                  std::ceil(top + size.y + x_axis_room + figure_margin - 8));
  draw_heading(drawing, params.title, "");
  for (const double v : {0.2, 0.4, 0.6, 0.8}) {
    drawing.line({plot.at(0, v), plot.at(1, v)}, {ink::grid, 1});
    drawing.line({plot.at(v, 0), plot.at(v, 1)}, {ink::grid, 1});
  }
  std::vector<Vec2> points;
  PlotNumbers numbers{{"relative_height", "share_above", "height_m"}, {}};
  for (const HypsometricPoint& p : curve) {
    points.push_back(plot.at(p.share_above, p.relative_height));
    numbers.rows.push_back({p.relative_height, p.share_above, p.height});
  }
  // All of the land lies above its lowest point, and the curve ends at the top, where none does.
  points.push_back(plot.at(0, 1));
  drawing.line(std::move(points), {curve_rgb, 1.6, false});
  if (const std::optional<double> integral = hypsometric_integral(land, context.stage("measuring", 0.5, 1)))
    draw_key(drawing, {plot.corner.x, top - 12}, fmt::format("hypsometric integral {:.3f}", *integral),
             {curve_rgb, 1.6, false});
  draw_axes(drawing, plot, "share of the area above", "relative height");
  drawing.set_numbers(std::move(numbers));
  return drawing;
}

}  // namespace tepui

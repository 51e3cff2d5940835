#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/hydrology/drainage_statistics.h"
#include "tepui/render/page/figure_parts.h"

namespace tepui {

namespace {

constexpr uint32_t dot_rgb = 0x2f5d8a, fit_rgb = 0xb5482e;
constexpr int profile_count = 5;

/// A page with a plot between these numbers and a line for keys above it.
struct Page {
  PlotArea plot;
  Drawing drawing;

  Page(const FigureParams& params, Vec2 own, Interval x, Interval y)
      : plot{{}, plot_size(params, own), x.low, x.high, y.low, y.high}, drawing(1, 1) {
    const double top = figure_margin + heading_room(params.title, "") + 22;
    plot.corner = {figure_margin + y_axis_room(y.low, y.high, plot.size.y), top};
    const double right = plot.corner.x + plot.size.x + 16 + figure_margin;
    drawing = Drawing(std::ceil(std::max(right, heading_width(params.title, ""))),
                      std::ceil(top + plot.size.y + x_axis_room + figure_margin - 8));
    draw_heading(drawing, params.title, "");
  }
  Vec2 keys() const { return {plot.corner.x, plot.corner.y - 12}; }
};

/// Wide enough to show anything.
Interval widened(Interval range) {
  const double room = range.high > range.low ? 0.04 * (range.high - range.low) : 0.5;
  return {range.low - room, range.high + room};
}

}  // namespace

Drawing draw_slope_area(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
                        const Context& context) {
  figure_heights(land, "slope_area");
  const SlopeArea data = slope_area(land, std::nullopt, sea_level, context);
  Interval x{6, 6}, y{-1, -1};
  PlotNumbers numbers{{"area_m2", "slope", "samples"}, {}};
  std::vector<Vec2> points;
  for (const SlopeArea::Bin& bin : data.bins) {
    const Vec2 p{math::log10(bin.area), math::log10(bin.slope)};
    if (points.empty()) x = {p.x, p.x}, y = {p.y, p.y};
    x = {std::min(x.low, p.x), std::max(x.high, p.x)}, y = {std::min(y.low, p.y), std::max(y.high, p.y)};
    points.push_back(p);
    numbers.rows.push_back({bin.area, bin.slope, static_cast<double>(bin.samples)});
  }
  Page page(params, {480, 380}, widened(x), widened(y));
  for (const Vec2& p : points) {
    const Vec2 at = page.plot.at(p.x, p.y);
    page.drawing.rectangle({at.x - 2.5, at.y - 2.5}, {5, 5}, dot_rgb);
  }
  if (data.concavity && data.steepness) {
    const auto fitted = [&](double at) { return math::log10(*data.steepness) - *data.concavity * at; };
    page.drawing.line({page.plot.at(x.low, fitted(x.low)), page.plot.at(x.high, fitted(x.high))},
                      {fit_rgb, 1.6, false});
    draw_key(page.drawing, page.keys(), fmt::format("slope = {:.3g} area^-{:.3f}", *data.steepness, *data.concavity),
             {fit_rgb, 1.6, false});
  }
  draw_axes(page.drawing, page.plot, "log10 of the area drained in m2", "log10 of the slope");
  page.drawing.set_numbers(std::move(numbers));
  return std::move(page.drawing);
}

Drawing draw_river_profiles(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
                            const Context& context) {
  const bool over_chi = params.kind == FigureKind::chi;
  figure_heights(land, over_chi ? "chi" : "long_profile");
  const std::vector<RiverProfile> rivers = river_profiles(land, profile_count, std::nullopt, sea_level, context);
  Interval x{0, 0}, y{0, 0};
  bool first = true;
  for (const RiverProfile& river : rivers)
    for (const RiverProfile::Point& p : river.points) {
      x.high = std::max(x.high, over_chi ? p.chi : p.distance);
      y = first ? Interval{p.height, p.height} : Interval{std::min(y.low, p.height), std::max(y.high, p.height)};
      first = false;
    }
  const DistanceUnit unit = distance_unit(x.high);
  const Interval across{0, x.high > 0 ? x.high / unit.metres : 1};
  Page page(params, {720, 320}, across, widened(y));
  PlotNumbers numbers{{"river", "distance_m", "height_m", "drainage_m2", "chi_m"}, {}};
  Vec2 key = page.keys();
  for (size_t r = 0; r < rivers.size(); ++r) {
    const uint32_t rgb = colour_at(ColourMap::viridis, 0.85 * static_cast<double>(r) / profile_count);
    std::vector<Vec2> points;
    for (const RiverProfile::Point& p : rivers[r].points) {
      points.push_back(page.plot.at((over_chi ? p.chi : p.distance) / unit.metres, p.height));
      numbers.rows.push_back({static_cast<double>(r + 1), p.distance, p.height, p.drainage, p.chi});
    }
    if (points.size() > 1) page.drawing.line(std::move(points), {rgb, 1.6, false});
    key.x = draw_key(page.drawing, key, std::to_string(r + 1), {rgb, 1.6, false});
  }
  draw_axes(page.drawing, page.plot,
            fmt::format("{}, {}", over_chi ? "chi (1 km2, 0.45)" : "distance from the mouth", unit.name), "height, m");
  page.drawing.set_numbers(std::move(numbers));
  return std::move(page.drawing);
}

}  // namespace tepui

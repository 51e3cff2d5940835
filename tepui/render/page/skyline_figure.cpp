#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/generate/skyline.h"
#include "tepui/render/page/drawing_items.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/page/figure_parts.h"

namespace tepui {

namespace {

/// From the zenith of the picture down to the horizon, and where between them.
constexpr std::pair<double, uint32_t> sky[] = {{0, 0x2d66a8},    {0.3, 0x5b95cc}, {0.55, 0x98c1e3},
                                               {0.75, 0xcfe3f0}, {0.9, 0xf1f2ea}, {1, 0xf6eedd}};
constexpr uint32_t near_rgb = 0x122a38, air_rgb = 0xa9c4da, mist_rgb = 0xe6ebe9;
constexpr uint32_t mean_rgb = 0x8f2f1d, stroke_rgb = 0x24546e;

/// A line as it is drawn.
struct Ridge {
  std::vector<Vec2> points;  ///< x and height, metres
  double distance = 0;       ///< northwards, metres
};

struct View {
  std::vector<Ridge> ridges, tents, strokes;  ///< the farthest first
  Vec2 x, z;                                  ///< lowest and highest
  double nearest = 0, farthest = 0;

  /// Of the way from the nearest to the farthest ridge; a lone one is a distant range.
  double depth(const Ridge& ridge) const {
    return farthest > nearest ? (ridge.distance - nearest) / (farthest - nearest) : 0.2;
  }
};

/// A ridge runs from one side to the other.
bool is_ridge(const LinePart& line) {
  return !line.closed && line.points.size() > 1 && line.points.front().x < line.points.back().x &&
         std::ranges::is_sorted(line.points, {}, &Vec3::x);
}

View view_of(const Lines& lines) {
  const LinesExtent extent = extent_of(lines);
  if (extent.points == 0) refuse("there are no lines to draw");
  View view;
  view.x = {extent.low.x, extent.high.x};
  view.z = {extent.low.z, extent.high.z};
  for_each_curve(lines, [&](const LinePart& line) {
    if (line.points.empty()) return;
    Ridge ridge;
    for (const Vec3& p : line.points) {
      ridge.points.push_back({p.x, p.z});
      ridge.distance += p.y / static_cast<double>(line.points.size());
    }
    if (line.closed) ridge.points.push_back(ridge.points.front());
    (is_tent(line.name) ? view.tents : is_ridge(line) ? view.ridges : view.strokes).push_back(std::move(ridge));
  });
  for (auto* list : {&view.ridges, &view.tents, &view.strokes})
    std::ranges::stable_sort(*list, std::greater(), &Ridge::distance);
  if (!view.ridges.empty()) {
    view.farthest = view.ridges.front().distance;
    view.nearest = view.ridges.back().distance;
  }
  return view;
}

/// The plot's numbers: the ground at its foot, sky above the highest point.
struct Framing {
  PlotArea plot;
  double exaggeration = 1;
};

Framing framing(const View& view, const FigureParams& params) {
  Framing f;
  PlotArea& plot = f.plot;
  plot.size = params.wanted_size();
  if (!(plot.size.x > 0)) plot.size.x = params.axes ? 760 : 960;
  if (!(plot.size.y > 0)) plot.size.y = std::round(plot.size.x * (params.axes ? 0.42 : 9.0 / 16));
  const double middle = (view.x.x + view.x.y) / 2, half = std::max(0.5 * (view.x.y - view.x.x), 1e-3);
  plot.x_low = middle - half;
  plot.x_high = middle + half;
  const double per_metre = plot.size.x / (2 * half);
  const double high = view.z.y;
  // Lines far above the ground have a foot of their own.
  double low = std::min(view.z.x, 0.0);
  if (view.z.y > view.z.x && view.z.x > 2 * (view.z.y - view.z.x)) low = view.z.x - 0.25 * (view.z.y - view.z.x);
  if (params.range) {
    plot.y_low = params.range->low;
    plot.y_high = params.range->high;
    f.exaggeration = plot.size.y / ((plot.y_high - plot.y_low) * per_metre);
    return f;
  }
  const double filled = view.tents.empty() ? 0.66 : 0.9, span = high - low;
  const double wanted = span > 0 ? filled * plot.size.y / (span * per_metre) : 1;
  f.exaggeration = params.exaggeration.value_or(params.axes ? round_exaggeration(wanted) : wanted);
  const double metres = plot.size.y / (per_metre * f.exaggeration);
  if (params.exaggeration && span > metres * (1 + 1e-9))
    refuse(fmt::format("heights of {} times {:.3g} do not fit into {} pixels", length_text(span), f.exaggeration,
                       plot.size.y),
           fmt::format("an exaggeration up to {:.3g}, or a larger size", plot.size.y / (per_metre * span)));
  plot.y_low = low;
  plot.y_high = low + metres;
  return f;
}

/// On the page; of many points in one column of pixels the first, the lowest, the highest and the last.
std::vector<Vec2> on_page(const std::vector<Vec2>& points, const PlotArea& plot) {
  std::vector<Vec2> all;
  for (const Vec2 p : points) {
    const Vec2 at = plot.at(p.x, std::clamp(p.y, plot.y_low, plot.y_high));
    all.push_back({std::clamp(at.x, plot.corner.x, plot.corner.x + plot.size.x), at.y});
  }
  if (static_cast<double>(all.size()) <= 4 * plot.size.x) return all;
  std::vector<Vec2> kept;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin, low = begin, high = begin;
    for (; end < all.size() && std::floor(all[end].x) == std::floor(all[begin].x); ++end) {
      if (all[end].y < all[low].y) low = end;
      if (all[end].y > all[high].y) high = end;
    }
    kept.push_back(all[begin]);
    for (const size_t i : {std::min(low, high), std::max(low, high), end - 1})
      if (i != begin && kept.back() != all[i]) kept.push_back(all[i]);
    begin = end;
  }
  return kept;
}

/// As the eye sees halfway: between the numbers of sRGB.
uint32_t blend(uint32_t a, uint32_t b, double t) { return gradient_colour({{0, a}, {1, b}}, t); }

/// `pale` towards white, so that lines show.
void draw_sky(Drawing& drawing, const PlotArea& plot, double pale) {
  std::vector<GradientStop> stops;
  for (const auto& [place, rgb] : sky)
    stops.push_back({plot.corner.y + place * plot.size.y, blend(rgb, 0xffffff, pale)});
  const Vec2 far = plot.corner + plot.size;
  drawing.area({plot.corner, {far.x, plot.corner.y}, far, {plot.corner.x, far.y}}, std::move(stops));
}

/// Air lightens what is far, and lies thickest at the foot.
void draw_ridge(Drawing& drawing, const PlotArea& plot, const Ridge& ridge, double depth) {
  std::vector<Vec2> outline = on_page(ridge.points, plot);
  const auto highest = std::ranges::min(outline, {}, &Vec2::y).y;
  const double floor = plot.corner.y + plot.size.y;
  const uint32_t crest = blend(near_rgb, air_rgb, 1.1 * (1 - math::exp(-2.4 * depth)));
  outline.push_back({outline.back().x, floor});
  outline.push_back({outline.front().x, floor});
  drawing.area(std::move(outline), {{highest, crest}, {floor, blend(crest, mist_rgb, 0.1 + 0.45 * depth)}});
}

}  // namespace

Drawing draw_figure(const Lines& lines, const FigureParams& params, const Context& context) {
  check_params(params);
  if (params.kind == FigureKind::map) return draw_line_map(lines, params, context);
  if (params.kind == FigureKind::survey) return draw_survey(lines, params, context);
  if (params.kind != FigureKind::skyline)
    refuse("lines are shown as a skyline, a map or a survey", "kind = skyline, map or survey");
  context.check();
  const View view = view_of(lines);
  const Framing f = framing(view, params);
  const DistanceUnit unit = distance_unit(view.x.y - view.x.x);
  const std::string note = std::abs(f.exaggeration - 1) < 1e-6 ? "" : exaggeration_text(f.exaggeration);
  PlotPage page = plot_page(f.plot, {}, note, params);
  Drawing drawing(page.width, page.height);
  const PlotArea& plot = page.plot;
  draw_sky(drawing, plot, view.tents.empty() ? 0 : 0.7);
  // Tents are seen through the ground that they are averaged to.
  for (const Ridge& ridge : view.ridges) draw_ridge(drawing, plot, ridge, view.tents.empty() ? view.depth(ridge) : 0.8);
  for (const Ridge& tent : view.tents)
    drawing.line(on_page(tent.points, plot), {stroke_rgb, view.tents.size() < 8 ? 1.6 : 0.8});
  for (const Ridge& line : view.strokes) drawing.line(on_page(line.points, plot), {stroke_rgb, 1.5});
  if (!view.tents.empty())
    for (const Ridge& ridge : view.ridges) drawing.line(on_page(ridge.points, plot), {mean_rgb, 3});
  page.plot.x_low /= unit.metres;
  page.plot.x_high /= unit.metres;
  draw_plot_page(drawing, page, params, unit);
  context.progress(1);
  return drawing;
}

}  // namespace tepui

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tepui/core/error.h"
#include "tepui/render/page/cave_course.h"
#include "tepui/render/page/figure_parts.h"

namespace tepui {

namespace {

constexpr double own_width = 760, own_height = 620;  ///< of the plan at most, unless a size is given
constexpr double between = 26;                       ///< from the plan's axis to the elevation's heading
constexpr double room = 0.04;                        ///< of the longer side, around all passages
constexpr uint32_t paper_rgb = 0xfbfaf6, edge_rgb = 0x2c2a28, sink_rgb = 0x8f2f1d, spring_rgb = 0x245a8c;
constexpr int colours = 24;
constexpr double least_width = 1.2;  ///< pixels
/// In the elevation passages lie over each other: there they are lines.
constexpr double elevation_width = 3;

/// The numbers that colours show, one for each vertex.
struct Shown {
  std::vector<double> values;
  ColourScale scale;
};

Shown shown_numbers(const Lines& lines, const FigureParams& params) {
  const std::string name = params.layer.value_or("depth");
  Shown shown;
  const LineAttribute* numbers = lines.vertex_number(name);
  const bool of_vertices = numbers != nullptr;
  if (numbers == nullptr) numbers = lines.number(name);
  if (numbers == nullptr && params.layer) {
    std::set<std::string> names;
    for (const AttributeRange& range : attribute_ranges(lines)) names.insert(range.name);
    refuse(fmt::format("the lines have no numbers '{}'", name),
           names.empty() ? "leave 'layer' out: heights are shown then"
                         : fmt::format("numbers they have: {}", fmt::join(names, ", ")));
  }
  shown.values.resize(lines.vertices().size());
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v)
      shown.values[v] = numbers == nullptr ? lines.vertices()[v].z : numbers->values[of_vertices ? v : f];
  }
  shown.scale.map = params.colour_map == ColourMap::by_layer ? ColourMap::viridis : params.colour_map;
  shown.scale.name = numbers == nullptr ? "height" : name;
  shown.scale.unit = numbers == nullptr ? "m" : numbers->unit;
  double low = 1e300, high = -1e300;
  for (const double value : shown.values) {
    if (std::isnan(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  shown.scale.low = params.range ? params.range->low : std::min(low, high);
  shown.scale.high = params.range ? params.range->high : high;
  return shown;
}

/// A piece of a passage in one colour, in the plan or the elevation.
struct Piece {
  std::vector<Vec2> points;
  double width = 1, height = 0;  ///< of the line, pixels; metres above the sea
  uint32_t rgb = 0;
};

/// The network as both views draw it.
class Survey {
 public:
  Survey(const Lines& lines, const FigureParams& params)
      : lines_(lines), course_(cave_course(lines)), shown_(shown_numbers(lines, params)) {
    radius_ = lines.vertex_number("radius");
  }

  const CaveCourse& course() const { return course_; }
  const ColourScale& scale() const { return shown_.scale; }

  /// `place` gives the page's place of a vertex, `pixels` those of a metre, `widest` the widest line.
  template <class Place>
  void draw(Drawing& drawing, double pixels, double widest, const Place& place) const {
    std::vector<Piece> pieces;
    for (size_t f = 0; f < lines_.features(); ++f) {
      const LineFeature feature = lines_.feature(f);
      if (feature.shape == FeatureShape::point) continue;
      for (size_t p = feature.first_part; p < feature.end_part; ++p) cut_part(p, pixels, place, pieces);
    }
    for (Piece& piece : pieces) piece.width = std::min(piece.width, widest);
    // What lies higher lies over what is below it.
    std::ranges::stable_sort(pieces, {}, &Piece::height);
    for (const Piece& piece : pieces) drawing.line(piece.points, {edge_rgb, piece.width + 1.4, false, true});
    for (const Piece& piece : pieces) drawing.line(piece.points, {piece.rgb, piece.width, false, true});
    draw_ends(drawing, place);
  }

 private:
  double width_at(size_t v, double pixels) const {
    const double radius = radius_ != nullptr ? radius_->values[v] : 0;
    return radius > 0 ? std::max(least_width, 2 * radius * pixels) : 2.2;
  }
  uint32_t rgb_at(size_t v) const {
    const ColourScale& s = shown_.scale;
    const double value = shown_.values[v];
    if (std::isnan(value)) return no_direction_rgb;
    const double share = s.high > s.low ? (value - s.low) / (s.high - s.low) : 0.5;
    return colour_at(s.map, std::round(std::clamp(share, 0.0, 1.0) * colours) / colours);
  }
  template <class Place>
  void cut_part(size_t part, double pixels, const Place& place, std::vector<Piece>& pieces) const {
    const LinesColumns& c = lines_.columns();
    const size_t first = c.part_starts[part], end = c.part_starts[part + 1];
    for (size_t v = first; v + 1 < end + (c.part_closed[part] != 0 ? 1 : 0); ++v) {
      const size_t next = v + 1 < end ? v + 1 : first;
      Piece piece;
      piece.points = {place(v), place(next)};
      piece.width = (width_at(v, pixels) + width_at(next, pixels)) / 2;
      piece.height = lines_.vertices()[v].z;
      piece.rgb = rgb_at(v);
      pieces.push_back(std::move(piece));
    }
  }
  /// Sinks as triangles that point down, springs as drops.
  template <class Place>
  void draw_ends(Drawing& drawing, const Place& place) const {
    const LineTextAttribute* kind = lines_.text("kind");
    for (size_t f = 0; f < lines_.features(); ++f) {
      const LineFeature feature = lines_.feature(f);
      if (feature.shape != FeatureShape::point) continue;
      const bool spring = kind != nullptr && kind->values[f] == "spring";
      for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) draw_end(drawing, place(v), spring);
    }
  }

 public:
  static void draw_end(Drawing& drawing, Vec2 at, bool spring) {
    constexpr double size = 5;
    std::vector<Vec2> outline;
    if (spring)
      outline = {at + Vec2{0, -size}, at + Vec2{size, 0}, at + Vec2{0, size}, at + Vec2{-size, 0}};
    else
      outline = {at, at + Vec2{-size, -1.7 * size}, at + Vec2{size, -1.7 * size}};
    std::vector<Vec2> rim = outline;
    rim.push_back(rim.front());
    drawing.area(std::move(outline), spring ? spring_rgb : sink_rgb);
    drawing.line(std::move(rim), {0xffffff, 1});
  }

 private:
  const Lines& lines_;
  CaveCourse course_;
  Shown shown_;
  const LineAttribute* radius_ = nullptr;
};

/// Both views, on the page.
struct SurveyPlots {
  PlotArea plan, elevation;
  double plan_pixels = 1, elevation_pixels = 1;  ///< of a metre
  double exaggeration = 1;
};

SurveyPlots survey_plots(const Lines& lines, const CaveCourse& course, const FigureParams& params) {
  const LinesExtent extent = extent_of(lines);
  SurveyPlots plots;
  const Vec2 asked = params.wanted_size();
  const double wide = std::max(extent.high.x - extent.low.x, 1e-3), tall = std::max(extent.high.y - extent.low.y, 1e-3);
  const double margin = room * std::max(wide, tall);
  const Vec2 most{asked.x > 0 ? asked.x : own_width, asked.y > 0 ? asked.y : own_height};
  plots.plan_pixels = std::min(most.x / (wide + 2 * margin), most.y / (tall + 2 * margin));
  PlotArea& plan = plots.plan;
  // The page is as wide for a narrow cave as for a wide one.
  plan.size = {most.x, std::round((tall + 2 * margin) * plots.plan_pixels)};
  const double half = plan.size.x / plots.plan_pixels / 2, middle = (extent.low.x + extent.high.x) / 2;
  plan.x_low = middle - half;
  plan.x_high = middle + half;
  plan.y_low = extent.low.y - margin;
  plan.y_high = plan.y_low + plan.size.y / plots.plan_pixels;
  set_common_step(plan);

  PlotArea& cut = plots.elevation;
  const double longest = std::max(course.longest, 1e-3), high = std::max(extent.high.z - extent.low.z, 1e-3);
  const double side = room * longest;
  plots.elevation_pixels = most.x / (longest + 2 * side);
  const double height = high * plots.elevation_pixels;
  plots.exaggeration = params.exaggeration.value_or(height < 90    ? round_exaggeration(160 / height)
                                                    : height > 460 ? round_exaggeration(460 / height)
                                                                   : 1);
  const double air = std::max(0.08 * high, 14 / (plots.elevation_pixels * plots.exaggeration));
  cut.x_low = -side;
  cut.x_high = longest + side;
  cut.y_low = extent.low.z - air;
  cut.y_high = extent.high.z + air;
  cut.size = {most.x, std::round((cut.y_high - cut.y_low) * plots.elevation_pixels * plots.exaggeration)};
  return plots;
}

double draw_keys(Drawing& drawing, Vec2 at) {
  Survey::draw_end(drawing, at + Vec2{6, 4}, false);
  drawing.text(at + Vec2{18, 3}, "sink", {ink::tick, ink::text});
  Survey::draw_end(drawing, at + Vec2{6, 18}, true);
  drawing.text(at + Vec2{18, 22}, "spring", {ink::tick, ink::text});
  return 34;
}

}  // namespace

Drawing draw_survey(const Lines& lines, const FigureParams& params, const Context& context) {
  context.check();
  if (extent_of(lines).points == 0) refuse("there are no lines to make a figure of");
  const Survey survey(lines, params);
  SurveyPlots plots = survey_plots(lines, survey.course(), params);
  PlotArea &plan = plots.plan, &cut = plots.elevation;
  const double left = figure_margin + std::max(y_axis_room(plan.y_low, plan.y_high, plan.size.y),
                                               y_axis_room(cut.y_low, cut.y_high, cut.size.y));
  const std::string plan_note = fmt::format("plan, {} of passages", length_text(extent_of(lines).length));
  const std::string cut_note =
      fmt::format("extended elevation{}",
                  std::abs(plots.exaggeration - 1) < 1e-6 ? "" : ", " + exaggeration_text(plots.exaggeration));
  plan.corner = {left, figure_margin + heading_room(params.title, plan_note)};
  cut.corner = {left, plan.corner.y + plan.size.y + x_axis_room + between};
  const Vec2 bar{14, std::min(220.0, plan.size.y * 0.6)}, bar_room = colour_bar_room(bar, survey.scale());
  const double right = plan.corner.x + plan.size.x + legend_gap + std::max(bar_room.x, 70.0) + figure_margin;
  Drawing drawing(std::ceil(std::max(right, heading_width(params.title, plan_note))),
                  std::ceil(cut.corner.y + cut.size.y + x_axis_room + figure_margin));
  draw_heading(drawing, params.title, plan_note);
  drawing.text({figure_margin, cut.corner.y - 10}, cut_note, {ink::tick, ink::quiet});
  for (const PlotArea* plot : {&plan, &cut}) drawing.rectangle(plot->corner, plot->size, paper_rgb);
  survey.draw(drawing, plots.plan_pixels, 1e9,
              [&](size_t v) { return plan.at(lines.vertices()[v].x, lines.vertices()[v].y); });
  survey.draw(drawing, plots.elevation_pixels, elevation_width,
              [&](size_t v) { return cut.at(survey.course().distance[v], lines.vertices()[v].z); });
  draw_axes(drawing, plan, "x (m)", "y (m)");
  draw_axes(drawing, cut, "distance from the nearest sink through the cave (m)", "height (m)");
  const Vec2 beside{plan.corner.x + plan.size.x + legend_gap, plan.corner.y};
  draw_colour_bar(drawing, beside, bar, survey.scale());
  draw_keys(drawing, {beside.x, beside.y + bar_room.y + 22});
  context.progress(1);
  return drawing;
}

}  // namespace tepui

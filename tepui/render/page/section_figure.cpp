#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/ground/covers.h"
#include "tepui/render/ground/inland_water.h"
#include "tepui/render/page/figure_parts.h"

namespace tepui {

namespace {

constexpr uint32_t rock_rgb = bare_rock_rgb, ground_rgb = 0x3b342c, water_rgb = 0xb3d0e4, sea_rgb = 0x4b80a8;
constexpr double strip_height = 7;

/// A layer of the section with its colour.
struct Band {
  size_t layer = 0;
  uint32_t rgb = 0;
  std::string name;
};

struct Cut {
  std::vector<SectionSample> samples;
  size_t height = 0;
  std::optional<size_t> material;
  std::vector<Band> bands;
  std::vector<double> levels{};  ///< of lakes and rivers at every sample; none where there are none
};

Cut cut_land(const Terrain& land, const SectionLine& line, int64_t count, const Context& context) {
  Cut cut;
  cut.samples = sample_section(land, line.from, line.to, count, context);
  const auto index_of = [&](std::string_view name) -> std::optional<size_t> {
    for (size_t i = 0; i < land.layers().size(); ++i)
      if (land.layers()[i].name == name) return i;
    return std::nullopt;
  };
  cut.height = *index_of("height");
  if (const auto i = index_of("material"); i && land.layers()[*i].kind == LayerKind::category) cut.material = i;
  for (const CoverRow& cover : cover_rows())
    if (const auto i = index_of(cover.layer);
        i && cover.by == LaidBy::depth && land.layers()[*i].kind == LayerKind::continuous)
      cut.bands.push_back({*i, cover.rgb, cover.name});
  const InlandWater water(land, context);
  const Frame& frame = land.frame();
  for (const SectionSample& s : water.empty() ? std::vector<SectionSample>() : cut.samples)
    cut.levels.push_back(water.level_at((s.at.x - frame.x(0)) / frame.cell.x, (s.at.y - frame.y(0)) / frame.cell.y));
  return cut;
}

/// The surface below the bands from `first` on: all of them lie under the ground, the last one on top.
double surface(const Cut& cut, const SectionSample& sample, size_t first) {
  double z = sample.values[cut.height];
  for (size_t b = cut.bands.size(); b-- > first;) z -= std::max(0.0, sample.values[cut.bands[b].layer]);
  return z;
}

/// How the plot is stretched: the numbers that fit together exactly.
struct Stretch {
  Vec2 size;
  double low = 0, high = 1, exaggeration = 1;
};

Stretch stretch(double low, double high, double length, const FigureParams& params) {
  Stretch s;
  const Vec2 wanted = params.wanted_size();
  s.size.x = wanted.x > 0 ? wanted.x : 760;
  const double per_metre = s.size.x / length;
  // Not so little that the heights' own precision would show.
  const double span = std::max({high - low, 0.01 * length, 1e-5 * std::max(std::abs(low), std::abs(high))});
  const double middle = (low + high) / 2;
  s.low = std::max(high - low, 0.0) < span ? middle - 0.6 * span : low - 0.14 * span;
  s.high = std::max(high - low, 0.0) < span ? middle + 0.6 * span : high + 0.08 * span;
  if (params.exaggeration && wanted.y > 0) {
    const double metres = wanted.y / (per_metre * *params.exaggeration);
    if (metres < high - low)
      refuse(fmt::format("heights of {} times {:.3g} do not fit into {} pixels", length_text(high - low),
                         *params.exaggeration, wanted.y),
             fmt::format("an exaggeration up to {:.3g}, or a larger size", wanted.y / (per_metre * span)));
    s.low = (low + high) / 2 - metres / 2;
    s.high = s.low + metres;
  }
  const double metres = s.high - s.low;
  const double fitting = (wanted.y > 0 ? wanted.y : 280) / (metres * per_metre);
  const double usual = wanted.y > 0 ? fitting : fitting < 1 && fitting > 0.4 ? 1 : round_exaggeration(fitting);
  s.exaggeration = params.exaggeration.value_or(usual);
  s.size.y = metres * per_metre * s.exaggeration;
  if (!(s.size.y >= 1 && s.size.y <= 8192))
    refuse(fmt::format("an exaggeration of {:.3g} makes a section of {:.0f} pixels' height", s.exaggeration, s.size.y),
           "remove 'exaggeration' to get one that fits");
  return s;
}

/// The area between two surfaces.
void draw_band(Drawing& drawing, const PlotArea& plot, const Cut& cut, size_t band, double unit) {
  std::vector<Vec2> outline;
  for (const SectionSample& s : cut.samples) outline.push_back(plot.at(s.distance / unit, surface(cut, s, band + 1)));
  for (size_t i = cut.samples.size(); i-- > 0;)
    outline.push_back(plot.at(cut.samples[i].distance / unit, surface(cut, cut.samples[i], band)));
  drawing.area(std::move(outline), cut.bands[band].rgb);
}

/// Classes as a strip under the ground; neighbours of one class make one piece.
void draw_material(Drawing& drawing, const PlotArea& plot, const Cut& cut, double unit) {
  const auto class_of = [&](size_t i) { return cut.samples[i].values[*cut.material]; };
  const double floor = plot.corner.y + plot.size.y;
  // A class changes halfway between two samples.
  const auto edge = [&](size_t i, size_t j) {
    const Vec2 a = plot.at(cut.samples[i].distance / unit, surface(cut, cut.samples[i], 0));
    const Vec2 b = plot.at(cut.samples[j].distance / unit, surface(cut, cut.samples[j], 0));
    return (a + b) * 0.5;
  };
  for (size_t begin = 0; begin < cut.samples.size();) {
    size_t end = begin;
    while (end + 1 < cut.samples.size() && class_of(end + 1) == class_of(begin)) ++end;
    std::vector<Vec2> line{edge(begin > 0 ? begin - 1 : begin, begin)};
    for (size_t i = begin; i <= end; ++i) line.push_back(edge(i, i));
    line.push_back(edge(end, std::min(end + 1, cut.samples.size() - 1)));
    std::vector<Vec2> outline = line;
    for (size_t i = line.size(); i-- > 0;)
      outline.push_back({line[i].x, std::min(line[i].y + strip_height, std::max(floor, line[i].y))});
    drawing.area(std::move(outline), class_rgb(static_cast<int64_t>(class_of(begin))));
    begin = end + 1;
  }
}

/// Rock below the surface: a cut through all of the plot, and paper over what is air.
void draw_rock(Drawing& drawing, const PlotArea& plot, const RockFace& face, const std::vector<Vec2>& surface) {
  drawing.picture(plot.corner, plot.size, face.image);
  // A little beyond the picture, so that none of its rim shows.
  const double top = plot.corner.y - 1, left = plot.corner.x - 1, right = plot.corner.x + plot.size.x + 1;
  std::vector<Vec2> air{{left, surface.front().y}};
  air.insert(air.end(), surface.begin(), surface.end());
  air.push_back({right, surface.back().y});
  air.push_back({right, top});
  air.push_back({left, top});
  drawing.area(std::move(air), 0xffffff);
}

/// Between the ground and the surface of water, where that is higher.
void draw_water_on(Drawing& drawing, const PlotArea& plot, const Cut& cut, const std::vector<double>& levels,
                   double unit) {
  std::vector<Vec2> outline;
  for (size_t i = 0; i < cut.samples.size(); ++i)
    outline.push_back(plot.at(cut.samples[i].distance / unit, std::max(levels[i], cut.samples[i].values[cut.height])));
  for (size_t i = cut.samples.size(); i-- > 0;)
    outline.push_back(plot.at(cut.samples[i].distance / unit, cut.samples[i].values[cut.height]));
  drawing.area(std::move(outline), water_rgb);
}

void draw_ground(Drawing& drawing, const PlotArea& plot, const Cut& cut, double unit, const RockFace* face) {
  const double floor = plot.corner.y + plot.size.y;
  std::vector<Vec2> rock, ground;
  for (const SectionSample& s : cut.samples) {
    rock.push_back(plot.at(s.distance / unit, surface(cut, s, 0)));
    ground.push_back(plot.at(s.distance / unit, s.values[cut.height]));
  }
  if (face != nullptr) {
    draw_rock(drawing, plot, *face, rock);
  } else {
    std::vector<Vec2> body = rock;
    body.push_back({rock.back().x, floor});
    body.push_back({rock.front().x, floor});
    drawing.area(std::move(body), rock_rgb);
  }
  if (cut.material && face == nullptr) draw_material(drawing, plot, cut, unit);
  for (size_t b = 0; b < cut.bands.size(); ++b) draw_band(drawing, plot, cut, b, unit);
  if (!cut.bands.empty()) drawing.line(std::move(rock), {ground_rgb, 0.5});
  drawing.line(std::move(ground), {ground_rgb, 1.1});
}

void draw_sea(Drawing& drawing, const PlotArea& plot, double level) {
  const double y = plot.at(0, level).y;
  drawing.rectangle({plot.corner.x, y}, {plot.size.x, plot.corner.y + plot.size.y - y}, water_rgb);
}

/// Whether the line goes through a lake or a river.
bool has_water(const Cut& cut) {
  for (size_t i = 0; i < cut.levels.size(); ++i)
    if (cut.levels[i] > cut.samples[i].values[cut.height]) return true;
  return false;
}

std::vector<LegendClass> section_classes(const Terrain& land, const Cut& cut, bool sea, const RockFace* face) {
  std::vector<LegendClass> list;
  if (sea || has_water(cut)) list.push_back({water_rgb, has_water(cut) ? "water" : "sea"});
  for (size_t b = cut.bands.size(); b-- > 0;) list.push_back({cut.bands[b].rgb, cut.bands[b].name});
  if (face != nullptr) {
    list.insert(list.end(), face->rocks.begin(), face->rocks.end());
    return list;
  }
  if (cut.material) {
    std::vector<double> classes;
    for (const SectionSample& s : cut.samples) classes.push_back(s.values[*cut.material]);
    std::ranges::sort(classes, std::greater());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    for (const double c : classes)
      list.push_back({class_rgb(static_cast<int64_t>(c)), fmt::format("{} {}", land.layers()[*cut.material].name, c)});
  }
  list.push_back({rock_rgb, "rock"});
  return list;
}

}  // namespace

Drawing draw_section(const Terrain& land, const FigureParams& params, std::optional<double> sea_level,
                     const Geology* rock, const Context& context) {
  figure_heights(land, "section");
  const SectionLine line = section_line(land.frame(), params);
  const double finest = std::min(land.frame().cell.x, land.frame().cell.y);
  const double width = params.wanted_size().x > 0 ? params.wanted_size().x : 760;
  const int64_t count = static_cast<int64_t>(std::clamp(line.length / finest, 1.0, 4 * width)) + 1;
  const Cut cut = cut_land(land, line, std::max<int64_t>(count, 2), context);

  double low = 1e300, high = -1e300;
  for (const SectionSample& s : cut.samples) {
    low = std::min({low, surface(cut, s, 0), s.values[cut.height]});
    high = std::max(high, s.values[cut.height]);
  }
  for (const double level : cut.levels) high = std::max(high, level);
  const bool sea = sea_level && *sea_level > low;
  if (sea) high = std::max(high, *sea_level);
  const Stretch s = stretch(low, high, line.length, params);
  const DistanceUnit unit = distance_unit(line.length);

  std::optional<RockFace> face;
  if (rock != nullptr) face = cut_rock(*rock, line, {s.low, s.high}, s.size, params.colour_map, context);
  const RockFace* shown = face ? &*face : nullptr;
  const std::vector<LegendClass> classes = section_classes(land, cut, sea, shown);
  const std::string note = fmt::format("{}, {}", line_text(line), exaggeration_text(s.exaggeration));
  const double top = figure_margin + heading_room(params.title, note);
  const PlotArea plot{
      {figure_margin + y_axis_room(s.low, s.high, s.size.y), top}, s.size, 0, line.length / unit.metres, s.low, s.high};
  const Vec2 list = classes.size() > (face ? 0u : 1u) ? classes_room(1e4, "", classes) : Vec2{};
  const Vec2 bar = face ? rock_bar_size(*face, s.size.y) : Vec2{};
  const Vec2 bar_room = face ? colour_bar_room(bar, face->scale) + Vec2{0, 14} : Vec2{};
  const Vec2 room{std::max(list.x, bar_room.x), list.y + bar_room.y};
  const double right = plot.corner.x + s.size.x + (room.x > 0 ? legend_gap + room.x : 8) + figure_margin;
  const double bottom = std::max(top + s.size.y + x_axis_room, top + room.y) + figure_margin - 8;
  Drawing drawing(std::ceil(std::max(right, heading_width(params.title, note))), std::ceil(bottom));
  draw_heading(drawing, params.title, note);
  if (sea && !face) draw_sea(drawing, plot, *sea_level);
  draw_ground(drawing, plot, cut, unit.metres, shown);
  if (sea && face) draw_water_on(drawing, plot, cut, std::vector<double>(cut.samples.size(), *sea_level), unit.metres);
  if (has_water(cut)) draw_water_on(drawing, plot, cut, cut.levels, unit.metres);
  if (sea) {
    const double y = plot.at(0, *sea_level).y;
    drawing.line({{plot.corner.x, y}, {plot.corner.x + s.size.x, y}}, {sea_rgb, 0.75, true});
  }
  draw_axes(drawing, plot, fmt::format("distance ({})", unit.name), "height (m)");
  const Vec2 beside{plot.corner.x + s.size.x + legend_gap, top};
  if (face) draw_colour_bar(drawing, beside, bar, face->scale);
  if (list.x > 0) draw_classes(drawing, {beside.x, beside.y + bar_room.y}, 1e4, "", classes);
  return drawing;
}

}  // namespace tepui

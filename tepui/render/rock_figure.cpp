#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/render/colour.h"
#include "tepui/render/figure_parts.h"
#include "tepui/render/layer_scale.h"

namespace tepui {

namespace {

/// Pixels of the picture for one of the page, along each side.
constexpr int fineness = 2;
/// How far rock darkens where another begins.
constexpr float edge_shade = 0.55f;

/// The plot's numbers.
struct Cut {
  SectionLine line;
  PlotArea plot;  ///< of distances in metres
  double exaggeration = 1;
};

Interval heights_of(const Geology& rock, const Frame& world, const FigureParams& params) {
  if (params.range.low < params.range.high) return params.range;
  const Interval levels = rock.root().levels();
  const double span = levels.high - levels.low;
  if (span > 0) return {levels.low - 0.06 * span, levels.high + 0.06 * span};
  // Rock without levels of its own: as high as land is by default.
  return {levels.low, levels.low + 0.15 * world.shorter_side()};
}

Cut cut_of(const Geology& rock, const Frame& world, const FigureParams& params) {
  Cut cut;
  cut.line = section_line(world, params);
  const Interval z = heights_of(rock, world, params);
  PlotArea& plot = cut.plot;
  plot = {{}, {params.size.x > 0 ? params.size.x : 760, params.size.y}, 0, cut.line.length, z.low, z.high};
  const double height = (z.high - z.low) * plot.size.x / cut.line.length;
  if (plot.size.y > 0) {
    cut.exaggeration = plot.size.y / height;
    if (params.exaggeration > 0 && std::abs(cut.exaggeration / params.exaggeration - 1) > 0.01)
      refuse(fmt::format("{} at an exaggeration of {:.3g} are {:.0f} pixels high, not {}", length_text(z.high - z.low),
                         params.exaggeration, height * params.exaggeration, plot.size.y),
             "leave one of exaggeration and size out");
  } else {
    const double wanted = 320 / height;
    cut.exaggeration = params.exaggeration > 0      ? params.exaggeration
                       : wanted < 1 && wanted > 0.5 ? 1
                                                    : round_exaggeration(wanted);
    plot.size.y = std::round(height * cut.exaggeration);
  }
  if (!(plot.size.y >= 1 && plot.size.y <= 8192))
    refuse(fmt::format("an exaggeration of {:.3g} makes a section of {:.0f} pixels' height", cut.exaggeration,
                       plot.size.y),
           "leave exaggeration out for one that fits");
  return cut;
}

/// What lies at the middle of every pixel, row 0 at the top.
struct Samples {
  int width = 0, height = 0;
  std::vector<float> rho;
  std::vector<int32_t> which;

  size_t at(int x, int y) const { return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x); }
};

Samples sample(const Geology& rock, const SectionLine& line, Interval heights, Vec2 size, const Context& context) {
  Samples s;
  s.width = std::max(1, static_cast<int>(size.x * fineness));
  s.height = std::max(1, static_cast<int>(size.y * fineness));
  const auto cells = static_cast<size_t>(s.width) * static_cast<size_t>(s.height);
  s.rho.resize(cells);
  s.which.resize(cells);
  const auto columns = static_cast<size_t>(s.width);
  parallel_chunks(s.height, 16, context, [&](int64_t begin, int64_t end) {
    std::vector<double> places(3 * columns);
    double *x = places.data(), *y = x + columns, *z = y + columns;
    for (size_t i = 0; i < columns; ++i) {
      const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(columns);
      x[i] = line.from.x * (1 - t) + line.to.x * t;
      y[i] = line.from.y * (1 - t) + line.to.y * t;
    }
    for (int64_t row = begin; row < end; ++row) {
      const double t = (static_cast<double>(row) + 0.5) / static_cast<double>(s.height);
      std::fill_n(z, columns, heights.high * (1 - t) + heights.low * t);
      const RockPoints points{x, y, z, s.width};
      const size_t first = s.at(0, static_cast<int>(row));
      rock.resistance(points, s.rho.data() + first);
      rock.root().rocks(points, s.which.data() + first);
    }
  });
  return s;
}

Image paint(const Samples& s, const ColourScale& scale) {
  Image image(s.width, s.height, 3);
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) {
      const size_t i = s.at(x, y);
      uint32_t rgb = scale.colour(static_cast<double>(s.rho[i]));
      const bool edge =
          (x > 0 && s.which[i - 1] != s.which[i]) || (y > 0 && s.which[i - static_cast<size_t>(s.width)] != s.which[i]);
      if (edge) rgb = to_hex(from_hex(rgb) * edge_shade);
      uint8_t* pixel = image.at(x, y);
      for (int c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>(rgb >> (16 - 8 * c) & 255u);
    }
  return image;
}

/// The named rocks that the cut meets, the one that lies highest on average first.
std::vector<LegendClass> legend_of(const Geology& rock, const Samples& s, const ColourScale& scale) {
  const std::vector<NamedRock> names = rock.root().names();
  struct Met {
    size_t rock = 0;
    double count = 0, rows = 0;
  };
  std::vector<Met> all(names.size());
  for (size_t i = 0; i < all.size(); ++i) all[i].rock = i;
  for (size_t i = 0; i < s.which.size(); ++i) {
    const int32_t which = s.which[i];
    if (which < 0 || static_cast<size_t>(which) >= names.size()) continue;
    all[static_cast<size_t>(which)].count += 1;
    all[static_cast<size_t>(which)].rows += static_cast<double>(i / static_cast<size_t>(s.width));
  }
  std::erase_if(all, [](const Met& met) { return met.count == 0; });
  std::ranges::stable_sort(all, {}, [](const Met& met) { return met.rows / met.count; });
  std::vector<LegendClass> list;
  for (const Met& met : all) {
    const NamedRock& named = names[met.rock];
    list.push_back({scale.colour(static_cast<double>(named.resistance)),
                    fmt::format("{}  ({:.2g})", named.name, named.resistance)});
  }
  return list;
}

}  // namespace

RockFace cut_rock(const Geology& rock, const SectionLine& line, Interval heights, Vec2 size, ColourMap map,
                  const Context& context) {
  const Samples samples = sample(rock, line, heights, size, context);
  const ColourScale scale = rock_scale(map);
  return {paint(samples, scale), scale, legend_of(rock, samples, scale)};
}

Vec2 rock_bar_size(const RockFace& face, double height) {
  return {14, std::clamp(height * (face.rocks.empty() ? 1 : 0.5) - 24, 80.0, 240.0)};
}

Drawing draw_figure(const Geology& rock, const Frame& world, const FigureParams& params, const Context& context) {
  check_figure_params(params);
  if (params.kind != FigureKind::section) refuse("rock is shown as a section", "kind = section");
  const Cut cut = cut_of(rock, world, params);
  const RockFace face =
      cut_rock(rock, cut.line, {cut.plot.y_low, cut.plot.y_high}, cut.plot.size, params.colour_map, context);
  const std::vector<LegendClass>& rocks = face.rocks;

  const DistanceUnit unit = distance_unit(cut.line.length);
  const std::string note = fmt::format("{}, {}", line_text(cut.line), exaggeration_text(cut.exaggeration));
  const Vec2 bar = rock_bar_size(face, cut.plot.size.y);
  const Vec2 bar_room = colour_bar_room(bar, face.scale);
  const Vec2 rock_room = rocks.empty() ? Vec2{} : classes_room(1e4, "rock", rocks);
  const double gap = rocks.empty() ? 0 : 14;
  PlotPage page =
      plot_page(cut.plot, {std::max(bar_room.x, rock_room.x), bar_room.y + gap + rock_room.y}, note, params);
  Drawing drawing(page.width, page.height);
  drawing.picture(page.plot.corner, page.plot.size, face.image);
  if (params.axes) {
    const Vec2 beside{page.plot.corner.x + page.plot.size.x + legend_gap, page.plot.corner.y};
    draw_colour_bar(drawing, beside, bar, face.scale);
    if (!rocks.empty()) draw_classes(drawing, {beside.x, beside.y + bar_room.y + gap}, 1e4, "rock", rocks);
  }
  page.plot.x_high /= unit.metres;
  draw_plot_page(drawing, page, params, unit);
  return drawing;
}

}  // namespace tepui

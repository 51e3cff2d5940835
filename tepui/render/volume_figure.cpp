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
constexpr uint32_t plain_rock = 0xb08d6a, air = 0xf4f6f7;
/// How far rock darkens where air or another rock begins.
constexpr float surface_shade = 0.25f, edge_shade = 0.7f;

/// The plot's numbers.
struct Cut {
  SectionLine line;
  PlotArea plot;  ///< of distances in metres
  double exaggeration = 1;
};

SectionLine line_through(const Box3& box, const FigureParams& params) {
  Frame frame;
  frame.origin = {box.low.x, box.low.y};
  frame.cell = frame.size = {box.high.x - box.low.x, box.high.y - box.low.y};
  frame.width = frame.height = 2;
  return section_line(frame, params);
}

Interval heights_of(const Box3& box, const FigureParams& params) {
  if (params.range.low < params.range.high) return params.range;
  const double margin = std::max(0.04 * (box.high.z - box.low.z), 1e-3);
  return {box.low.z - margin, box.high.z + margin};
}

/// Heights are as they are, unless the parameters or the page's sides ask for something else.
Cut cut_of(const Volume& volume, const FigureParams& params) {
  const Box3 box = volume.support();
  if (box.empty()) refuse("this volume is empty, so there is nothing to cut");
  Cut cut;
  cut.line = line_through(box, params);
  const Interval z = heights_of(box, params);
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
    cut.exaggeration = params.exaggeration > 0         ? params.exaggeration
                       : height >= 80 && height <= 900 ? 1
                                                       : round_exaggeration(320 / height);
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
  std::vector<float> v, rho;
  std::vector<int32_t> which;  ///< -1 where no rock is named

  size_t at(int x, int y) const { return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x); }
};

Samples sample(const Volume& volume, const Cut& cut, const Context& context) {
  Samples s;
  s.width = std::max(1, static_cast<int>(cut.plot.size.x * fineness));
  s.height = std::max(1, static_cast<int>(cut.plot.size.y * fineness));
  const auto cells = static_cast<size_t>(s.width) * static_cast<size_t>(s.height);
  s.v.resize(cells);
  s.rho.resize(cells);
  s.which.resize(cells);
  const auto columns = static_cast<size_t>(s.width);
  parallel_chunks(s.height, 16, context, [&](int64_t begin, int64_t end) {
    std::vector<double> places(3 * columns);
    double *x = places.data(), *y = x + columns, *z = y + columns;
    for (size_t i = 0; i < columns; ++i) {
      const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(columns);
      x[i] = cut.line.from.x * (1 - t) + cut.line.to.x * t;
      y[i] = cut.line.from.y * (1 - t) + cut.line.to.y * t;
    }
    for (int64_t row = begin; row < end; ++row) {
      const double t = (static_cast<double>(row) + 0.5) / static_cast<double>(s.height);
      std::fill_n(z, columns, cut.plot.y_high * (1 - t) + cut.plot.y_low * t);
      const size_t first = s.at(0, static_cast<int>(row));
      volume.values({x, columns}, {y, columns}, {z, columns}, {s.v.data() + first, columns}, Context());
      const RockPoints points{x, y, z, s.width};
      volume.rock().resistance(points, s.rho.data() + first);
      volume.rock().root().rocks(points, s.which.data() + first);
    }
  });
  return s;
}

/// The share of a pixel that is rock, from how fast the field falls around it.
float rock_share(const Samples& s, int x, int y) {
  const size_t i = s.at(x, y), row = static_cast<size_t>(s.width);
  const float left = x > 0 ? s.v[i - 1] : s.v[i], right = x + 1 < s.width ? s.v[i + 1] : s.v[i];
  const float up = y > 0 ? s.v[i - row] : s.v[i], down = y + 1 < s.height ? s.v[i + row] : s.v[i];
  const float fall = 0.5f * (std::abs(right - left) + std::abs(down - up));
  return fall > 0 ? clamp01(0.5f + s.v[i] / fall) : s.v[i] > 0 ? 1.0f : 0.0f;
}

bool borders_air(const Samples& s, int x, int y) {
  const size_t i = s.at(x, y), row = static_cast<size_t>(s.width);
  return (x > 0 && !(s.v[i - 1] > 0)) || (x + 1 < s.width && !(s.v[i + 1] > 0)) || (y > 0 && !(s.v[i - row] > 0)) ||
         (y + 1 < s.height && !(s.v[i + row] > 0));
}

bool borders_rock(const Samples& s, int x, int y) {
  const size_t i = s.at(x, y), row = static_cast<size_t>(s.width);
  return (x > 0 && s.which[i - 1] != s.which[i]) || (y > 0 && s.which[i - row] != s.which[i]);
}

Image paint(const Samples& s, const ColourScale* scale) {
  Image image(s.width, s.height, 3);
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) {
      const size_t i = s.at(x, y);
      Rgb rock = from_hex(scale != nullptr ? scale->colour(static_cast<double>(s.rho[i])) : plain_rock);
      if (borders_air(s, x, y))
        rock = rock * surface_shade;
      else if (borders_rock(s, x, y))
        rock = rock * edge_shade;
      const uint32_t rgb = to_hex(mix(from_hex(air), rock, rock_share(s, x, y)));
      uint8_t* pixel = image.at(x, y);
      for (int c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>(rgb >> (16 - 8 * c) & 255u);
    }
  return image;
}

}  // namespace

Drawing draw_figure(const Volume& volume, const FigureParams& params, const Context& context) {
  check_figure_params(params);
  if (params.kind != FigureKind::section) refuse("a volume is shown as a section", "kind = section");
  const Cut cut = cut_of(volume, params);
  const Samples samples = sample(volume, cut, context);
  const ColourScale scale = rock_scale(params.colour_map);
  const bool known = volume.rock().hash() != Geology().hash();
  const DistanceUnit unit = distance_unit(cut.line.length);
  const std::string note = fmt::format("{}, {}", line_text(cut.line), exaggeration_text(cut.exaggeration));
  const Vec2 bar{14, std::clamp(cut.plot.size.y - 24, 80.0, 240.0)};
  PlotPage page = plot_page(cut.plot, known ? colour_bar_room(bar, scale) : Vec2{}, note, params);
  Drawing drawing(page.width, page.height);
  drawing.picture(page.plot.corner, page.plot.size, paint(samples, known ? &scale : nullptr));
  if (params.axes && known)
    draw_colour_bar(drawing, {page.plot.corner.x + page.plot.size.x + legend_gap, page.plot.corner.y}, bar, scale);
  page.plot.x_high /= unit.metres;
  draw_plot_page(drawing, page, params, unit);
  return drawing;
}

}  // namespace tepui

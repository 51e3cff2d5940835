#include "tepui/render/page/cut_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Pixels of the picture for one of the page, along each side.
constexpr int fineness = 2;

}  // namespace

CutPlot cut_plot(const SectionLine& line, Interval heights, const FigureParams& params,
                 double (*usual)(double pixels)) {
  CutPlot cut{line, {}, 1};
  PlotArea& plot = cut.area;
  const Vec2 wanted = params.wanted_size();
  plot = {{}, {wanted.x > 0 ? wanted.x : 760, wanted.y}, 0, line.length, heights.low, heights.high};
  const double height = (heights.high - heights.low) * plot.size.x / line.length;
  if (plot.size.y > 0) {
    cut.exaggeration = plot.size.y / height;
    if (params.exaggeration && std::abs(cut.exaggeration / *params.exaggeration - 1) > 0.01)
      refuse(fmt::format("{} with an exaggeration of {:.3g} are {:.0f} pixels high, not {}",
                         length_text(heights.high - heights.low), *params.exaggeration, height * *params.exaggeration,
                         plot.size.y),
             "remove 'exaggeration' or 'size'");
  } else {
    cut.exaggeration = params.exaggeration ? *params.exaggeration : usual(height);
    plot.size.y = std::round(height * cut.exaggeration);
  }
  if (!(plot.size.y >= 1 && plot.size.y <= 8192))
    refuse(fmt::format("an exaggeration of {:.3g} makes a section of {:.0f} pixels' height", cut.exaggeration,
                       plot.size.y),
           "remove 'exaggeration' to get one that fits");
  return cut;
}

bool CutSamples::borders_rock(int x, int y) const {
  const size_t i = at(x, y);
  return (x > 0 && which[i - 1] != which[i]) || (y > 0 && which[i - static_cast<size_t>(width)] != which[i]);
}

Image CutSamples::painted(const std::function<uint32_t(int x, int y)>& rgb) const {
  Image image(width, height, 3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const uint32_t colour = rgb(x, y);
      uint8_t* pixel = image.at(x, y);
      for (int c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>(colour >> (16 - 8 * c) & 255u);
    }
  return image;
}

CutSamples sample_cut(const Geology& rock, const Volume* volume, const SectionLine& line, Interval heights, Vec2 size,
                      const Context& context) {
  CutSamples s;
  s.width = std::max(1, static_cast<int>(size.x * fineness));
  s.height = std::max(1, static_cast<int>(size.y * fineness));
  const auto columns = static_cast<size_t>(s.width);
  const size_t cells = columns * static_cast<size_t>(s.height);
  s.rho.resize(cells);
  s.which.resize(cells);
  if (volume != nullptr) s.v.resize(cells);
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
      if (volume != nullptr)
        volume->values({x, columns}, {y, columns}, {z, columns}, {s.v.data() + first, columns}, Context());
    }
  });
  return s;
}

Drawing draw_cut_page(const CutPlot& cut, const RockFace& face, bool legend, const FigureParams& params) {
  const DistanceUnit unit = distance_unit(cut.line.length);
  const std::string note = fmt::format("{}, {}", line_text(cut.line), exaggeration_text(cut.exaggeration));
  const Vec2 bar = rock_bar_size(face, cut.area.size.y), bar_room = colour_bar_room(bar, face.scale);
  const double gap = face.rocks.empty() ? 0 : 14;
  const Vec2 rock_room = face.rocks.empty() ? Vec2{} : classes_room(1e4, "rock", face.rocks);
  const Vec2 room{std::max(bar_room.x, rock_room.x), bar_room.y + gap + rock_room.y};
  PlotPage page = plot_page(cut.area, legend ? room : Vec2{}, note, params);
  Drawing drawing(page.width, page.height);
  drawing.picture(page.plot.corner, page.plot.size, face.image);
  if (params.axes && legend) {
    const Vec2 beside{page.plot.corner.x + page.plot.size.x + legend_gap, page.plot.corner.y};
    draw_colour_bar(drawing, beside, bar, face.scale);
    if (!face.rocks.empty()) draw_classes(drawing, {beside.x, beside.y + bar_room.y + gap}, 1e4, "rock", face.rocks);
  }
  page.plot.x_high /= unit.metres;
  draw_plot_page(drawing, page, params, unit);
  return drawing;
}

}  // namespace tepui
